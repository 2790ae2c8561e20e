// The package's version.
import { readFileSync } from 'node:fs'

/** As package.json has it, which is two folders above, in the sources as in the built package. */
export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
