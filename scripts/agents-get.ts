// The real Claude Code and Codex for the tests on them and for the demo, in a folder that git ignores: `npm run agents:install`.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The versions that everything here was tried on. */
const VERSIONS = { '@anthropic-ai/claude-code': '2.1.332', '@openai/codex': '0.171.0' } as const
const FOLDER = join(import.meta.dirname, '../.cache/agents')
const BIN = join(FOLDER, 'node_modules/.bin')

/** Where each program is, once it is installed. */
export const programs = { claude: join(BIN, 'claude'), codex: join(BIN, 'codex') } as const

/** The folder of Codex' own program, which the app-server runs from. */
export function codexPackage(): string {
  const all = join(FOLDER, 'node_modules/@openai')
  const vendor = join(all, readdirSync(all).find(name => name !== 'codex')!, 'vendor')
  return join(vendor, readdirSync(vendor)[0]!)
}

/** Whether one is there, in just its version. */
export function isInstalled(program: keyof typeof programs): boolean {
  if (!existsSync(programs[program])) return false
  const name = ({ claude: '@anthropic-ai/claude-code', codex: '@openai/codex' } as const)[program]
  const { version } = JSON.parse(readFileSync(join(FOLDER, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }
  return version === VERSIONS[name]
}

/** Whether both are. */
export function areInstalled(): boolean {
  return isInstalled('claude') && isInstalled('codex')
}

/** How to get them. */
export const howToGetAgents = 'npm run agents:install puts both into .cache/agents (800 MB).'

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href && !areInstalled()) {
  mkdirSync(FOLDER, { recursive: true })
  // Claude Code's own script puts the program in its place.
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies: VERSIONS, allowScripts: { '@anthropic-ai/claude-code': true } }))
  execFileSync('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund', '--no-ignore-scripts'], { cwd: FOLDER, stdio: 'inherit' })
  if (!areInstalled()) throw new Error(`npm has installed something else into ${FOLDER}`)
}
