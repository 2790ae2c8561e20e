// Other hosts on the same topics, and strangers: replies that may be for another host, and floods. Time and the server are made up.
import { expect, it } from 'vitest'
import { pass } from '../helpers/time.ts'
import { useMemoryServer } from '../ntfy/helpers/memory.ts'

const server = useMemoryServer()

/** Another host publishes something, or a person does. */
async function appears(fields: object): Promise<void> {
  const time = Math.floor(Date.now() / 1000)
  server.streams[0]!.raw(`${JSON.stringify({ id: `o${String(Math.random()).slice(2)}`, time, event: 'message', topic: server.topic, message: 'x', ...fields })}\n`)
  await pass(10)
}

const UNTAKEN = 'No dsh host has taken your reply. If its question still looks open here, the host that asked may be off.'

it('a flood of forged buttons is one line in the log each minute', async () => {
  for (let count = 0; count < 1000; count++) server.says('dsh-ask AAAAAAAAAAAAAAAAAAAAAA 1')
  await pass(59_000)
  expect(server.warnings).toEqual(['a button reply without the secret of a question was dropped'])
  await pass(2000)
  await server.hears('dsh-ask AAAAAAAAAAAAAAAAAAAAAA 1')
  expect(server.warnings).toHaveLength(2)
  expect(server.requests).toBe(0)
})

it('its sender is told when no host has taken a reply, and not when one has', async () => {
  await pass(6000)
  await appears({ sequence_id: 'ask-z4k-AAAAAAAAAAAA', title: 'dsh: Question' })
  expect(server.warnings).toEqual([expect.stringMatching(/^another dsh host uses the same topics/)])
  await appears({ id: 'taken', message: 'z4k 1' })
  await appears({ sequence_id: 'ask-z4k-AAAAAAAAAAAA', title: 'dsh: Question', message: 'Answered' })
  await appears({ id: 'explained', message: 'maybe' })
  await appears({ sequence_id: 'notice-explained', title: 'dsh' })
  await pass(20_000)
  expect(server.pushes).toEqual([])
  await appears({ id: 'lost', message: 'q2b 1' })
  await pass(9000)
  expect(server.pushes).toEqual([])
  await pass(1000)
  expect(server.pushes).toMatchObject([{ message: UNTAKEN, sequence_id: 'notice-lost' }])
})
