// The app-server comes, goes and comes again; it may say anything. Nothing is asked twice, nothing stays open.
import { chmodSync, chownSync, realpathSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { useCodex, WAIT } from './support.ts'

describe('the app-server', () => {
  const here = useCodex(false)

  it('is found when it comes, in a home that is not there yet', async () => {
    await here.codex.start()
    await here.connected()
    expect(here.codex.clients).toBe(1)
  })

  it('is found again after a restart', async () => {
    await here.codex.start()
    await here.connected()
    await here.codex.stop()
    await vi.waitFor(() => expect(here.watch.isConnected).toBe(false), WAIT)
    await here.codex.start()
    await here.connected()
    const thread = here.codex.thread()
    here.codex.turn(thread)
    here.codex.question(thread)
    await here.page.nth(0)
  })
})

describe('a socket', () => {
  const here = useCodex(false)

  it('in whose folder others can write is not used, and that is said once', async () => {
    chmodSync(here.codex.home, 0o777)
    await here.codex.start()
    await vi.waitFor(() => expect(here.warn.mock.calls).toEqual([[expect.stringMatching(/^Codex' socket .* is not used: it, or its folder, is another user's/)]]), WAIT)
    expect([here.codex.clients, here.watch.isConnected]).toEqual([0, false])
  })

  // Only root can give a file away.
  it.runIf(process.getuid?.() === 0)('of another user is not used', async () => {
    await here.codex.start()
    for (const path of [here.codex.home, realpathSync(here.codex.link)]) {
      here.watch.close()
      here.warn.mockReset()
      chownSync(path, 12_345, 12_345)
      here.watch = here.restart()
      await vi.waitFor(() => expect(here.warn).toHaveBeenCalledOnce(), WAIT)
      chownSync(path, 0, 0)
    }
    expect(here.watch.isConnected).toBe(false)
  })
})

describe('a connection', () => {
  const here = useCodex()

  it('that ends while its sessions are looked at is made again', async () => {
    const thread = here.codex.thread()
    here.watch.close()
    here.codex.dropsAt = 'thread/read'
    here.watch = here.restart()
    await vi.waitFor(() => expect(here.codex.dropsAt).toBeUndefined(), WAIT)
    here.codex.turn(thread)
    here.codex.question(thread)
    await here.page.nth(0)
  })

  it('that is lost withdraws what is open, and asks it again when it is back', async () => {
    const thread = here.codex.thread()
    here.codex.turn(thread)
    const request = here.codex.question(thread), shown = await here.page.nth(0)
    here.codex.drop()
    await vi.waitFor(() => expect(shown.context.signal.aborted).toBe(true), WAIT)
    const again = await here.page.nth(1)
    again.answer('Blue')
    await vi.waitFor(() => expect(request.outcome).toEqual({ by: 'client', value: { answers: { colour: { answers: ['Blue'] } } } }), WAIT)
    expect(request.replies).toHaveLength(1)
  })

  it('of a desk that ends leaves what is open to Codex', async () => {
    const thread = here.codex.thread()
    here.codex.turn(thread)
    const request = here.codex.question(thread), shown = await here.page.nth(0)
    here.watch.close()
    await vi.waitFor(() => expect(shown.context.signal.aborted).toBe(true), WAIT)
    expect([request.outcome, request.replies, here.codex.errors]).toEqual([undefined, [], []])
  })

  it('of a desk that starts while a question is open asks it', async () => {
    here.watch.close()
    const thread = here.codex.thread()
    here.codex.turn(thread)
    const request = here.codex.question(thread)
    here.watch = here.restart()
    const shown = await here.page.nth(0)
    shown.answer('Blue')
    await vi.waitFor(() => expect(request.outcome?.by).toBe('client'), WAIT)
  })

  it('hears a session only while that works', async () => {
    const thread = here.codex.thread(), methods = () => here.codex.calls.map(({ method }) => method).filter(method => /resume|unsubscribe/.test(method))
    here.codex.turn(thread)
    await vi.waitFor(() => expect(methods()).toEqual(['thread/resume']), WAIT)
    here.codex.endTurn(thread)
    await vi.waitFor(() => expect(methods()).toEqual(['thread/resume', 'thread/unsubscribe']), WAIT)
  })

  it('tries again where a session cannot be heard yet', async () => {
    const thread = here.codex.thread()
    here.codex.cannotResume = true
    here.codex.turn(thread)
    await vi.waitFor(() => expect(here.codex.calls.some(({ method }) => method === 'thread/resume')).toBe(true), WAIT)
    here.codex.cannotResume = false
    here.codex.question(thread)
    await here.page.nth(0)
  })

  it('ignores what is no message or malformed, and says so once', async () => {
    for (const text of ['nonsense', '[]', '7', '{"id":{}}', '{"id":99,"result":1}', '{"method":"turn/completed"}', '{"method":"item/completed","params":{"item":7}}']) here.codex.raw(text)
    here.codex.raw(JSON.stringify({ method: 'item/tool/requestUserInput', id: 7, params: { threadId: 't', turnId: 'u', itemId: 'i', questions: 'x' } }))
    const thread = here.codex.thread()
    here.codex.turn(thread)
    here.codex.question(thread)
    await here.page.nth(0)
    expect(here.warn).toHaveBeenCalledTimes(1)
    expect(here.codex.errors).toEqual([])
  })
})
