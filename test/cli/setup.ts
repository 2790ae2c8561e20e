// Runs once before the specs: installs the real dsh, packs the tarballs, and tells the specs where both are. Everything
// temporary is in one folder, which goes when the run ends, on whatever way.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installDsh } from './install.ts'
import { packAll, type Tarballs } from './pack.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of dsh's own script. */
    dsh: string
    tarballs: Tarballs
    /** For what a spec needs on disk; removed after the run. */
    scratch: string
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'dsh-cli-'))
  // A host that is just being ended may still write.
  const clean = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  process.once('exit', clean)
  project.provide('scratch', scratch)
  project.provide('dsh', await installDsh())
  project.provide('tarballs', await packAll(scratch))
  return clean
}
