// The real Claude Code in a home of its own, on a model server of this process: no account, no network.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programs } from '../../../scripts/agents-get.ts'
import type { Finished } from '../../cli/children.ts'
import type { AnthropicMock } from './anthropic-mock.ts'
import { claudeEnv, writeClaudeHome } from './claude-home.ts'
import { Scratch } from './scratch.ts'
import type { Terminal } from './terminal.ts'

/** A home in which Claude Code asks nothing before its first prompt. */
export class ClaudeHome extends Scratch {
  /** The user's own settings. */
  readonly settings: string

  /** @param settings of the user, such as hooks. */
  constructor(model: AnthropicMock, settings: object = {}) {
    super(claudeEnv(model.url))
    this.settings = writeClaudeHome(this.home, this.project, settings)
    // For the script `edit`.
    writeFileSync(join(this.project, 'notes.txt'), 'one\ntwo\nthree\n')
  }

  /**
   * Start it, and wait until it takes a prompt.
   *
   * @param mode of permissions: it asks before it acts, or only plans.
   */
  async start(mode: 'default' | 'plan' = 'default', ...args: string[]): Promise<Terminal> {
    const terminal = this.open(programs.claude, ['--permission-mode', mode, ...args])
    await terminal.waitFor(/^❯/m)
    return terminal
  }

  /** Run one prompt without a terminal, as `claude -p` does. */
  print(prompt: string, ...args: string[]): Promise<Finished> {
    return this.run(programs.claude, ['-p', prompt, '--permission-mode', 'default', ...args])
  }
}
