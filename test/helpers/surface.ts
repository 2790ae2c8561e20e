// Surfaces and hosts that do what a test tells them and remember what happened to them, and questions to ask them.
import { vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import { userQuestionError } from '../../src/protocol/errors.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../src/protocol/request.ts'
import type { AskContext, AskSurface } from '../../src/protocol/surface.ts'
import { flush, macrotask } from './time.ts'

/** A question with options. */
export function choice(id: string, labels: readonly string[], extra: Partial<AskUserQuestionItem> = {}): AskUserQuestionItem {
  return { id, question: `${id}?`, options: labels.map(label => ({ label })), ...extra }
}

/** A request with one single-select question, `db`. */
export function question(extra: Partial<AskUserQuestionRequest> & Record<string, unknown> = {}): AskUserQuestionRequest {
  return { questions: [choice('db', ['Postgres', 'SQLite'])], ...extra }
}

/** The answer to {@link question} that chooses a label. */
export function says(label: string, id = 'db'): AskUserQuestionAnswer {
  return { answers: [{ id, selected: [label] }] }
}

/** An agent as far as surfaces see it. */
export function agentOf(id: string): { readonly session: { readonly id: string } } {
  return { session: { id } }
}

/** A person's no. */
export function cancelled(message = 'the person declined') {
  return userQuestionError('ASK_CANCELLED', message)
}

/** Never answers. */
export const hang = () => new Promise<never>(() => {})

/** What was given, `undefined` too, else a default. */
function given(args: readonly unknown[], otherwise: unknown): unknown {
  return args.length > 0 ? args[0] : otherwise
}

/** One promise after another, each settled from outside; the last one where none is named. */
class Promises {
  readonly #all: PromiseWithResolvers<never>[] = []

  make(): Promise<never> {
    const one = Promise.withResolvers<never>()
    this.#all.push(one)
    return one.promise
  }

  /** Fulfilled once every microtask has run, and so once the router has heard it. */
  resolve(value: unknown): Promise<void> {
    this.#all.at(-1)!.resolve(value as never)
    return flush()
  }

  /** The same. */
  reject(error: unknown): Promise<void> {
    this.#all.at(-1)!.reject(error)
    return flush()
  }
}

/** A surface that waits to be told. */
export class FakeSurface implements AskSurface {
  readonly name: string
  readonly #promises = new Promises()
  readonly claim = vi.fn<(request: AskUserQuestionRequest) => boolean>()
  readonly ask = vi.fn<(request: AskUserQuestionRequest, context: AskContext) => Promise<AskUserQuestionAnswer>>(
    () => this.#promises.make(),
  )
  readonly settled = vi.fn<(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer) => void>()
  /** Takes it out of the registry, if `setUp` registered it. */
  dispose = () => {}

  constructor(name = 'a', claims = false) {
    this.name = name
    this.claim.mockReturnValue(claims)
  }

  /** How often it was asked. */
  get asked(): number {
    return this.ask.mock.calls.length
  }

  /** The request it was asked with last. */
  get request(): AskUserQuestionRequest {
    return this.ask.mock.lastCall![0]
  }

  /** The context it was asked with last. */
  get context(): AskContext {
    return this.ask.mock.lastCall![1]
  }

  /** Do something each time it is asked, before it waits to be told. */
  whenAsked(callback: (request: AskUserQuestionRequest) => void): void {
    this.ask.mockImplementation((request) => {
      callback(request)
      return this.#promises.make()
    })
  }

  /** Answer the question it was asked last: `Postgres` by default. Awaited, the router has heard it. */
  answer(...value: unknown[]): Promise<void> {
    return this.#promises.resolve(given(value, says('Postgres')))
  }

  /** Reject it. */
  fail(...error: unknown[]): Promise<void> {
    return this.#promises.reject(given(error, new Error(`${this.name} is broken`)))
  }

  /** Leave the router. Awaited, the surface is out: that takes a macrotask. */
  leave(): Promise<void> {
    this.dispose()
    return macrotask()
  }
}

/** Everything behind the router: the rest of the waterfall. */
export class FakeHost {
  readonly #promises = new Promises()
  readonly next = vi.fn<() => unknown>(() => this.#promises.make())

  /** How often `next` was called. */
  get asked(): number {
    return this.next.mock.calls.length
  }

  /** Answer: `SQLite`, where nothing is given. */
  answer(...value: unknown[]): Promise<void> {
    return this.#promises.resolve(given(value, says('SQLite')))
  }

  fail(...error: unknown[]): Promise<void> {
    return this.#promises.reject(given(error, new Error('the host is broken')))
  }

  /** Say that nobody is there. */
  isEmpty(): Promise<void> {
    return this.fail(userQuestionError('NO_PROVIDER', 'no user-questions answerer accepted the request'))
  }
}

/** What a callback throws. */
export function errorOf(callback: () => unknown): Error {
  try {
    callback()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

/** The code of an error, when it has one. */
export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code
}

/** The code of a signal's reason; `undefined` while it has not aborted. */
export function stopCode(signal: AbortSignal): unknown {
  return signal.aborted ? codeOf(signal.reason) : undefined
}
