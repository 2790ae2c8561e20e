// A home of its own for each test, and the commands in it.
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { connect, disconnect } from '../../../src/desk/connect/index.ts'
import type { ConnectIo } from '../../../src/desk/connect/io.ts'

const COMMANDS = { connect, disconnect }

/** What a command left. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A home with a built hook, a project, and nobody's settings. */
export class Home {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'connect-')))
  readonly path = join(this.base, 'home')
  readonly project = join(this.base, 'shop')
  readonly state = join(this.path, '.local', 'state', 'dsh-ask-router')
  readonly built = join(this.base, 'hook.js')
  readonly user = join(this.path, '.claude', 'settings.json')
  readonly local = join(this.project, '.claude', 'settings.local.json')
  readonly codex = join(this.path, '.codex', 'hooks.json')
  env: NodeJS.ProcessEnv = {}
  node = '/usr/bin/node'

  constructor() {
    for (const folder of [dirname(this.state), this.project]) mkdirSync(folder, { recursive: true })
    writeFileSync(this.built, 'the hook')
  }

  /** Write a file and the folders to it. */
  write(path: string, content: string | Buffer, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    chmodSync(path, mode)
  }

  read(path: string): string {
    return readFileSync(path, 'utf8')
  }

  json(path: string): unknown {
    return JSON.parse(this.read(path))
  }

  /** Everything that is in the home and in the project: kind, mode and content. */
  everything(): Record<string, string> {
    return Object.fromEntries([this.path, this.project].flatMap(root => readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => {
      const path = join(root, name), stat = lstatSync(path), mode = (stat.mode & 0o7777).toString(8)
      return [path, `${mode} ${stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path, 'base64') : 'folder'}`]
    })))
  }

  /**
   * Run a command.
   *
   * @param typed what the person types; without it there is no terminal.
   */
  async run(command: keyof typeof COMMANDS, args: string, typed?: string | ((stdin: PassThrough) => void)): Promise<Ran> {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()], isTTY = typed !== undefined
    const io: ConnectIo = {
      stdin: Object.assign(stdin, { isTTY }), stdout: Object.assign(stdout, { isTTY }), stderr,
      env: this.env, home: this.path, cwd: this.project, node: this.node, managed: join(this.base, 'managed'), hookFile: () => this.built,
    }
    if (typeof typed === 'string') stdin.write(typed)
    else typed?.(stdin)
    const code = await COMMANDS[command](args.split(' '), io)
    return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') }
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true })
  }
}
