// A tool that needs permission, in the real dsh: its own gate asks, and the page of `dsh web` and a surface race for the
// decision. Of the surfaces the desk takes approvals, and the phone does not.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { chooses } from '../helpers/approval.ts'
import { Browser } from './browser.ts'
import { Home } from './home.ts'
import { Host } from './host.ts'
import { Model } from './model.ts'
import { POSTGRES, SQLITE } from './questions.ts'
import { GATE, REJECTED, Web, WEB_UI } from './web.ts'

const UNAVAILABLE = 'Error: tool "write" requires approval, but no approval channel is available'
describe('an approval in dsh web', () => {
  let web: Web
  let host: Host
  let page: Browser

  beforeAll(async () => {
    web = await Web.boot(GATE)
    ;({ host, page } = web)
  })

  afterEach(() => {
    expect(host.alive, host.describe()).toBe(true)
    expect(host.stderr).toBe('')
    // Whatever happened, nobody was asked who does not take approvals.
    expect(host.reported('asked', ({ surface, approval }) => surface === 'phone' && approval !== undefined)).toEqual([])
  })

  afterAll(() => web?.close())

  const deskIsOut = (ask: string) => host.until('the desk to be out', async () => {
    const { pending } = await host.list()
    return pending.find(({ id }) => id === ask)?.participants.some(({ name, state }) => name === 'desk' && state === 'failed')
  })

  /** A write, once an edit is applied by which approvals are raced, or not any more. */
  const writeOnce = (sessionId: string, isRaced: boolean) => host.until('the edit to be applied', async () => {
    // The page shows what the desk was asked just before.
    const write = await web.write(sessionId), panel = await page.panel(sessionId)
    const ask = (await host.list()).pending.find(({ participants }) => participants.some(({ name }) => name === 'desk'))?.id
    if ((ask !== undefined) === isRaced) return { ...write, panel, ask }
    await page.decide(panel, 'rejected')
    await web.told(write.call)
    return undefined
  })

  it('is shown on the page and on the surface that takes approvals, and the router lists both', async () => {
    const { call, ask } = await web.gated()
    const { pending } = await host.list()
    expect(pending.find(({ id }) => id === ask)?.participants).toMatchObject(
      ['desk', WEB_UI].map(name => ({ name, state: 'asked' })))
    host.answer('desk', ask, chooses('reject'))
    expect(await web.told(call)).toBe(REJECTED)
  })

  it('is allowed on the surface: the tool runs, and the panel goes', async () => {
    const { call, ask, panel, hasRun } = await web.gated()
    host.answer('desk', ask, chooses('allow'))
    expect(await page.closed(panel)).toBe('cancelled')
    expect(await web.told(call)).toMatch(/Created file/)
    expect(hasRun()).toBe(true)
    expect((await host.report('outcome', report => report.ask === ask)).outcome).toEqual(
      { kind: 'answered', by: 'desk', answer: chooses('allow') })
    expect(await page.decide(panel, 'rejected')).toEqual({ accepted: false, reason: 'not-pending' })
  })

  it('is allowed on the page: the tool runs, and the surface is told', async () => {
    const { call, ask, panel, hasRun } = await web.gated()
    expect(await page.decide(panel, 'allowed-once')).toEqual({ accepted: true })
    expect(await page.closed(panel)).toBe('allowed-once')
    expect(await web.told(call)).toMatch(/Created file/)
    expect(hasRun()).toBe(true)
    expect((await host.report('aborted', report => report.ask === ask && report.signal === 'context')).code).toBe('ASK_SETTLED')
    expect(await web.settled(ask)).toEqual([{ surface: 'desk', by: WEB_UI, answer: chooses('allow') }])
  })

  it.each([
    undefined, 'to staging first, please',
  ])('is rejected on the surface, with the words %o: the tool does not run, and the panel goes', async (words) => {
    const { call, ask, panel, hasRun } = await web.gated()
    host.answer('desk', ask, chooses('reject', words))
    expect(await page.closed(panel)).toBe('cancelled')
    expect(await web.told(call)).toBe(REJECTED)
    expect(await page.decide(panel, 'allowed-once')).toEqual({ accepted: false, reason: 'not-pending' })
    expect(hasRun()).toBe(false)
  })

  it('is rejected on the page: the tool does not run, whatever the surface says later', async () => {
    const { call, ask, panel, hasRun } = await web.gated()
    expect(await page.decide(panel, 'rejected')).toEqual({ accepted: true })
    expect(await web.told(call)).toBe(REJECTED)
    host.answer('desk', ask, chooses('allow'))
    expect(await web.settled(ask)).toEqual([{ surface: 'desk', by: WEB_UI, answer: chooses('reject') }])
    expect(hasRun()).toBe(false)
  })

  it('is declined on the surface, which is a no', async () => {
    const { call, ask, panel, hasRun } = await web.gated()
    host.refuse('desk', ask, 'ASK_CANCELLED')
    expect(await page.closed(panel)).toBe('cancelled')
    expect(await web.told(call)).toBe(REJECTED)
    expect(hasRun()).toBe(false)
  })

  it.each([
    ['both options', { answers: [{ id: 'approval', selected: ['reject', 'allow'] }] }],
    ['a typed word', { answers: [{ id: 'approval', selected: [], custom: 'allow' }] }],
    ['a permission with words', chooses('allow', 'but not on Fridays')],
  ])('is answered on the surface by what permits nothing: %s. The page decides', async (_what, answer) => {
    const { call, ask, panel, hasRun } = await web.gated()
    host.answer('desk', ask, answer)
    await deskIsOut(ask)
    expect([hasRun(), web.model.told(call)]).toEqual([false, undefined])
    expect(await page.decide(panel, 'rejected')).toEqual({ accepted: true })
    expect(await web.told(call)).toBe(REJECTED)
    expect(hasRun()).toBe(false)
  })

  it('has its turn interrupted: both put it away, the tool does not run, and the session goes on', async () => {
    const { sessionId, ask, panel, hasRun } = await web.gated()
    await page.stop(sessionId)
    expect(await page.closed(panel)).toBe('cancelled')
    await host.report('aborted', report => report.ask === ask && report.signal === 'request')
    expect((await host.report('aborted', report => report.ask === ask && report.signal === 'context')).code).toBe('ASK_ABORTED')
    expect((await host.report('outcome', report => report.ask === ask)).outcome).toEqual({ kind: 'aborted' })
    host.answer('desk', ask, chooses('allow'))
    expect(await web.settled(ask)).toEqual([])

    const next = await web.gated(sessionId)
    host.answer('desk', next.ask, chooses('allow'))
    expect(await web.told(next.call)).toMatch(/Created file/)
    expect([hasRun(), next.hasRun()]).toEqual([false, true])
  })

  it('two sessions at once: each is decided only by its own', async () => {
    const first = await web.gated()
    const second = await web.gated()
    host.answer('desk', second.ask, chooses('allow'))
    expect(await web.told(second.call)).toMatch(/Created file/)
    expect([first.hasRun(), web.model.told(first.call)]).toEqual([false, undefined])
    expect(await page.decide(first.panel, 'rejected')).toEqual({ accepted: true })
    expect(await web.told(first.call)).toBe(REJECTED)
    expect([first.hasRun(), second.hasRun()]).toEqual([false, true])
  })

  it('with no page open a surface decides all the same; a page that opens meanwhile shows the approval', async () => {
    const sessionId = await page.newSession(web.home.cwd)
    await page.close()
    const { call, hasRun } = await web.write(sessionId)
    const { ask } = await host.asked('desk', sessionId)
    await page.connect()
    const panel = await page.panel(sessionId)
    host.answer('desk', ask, chooses('allow'))
    expect(await page.closed(panel)).toBe('cancelled')
    expect(await web.told(call)).toMatch(/Created file/)
    expect(hasRun()).toBe(true)
  })

  it('is what dsh’s own sandbox asks for, when a command wants more than it has', async () => {
    const sessionId = await page.newSession(web.home.cwd), file = join(web.home.cwd, 'made-by-a-command')
    const command = `echo done > ${file}`
    const wider = { sandbox_permissions: 'danger-full-access', justification: 'It is outside.' }
    const call = web.model.willCall('bash', { command, description: 'Write.', ...wider })
    await page.prompt(sessionId, 'Set the project up.')
    const { ask, approval, questions: [question] } = await host.asked('desk', sessionId)
    expect(await page.panel(sessionId)).toMatchObject({ callId: call, ...approval })
    expect(approval).toEqual({ toolName: 'bash', reason: 'escalate sandbox to danger-full-access: It is outside.' })
    expect(question!.detail).toContain(`\`\`\`\n${command}\n\`\`\``)
    expect(existsSync(file)).toBe(false)
    host.answer('desk', ask, chooses('allow'))
    expect(await web.told(call)).toBe('(no output)')
    expect(existsSync(file)).toBe(true)
  })

  it('of a subagent is asked of nobody: dsh itself rejects it', async () => {
    const sessionId = await page.newSession(web.home.cwd), asked = host.reported('asked').length
    const parent = web.model.willCall('subagent', { description: 'Write it', prompt: 'Write it.', run_in_background: false })
    const { call, hasRun } = await web.write(sessionId)
    expect(await web.told(call)).toBe(REJECTED)
    expect(await web.told(parent)).toContain(REJECTED)
    await host.list()
    expect([hasRun(), host.reported('asked').length]).toEqual([false, asked])
  })

  it('a question of the same session goes to every surface, also to the one that takes no approvals', async () => {
    const { sessionId, call, ask } = await web.gated()
    host.answer('desk', ask, chooses('reject'))
    await web.told(call)
    const question = await web.shown({ sessionId })
    host.answer('phone', question.ask, SQLITE)
    expect(await web.heard(question.call)).toEqual(SQLITE)
  })

  it('is the page’s alone while approvals are off, which holds at once; questions are raced', async () => {
    await web.home.patch('web', `${GATE}- id: ask-router\n  config: { approvals: off }\n`)
    const sessionId = await page.newSession(web.home.cwd)
    const { call, panel } = await writeOnce(sessionId, false)
    const asked = host.reported('asked').length
    expect(await page.decide(panel, 'allowed-once')).toEqual({ accepted: true })
    expect(await web.told(call)).toMatch(/Created file/)
    expect(host.reported('asked')).toHaveLength(asked)

    const question = await web.shown({ sessionId })
    host.answer('desk', question.ask, POSTGRES)
    expect(await web.heard(question.call)).toEqual(POSTGRES)
    expect(host.reported('unregistered')).toEqual([])
  })

  it('is open while the router is switched off: both put it away, the tool does not run, and the next is the page’s alone', async () => {
    await web.home.patch('web', GATE)
    const sessionId = await page.newSession(web.home.cwd)
    const { ask, call, panel, hasRun } = await writeOnce(sessionId, true)
    await web.home.patch('web', `${GATE}- id: ask-router\n  disabled: true\n`)
    expect(await page.closed(panel)).toBe('cancelled')
    await host.report('aborted', report => report.ask === ask && report.signal === 'context')
    expect(await web.told(call)).toBe('Error: approval for tool "write" was cancelled')
    expect(hasRun()).toBe(false)

    const next = await web.write(sessionId)
    expect(await page.decide(await page.panel(sessionId), 'allowed-once')).toEqual({ accepted: true })
    expect(await web.told(next.call)).toMatch(/Created file/)
    expect(next.hasRun()).toBe(true)
  })
})

describe('an approval that is open when dsh is told to end', () => {
  it('does not keep it from ending; after `dsh plugin remove` the next one is the page’s alone, as in dsh itself', async () => {
    const web = await Web.boot(GATE)
    let host: Host | undefined
    try {
      const { hasRun } = await web.gated()
      expect(await web.host.stop()).toBe(0)
      expect([web.host.stderr, hasRun()]).toEqual(['', false])
      await web.home.plugin('web', 'remove', 'dsh-ask-router')
      host = new Host(web.home, ['web', '--no-open', '--port', '0'], { env: web.model.env })
      const page = await Browser.open(host)
      await host.report('booted')
      const sessionId = await page.newSession(web.home.cwd), file = join(web.home.cwd, 'written')
      const call = web.model.willCall('write', { file_path: file, content: 'text' })
      await page.prompt(sessionId, 'Set the project up.')
      expect(await page.decide(await page.panel(sessionId), 'allowed-once')).toEqual({ accepted: true })
      expect(await host.until('the model to be told', () => web.model.told(call))).toMatch(/Created file/)
      expect([existsSync(file), host.reported('asked'), host.stderr]).toEqual([true, [], ''])
    } finally {
      await host?.kill()
      await web.close()
    }
  })
})

describe('an approval in dsh --profile headless, which has no UI', () => {
  const home = new Home()
  const file = join(home.cwd, 'written')
  let model: Model
  let host: Host | undefined

  beforeAll(async () => {
    const { router, bridge, probe } = inject('tarballs')
    model = await Model.listen()
    await home.plugin('headless', 'add', bridge, probe)
    await home.plugin('headless', 'add', router)
  })

  afterEach(() => host?.kill())

  afterAll(async () => {
    await model?.close()
    home.remove()
  })

  const run = () => {
    model.willCall('write', { file_path: file, content: 'text' })
    host = new Host(home, ['--profile', 'headless', 'Set the project up.'], { env: model.env })
    return host
  }

  it('is as unavailable as without the router where no surface takes approvals', async () => {
    for (const row of ['ask-probe', 'ask-router']) {
      await home.patch('headless', `${GATE}- id: ${row}\n  disabled: true\n`)
      const started = run()
      expect(await started.ended()).toBe(0)
      expect([started.stdout, started.stderr, existsSync(file)]).toEqual([`I was told: ${UNAVAILABLE}\n`, '', false])
    }
  })

  it.each([['reject', false], ['allow', true]] as const)('is decided on a surface: %s', async (choice, runs) => {
    await home.patch('headless', GATE)
    const started = run()
    const { ask } = await started.report('asked', ({ surface }) => surface === 'desk')
    started.answer('desk', ask, chooses(choice))
    expect(await started.ended()).toBe(0)
    expect(started.stdout).toMatch(runs ? /Created file/ : REJECTED)
    expect([started.stderr, existsSync(file)]).toEqual(['', runs])
  })
})
