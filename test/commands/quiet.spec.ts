// /quiet: what it hushes, until when, and what it says of that.
import { describe, expect, it, vi } from 'vitest'
import { Phone } from '../helpers/modes.ts'
import { FakeSurface } from '../helpers/surface.ts'
import { start as startHost } from './support.ts'

/** Noon here, wherever that is. */
const noon = (day = 5) => new Date(2026, 0, day, 12).getTime()
const HOUR = 3_600_000

async function start(options: Parameters<typeof startHost>[0] = {}) {
  const all = await startHost({ router: { quiet: { from: '22:00', to: '07:00', surfaces: ['bell'] } }, ...options })
  vi.setSystemTime(noon())
  return all
}

describe('/quiet', () => {
  it('hushes who makes a sound, and says until when', async () => {
    const { say, surfaces } = await start()
    for (const one of [new Phone('ntfy'), new FakeSurface('desk'), new Phone('bell', {}, false)]) surfaces.register(one)
    expect(await say('/quiet 1h')).toEqual({
      kind: 'success', text: 'Quiet until 13:00 (60 min). Asked without a sound: ntfy. Asked when it is over: bell.',
    })
    expect(surfaces.hushedUntil).toBe(noon() + HOUR)
    expect(surfaces.status().map(one => one.quiet)).toEqual([true, false, true])
    expect((await say('/asks'))!.text).toMatch(/^You are home\. Quiet until 13:00 \(60 min\)\. No question is open\.\n[^]*ntfy: watched, quiet now, asked silently/)
    await say('/quiet off')
  })

  it('says the same in Chinese', async () => {
    const { say, surfaces } = await start({ lang: 'zh' })
    for (const one of [new Phone('ntfy'), new Phone('bell', {}, false)]) surfaces.register(one)
    expect((await say('/quiet 90 分钟'))!.text).toBe('安静至 13:30（90 分钟）。静音提问：ntfy。结束后再问：bell。')
    expect((await say('/quiet'))!.text).toBe('安静至 13:30（90 分钟）。静音提问：ntfy。结束后再问：bell。')
    expect((await say('/asks'))!.text).toMatch(/^当前：在家。安静至 13:30（90 分钟）。没有未答的问题。/)
    expect((await say('/quiet off'))!.text).toBe('安静已结束。')
    expect((await say('/quiet'))!.text).toBe('未开启安静。')
  })

  it.each([
    ['30m', '12:30 (30 min)', noon() + HOUR / 2],
    ['1H', '13:00 (60 min)', noon() + HOUR],
    ['2h30m', '14:30 (150 min)', noon() + 2.5 * HOUR],
    [' 1 h 5 min ', '13:05 (65 min)', noon() + HOUR + 300_000],
    ['１ｈ', '13:00 (60 min)', noon() + HOUR],
    ['2小时', '14:00 (2 h)', noon() + 2 * HOUR],
    ['1440m', 'Tue 12:00 (24 h)', noon(6)],
    ['24h', 'Tue 12:00 (24 h)', noon(6)],
    ['until 13:05', '13:05 (65 min)', noon() + HOUR + 300_000],
    ['until 12:00', 'Tue 12:00 (24 h)', noon(6)],
    ['until 7:00', 'Tue 07:00 (19 h)', noon(6) - 5 * HOUR],
    ['到 23:59', '23:59 (719 min)', noon() + 12 * HOUR - 60_000],
  ])('%s is until %s', async (words, time, until) => {
    const { say, surfaces } = await start()
    surfaces.register(new Phone('ntfy'))
    expect((await say(`/quiet ${words}`))!.text).toBe(`Quiet until ${time}. Asked without a sound: ntfy.`)
    expect(surfaces.hushedUntil).toBe(until)
    surfaces.hush(undefined)
  })

  it('says the whole minute in which it ends, and how long that is', async () => {
    const { say, surfaces } = await start()
    surfaces.register(new Phone('ntfy'))
    vi.setSystemTime(noon() + 20_500)
    expect((await say('/quiet 1m'))!.text).toBe('Quiet until 12:02 (2 min). Asked without a sound: ntfy.')
    vi.setSystemTime(noon() + 119_000)
    expect((await say('/quiet'))!.text).toBe('Quiet until 12:02 (60 s). Asked without a sound: ntfy.')
    surfaces.hush(undefined)
  })

  it.each(['1', '0m', '25h', '24h1m', '1441m', 'until 24:00', 'until 12:60', 'until', 'tomorrow', '-1h', '1.5h', '1d', 'on'])('does not know %s, and says what it knows', async words => {
    const { say, surfaces } = await start()
    expect(await say(`/quiet ${words}`)).toEqual({
      kind: 'error',
      text: `/quiet may be followed by a time of up to 24 hours ("30m", "1h", "2h30m"), by "until 07:00", by "off" or by nothing, not by "${words}"`,
    })
    expect(surfaces.hushedUntil).toBeUndefined()
  })

  it('says how things are where nothing is hushed, and in quiet hours', async () => {
    const { say, surfaces } = await start()
    expect([await say('/quiet'), await say('/quiet off')].map(one => one!.text)).toEqual(['Not hushed.', 'It was not hushed.'])
    surfaces.register(new Phone('bell'))
    vi.setSystemTime(noon() + 11 * HOUR)
    expect([await say('/quiet'), await say('/quiet off')].map(one => one!.text))
      .toEqual(['Not hushed. In its quiet hours: bell.', 'It was not hushed. In its quiet hours: bell.'])
    await say('/quiet 1h')
    expect((await say('/quiet off'))!.text).toBe('No longer hushed. In its quiet hours: bell.')
  })

  it('says so where nothing is known to make a sound', async () => {
    const { add, say, surfaces } = await start()
    add('desk')
    expect((await say('/quiet 1h'))!.text).toBe('Quiet until 13:00 (60 min). No surface here is known to make a sound.')
    surfaces.hush(undefined)
  })
})
