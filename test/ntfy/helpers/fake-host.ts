// The real cordis with the router and the phone on the small fake server, new for each test.
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach } from 'vitest'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../../src/index.ts'
import * as plugin from '../../../src/surfaces/ntfy/index.ts'
import { newTopic, replyTopicOf } from '../../../src/surfaces/ntfy/topic.ts'
import { boot, dispatch } from '../../helpers/cordis.ts'
import { atOnce, database, desk } from './boot.ts'
import { FakeNtfy } from './fake.ts'
import type { Push } from './person.ts'

/** A host and its server. */
export class FakeHost {
  readonly topic = newTopic()
  fake!: FakeNtfy
  ctx!: Context
  routing!: Awaited<ReturnType<typeof boot>>['fiber']

  async start(): Promise<void> {
    this.fake = await FakeNtfy.start()
    ;({ ctx: this.ctx, fiber: this.routing } = await boot(atOnce))
  }

  async stop(): Promise<void> {
    await this.ctx.fiber.dispose()
    await this.fake[Symbol.asyncDispose]()
  }

  /** Load the phone's plugin, or one that wraps it. */
  load(config: object = {}, wrapped: typeof plugin = plugin) {
    return this.ctx.plugin(wrapped, { lang: 'en', server: this.fake.url, topic: this.topic, ...config })
  }

  /** Ask as the host does. */
  ask(question: AskUserQuestionItem | AskUserQuestionItem[] = database, more: Omit<AskUserQuestionRequest, 'questions'> = {}) {
    return dispatch(this.ctx, { questions: [question].flat(), ...more })
  }

  /** The same; resolves once the question is on the phone. */
  async show(...args: Parameters<FakeHost['ask']>) {
    const [first] = [args[0] ?? database].flat()
    const answer = this.ask(...args)
    // A test that looks at something else leaves it open.
    answer.catch(() => {})
    return { answer, push: await this.question(first!.question) }
  }

  /** Wait for a question, other than an earlier one. */
  question(words = 'Which database?', earlier?: Push): Promise<Push> {
    return this.fake.sees(push => push.tags !== undefined && push.message.includes(words) && push.sequence_id !== earlier?.sequence_id)
  }

  /** Register a desk. */
  desk() {
    const added = desk()
    this.ctx.askSurfaces.register(added.surface)
    return added
  }

  /** Type a reply where the question is seen. */
  types(text: string, extra?: object): void {
    this.fake.say(this.topic, text, extra)
  }

  /** Say something on the reply topic. */
  replies(text: string, extra?: object): void {
    this.fake.say(replyTopicOf(this.topic), text, extra)
  }

  /** Tap a button. */
  taps({ actions }: Push, at: number): void {
    this.replies(actions![at]!.body)
  }
}

/** A host for each test of this file. */
export function useFakeHost(): FakeHost {
  const host = new FakeHost()
  beforeEach(() => host.start())
  afterEach(() => host.stop())
  return host
}
