// A DSH_HOME of its own for one spec file: profiles in it, the dsh command run on it, and what is left on disk.
import {
  lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, renameSync, rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { environment, mustRun, run, start, type Started } from './children.ts'

const WATCHER_REST_MS = 50

export interface Manifest {
  readonly dependencies?: Record<string, string>
  readonly dsh?: { readonly profile?: { bundles?: string[] } }
}

export class Home {
  private readonly root = mkdtempSync(join(inject('scratch'), 'home-'))
  private readonly dsh = inject('dsh')
  readonly dir = join(this.root, 'home')
  /** Where dsh is started: a working directory with nothing in it. */
  readonly cwd = join(this.root, 'workspace')

  private readonly tmp = join(this.root, 'tmp')

  constructor() {
    mkdirSync(this.cwd)
    mkdirSync(this.tmp)
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }

  private options(env: Record<string, string> = {}) {
    // dsh leaves a folder in the temporary one at each start.
    const tmp = { TMPDIR: this.tmp, TEMP: this.tmp, TMP: this.tmp }
    return { cwd: this.cwd, env: environment({ DSH_HOME: this.dir, DSH_TELEMETRY_DISABLED: '1', ...tmp, ...env }) }
  }

  /** `dsh plugin --profile <profile> <args>`, which has to succeed. */
  plugin(profile: string, ...args: string[]) {
    return mustRun(process.execPath, [this.dsh, 'plugin', '--profile', profile, ...args], this.options())
  }

  /** `dsh --profile <profile> --dump-config`. */
  async dump(profile: string): Promise<string> {
    return (await mustRun(process.execPath, [this.dsh, '--profile', profile, '--dump-config'], this.options())).stdout
  }

  /** Runs dsh to its end, for a boot that has to fail. */
  attempt(...args: string[]) {
    return run(process.execPath, [this.dsh, ...args], this.options())
  }

  /** Starts dsh and leaves it running. */
  start(args: readonly string[], extra: { env?: Record<string, string>; input?: string | null } = {}): Started {
    return start(process.execPath, [this.dsh, ...args], {
      ...this.options(extra.env),
      ipc: true,
      ...(extra.input === undefined ? {} : { input: extra.input }),
    })
  }

  profile(name: string): string {
    return join(this.dir, 'profiles', name)
  }

  manifest(profile: string): Manifest {
    return JSON.parse(readFileSync(join(this.profile(profile), 'package.json'), 'utf8')) as Manifest
  }

  setBundles(profile: string, bundles: string[]): void {
    const manifest = this.manifest(profile)
    const changed = { ...manifest, dsh: { ...manifest.dsh, profile: { ...manifest.dsh?.profile, bundles } } }
    writeFileSync(join(this.profile(profile), 'package.json'), `${JSON.stringify(changed, null, 2)}\n`)
  }

  /**
   * Replaces the person's own layer of a profile, as an editor does: in one step, and not in the same instant as the
   * edit before, whose effect the caller has just seen. (The host's watcher drops what follows within 50 ms.)
   */
  async patch(profile: string, yaml: string): Promise<void> {
    await sleep(2 * WATCHER_REST_MS)
    const draft = join(this.root, 'cordis.patch.yml')
    writeFileSync(draft, yaml)
    renameSync(draft, join(this.profile(profile), 'cordis.patch.yml'))
  }

  /** Every path under a folder of this home with its text, or what it links to; links are not followed. */
  files(folder: string): Map<string, string> {
    const found = new Map<string, string>()
    const walk = (dir: string) => {
      for (const name of readdirSync(dir).toSorted()) {
        const path = join(dir, name)
        const stat = lstatSync(path)
        const key = relative(folder, path)
        if (stat.isSymbolicLink()) found.set(key, `-> ${readlinkSync(path)}`)
        else if (stat.isDirectory()) {
          found.set(`${key}/`, '')
          walk(path)
        } else found.set(key, readFileSync(path, 'latin1'))
      }
    }
    walk(folder)
    return found
  }
}
