// One task from the command line (`dsh --profile headless "<task>"`) whose agent asks: a surface answers, dsh prints what
// came of it and ends. Here the bundle is listed before those that bring the surfaces.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { formatQuestion } from '../../src/reply/format.ts'
import { approvalTexts } from '../../src/surfaces/terminal/approval-texts.ts'
import { TOO_EARLY_MS } from '../../src/surfaces/terminal/hearing.ts'
import { Home } from './home.ts'
import { Host } from './host.ts'
import { Model } from './model.ts'
import { DATABASE, SQLITE } from './questions.ts'
import { GATE } from './web.ts'

/** The headless profile gives its agent no ask_user_question; a person who wants it adds the row. */
const ASK_TOOL = `- insert:
    - id: tool-ask-user
      name: '@deepseek-ai/dsh-tool-ask-user'
`
const TERMINAL = `- id: ask-terminal
  disabled: false
  config: { lang: en }
`
const OUTCOME = `I was told: ${JSON.stringify(SQLITE)}\n`

describe('dsh --profile headless', () => {
  const home = new Home()
  let model: Model
  let host: Host | undefined

  beforeAll(async () => {
    const { router, bridge, probe } = inject('tarballs')
    model = await Model.listen()
    await home.plugin('headless', 'add', router)
    await home.plugin('headless', 'add', bridge, probe)
  })

  afterEach(() => host?.kill())

  afterAll(async () => {
    await model?.close()
    home.remove()
  })

  const run = (input?: string | null) => {
    model.willAsk([DATABASE])
    host = new Host(home, ['--profile', 'headless', 'Set the project up.'], { env: model.env, ...(input === undefined ? {} : { input }) })
    return host
  }
  const asked = (started: Host) => started.report('asked', ({ surface }) => surface === 'desk')

  it('a surface answers, and dsh prints the outcome and ends by itself', async () => {
    await home.patch('headless', ASK_TOOL)
    const started = run()
    started.answer('desk', (await asked(started)).ask, SQLITE)
    expect(await started.ended()).toBe(0)
    expect(started.stdout).toBe(OUTCOME)
    expect(started.stderr).toBe('')
  })

  it('the terminal, switched on in the profile, answers from a pipe', async () => {
    await home.patch('headless', ASK_TOOL + TERMINAL)
    const started = run('2\n')
    expect(await started.ended()).toBe(0)
    expect(started.stdout).toContain(formatQuestion(DATABASE, 'en'))
    expect(started.stdout.endsWith(`\n${OUTCOME}`), started.stdout).toBe(true)
    expect(started.stderr).toBe('')
    // The terminal is personal: it keeps the question from nobody.
    expect(started.reported('asked').map(({ surface }) => surface).toSorted()).toEqual(['desk', 'phone'])
  })

  it('somebody else answers: the terminal says so, and does not keep dsh from ending', async () => {
    await home.patch('headless', ASK_TOOL + TERMINAL)
    const started = run(null)
    started.send({ command: 'claim', sessions: 'all' })
    const { ask } = await asked(started)
    await started.until('the question on the terminal', () => started.stdout.includes(formatQuestion(DATABASE, 'en')))
    started.answer('desk', ask, SQLITE)
    expect(await started.ended()).toBe(0)
    expect(started.stdout).toContain(`Answered on desk: ${DATABASE.question} SQLite\n`)
    expect(started.stdout.endsWith(OUTCOME), started.stdout).toBe(true)
    expect(started.stderr).toBe('')
  })

  it('an approval on the terminal: what was typed before it was there allows nothing, and an “a” after that does', async () => {
    await home.patch('headless', GATE + TERMINAL)
    const file = join(home.cwd, 'written')
    model.willCall('write', { file_path: file, content: 'text' })
    host = new Host(home, ['--profile', 'headless', 'Set the project up.'], { env: model.env, input: null })
    host.type('a\n')
    await asked(host)
    await host.until('what came of the early line', () => host!.stdout.includes(approvalTexts({}, 'en').tooEarly))
    expect(host.stdout).toContain(`  | \`${file}\``)
    expect(existsSync(file)).toBe(false)
    await sleep(TOO_EARLY_MS + 200)
    host.type('a\n')
    expect(await host.ended()).toBe(0)
    expect(host.stdout).toMatch(/I was told: [^]*Created file/)
    expect([host.stderr, existsSync(file)]).toEqual(['', true])
  })
})
