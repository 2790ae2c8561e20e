// Questions that follow each other on a phone, and replies without a code, by the time that the server gives them. Needs
// no ntfy.
import type { Context } from '@deepseek-ai/cordis'
import { beforeEach, describe, expect, it } from 'vitest'
import * as plugin from '../../src/surfaces/ntfy/index.ts'
import { choice, chosen } from './helpers/boot.ts'
import { refuse } from './helpers/fake.ts'
import { useFakeHost } from './helpers/fake-host.ts'
import { codeOf } from './helpers/person.ts'

const host = useFakeHost()
const now = () => Math.floor(Date.now() / 1000)
const deploy = choice('Deploy now?', ['Yes', 'No']), purge = choice('Delete the old data?', ['Yes', 'No'])

let fiber: { dispose(): Promise<unknown> }
let troubles: string[]

async function load(): Promise<void> {
  fiber = await host.load({}, {
    ...plugin,
    apply: (inner: Context, config: unknown) => {
      const logger = () => ({ warn: (line: string) => void troubles.push(line) })
      plugin.apply(Object.create(inner, { logger: { value: logger } }) as Context, config)
    },
  })
}

beforeEach(async () => {
  troubles = []
  await load()
})

const told = (words: string) => host.fake.sees(({ priority, message }) => priority === 3 && message.includes(words))

describe('another host on the same topics, without `shared`', { timeout: 30_000 }, () => {
  const others = { title: 'dsh: Question', sequence_id: 'ask-q2b-AAAAAAAAAAAA', time: now() + 20 }

  it('is noticed once, and from then on replies need a code', async () => {
    const { answer, push } = await host.show(deploy)
    host.types('A question from elsewhere', others)
    host.types('Answered', others)
    host.types('1', { time: now() + 30 })
    await told(`${codeOf(push)}: Deploy now?`)
    expect(troubles.filter(line => line.includes('shared: true'))).toHaveLength(1)
    expect(troubles.join()).not.toContain(host.topic)
    host.types(`${codeOf(push)} 2`)
    expect(await answer).toEqual(chosen('No'))
    const { push: next } = await host.show(purge)
    expect(next.message).toContain(`Start your reply with ${codeOf(next)}.`)
  })

  it('is not seen in what a process of before puts away as this one starts, nor in other sequences', async () => {
    const { answer } = await host.show(deploy)
    host.types('Can no longer be answered here', { ...others, time: now() + 1 })
    host.types('Backup done', { ...others, sequence_id: 'backup-1' })
    host.types('1', { time: now() + 30 })
    expect(await answer).toEqual(chosen('Yes'))
  })

  it('is not seen in what this process has shown before its plugin was loaded anew', async () => {
    const turn = new AbortController()
    const { answer: old, push } = await host.show(deploy, { signal: turn.signal })
    turn.abort()
    await expect(old).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    await fiber.dispose()
    await load()
    const { answer } = await host.show(purge)
    host.types('Cancelled', { title: push.title, sequence_id: push.sequence_id, time: now() + 20 })
    host.types('1', { time: now() + 30 })
    expect(await answer).toEqual(chosen('Yes'))
  })
})

describe('a reply without a code', { timeout: 30_000 }, () => {
  it('answers the next question of a batch once the one before is some seconds ago', async () => {
    const { answer } = await host.show([{ ...deploy, id: 'deploy' }, { ...purge, id: 'delete' }])
    host.types('yes')
    const second = await host.question(purge.question)
    await host.fake.sees(({ message }) => message === 'Noted (1 of 2): Yes')
    host.types('no', { time: now() + 2 })
    await told(`it may have been for “Deploy now?”, which is no longer open. If it is for “Delete the old data?”, send it again with the code in front: ${codeOf(second)} no`)
    host.types('no', { time: now() + 7 })
    expect(await answer).toEqual({ answers: [{ id: 'deploy', selected: ['Yes'] }, { id: 'delete', selected: ['No'] }] })
  })

  it('answers a question that comes long after another was answered', async () => {
    const first = await host.show(deploy)
    host.types('1')
    await first.answer
    await host.fake.sees(({ priority }) => priority === 2)
    const second = await host.show(purge)
    host.types('1', { time: now() + 60 })
    expect(await second.answer).toEqual(chosen('Yes'))
  })

  it('to a question that was answered at the desk a moment ago is told so', async () => {
    const { answers } = host.desk()
    const { answer } = await host.show(deploy)
    await answers('No')
    await answer
    host.types('1')
    await expect(told('Your reply came too late')).resolves.toMatchObject({ message: 'Your reply came too late and was not used. Answered: No, on terminal' })
  })

  it('is not sure while the outcome of another question could not be shown', async () => {
    const { answers } = host.desk()
    const first = await host.show(deploy)
    const second = await host.show(purge)
    host.fake.publishFaults.push(refuse(500))
    await answers('No')
    await first.answer
    host.types('1', { time: now() + 30 })
    await told(`it may have been for “Deploy now?”, which is no longer open. If it is for “Delete the old data?”, send it again with the code in front: ${codeOf(second.push)} 1`)
    host.types(`${codeOf(second.push)} 2`)
    expect(await second.answer).toEqual(chosen('No'))
  })
})
