// What the stream of an ntfy server brings: lines however they are cut, once each, and what is no line of ntfy’s. Time is made up.
import { describe, expect, it } from 'vitest'
import { pass } from '../helpers/time.ts'
import { line, open, said, settle, useStreams, utf8 } from '../ntfy/helpers/streams.ts'

const rig = useStreams()

describe('the stream', () => {
  it('starts live, with both topics on one connection', async () => {
    await rig.subscribe(open())
    await rig.subscription.ready
    expect(rig.server.requests).toEqual(['/a,b/json'])
    expect(rig.opened).toBe(1)
  })

  it('reads lines that are split at every byte', async () => {
    await rig.subscribe()
    const bytes = utf8.encode(open() + said('m1', 'Größe 部署 🙂') + line({ event: 'keepalive' }) + said('m2', '—'))
    for (const byte of bytes) {
      await rig.send(Uint8Array.of(byte))
    }
    expect(rig.texts()).toEqual(['Größe 部署 🙂', '—'])
  })

  it.each([1, 2, 3, 5, 7, 64])('reads lines in pieces of %i bytes', async size => {
    await rig.subscribe()
    const bytes = utf8.encode(open() + said('m1', 'Größe 部署 🙂'.repeat(9)) + said('m2', '—'))
    for (let at = 0; at < bytes.length; at += size) rig.server.send(bytes.slice(at, at + size))
    await settle()
    expect(rig.texts()).toEqual(['Größe 部署 🙂'.repeat(9), '—'])
  })

  it.each([
    ['broken JSON', '{"id":"m0","time":10\n'],
    ['a page', '<html>\n'],
    ['another type', '["message"]\n"message"\nnull\n42\n'],
    ['fields of other types', line({ id: 7 }) + line({ time: 'now' }) + line({ topic: 3 })],
    ['events that are no messages', line({ event: 'message_delete', message: 'x' }) + line({ event: 'message_clear' }) + line({ event: 'poll_request' })],
  ])('passes over %s', async (_what, noise) => {
    await rig.subscribe(open() + noise + said('m1', 'hello'))
    expect(rig.ids()).toEqual(['m1'])
  })

  it('delivers once what the server repeats, and marks what is from before its time', async () => {
    await rig.subscribe(open() + said('m1', 'one') + said('m1', 'one'))
    await rig.end()
    // A server that does not know the id any more replays all it has.
    await rig.send(open(1100) + said('m0', 'yesterday', 10) + said('m1', 'one') + said('m2', 'two'))
    expect(rig.ids()).toEqual(['m1', 'm2'])
    expect(rig.old.map(({ id }) => id)).toEqual(['m0'])
  })

  it('a line that was cut off comes whole with the next stream', async () => {
    await rig.subscribe(open() + said('m1', 'one').slice(0, 30))
    await rig.end()
    await rig.send(open(1001) + said('m1', 'one'))
    expect(rig.texts()).toEqual(['one'])
  })

  it('a line without an end is no stream of ntfy’s', async () => {
    await rig.subscribe()
    rig.server.send(open() + 'x'.repeat(300_000))
    await pass(1000)
    expect(rig.server.requests).toHaveLength(2)
  })

  it('closed, it ends its connection and asks for no other', async () => {
    await rig.subscribe(open())
    rig.subscription.close()
    await pass(200_000)
    expect(rig.server.signals[0]!.aborted).toBe(true)
    expect(rig.server.requests).toHaveLength(1)
  })
})
