// Starts one browser for all browser specs. Without one they are skipped, and one line says so.
import { accessSync, constants } from 'node:fs'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser listens; empty when there is none. */
    browser: string
  }
}

/** How it is started: headless, and asking nobody on the network. */
export const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
]

/** The browser: `CHROMIUM`, else Debian's. */
export function chromiumPath(): string | undefined {
  const path = process.env['CHROMIUM'] || '/usr/bin/chromium'
  try {
    accessSync(path, constants.X_OK)
    return path
  } catch { return undefined /* not there, or nothing that can be started */ }
}

/** Start it, on its own. */
export const launch = (executablePath: string) => chromium.launchServer({ executablePath, args: FLAGS })

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const path = chromiumPath()
  if (path === undefined) {
    process.stderr.write('Skipped: the tests of the page in a real browser. They need Chromium: apt-get install chromium, or CHROMIUM=<its path>.\n')
    project.provide('browser', '')
    return () => Promise.resolve()
  }
  const server = await launch(path)
  project.provide('browser', server.wsEndpoint())
  return () => server.close()
}
