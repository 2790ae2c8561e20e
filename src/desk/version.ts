// The package's version.
import { readFileSync } from 'node:fs'

/** As package.json has it. The package finds itself by its name, in the sources as when it is built. */
export const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve('dsh-ask-router/package.json')), 'utf8')) as { version: string }
