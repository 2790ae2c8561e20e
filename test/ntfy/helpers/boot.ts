// The real cordis with the router and the phone, and a person at the other end.
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, vi } from 'vitest'
import type { AskSurface, AskUserQuestionAnswer, AskUserQuestionItem } from '../../../src/index.ts'
import * as plugin from '../../../src/surfaces/ntfy/index.ts'
import { newTopic, replyTopicOf } from '../../../src/surfaces/ntfy/topic.ts'
import { boot, dispatch } from '../../helpers/cordis.ts'
import { Gate } from './gate.ts'
import { patience, Person, type Push } from './person.ts'

/** The router's configuration with which the phone is asked together with everybody else. */
export const atOnce = { surfaces: { ntfy: { delayMs: 0 } } }

/** Quiet hours for the phone that hold now, whatever time it is. */
export function quietNow() {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16)
  return { from: at(-3_600_000), to: at(3_600_000), timeZone: 'UTC', surfaces: ['ntfy'] }
}

/** A host with a phone. */
export interface Rig {
  readonly ctx: Context
  /** Edit the router's configuration. */
  readonly configure: (router: object) => void
  readonly person: Person
  readonly topic: string
  readonly replyTopic: string
  /** Ask as the host does. */
  readonly ask: (questions: AskUserQuestionItem[], signal?: AbortSignal) => ReturnType<typeof dispatch>
  /** The same for one question, or the first of several; resolves once the person sees it. */
  readonly show: (...questions: AskUserQuestionItem[]) => Promise<{ answer: ReturnType<typeof dispatch>, push: Push }>
  /** Register a desk. */
  readonly desk: () => ReturnType<typeof desk>
  /** Unload the phone's plugin. */
  readonly unload: () => Promise<unknown>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Boot a host with a phone on a server.
 *
 * @param config of the phone's plugin, beside the server and a topic.
 * @param router the router's configuration.
 */
export async function rigOn(
  server: string, config: Record<string, unknown> = {}, headers: Record<string, string> = {}, router: object = atOnce,
): Promise<Rig> {
  const topic = config['topic'] as string | undefined ?? newTopic()
  const person = await Person.with(server, topic, headers)
  const { ctx, fiber: routing } = await boot(router)
  const fiber = await ctx.plugin(plugin, { lang: 'en', ...config, server, topic })
  const ask: Rig['ask'] = (questions, signal) => dispatch(ctx, { questions, ...signal && { signal } })
  return {
    ctx,
    configure: edited => routing.update(edited),
    person,
    topic,
    replyTopic: replyTopicOf(topic),
    ask,
    async show(...questions) {
      const answer = ask(questions)
      return { answer, push: await person.asked(questions[0]!.question) }
    },
    desk() {
      const added = desk()
      ctx.askSurfaces.register(added.surface)
      return added
    },
    unload: () => fiber.dispose(),
    async [Symbol.asyncDispose]() {
      await ctx.fiber.dispose()
      person.leave()
    },
  }
}

/** A host with a phone, new for each test of a `describe`. */
export function useRig(server: { readonly url: string }): Rig {
  const rig = {} as Rig
  beforeEach(async () => void Object.assign(rig, await rigOn(server.url)))
  afterEach(() => rig[Symbol.asyncDispose]())
  return rig
}

/** A host whose phone's plugin is behind a gate, and a person who is not. */
export async function rigBehindGate(server: string, ...rest: Parameters<typeof rigOn> extends [string, ...infer R] ? R : never) {
  const gate = await Gate.before(server)
  const rig = await rigOn(gate.url, ...rest)
  const person = await Person.with(server, rig.topic)
  return {
    gate,
    rig,
    person,
    async [Symbol.asyncDispose]() {
      person.leave()
      await rig[Symbol.asyncDispose]()
      await gate[Symbol.asyncDispose]()
    },
  }
}

/** A surface that shows every question and answers when it is told to. */
export function desk(name = 'terminal') {
  const open: ((answer: AskUserQuestionAnswer) => void)[] = []
  const surface: AskSurface = {
    name,
    claim: () => true,
    ask: () => new Promise(resolve => open.push(resolve)),
  }
  /** Answer the oldest open question, once it is there. */
  const answersAll = async (answer: AskUserQuestionAnswer) => {
    const [first] = await vi.waitFor(() => {
      if (open.length === 0) throw new Error('nothing is asked at the desk')
      return open
    }, patience)
    first!(answer)
  }
  return { surface, answersAll, answers: (label: string) => answersAll({ answers: [{ id: 'q', selected: [label] }] }) }
}

/** What comes back when an option of {@link database} is chosen, or words are said. */
export const chosen = (...selected: string[]) => ({ answers: [{ id: 'q', selected }] })
export const said = (custom: string) => ({ answers: [{ id: 'q', selected: [], custom }] })

/** A single-select question. */
export function choice(question: string, labels: readonly string[], extra: Partial<AskUserQuestionItem> = {}): AskUserQuestionItem {
  return { id: 'q', question, options: labels.map(label => ({ label })), ...extra }
}

/** The question of most tests. */
export const database = choice('Which database?', ['Postgres', 'SQLite'])
