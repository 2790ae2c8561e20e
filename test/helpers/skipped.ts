// What was skipped, and what to install for it: one line each, at the end of the run, where it is seen.
import { relative, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { howToGetNtfy, ntfy } from '../../scripts/ntfy-server.ts'
import { missing as missingPty } from '../pty/person.ts'

const root = resolve(import.meta.dirname, '../..')

/** What some tests need beside `npm ci`; `missing` says how to get it, where it is not there. */
export interface Need {
  /** The folder of the tests that need it. */
  readonly folder: string
  readonly what: string
  readonly missing: string | undefined
}

const NEEDS: readonly Need[] = [
  { folder: 'test/ntfy/', what: 'a real ntfy server', missing: ntfy === undefined ? howToGetNtfy : undefined },
  { folder: 'test/pty/', what: 'a pseudo-terminal', missing: missingPty },
]

/** The lines for a run of these files, by their paths in the repository, of which these skipped something. */
export function skippedLines(skipped: readonly string[], needs = NEEDS): string[] {
  return needs.flatMap(({ folder, what, missing }) => {
    const count = skipped.filter(path => path.startsWith(folder)).length
    return missing !== undefined && count > 0 ? [`Skipped: ${count === 1 ? '1 file' : `${count} files`} in ${folder} for want of ${what}. ${missing}`] : []
  })
}

export default function setup(project: TestProject): () => void {
  return () => {
    const skipped = project.vitest.state.getTestModules()
      .filter(({ children }) => [...children.allTests('skipped')].length > 0)
      .map(({ moduleId }) => relative(root, moduleId).replaceAll('\\', '/'))
    for (const line of skippedLines(skipped)) process.stderr.write(`${line}\n`)
  }
}
