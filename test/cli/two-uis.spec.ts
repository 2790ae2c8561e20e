// Two UIs of the real dsh beside the surfaces: its own page, and a stand-in for a bridge to a messenger. Both hold what they get
// and never call `next()`; whoever is first wins, and everybody else puts it away.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isHostName } from '../../src/index.ts'
import { chooses } from '../helpers/approval.ts'
import type { Browser } from './browser.ts'
import type { Host } from './host.ts'
import { POSTGRES, SQLITE } from './questions.ts'
import { GATE, REJECTED, Web, WEB_UI } from './web.ts'

/** dsh's own reason for the end of a turn that its person interrupts, which its UIs are given. */
const BY_THE_PERSON = '{"kind":"user"}'

const OUTCOMES = [['allowed-once', true], ['rejected', false]] as const

const ROWS = `${GATE}- id: ask-messenger\n  disabled: false\n`

describe('the page and a messenger, both of which hold what they get', () => {
  let web: Web
  let host: Host
  let page: Browser

  beforeAll(async () => {
    web = await Web.boot(ROWS)
    ;({ host, page } = web)
  })

  afterEach(() => {
    expect(host.alive, host.describe()).toBe(true)
    expect(host.stderr).toBe('')
  })

  afterAll(() => web?.close())

  const question = async () => {
    const shown = await web.shown(), { id } = await host.held('question', shown.sessionId)
    return { ...shown, id }
  }
  const approval = async () => {
    const gated = await web.gated(), { id } = await host.held('approval', gated.sessionId)
    return { ...gated, id }
  }
  const withdrawn = async (held: string) => (await host.report('withdrawn', ({ id }) => id === held)).code
  const names = async (ask: string) =>
    (await host.list()).pending.find(({ id }) => id === ask)?.participants.map(({ name }) => name).toSorted()

  it('both show a question and an approval, as the surfaces do, and each is named', async () => {
    const asked = await question()
    expect(await names(asked.ask)).toEqual(['desk', WEB_UI, 'host: messenger', 'phone'])
    host.answer('phone', asked.ask, SQLITE)
    expect(await web.heard(asked.call)).toEqual(SQLITE)
    const gated = await approval()
    expect(await names(gated.ask)).toEqual(['desk', WEB_UI, 'host: messenger'])
    host.answer('desk', gated.ask, chooses('reject'))
    expect(await web.told(gated.call)).toBe(REJECTED)
  })

  it('a question is answered in the messenger: the card goes, and the surfaces are told', async () => {
    const { call, card, ask, id } = await question()
    host.send({ command: 'decide', id, outcome: SQLITE })
    expect(await page.gone(card)).toBe('cancelled')
    expect(await web.heard(call)).toEqual(SQLITE)
    expect(await page.answer(card, POSTGRES)).toEqual({ accepted: false, reason: 'not-pending' })
    expect(await web.settled(ask)).toEqual(['desk', 'phone'].map(surface => ({ surface, by: 'host: messenger', answer: SQLITE })))
    expect(host.reported('withdrawn', report => report.id === id)).toEqual([])
  })

  it('a question is answered on the page: the messenger is told to put it away', async () => {
    const { call, card, id } = await question()
    expect(await page.answer(card, POSTGRES)).toEqual({ accepted: true })
    expect(await page.gone(card)).toBe('answered')
    expect(await withdrawn(id)).toBe('ASK_SETTLED')
    host.send({ command: 'decide', id, outcome: SQLITE })
    expect(await web.heard(call)).toEqual(POSTGRES)
  })

  it('a question is answered on a surface: both put it away', async () => {
    const { call, card, ask, id } = await question()
    host.answer('phone', ask, SQLITE)
    expect([await page.gone(card), await withdrawn(id)]).toEqual(['cancelled', 'ASK_SETTLED'])
    expect(await web.heard(call)).toEqual(SQLITE)
  })

  it.each(OUTCOMES)('an approval is decided in the messenger (%s): the panel goes, and the surface is told', async (outcome, runs) => {
    const { call, panel, ask, id, hasRun } = await approval()
    host.send({ command: 'decide', id, outcome })
    expect(await page.closed(panel)).toBe('cancelled')
    expect(await web.told(call)).toMatch(runs ? /Created file/ : REJECTED)
    expect(hasRun()).toBe(runs)
    expect(await page.decide(panel, 'allowed-once')).toEqual({ accepted: false, reason: 'not-pending' })
    expect(await web.settled(ask)).toMatchObject([{ surface: 'desk', by: 'host: messenger' }])
  })

  it.each(OUTCOMES)('an approval is decided on the page (%s): the messenger is told to put it away', async (outcome, runs) => {
    const { call, panel, id, hasRun } = await approval()
    expect(await page.decide(panel, outcome)).toEqual({ accepted: true })
    expect(await withdrawn(id)).toBe('ASK_SETTLED')
    expect(await web.told(call)).toMatch(runs ? /Created file/ : REJECTED)
    expect(hasRun()).toBe(runs)
  })

  it.each([
    ['allow', true], ['reject', false],
  ] as const)('an approval is decided on the surface (%s): both put it away', async (choice, runs) => {
    const { call, panel, ask, id, hasRun } = await approval()
    host.answer('desk', ask, chooses(choice))
    expect([await page.closed(panel), await withdrawn(id)]).toEqual(['cancelled', 'ASK_SETTLED'])
    host.send({ command: 'decide', id, outcome: 'allowed-once' })
    expect(await web.told(call)).toMatch(runs ? /Created file/ : REJECTED)
    expect(hasRun()).toBe(runs)
  })

  it('the turn is interrupted: both put away what they show', async () => {
    const asked = await question(), gated = await approval()
    await page.stop(asked.sessionId)
    expect([await page.gone(asked.card), await withdrawn(asked.id)]).toEqual(['cancelled', BY_THE_PERSON])
    expect(web.model.told(gated.call)).toBeUndefined()
    await page.stop(gated.sessionId)
    expect([await page.closed(gated.panel), await withdrawn(gated.id)]).toEqual(['cancelled', BY_THE_PERSON])
    host.send({ command: 'decide', id: gated.id, outcome: 'allowed-once' })
    await host.list()
    expect(gated.hasRun()).toBe(false)
  })

  /** How many UIs of dsh a question is put to now. They have had their turn when the probe has answered twice. */
  const uisAsked = async () => {
    const { sessionId, call } = await web.ask(), { ask } = await host.asked('desk', sessionId)
    await host.list()
    const participants = (await host.list()).pending.find(({ id }) => id === ask)?.participants ?? []
    host.answer('desk', ask, SQLITE)
    await web.told(call)
    return participants.filter(({ name, state }) => isHostName(name) && state !== 'waiting').length
  }

  it('only the first of them is asked with `host: first`', async () => {
    await web.home.patch('web', `${ROWS}- id: ask-router\n  config: { host: first }\n`)
    await host.until('the edit to be applied', async () => (await uisAsked()) === 1)
    const { sessionId, call } = await web.ask(), { ask } = await host.asked('desk', sessionId)
    const shows = () => page.cards(sessionId) + host.reported('held', report => report.sessionId === sessionId).length
    await host.until('the question in one of them', () => shows() > 0)
    host.answer('desk', ask, POSTGRES)
    expect(await web.heard(call)).toEqual(POSTGRES)
    expect(shows()).toBe(1)
  })

  it('both are asked with `host: fallback`, when every surface is out', async () => {
    await web.home.patch('web', `${ROWS}- id: ask-router\n  config: { host: fallback }\n`)
    await host.until('the edit to be applied', async () => (await uisAsked()) === 0)
    const { sessionId, call } = await web.ask(), { ask } = await host.asked('desk', sessionId)
    for (const surface of ['desk', 'phone'] as const) host.refuse(surface, ask, 'BROKEN')
    const card = await page.card(sessionId), { id } = await host.held('question', sessionId)
    host.send({ command: 'decide', id, outcome: POSTGRES })
    expect(await page.gone(card)).toBe('cancelled')
    expect(await web.heard(call)).toEqual(POSTGRES)
  })
})

describe('the router listed before the messenger', () => {
  it('is first in the chain all the same: both show a question and an approval, as the surfaces do', async () => {
    const web = await Web.boot(ROWS, {}, 'first'), { host, page, home } = web
    try {
      const bundles = home.manifest('web').dsh?.profile?.bundles ?? []
      expect(bundles.indexOf('dsh-ask-router')).toBeLessThan(bundles.indexOf('dsh-ask-probe'))
      const asked = await web.shown()
      await host.held('question', asked.sessionId)
      host.answer('phone', asked.ask, SQLITE)
      expect(await page.gone(asked.card)).toBe('cancelled')
      expect(await web.heard(asked.call)).toEqual(SQLITE)
      const gated = await web.gated()
      await host.held('approval', gated.sessionId)
      host.answer('desk', gated.ask, chooses('reject'))
      expect(await page.closed(gated.panel)).toBe('cancelled')
      expect(await web.told(gated.call)).toBe(REJECTED)
    } finally {
      await web.close()
    }
  })
})
