// Questions that follow each other on a phone, and replies without a code, by the time that the server gives them. Needs
// no ntfy.
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as plugin from '../../src/surfaces/ntfy/index.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'
import { boot, dispatch } from '../helpers/cordis.ts'
import { atOnce, choice, desk } from './helpers/boot.ts'
import { FakeNtfy, refuse } from './helpers/fake.ts'
import { codeOf } from './helpers/person.ts'

const topic = newTopic()
const now = () => Math.floor(Date.now() / 1000)

let fake: FakeNtfy
let ctx: Context
let fiber: { dispose(): Promise<unknown> }
let troubles: string[]

async function load(): Promise<void> {
  fiber = await ctx.plugin({
    ...plugin,
    apply: (inner: Context, config: unknown) => {
      const logger = () => ({ warn: (line: string) => void troubles.push(line) })
      plugin.apply(Object.create(inner, { logger: { value: logger } }) as Context, config)
    },
  }, { lang: 'en', server: fake.url, topic })
}

beforeEach(async () => {
  fake = await FakeNtfy.start()
  ;({ ctx } = await boot(atOnce))
  troubles = []
  await load()
})

afterEach(async () => {
  await ctx.fiber.dispose()
  await fake[Symbol.asyncDispose]()
})

const ask = (...questions: ReturnType<typeof choice>[]) => dispatch(ctx, { questions })
const shown = (words: string) => fake.sees(({ priority, message }) => priority === 4 && message.includes(words))
const told = (words: string) => fake.sees(({ priority, message }) => priority === 3 && message.includes(words))

describe('another host on the same topics, without `shared`', { timeout: 30_000 }, () => {
  const others = { title: 'dsh: Question', sequence_id: 'ask-q2b-AAAAAAAAAAAA', time: now() + 20 }

  it('is noticed once, and from then on replies need a code', async () => {
    const answer = ask(choice('Deploy now?', ['Yes', 'No']))
    const push = await shown('Deploy now?')
    fake.say(topic, 'A question from elsewhere', others)
    fake.say(topic, 'Answered', others)
    fake.say(topic, '1', { time: now() + 30 })
    await told(`${codeOf(push)}: Deploy now?`)
    expect(troubles.filter(line => line.includes('shared: true'))).toHaveLength(1)
    expect(troubles.join()).not.toContain(topic)
    fake.say(topic, `${codeOf(push)} 2`)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['No'] }] })
    void ask(choice('Delete the old data?', ['Yes', 'No'])).catch(() => {})
    const next = await shown('Delete the old data?')
    expect(next.message).toContain(`Start your reply with ${codeOf(next)}.`)
  })

  it('is not seen in what a process of before puts away as this one starts, nor in other sequences', async () => {
    const answer = ask(choice('Deploy now?', ['Yes', 'No']))
    await shown('Deploy now?')
    fake.say(topic, 'Can no longer be answered here', { ...others, time: now() + 1 })
    fake.say(topic, 'Backup done', { ...others, sequence_id: 'backup-1' })
    fake.say(topic, '1', { time: now() + 30 })
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Yes'] }] })
  })

  it('is not seen in what this process has shown before its plugin was loaded anew', async () => {
    const turn = new AbortController()
    const old = dispatch(ctx, { questions: [choice('Deploy now?', ['Yes', 'No'])], signal: turn.signal })
    const push = await shown('Deploy now?')
    turn.abort()
    await expect(old).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    await fiber.dispose()
    await load()
    const answer = ask(choice('Delete the old data?', ['Yes', 'No']))
    await shown('Delete the old data?')
    fake.say(topic, 'Cancelled', { title: push.title, sequence_id: push.sequence_id, time: now() + 20 })
    fake.say(topic, '1', { time: now() + 30 })
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Yes'] }] })
  })
})

describe('a reply without a code', { timeout: 30_000 }, () => {
  it('answers the next question of a batch once the one before is some seconds ago', async () => {
    const answer = ask(choice('Deploy now?', ['Yes', 'No'], { id: 'deploy' }), choice('Delete the old data?', ['Yes', 'No'], { id: 'delete' }))
    await shown('Deploy now?')
    fake.say(topic, 'yes')
    const second = await shown('Delete the old data?')
    await fake.sees(({ message }) => message === 'Noted (1 of 2): Yes')
    fake.say(topic, 'no', { time: now() + 2 })
    await told(`${codeOf(second)}: Delete the old data?`)
    fake.say(topic, 'no', { time: now() + 7 })
    expect(await answer).toEqual({ answers: [{ id: 'deploy', selected: ['Yes'] }, { id: 'delete', selected: ['No'] }] })
  })

  it('answers a question that comes long after another was answered', async () => {
    const first = ask(choice('Deploy now?', ['Yes', 'No']))
    await shown('Deploy now?')
    fake.say(topic, '1')
    await first
    await fake.sees(({ priority }) => priority === 2)
    const second = ask(choice('Delete the old data?', ['Yes', 'No']))
    await shown('Delete the old data?')
    fake.say(topic, '1', { time: now() + 60 })
    expect(await second).toEqual({ answers: [{ id: 'q', selected: ['Yes'] }] })
  })

  it('to a question that was answered at the desk a moment ago is told so', async () => {
    const { surface, answers } = desk()
    ctx.askSurfaces.register(surface)
    const answer = ask(choice('Deploy now?', ['Yes', 'No']))
    await shown('Deploy now?')
    await answers('No')
    await answer
    fake.say(topic, '1')
    await expect(told('Your reply came too late')).resolves.toMatchObject({ message: 'Your reply came too late and was not used. Answered: No, on terminal' })
  })

  it('is not sure while the outcome of another question could not be shown', async () => {
    const { surface, answers } = desk()
    ctx.askSurfaces.register(surface)
    const first = ask(choice('Deploy now?', ['Yes', 'No']))
    await shown('Deploy now?')
    const second = ask(choice('Delete the old data?', ['Yes', 'No']))
    const push = await shown('Delete the old data?')
    fake.publishFaults.push(refuse(500))
    await answers('No')
    await first
    fake.say(topic, '1', { time: now() + 30 })
    await told(`${codeOf(push)}: Delete the old data?`)
    fake.say(topic, `${codeOf(push)} 2`)
    expect(await second).toEqual({ answers: [{ id: 'q', selected: ['No'] }] })
  })
})
