// The router's configuration in a profile's own cordis.patch.yml: wrong values at the start, and edits while it runs.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { Home } from './home.ts'
import { Host } from './host.ts'
import { DATABASE, POSTGRES } from './questions.ts'

const row = (config: string) => `- id: ask-router\n  config: ${config}\n`
const LATE_PHONE = row('{ surfaces: { phone: { delayMs: 600000 } } }')

describe('the configuration in a profile', () => {
  const home = new Home()
  const { router, bridge, probe } = inject('tarballs')

  beforeAll(async () => {
    await home.plugin('p', 'add', bridge, probe)
    await home.plugin('p', 'add', router)
  })

  afterAll(() => home.remove())

  describe('a wrong value stops the boot and says what is wrong where', () => {
    // What its one line has to say: which field it is, and what may be there.
    it.each([
      ['{ host: maybe }', ['(at host)', 'race', 'fallback']],
      ['{ approvals: never }', ['(at approvals)', 'race', 'off']],
      ['{ hots: race }', ['hots', 'host, approvals, surfaces, rejoinMs']],
      ['{ rejoinMs: -1 }', ['(at rejoinMs)', '0']],
      ['{ rejoinMs: 2147483648 }', ['(at rejoinMs)', '2147483647']],
      ['{ surfaces: { phone: { delayMs: soon } } }', ['(at surfaces.phone.delayMs)', 'number']],
      ['{ surfaces: { phone: { delay: 5 } } }', ['(at surfaces.phone)', 'delayMs, timeoutMs']],
      ['{ surfaces: { host: { delayMs: 5 } } }', ['(at surfaces.host)']],
    ])('%s', async (config, parts) => {
      await home.patch('p', row(config))
      const { code, stdout, stderr } = await home.attempt('--profile', 'p')
      expect(code).toBe(1)
      expect(stdout).toBe('')
      const line = /entry ask-router \(dsh-ask-router\): invalid config:\n {2}- (.*)/.exec(stderr)?.[1]
      for (const part of parts) expect(line).toContain(part)
    })
  })

  describe('an edit while the host runs', () => {
    let host: Host

    beforeAll(async () => {
      await home.patch('p', row('{ host: race }'))
      host = new Host(home, ['--profile', 'p'])
      await host.report('registered')
      await host.report('booted')
    })

    afterEach(() => {
      expect(host.alive, host.describe()).toBe(true)
      expect(host.stdout + host.stderr).toBe('')
    })

    afterAll(() => host?.kill())

    /** Which surfaces a question is put to now; it is answered by the desk. */
    const invited = async () => {
      const call = host.ask([DATABASE])
      const { ask } = await host.asked('desk')
      await host.list()
      host.answer('desk', ask, POSTGRES)
      await host.report('answered', report => report.call === call)
      return host.reported('asked', report => report.ask === ask).map(({ surface }) => surface)
    }
    const untilInvited = (...surfaces: string[]) =>
      host.until(`questions that go to ${surfaces.join(' and ')}`, async () => String(await invited()) === String(surfaces))

    it('is applied in place: the surfaces stay registered and an open question stays open', async () => {
      const call = host.ask([DATABASE])
      const { ask } = await host.asked('desk')
      await home.patch('p', LATE_PHONE)
      await untilInvited('desk')
      expect(host.reported('unregistered')).toEqual([])
      expect((await host.list()).surfaces).toEqual(['desk', 'phone'])
      expect((await host.list()).pending.map(({ id }) => id)).toEqual([ask])
      host.answer('phone', ask, POSTGRES)
      expect((await host.report('answered', report => report.call === call)).answer).toEqual(POSTGRES)
    })

    it('a wrong one is refused: what was in force stays in force', async () => {
      await home.patch('p', LATE_PHONE)
      await untilInvited('desk')
      await home.patch('p', row('{ host: maybe }'))
      await host.report('log', ({ logger, level, text }) =>
        logger === 'hmr' && level === 'warn' && text.includes('invalid config:') && text.includes('(at host)'))
      expect(await invited()).toEqual(['desk'])
      expect(host.reported('unregistered')).toEqual([])
      await home.patch('p', '[]\n')
      await untilInvited('desk', 'phone')
      expect(host.reported('unregistered')).toEqual([])
    })

    it('that switches the router off ends an open question, and one that switches it on brings the surfaces back', async () => {
      const call = host.ask([DATABASE])
      await host.asked('desk')
      await home.patch('p', '- id: ask-router\n  disabled: true\n')
      expect(await host.report('refused', report => report.call === call)).toMatchObject({ code: 'ASK_ABORTED' })
      await host.report('unregistered')
      await home.patch('p', '[]\n')
      await host.report('registered')
      expect(await invited()).toEqual(['desk', 'phone'])
    })
  })
})
