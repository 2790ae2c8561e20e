// Runs once before the specs, in the process that outlives them all: one folder for everything, and the end of every process that has
// it in its environment, on whatever way the run ends.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { areInstalled, howToGetAgents } from '../../scripts/agents-get.ts'
import { endAllIn } from './helpers/processes.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** For what a spec needs on disk; removed after the run. */
    scratch: string
  }
}

export default function setup(project: TestProject): () => void {
  if (!areInstalled()) throw new Error(`The real Claude Code and Codex are missing here. ${howToGetAgents}`)
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'agents-'))
  const clean = () => {
    endAllIn(scratch)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  process.once('exit', clean)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  project.provide('scratch', scratch)
  return clean
}
