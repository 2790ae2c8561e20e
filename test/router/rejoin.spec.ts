// The last participant left, and somebody may join (rule 13).
import { describe, expect, it } from 'vitest'
import { openAsk, start } from '../helpers/ask.ts'
import { loadFleeting } from '../helpers/cordis.ts'
import { codeOf, FakeSurface, says } from '../helpers/surface.ts'
import { macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

/** An ask whose only surface has left, with a host where nobody is. */
async function deserted(config?: unknown) {
  const all = await start(config, 'a')
  all.host.isEmpty()
  await all.a.leave()
  return all
}

describe('when the last participant left', () => {
  it('13: the ask waits rejoinMs for somebody, 1,000 by default, and fails then', async () => {
    const { ask } = await deserted()
    await pass(999)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(codeOf(ask.error)).toBe('SURFACE_GONE')
    expect((ask.error as Error).message).toContain('"a"')
  })

  it.each([1, 50])('13: as long as the configuration says: %i', async rejoinMs => {
    const { ask } = await deserted({ rejoinMs })
    await pass(rejoinMs - 1)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('13: of 0, not at all', async () => {
    const { ask } = await deserted({ rejoinMs: 0 })
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('13: one that joins is asked and can answer', async () => {
    const { join, ask } = await deserted()
    await pass(999)
    const late = join('late')
    expect(late.asked).toBe(1)
    await pass(10_000)
    expect(ask.state).toBe('open')
    await late.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('13: when that one fails there is nothing more to wait for', async () => {
    const { join, ask } = await deserted()
    const late = join('late')
    await late.fail()
    expect(ask.state).toBe('rejected')
    expect(codeOf(ask.error)).toBe('SURFACE_GONE')
    expect(((ask.error as Error).cause as AggregateError).errors).toHaveLength(2)
  })

  it('13: when that one leaves, the time begins anew', async () => {
    const { ask, join } = await deserted()
    await pass(900)
    const late = join('late')
    await pass(500)
    late.dispose()
    await pass(999)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('13: one that joins where somebody had claimed needs no claim, since all claimers are out', async () => {
    const { join, host, a } = await openAsk({ names: ['a'], claims: ['a'] })
    await macrotask()
    host.isEmpty()
    await a.leave()
    const late = join('late')
    expect(late.asked).toBe(1)
  })

  it('13: failed rather than left, there is no waiting', async () => {
    const { ask, a, b, host } = await start(undefined, 'a', 'b')
    host.isEmpty()
    await a.leave()
    await b.fail()
    expect(ask.state).toBe('rejected')
    expect(a.settled).not.toHaveBeenCalled()
  })

  it('13: nor when one that had failed leaves afterwards and another fails', async () => {
    const { ask, a, b, host } = await start(undefined, 'a', 'b')
    host.isEmpty()
    await a.fail()
    await a.leave()
    await b.fail()
    expect(ask.state).toBe('rejected')
  })

  it('13: one that had failed and leaves does not cut the waiting short', async () => {
    const { ask, a, host, b } = await start(undefined, 'a', 'b')
    host.isEmpty()
    await a.fail()
    b.dispose()
    await pass(500)
    a.dispose()
    await pass(499)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('13: nor when the one that had failed leaves before the host says that nobody is there', async () => {
    const { ask, a, host } = await start(undefined, 'a')
    await a.fail()
    a.dispose()
    await host.isEmpty()
    expect(ask.state).toBe('rejected')
  })

  it('13: one that comes and goes in its own claim does not make it longer', async () => {
    const { ctx, ask } = await deserted()
    await pass(500)
    const late = new FakeSurface('late')
    await loadFleeting(ctx, late)
    await pass(499)
    expect([ask.state, late.asked]).toEqual(['open', 0])
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('13: nor is anything of the waiting left when another joins then', async () => {
    const { ctx, ask, join } = await deserted()
    await pass(500)
    await loadFleeting(ctx, new FakeSurface('late'))
    await pass(100)
    const other = join('other')
    await pass(10_000)
    expect([ask.state, other.asked]).toEqual(['open', 1])
  })

  it('13: a fallback host is asked before any waiting, and its NO_PROVIDER is nobody', async () => {
    const { ask, host, a } = await start({ host: 'fallback' }, 'a')
    await a.leave()
    expect(host.asked).toBe(1)
    host.isEmpty()
    await pass(999)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(codeOf(ask.error)).toBe('SURFACE_GONE')
  })

  it('13: a host that fails after the last surface left ends it', async () => {
    const { ask, host, a } = await start(undefined, 'a')
    await a.leave()
    await host.fail()
    expect(ask.state).toBe('rejected')
  })

  it('13: while the host still holds the question nothing is waited for', async () => {
    const { ask, host, a } = await start(undefined, 'a')
    a.dispose()
    await pass(5000)
    expect(ask.state).toBe('open')
    await host.answer()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('13: one that left without ever having been asked is no failure to report', async () => {
    const { ask, host, a } = await start({ surfaces: { a: { delayMs: 5000 } } }, 'a')
    a.dispose()
    host.isEmpty()
    await pass(1000)
    expect(codeOf(ask.error)).toBe('NO_PROVIDER')
  })
})
