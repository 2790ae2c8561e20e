// The real Codex in a home of its own, on a model server of this process: no account, no network.
import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codexPackage, programs } from '../../../scripts/agents-get.ts'
import type { Finished } from '../../cli/children.ts'
import type { OpenAiMock } from './openai-mock.ts'
import { Scratch } from './scratch.ts'
import type { Terminal } from './terminal.ts'

/** A home in which Codex asks nothing before its first prompt. Its app-server goes with it. */
export class CodexHome extends Scratch {
  /** `$CODEX_HOME`. */
  readonly codex = join(this.home, '.codex')
  /** Where its app-server listens: a link to the socket. */
  readonly socket = join(this.codex, 'app-server-control', 'app-server-control.sock')

  constructor(model: OpenAiMock) {
    super({ MOCK_KEY: 'none' })
    this.env['CODEX_HOME'] = this.codex
    mkdirSync(this.codex)
    writeFileSync(join(this.codex, 'config.toml'), `model = "gpt-6.2-sol"
model_provider = "mock"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = "${model.url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
[features]
default_mode_request_user_input = true
[sandbox_workspace_write]
exclude_tmpdir_env_var = true
exclude_slash_tmp = true
[projects."${this.project}"]
trust_level = "trusted"
`)
    // What Codex would take for its app-server's program if it had put it there: 400 MB that are not copied, and seconds saved.
    const daemon = join(this.codex, 'packages', 'app-server-daemon')
    mkdirSync(daemon, { recursive: true })
    symlinkSync(codexPackage(), join(daemon, 'current'))
    // For the script `patch`.
    writeFileSync(join(this.home, 'notes.txt'), 'one\ntwo\nthree\n')
  }

  /** Start it, and wait until it takes a prompt. */
  async start(...args: string[]): Promise<Terminal> {
    const terminal = this.open(programs.codex, args)
    // The model and the folder are there once the app-server is.
    await terminal.waitFor(` · ${this.project}`)
    return terminal
  }

  /** Run one prompt without a terminal, as `codex exec` does. */
  exec(prompt: string, ...args: string[]): Promise<Finished> {
    return this.run(programs.codex, ['exec', '--skip-git-repo-check', ...args, prompt])
  }

  /** Stop the app-server, as a person does. What it leaves behind goes with the home. */
  stopServer(): Promise<Finished> {
    return this.run(programs.codex, ['app-server', 'daemon', 'stop'])
  }

  override async remove(): Promise<void> {
    // The sockets themselves are outside of the home.
    const links = [this.socket, join(this.codex, 'app-server-daemon', 'daemon-updater.sock')].filter(link => lstatSync(link, { throwIfNoEntry: false }))
    const sockets = links.map(link => readlinkSync(link))
    await super.remove()
    for (const socket of sockets) for (const file of [socket, `${socket}.lock`]) rmSync(file, { force: true })
  }
}
