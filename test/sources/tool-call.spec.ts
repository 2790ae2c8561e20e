// The call that needs permission, found in the session of its agent.
import { describe, expect, it, vi } from 'vitest'
import { detailOf } from '../../src/sources/host/tool-call.ts'

const agentWith = (session: object) => ({ session: { id: 's', ...session } })

const start = { type: 'turn/start', data: { turn: 1 } }

const call = (callId: string, command: string) => ({ type: 'tool/call', data: { callId, name: 'bash', arguments: JSON.stringify({ command }) } })

const asked = { type: 'approval/asked', data: { id: 'a', callId: 'c1' } }

/** What is found of the call `c1`, and what was said to be unreadable. */
function found(session: object, callId: string | undefined = 'c1') {
  const unreadable = vi.fn<(error: unknown) => void>()
  return { detail: detailOf(agentWith(session), callId, unreadable), unreadable: unreadable.mock.calls.flat() }
}

const LS = { detail: '```\nls\n```', unreadable: [] }

const NOTHING = { detail: undefined, unreadable: [] }

describe('a tool call', () => {
  it('is found by its id among others', () => {
    expect(found({ events: [start, call('c0', 'rm'), call('c1', 'ls'), call('c2', 'rm'), asked] })).toEqual(LS)
  })

  it('is found where the session gives its log by a method', () => {
    expect(found({ snapshotEvents: () => [start, call('c1', 'ls'), asked] })).toEqual(LS)
    expect(found({ events: () => 'another thing', snapshotEvents: () => [start, call('c1', 'ls')] })).toEqual(LS)
  })

  it('is the newest of that id', () => {
    expect(found({ events: [start, call('c1', 'rm'), call('c1', 'ls')] })).toEqual(LS)
  })

  it('of an earlier turn is not this one, though it has the same id', () => {
    expect(found({ events: [start, call('c1', 'rm'), start, asked] })).toEqual(NOTHING)
  })

  it('that is not there, or has no id, is not described', () => {
    for (const session of [{ events: [start] }, { events: [] }, {}, { events: 'none' }, { snapshotEvents: () => undefined }]) expect(found(session)).toEqual(NOTHING)
    expect(found({ events: [call('c1', 'ls')] }, null as never)).toEqual(NOTHING)
    expect(detailOf(agentWith({ events: [call('undefined', 'ls')] }), undefined, vi.fn<(error: unknown) => void>())).toBeUndefined()
  })

  it('is searched for in a long log, but not without end', () => {
    const event = { type: 'x', data: {} }, looked = vi.fn<() => void>()
    const counted = { get type() { looked(); return 'x' }, data: {} }
    expect(found({ events: [start, call('c1', 'ls'), ...Array.from({ length: 50_000 }, () => event)] })).toEqual(LS)
    expect(found({ events: Array.from({ length: 300_000 }, () => counted) })).toEqual(NOTHING)
    expect(looked.mock.calls.length).toBeLessThan(250_000)
  })
})

describe('a session that cannot be read', () => {
  const broken = new Error('broken')
  const fails = () => { throw broken }

  it.each([
    { get events() { return fails() } }, { snapshotEvents: fails }, { events: [{ get type() { return fails() } }] },
    { events: [{ type: 'tool/call', get data() { return fails() } }] },
    { events: [{ type: 'tool/call', data: { callId: 'c1', get arguments() { return fails() } } }] },
    { events: [{ type: 'tool/call', data: { callId: 'c1', arguments: { get command() { return fails() } } } }] },
  ])('is reported, and does not throw', (session) => {
    const unreadable = vi.fn<(error: unknown) => void>()
    expect(detailOf({ session } as never, 'c1', unreadable)).toBeUndefined()
    expect(unreadable.mock.calls).toEqual([[broken]])
  })

  it('may be missing altogether', () => {
    const unreadable = vi.fn<(error: unknown) => void>()
    for (const agent of [undefined, null, {}, { session: null }]) expect(detailOf(agent as never, 'c1', unreadable)).toBeUndefined()
    expect(unreadable).toHaveBeenCalledTimes(4)
  })
})
