// Questions that follow each other on a phone, and replies without a code, by the time that the server gives them. Needs
// no ntfy.
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as plugin from '../../src/surfaces/ntfy/index.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'
import { boot, dispatch } from '../helpers/cordis.ts'
import { choice, desk } from './helpers/boot.ts'
import { FakeNtfy, refuse } from './helpers/fake.ts'
import { codeOf } from './helpers/person.ts'

const topic = newTopic()
const now = () => Math.floor(Date.now() / 1000)

let fake: FakeNtfy
let ctx: Context

beforeEach(async () => {
  fake = await FakeNtfy.start()
  ;({ ctx } = await boot())
  await ctx.plugin(plugin, { lang: 'en', server: fake.url, topic })
})

afterEach(async () => {
  await ctx.fiber.dispose()
  await fake[Symbol.asyncDispose]()
})

const ask = (...questions: ReturnType<typeof choice>[]) => dispatch(ctx, { questions })
const shown = (words: string) => fake.sees(({ priority, message }) => priority === 4 && message.includes(words))
const told = (words: string) => fake.sees(({ priority, message }) => priority === 3 && message.includes(words))

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
