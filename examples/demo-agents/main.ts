// The demo of the desk: the real Claude Code asks in its own terminal and on a page, and the first answer wins. A script plays its
// model, so it needs no account.
//
//   npm run agents:install              once: the real Claude Code, for this folder only
//   npm run demo:agents                 Claude Code in this terminal; answer there or on the page
//   echo 2 | npm run demo:agents        the same on a pipe: Claude Code is out of sight, and the second answer is given on the page
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Context } from '@deepseek-ai/cordis'
import { build } from 'esbuild'
import { howToGetAgents, isInstalled, programs } from '../../scripts/agents-get.ts'
import { PROGRAMS } from '../../src/desk/connect/programs.ts'
import * as router from '../../src/index.ts'
import * as source from '../../src/sources/claude-code/index.ts'
import * as web from '../../src/surfaces/web/index.ts'
import { AnthropicMock } from '../../test/agents/helpers/anthropic-mock.ts'
import { claudeEnv, writeClaudeHome } from '../../test/agents/helpers/claude-home.ts'
import { answerOnPage, inSight, outOfSight } from './run.ts'

if (!isInstalled('claude')) {
  console.error(`The real Claude Code is not here yet: ${howToGetAgents}`)
  process.exit(2)
}

const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'demo-'))
const home = join(scratch, 'home'), project = join(scratch, 'shop'), folder = join(scratch, 'desk'), hook = join(scratch, 'claude-code-hook.mjs')
for (const path of [home, project]) mkdirSync(path)
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

const model = await new AnthropicMock().listen()
model.add('setup', [{
  name: 'AskUserQuestion',
  input: {
    questions: [{
      question: 'Which database should the project use?', header: 'Storage', multiSelect: false,
      options: [
        { label: 'Postgres', description: 'A server of its own; many writers at once, backups by the operations team.' },
        { label: 'SQLite', description: 'One file beside the program; nothing to run, one writer at a time.' },
      ],
    }],
  },
}])

let link = ''
const ctx = new Context()
await ctx.plugin(router)
await ctx.plugin({ ...web, apply: (inner: Context) => web.apply(inner, {}, (line, url = link) => {
  console.log(line)
  link = url
}) })
await ctx.plugin(source, { folder })
// Where each question was answered. Claude Code has the whole screen, so that is told at the end.
const answeredOn: string[] = []
ctx.askSurfaces.register({ name: 'witness', personal: true, ask: () => new Promise(() => {}), settled: (_request, by) => void answeredOn.push(by) })

// What `dsh-ask-router connect claude-code` does.
await build({ entryPoints: [join(import.meta.dirname, '../../src/sources/claude-code/hook.ts')], outfile: hook, bundle: true, platform: 'node', format: 'esm' })
const events = PROGRAMS.find(({ name }) => name === 'claude-code')!.hooks({ node: process.execPath, hook, folder })
writeClaudeHome(home, project, { hooks: Object.fromEntries(events.map(({ event, matcher, handler }) => [event, [{ matcher, hooks: [handler] }]])) })

const { TERM = 'xterm-256color', LANG = 'C.UTF-8' } = process.env
const claude = {
  command: programs.claude, args: ['--permission-mode', 'default', 'Set up the project: DO setup.'], cwd: project,
  env: { TERM, LANG, HOME: home, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), SHELL: '/bin/sh', ...claudeEnv(model.url) },
}

if (process.stdin.isTTY && process.stdout.isTTY) {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  await lines.question('Open the page, then press Enter: Claude Code starts here and asks. Answer there or on the page. Later, "DO bash" makes it want permission, and Ctrl-C twice ends it. ')
  lines.close()
  await inSight(claude)
} else {
  const end = outOfSight(claude)
  await answerOnPage(link, process.stdin)
  await model.nextTold()
  await end()
}
console.log([
  '', ...answeredOn.map(by => `A question was answered on: ${by}`), 'What the model was told:', ...model.told().map(text => `  ${text}`),
].join('\n'))
await ctx.fiber.dispose()
await model.close()
