// What the tests in this folder share: the real host with the router in it, people who answer, questions to ask, and
// what must hold after every test.
import type { Context } from '@deepseek-ai/cordis'
import { SessionId } from '@deepseek-ai/dsh-session'
import { type Agent, bootHost, newAgent, runTurn } from '../../examples/demo/host.ts'
import { ScriptedAdapter, type Step, text, toolCall } from '../../examples/demo/model.ts'
import { afterEach, expect } from 'vitest'
import * as bridge from '../../examples/demo/bridge.ts'
import * as plugin from '../../src/index.ts'
import type {
  AskContext, AskSurface, AskUserQuestionAnswer, AskUserQuestionItem, AskUserQuestionRequest, PendingAsk, UserQuestionErrorCode,
} from '../../src/index.ts'

export { interrupt } from '../../examples/demo/host.ts'
export { type Agent, bridge, newAgent, plugin, runTurn, text }

const unhandled: unknown[] = []
process.on('unhandledRejection', error => unhandled.push(error))

const hosts: Context[] = []

// Whatever a test did: its host goes down in peace, and nothing was rejected that nobody caught.
afterEach(async () => {
  const open = hosts.flatMap(pending)
  await Promise.all(hosts.splice(0).map(ctx => ctx.fiber.dispose()))
  await macrotask()
  expect(open, 'asks that are still open').toEqual([])
  expect(unhandled.splice(0)).toEqual([])
})

/** The next turn of the event loop, after the immediates that are due. */
export function macrotask(): Promise<void> {
  return new Promise(resolve => void setImmediate(() => setImmediate(resolve)))
}

/** The host without the router. */
export async function startBare(script: ConstructorParameters<typeof ScriptedAdapter>[0]) {
  const adapter = new ScriptedAdapter(script)
  const ctx = await bootHost(adapter)
  hosts.push(ctx)
  return { ctx, adapter }
}

/** The host with the router. */
export async function startHost(script: ConstructorParameters<typeof ScriptedAdapter>[0], config?: unknown) {
  const { ctx, adapter } = await startBare(script)
  const router = await ctx.plugin(plugin, config)
  return { ctx, adapter, router, surfaces: ctx.get('askSurfaces')! }
}

/** The host with the router and one agent. */
export async function startAgent(script: readonly Step[], config?: unknown) {
  const host = await startHost(script, config)
  return { ...host, ...await withAgent(host.ctx, host.adapter) }
}

/** An agent, and its turns. */
export async function withAgent(ctx: Context, adapter: ScriptedAdapter) {
  const agent = await newAgent(ctx)
  const turn = (prompt = 'go on') => runTurn(ctx, agent, prompt)
  /** Begin a turn and wait until these have its question; `told` is what the model is told by its end. */
  async function begin<const T extends readonly { next(): Promise<unknown> }[]>(...places: T) {
    const arrived = Promise.all(places.map(one => one.next()))
    const end = turn()
    return {
      shown: await arrived as unknown as { [K in keyof T]: Awaited<ReturnType<T[K]['next']>> },
      end,
      async told(callId = 'c1') {
        await end
        return adapter.told(callId)
      },
    }
  }
  return { agent, turn, begin }
}

/** An agent that the test disposes. */
export function disposableAgent(ctx: Context, id: string) {
  return ctx.agents.create({ sessionId: SessionId(id), agentOptions: { provider: 'mock', model: 'mock' } })
}

/** The asks that are open; none where there is no router. */
export function pending(ctx: Context): readonly PendingAsk[] {
  return ctx.get('askSurfaces')?.pending() ?? []
}

/** A single-select question. */
export const DATABASE: AskUserQuestionItem = {
  id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite', description: 'one file' }],
}

/** The model asks; what it gets is `adapter.told(callId)`. */
export function asking(callId = 'c1', questions: readonly AskUserQuestionItem[] = [DATABASE]) {
  return toolCall(callId, 'ask_user_question', {
    questions: questions.map(({ multiSelect, ...question }) => ({ ...question, ...(multiSelect && { multi_select: true }) })),
  })
}

/** The model asks once and then ends its turn. */
export const oneQuestion = (callId?: string, questions?: readonly AskUserQuestionItem[]) => [asking(callId, questions), text('Done.')]

/** The answer to one question. */
export function choose(label: string, id = 'db'): AskUserQuestionAnswer {
  return { answers: [{ id, selected: [label] }] }
}

/** What the model is told, word for word, when this is the answer. */
export function toldAnswer(answer: AskUserQuestionAnswer, callId = 'c1') {
  return { callId, text: JSON.stringify(answer), isError: false }
}

/** What the router says when the turn was aborted, or the router was unloaded: dsh's own words. */
export const ENDED = 'ask_user_question was aborted before the user answered'

/** What the model is told, word for word, when the question failed. */
export function toldError(message: string, callId = 'c1') {
  return { callId, text: `Error: ${message}`, isError: true }
}

/** A question on a surface's show. */
export class Shown {
  readonly request: AskUserQuestionRequest
  readonly context: AskContext
  readonly result = Promise.withResolvers<AskUserQuestionAnswer>()
  /** The codes with which its signal aborted, and who settled it with what. */
  readonly stopped: string[] = []
  readonly settled: { by: string, answer: AskUserQuestionAnswer | undefined }[] = []

  constructor(request: AskUserQuestionRequest, context: AskContext) {
    this.request = request
    this.context = context
    const { signal } = context
    signal.addEventListener('abort', () => this.stopped.push(signal.reason.code))
  }

  answer(answer: AskUserQuestionAnswer): void {
    this.result.resolve(answer)
  }

  /** Answers something that the types do not allow. */
  answerAnything(value: unknown): void {
    this.result.resolve(value as AskUserQuestionAnswer)
  }

  fail(error: unknown): void {
    this.result.reject(error)
  }
}

/** A surface with somebody in front of it. */
export class Person implements AskSurface {
  readonly name: string
  /** Every question that was shown here. */
  readonly shown: Shown[] = []
  /** How often it was asked for its claim. */
  claimed = 0
  readonly #sessions: readonly string[]
  readonly #waiting: ((shown: Shown) => void)[] = []

  /** @param sessions the sessions that it claims. */
  constructor(name: string, ...sessions: string[]) {
    this.name = name
    this.#sessions = sessions
  }

  claim(request: AskUserQuestionRequest): boolean {
    this.claimed++
    return this.#sessions.includes(request.agent?.session.id ?? '')
  }

  ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer> {
    const shown = new Shown(request, context)
    this.shown.push(shown)
    for (const notice of this.#waiting.splice(0)) notice(shown)
    return shown.result.promise
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    this.shown.find(one => one.request === request)!.settled.push({ by, answer })
  }

  /** The next question that comes. */
  next(): Promise<Shown> {
    return new Promise(resolve => this.#waiting.push(resolve))
  }
}

/** Several people at once. */
export function people<const N extends readonly string[]>(surfaces: plugin.AskSurfaces, ...names: N) {
  const all = names.map(name => new Person(name))
  for (const person of all) surfaces.register(person)
  return all as { [K in keyof N]: Person }
}

/** An error as the host knows it, from a package that has nothing of the host. */
export function questionError(code: UserQuestionErrorCode, message: string): Error {
  return plugin.userQuestionError(code, message)
}
