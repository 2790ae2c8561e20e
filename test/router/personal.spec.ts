// Surfaces that belong to the person and not to a session: asked whoever claims, in nobody's way (rule 2).
import { describe, expect, it } from 'vitest'
import { openAsk } from '../helpers/ask.ts'
import { register } from '../helpers/cordis.ts'
import { Personal } from '../helpers/modes.ts'
import { FakeSurface, hang, says } from '../helpers/surface.ts'
import { macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

describe('a personal surface', () => {
  it('2: is asked beside those that claim, in the order of registration, and never for a claim', async () => {
    const [phone, desk, other] = [new Personal('phone'), new FakeSurface('desk', true), new FakeSurface('other')]
    await openAsk({ surfaces: [phone, desk, other] })
    expect([phone.asked, desk.asked, other.asked]).toEqual([1, 1, 0])
    expect(phone.ask.mock.invocationCallOrder[0]).toBeLessThan(desk.ask.mock.invocationCallOrder[0]!)
    expect(phone.claim).not.toHaveBeenCalled()
  })

  it('2: keeps no question from those that do not claim (case 11)', async () => {
    const [phone, desk] = [new Personal('phone', true), new FakeSurface('desk')]
    await openAsk({ surfaces: [phone, desk] })
    expect([phone.asked, desk.asked]).toEqual([1, 1])
  })

  it('2: does not stand in for a claimer that is out: the others are invited though it still shows the question', async () => {
    const [phone, desk, other] = [new Personal('phone'), new FakeSurface('desk', true), new FakeSurface('other')]
    const { ask } = await openAsk({ surfaces: [phone, desk, other] })
    await macrotask()
    await desk.fail()
    expect(other.asked).toBe(1)
    await other.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
    expect(phone.settled).toHaveBeenCalledTimes(1)
  })

  it('14: is invited when it comes late, also to a question that is claimed', async () => {
    const { join } = await openAsk({ names: ['desk'], claims: ['desk'] })
    const phone = new Personal('phone')
    join(phone)
    expect(phone.asked).toBe(1)
  })

  it('12: has its policy like any other', async () => {
    const [phone, desk] = [new Personal('phone'), new FakeSurface('desk', true)]
    await openAsk({ config: { surfaces: { phone: { delayMs: 60_000 } } }, surfaces: [phone, desk] })
    await pass(59_999)
    expect(phone.asked).toBe(0)
    await pass(1)
    expect(phone.asked).toBe(1)
  })

  it('2: where nobody claims, all are asked in the order of registration', async () => {
    const order: string[] = []
    const surfaces = [new FakeSurface('desk'), new Personal('phone'), new FakeSurface('other')]
    for (const one of surfaces) one.ask.mockImplementation(() => (order.push(one.name), hang()))
    await openAsk({ surfaces })
    expect(order).toEqual(['desk', 'phone', 'other'])
  })

  it('2: that it is out changes nothing for a claimer that is in, or waits for its delay', async () => {
    const [phone, desk, other] = [new Personal('phone'), new FakeSurface('desk', true), new FakeSurface('other')]
    await openAsk({ config: { surfaces: { desk: { delayMs: 100 } } }, surfaces: [phone, desk, other] })
    expect([phone.asked, desk.asked, other.asked]).toEqual([1, 0, 0])
    phone.fail()
    await pass(100)
    expect([phone.asked, desk.asked, other.asked]).toEqual([1, 1, 0])
  })

  it('14: is not asked for a claim when it comes late either, and others that come late need one', async () => {
    const { ctx } = await openAsk({ names: ['desk'], claims: ['desk'] })
    const [phone, other] = [new Personal('phone', true), new FakeSurface('other')]
    register(ctx, phone, other)
    expect([phone.claim.mock.calls.length, phone.asked, other.asked]).toEqual([0, 1, 0])
  })
})
