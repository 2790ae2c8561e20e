// A question in the real `dsh web`: the page and two surfaces race for it. One boot, a session for each test.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from './browser.ts'
import type { Host } from './host.ts'
import { DATABASE, POSTGRES, SQLITE } from './questions.ts'
import { Web, WEB_UI } from './web.ts'

describe('a question in dsh web', () => {
  let web: Web
  let host: Host
  let page: Browser

  beforeAll(async () => {
    web = await Web.boot()
    ;({ host, page } = web)
  })

  afterEach(() => {
    expect(host.alive, host.describe()).toBe(true)
    expect(host.stderr).toBe('')
  })

  afterAll(() => web?.close())

  it('is shown on the page and on every surface, and the router lists them all', async () => {
    const { call, ask } = await web.shown()
    const { pending } = await host.list()
    expect(pending.find(({ id }) => id === ask)?.participants).toMatchObject(
      ['desk', 'phone', WEB_UI].map(name => ({ name, state: 'asked' })))
    host.answer('desk', ask, SQLITE)
    expect(await web.heard(call)).toEqual(SQLITE)
  })

  it('a surface answers: the card goes, the other surface is told, and the model hears that answer', async () => {
    const { call, card, ask } = await web.shown()
    host.answer('desk', ask, SQLITE)
    expect(await page.gone(card)).toBe('cancelled')
    expect(await web.heard(call)).toEqual(SQLITE)
    expect((await host.report('outcome', report => report.ask === ask)).outcome).toEqual({ kind: 'answered', by: 'desk', answer: SQLITE })
    expect(await web.settled(ask)).toEqual([{ surface: 'phone', by: 'desk', answer: SQLITE }])
    expect(await page.answer(card, POSTGRES)).toEqual({ accepted: false, reason: 'not-pending' })
  })

  it('the page answers: every surface is told that dsh’s web UI has won, and the model hears that answer', async () => {
    const { call, card, ask } = await web.shown()
    expect(await page.answer(card, POSTGRES)).toEqual({ accepted: true })
    expect(await page.gone(card)).toBe('answered')
    expect(await web.heard(call)).toEqual(POSTGRES)
    for (const surface of ['desk', 'phone'] as const) {
      const { signal, code } = await host.report('aborted', report => report.ask === ask && report.surface === surface)
      expect({ signal, code }).toEqual({ signal: 'context', code: 'ASK_SETTLED' })
    }
    host.answer('desk', ask, SQLITE) // too late: ignored
    expect(await web.settled(ask)).toEqual(['desk', 'phone'].map(surface => ({ surface, by: WEB_UI, answer: POSTGRES })))
  })

  it('the turn is interrupted: everybody puts it away, nobody is told of a winner, and the session goes on', async () => {
    const { sessionId, call, card, ask } = await web.shown()
    await page.stop(sessionId)
    expect(await page.gone(card)).toBe('cancelled')
    for (const surface of ['desk', 'phone'] as const) {
      const aborted = (signal: string) =>
        host.report('aborted', report => report.ask === ask && report.surface === surface && report.signal === signal)
      await aborted('request')
      expect((await aborted('context')).code).toBe('ASK_ABORTED')
    }
    expect((await host.report('outcome', report => report.ask === ask)).outcome).toEqual({ kind: 'aborted' })
    expect(await web.settled(ask)).toEqual([])

    const next = await web.shown({ sessionId })
    host.answer('phone', next.ask, POSTGRES)
    expect(await web.heard(next.call)).toEqual(POSTGRES)
    expect(await web.told(call)).toMatch(/^Error: /)
  })

  it('the person closes the card: that is their no, on every surface too', async () => {
    const { call, card, ask } = await web.shown()
    expect(await page.dismiss(card)).toEqual({ accepted: true })
    expect(await web.told(call)).toBe('Error: the user cancelled ask_user_question')
    expect(await web.settled(ask)).toEqual(['desk', 'phone'].map(surface => ({ surface, by: WEB_UI, answer: undefined })))
  })

  it('the person says no on a surface: the card goes, and the model hears of it', async () => {
    const { call, card, ask } = await web.shown()
    host.refuse('phone', ask, 'ASK_CANCELLED')
    expect(await page.gone(card)).toBe('cancelled')
    expect(await web.told(call)).toBe('Error: the person said no')
    expect(await web.settled(ask)).toEqual([{ surface: 'desk', by: 'phone', answer: undefined }])
  })

  it('an answer that does not fit the question does not win: the card stays, and wins', async () => {
    const { call, card, ask } = await web.shown()
    host.answer('desk', ask, { answers: [{ id: 'db', selected: ['Postgres', 'SQLite'] }] })
    await host.until('the desk to be out', async () =>
      (await host.list()).pending.find(({ id }) => id === ask)?.participants.some(({ name, state }) => name === 'desk' && state === 'failed'))
    expect(await page.answer(card, SQLITE)).toEqual({ accepted: true })
    expect(await web.heard(call)).toEqual(SQLITE)
  })

  it('a batch: choices, own words and a skipped question reach the model exactly', async () => {
    const { call, ask } = await web.shown({
      questions: [
        DATABASE,
        { id: 'extras', question: 'Which extras?', multiSelect: true, options: [{ label: 'Docs' }, { label: 'CI' }, { label: 'Lint' }] },
        { id: 'name', question: 'What is it called?' },
        { id: 'colour', question: 'Which colour?', options: [{ label: 'Blue' }, { label: 'Green' }] },
      ],
    })
    const answers = [
      { id: 'db', selected: [], custom: 'whatever is there: "数据库"' },
      { id: 'extras', selected: ['Docs', 'Lint'], custom: 'and a logo' },
      { id: 'name', selected: [], custom: '42' },
      { id: 'colour', selected: [] },
    ]
    host.answer('phone', ask, { answers })
    expect(await web.heard(call)).toEqual({ answers })
  })

  it('two sessions at once: each is answered only by its own', async () => {
    const first = await web.shown()
    const second = await web.shown()
    host.answer('desk', second.ask, SQLITE)
    expect(await web.heard(second.call)).toEqual(SQLITE)
    expect(web.model.told(first.call)).toBeUndefined()
    expect(await page.answer(first.card, POSTGRES)).toEqual({ accepted: true })
    expect(await web.heard(first.call)).toEqual(POSTGRES)
    expect(await web.settled(second.ask)).toEqual([{ surface: 'phone', by: 'desk', answer: SQLITE }])
  })

  it('a surface claims the session: the page still gets the question, the other surface does not', async () => {
    const sessionId = await page.newSession(web.home.cwd)
    host.send({ command: 'claim', sessions: [sessionId] })
    const { call } = await web.ask({ sessionId })
    const { ask } = await host.asked('desk', sessionId)
    expect(await page.answer(await page.card(sessionId), POSTGRES)).toEqual({ accepted: true })
    expect(await web.heard(call)).toEqual(POSTGRES)
    expect(await web.settled(ask)).toEqual([{ surface: 'desk', by: WEB_UI, answer: POSTGRES }])
    expect(host.reported('asked', report => report.ask === ask).map(({ surface }) => surface)).toEqual(['desk'])
    host.send({ command: 'claim', sessions: [] })
  })

  it('with no page open a surface answers all the same; a page that opens meanwhile shows the question', async () => {
    const sessionId = await page.newSession(web.home.cwd)
    await page.close()
    const { call } = await web.ask({ sessionId })
    const { ask } = await host.asked('desk', sessionId)
    await page.connect()
    const card = await page.card(sessionId)
    host.answer('desk', ask, SQLITE)
    expect(await page.gone(card)).toBe('cancelled')
    expect(await web.heard(call)).toEqual(SQLITE)
  })
})
