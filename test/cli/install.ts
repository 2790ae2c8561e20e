// The real dsh: installed once from the tracked manifest in real-dsh/ into a folder that git ignores, then reused.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, mustRun } from './children.ts'

const FILES = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml']
const MANIFEST = join(ROOT, 'test', 'cli', 'real-dsh')
const TARGET = join(ROOT, '.cache', 'real-dsh')
const COMMAND = join(TARGET, 'node_modules', '@deepseek-ai', 'dsh', 'lib', 'bin.js')
const INSTALL_DEADLINE_MS = 600_000
/** Written last, so that an install that was cut short is done again. */
const DONE = join(TARGET, 'installed-on')

/** Resolves with the path of dsh's own script, for this Node to run. */
export async function installDsh(): Promise<string> {
  const platform = `${process.platform} ${process.arch}\n`
  const same = (file: string) =>
    existsSync(join(TARGET, file)) && readFileSync(join(TARGET, file)).equals(readFileSync(join(MANIFEST, file)))
  if (existsSync(DONE) && readFileSync(DONE, 'utf8') === platform && existsSync(COMMAND) && FILES.every(same)) {
    return COMMAND
  }
  rmSync(TARGET, { recursive: true, force: true })
  mkdirSync(TARGET, { recursive: true })
  for (const file of FILES) cpSync(join(MANIFEST, file), join(TARGET, file))
  await mustRun('pnpm', ['install', '--frozen-lockfile', '--ignore-scripts'], { cwd: TARGET }, INSTALL_DEADLINE_MS)
  writeFileSync(DONE, platform)
  return COMMAND
}
