// Surfaces that belong to the person and not to a session: asked whoever claims, in nobody's way (ROUTING rule 2).
import { describe, expect, it } from 'vitest'
import { boot, dispatch, dispatchAndForget, register } from '../helpers/cordis.ts'
import { FakeHost, FakeSurface, question, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

class Personal extends FakeSurface {
  readonly personal = true
}

async function setUp(config: unknown, ...surfaces: FakeSurface[]) {
  const { ctx } = await boot(config)
  const disposers = register(ctx, ...surfaces)
  return { ctx, disposers }
}

describe('a personal surface', () => {
  it('2: is asked beside those that claim, in the order of registration, and never for a claim', async () => {
    const [phone, desk, other] = [new Personal('phone'), new FakeSurface('desk', true), new FakeSurface('other')]
    const { ctx } = await setUp(undefined, phone, desk, other)
    dispatchAndForget(ctx, question())
    expect([phone.asked, desk.asked, other.asked]).toEqual([1, 1, 0])
    expect(phone.ask.mock.invocationCallOrder[0]).toBeLessThan(desk.ask.mock.invocationCallOrder[0]!)
    expect(phone.claim).not.toHaveBeenCalled()
  })

  it('2: keeps no question from those that do not claim (case 11)', async () => {
    const [phone, desk] = [new Personal('phone', true), new FakeSurface('desk')]
    const { ctx } = await setUp(undefined, phone, desk)
    dispatchAndForget(ctx, question())
    expect([phone.asked, desk.asked]).toEqual([1, 1])
  })

  it('2: does not stand in for a claimer that is out: the others are invited though it still shows the question', async () => {
    const [phone, desk, other] = [new Personal('phone'), new FakeSurface('desk', true), new FakeSurface('other')]
    const { ctx } = await setUp(undefined, phone, desk, other)
    const ask = watch(dispatch(ctx, question(), new FakeHost().next))
    await macrotask()
    desk.fail()
    await flush()
    expect(other.asked).toBe(1)
    other.answer(says('SQLite'))
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
    expect(phone.settled).toHaveBeenCalledTimes(1)
  })

  it('14: is invited when it comes late, also to a question that is claimed', async () => {
    const desk = new FakeSurface('desk', true)
    const { ctx } = await setUp(undefined, desk)
    dispatchAndForget(ctx, question())
    const phone = new Personal('phone')
    register(ctx, phone)
    expect(phone.asked).toBe(1)
  })

  it('12: has its policy like any other', async () => {
    const [phone, desk] = [new Personal('phone'), new FakeSurface('desk', true)]
    const { ctx } = await setUp({ surfaces: { phone: { delayMs: 60_000 } } }, phone, desk)
    dispatchAndForget(ctx, question())
    await pass(59_999)
    expect(phone.asked).toBe(0)
    await pass(1)
    expect(phone.asked).toBe(1)
  })
})
