// The commands in a running `dsh web`: its page offers them and sends them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../src/reply/origin.ts'
import { onProfile } from './profile.ts'
import { POSTGRES } from './questions.ts'
import { Web, WEB_UI } from './web.ts'

const ENGLISH = '- id: ask-commands\n  config: { lang: en }\n'

describe('the commands in dsh web', () => {
  let web: Web
  let sessionId: string

  beforeAll(async () => {
    web = await Web.boot(ENGLISH)
    sessionId = await web.page.newSession(web.home.cwd)
  })

  afterAll(() => web?.close())

  const names = async () => (await web.page.commands(sessionId)).map(({ name }) => name)
  const say = (line: string) => web.page.command(sessionId, line)

  it('are offered by the page, beside the host\'s own', async () => {
    const offered = await web.page.commands(sessionId)
    expect(offered.map(({ name }) => name)).toEqual(expect.arrayContaining(['asks', 'away', 'home', 'quiet', 'feedback']))
    expect(offered.find(({ name }) => name === 'asks')?.input).toEqual({ hint: '[test]' })
  })

  it('set the presence and show who is asked, and which question is open', async () => {
    expect(await say('/away')).toEqual({ kind: 'success', text: 'Away. Questions go to: desk, phone at once.' })
    const { call, ask } = await web.shown({ sessionId })
    const { text } = await say('/asks')
    expect(text).toMatch(/^You are away\. 1 question is open\.\n\nSurfaces:\n- desk: watched\n.+\n- phone: watched, questions only\n/)
    const { session } = originOf({ agent: { session: { id: sessionId } } })
    expect(text).toMatch(new RegExp(`Questions:\n- .+ · standard · \\S+ · workspace · ${session} \\(this session\\) · open for \\d+ s\n`))
    expect(text).toMatch(new RegExp(`shown on: desk \\(for \\d+ s\\), phone \\(for \\d+ s\\), ${WEB_UI} \\(for \\d+ s\\)$`))
    web.host.answer('desk', ask, POSTGRES)
    expect(await web.heard(call)).toEqual(POSTGRES)
    expect(await say('/home')).toMatchObject({ kind: 'success', text: expect.stringMatching(/^Home\./) as string })
  })

  it('ask every surface a test question, which the model never hears of', async () => {
    const result = say('/asks test')
    const { ask } = await web.host.asked('desk', sessionId)
    const onPhone = await web.host.asked('phone', sessionId)
    expect(onPhone.questions).toMatchObject([{ question: 'Test: can you see this?' }])
    web.host.answer('desk', ask, { answers: [{ id: 'test', selected: ['Yes, I see it'] }] })
    web.host.refuse('phone', onPhone.ask, 'BROKEN')
    expect((await result).text).toMatch(/\n- desk: answered after [\d.]+ s\n- phone: failed \(BROKEN: the person said no\)$/)
    expect(web.page.cards(sessionId)).toBe(1)
    expect((await web.host.list()).pending).toEqual([])
  })

  it('go when the plugin is switched off while it runs, and with the router; they come back with both', async () => {
    const { home, host } = web
    await home.patch('web', '- id: ask-commands\n  disabled: true\n')
    await host.until('no commands', async () => !(await names()).includes('asks'))
    await home.patch('web', ENGLISH)
    await host.until('the commands', async () => (await names()).includes('asks'))
    await home.patch('web', `${ENGLISH}- id: ask-router\n  disabled: true\n`)
    await host.until('no commands without the router', async () => !(await names()).includes('asks'))
    await home.patch('web', ENGLISH)
    await host.until('the commands with the router', async () => (await names()).includes('asks'))
    expect(host.stderr).toBe('')
    expect(host.alive, host.describe()).toBe(true)
  })
})

describe('a profile whose router is switched off', () => {
  it('boots with the commands in it, which then are not there', async () => {
    await onProfile('- id: ask-router\n  disabled: true\n', async (host) => {
      await host.report('booted')
      expect(await host.stop()).toBe(0)
      expect(host.stdout + host.stderr).toBe('')
    })
  })
})
