// The router in a running `dsh web` whose person edits the profile, switches the router off and on, and ends it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Host } from './host.ts'
import { DATABASE, POSTGRES, SQLITE } from './questions.ts'
import { Web, WEB_UI } from './web.ts'

const PLAIN = '- id: ask-plain\n  disabled: false\n'

describe('the router in a running dsh web', () => {
  let web: Web
  let host: Host

  beforeAll(async () => {
    web = await Web.boot()
    ;({ host } = web)
  })

  afterAll(() => web?.close())

  /** Who is asked a question now. The host has had its turn when the probe has answered twice. */
  const asked = async () => {
    const call = host.ask([DATABASE])
    const { ask } = await host.asked('desk')
    await host.list()
    const participants = (await host.list()).pending.find(({ id }) => id === ask)?.participants ?? []
    host.answer('desk', ask, POSTGRES)
    await host.report('answered', report => report.call === call)
    return String(participants.filter(({ state }) => state !== 'waiting').map(({ name }) => name))
  }

  it('is set to `host: fallback` while it runs: the page gets a question only when every surface is out', async () => {
    const { home, page } = web
    await home.patch('web', '- id: ask-router\n  config: { host: fallback }\n')
    await host.until('the edit to be applied', async () => (await asked()) === 'desk,phone')
    const { sessionId, call } = await web.ask()
    const { ask } = await host.asked('desk', sessionId)
    host.refuse('desk', ask, 'BROKEN')
    await host.list()
    await host.list()
    expect(page.cards(sessionId)).toBe(0)
    host.refuse('phone', ask, 'BROKEN')
    expect(await page.answer(await page.card(sessionId), SQLITE)).toEqual({ accepted: true })
    expect(await web.heard(call)).toEqual(SQLITE)
    await home.patch('web', '[]\n')
    await host.until('the edit to be undone', async () => (await asked()) === `desk,phone,${WEB_UI}`)
    expect(host.reported('unregistered')).toEqual([])
    expect(host.stderr).toBe('')
  })

  it('is switched off with a question open: it ends everywhere; switched on again, the next one is raced', async () => {
    const { home, page } = web
    const { sessionId, call, card, ask } = await web.shown()
    await home.patch('web', '- id: ask-router\n  disabled: true\n')
    expect(await page.gone(card)).toBe('cancelled')
    await host.report('unregistered')
    expect(await web.told(call)).toMatch(/^Error: /)
    expect(host.reported('settled', report => report.ask === ask)).toEqual([])

    await home.patch('web', '[]\n')
    await host.report('registered')
    const next = await web.shown({ sessionId })
    host.answer('desk', next.ask, SQLITE)
    expect(await page.gone(next.card)).toBe('cancelled')
    expect(await web.heard(next.call)).toEqual(SQLITE)
    expect(host.stderr).toBe('')
  })

  it('is switched off and on with a UI that looked for it once: that one still has questions, and answers them', async () => {
    const { home } = web
    const isRegistered = async () => (await host.list()).surfaces.includes('plain')
    await home.patch('web', PLAIN)
    await host.until('the plain UI to be there', isRegistered)
    await home.patch('web', `${PLAIN}- id: ask-router\n  disabled: true\n`)
    await host.until('the router to be off', async () => (await host.list()).surfaces.length === 0)
    await home.patch('web', PLAIN)
    await host.until('the router to be on', isRegistered)
    const { sessionId, call, ask, card } = await web.shown()
    await host.asked('plain', sessionId)
    host.answer('plain', ask, SQLITE)
    expect(await web.page.gone(card)).toBe('cancelled')
    expect(await web.heard(call)).toEqual(SQLITE)
    expect(host.stderr).toBe('')
  })

  it('does not keep dsh from ending when it is told to with a question open', async () => {
    await web.shown()
    expect(await host.stop()).toBe(0)
    expect(host.stderr).toBe('')
  })
})
