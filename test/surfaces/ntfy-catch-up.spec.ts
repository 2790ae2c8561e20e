// What was said while the stream was being opened again is asked for. Time is made up.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { pass } from '../helpers/time.ts'
import { line, open, said, useStreams } from '../ntfy/helpers/streams.ts'

const rig = useStreams()

describe('what was said just when it was opened again', () => {
  /** A stream, its end, and another. */
  async function reopen(): Promise<void> {
    await rig.end()
    await rig.send(open(1100) + line({ event: 'keepalive', time: 1100 }))
  }

  beforeEach(async () => {
    await rig.subscribe(open(1000) + said('m1', 'hello', 1005) + line({ event: 'keepalive', time: 1010 }))
  })

  it('is asked for from when the server was last heard, some times, and is heard once', async () => {
    await pass(40_000)
    expect(rig.server.polls).toEqual([])
    rig.server.kept = ['', said('m1', 'hello', 1005) + said('m2', 'in the hole', 1050), said('m2', 'in the hole', 1050)]
    await reopen()
    for (const [ms, polls, known] of [[999, 0, ['m1']], [1, 1, ['m1']], [4000, 2, ['m1', 'm2']], [25_000, 3, ['m1', 'm2']]] as const) {
      await pass(ms)
      expect([rig.server.polls.length, rig.ids()]).toEqual([polls, known])
    }
    expect(new Set(rig.server.polls)).toEqual(new Set(['/a,b/json?poll=1&since=1008']))
    // The stream goes on from what it said itself: what came beside it may be older.
    await rig.end()
    expect(rig.server.requests.at(-1)).toBe('/a,b/json?since=m1')
  })

  it('is asked for again when it could not be had', async () => {
    rig.server.kept = [new TypeError('fetch failed'), said('m2', 'in the hole', 1050)]
    await reopen()
    await pass(5000)
    expect(rig.ids()).toEqual(['m1', 'm2'])
  })

  it('is asked for from the first gap while there comes one after the other', async () => {
    await reopen()
    await pass(2000)
    await reopen()
    await pass(40_000)
    expect(rig.server.polls).toEqual(Array.from({ length: 4 }, () => '/a,b/json?poll=1&since=1008'))
    await reopen()
    await pass(1000)
    expect(rig.server.polls.at(-1)).toBe('/a,b/json?poll=1&since=1098')
  })

  it('is asked for no more once it is closed', async () => {
    rig.server.kept = [said('m2', 'too late', 1050)]
    await reopen()
    rig.subscription.close()
    await pass(60_000)
    expect([rig.server.polls, vi.getTimerCount()]).toEqual([[], 0])
  })
})
