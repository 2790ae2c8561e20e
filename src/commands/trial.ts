// /asks test: a harmless question to every surface, each on its own, and what came of it.
import { hasCode, userQuestionError } from '../protocol/errors.ts'
import type { AskAgent, AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskSurface, AskSurfaces } from '../protocol/surface.ts'
import { visibleLine } from '../reply/visible.ts'
import { routeAsk } from '../router/route.ts'
import { type Standing, standings } from './standing.ts'
import type { CommandTexts } from './texts.ts'
import { short } from './words.ts'

/** How long the test question is shown at most, in milliseconds. */
export const TRIAL_MS = 60_000

const REASON_LENGTH = 120

/** Ends a trial: the test question is put away everywhere, and who has not answered by then has not answered. */
export class TrialEnd {
  readonly #controller = new AbortController()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** End it; later ends change nothing. */
  readonly now = (): void => {
    this.#controller.abort(userQuestionError('ASK_ABORTED', 'the test is over'))
  }
}

/**
 * Ask every surface the test question at once, whatever its policy and its claim are.
 *
 * @param agent in whose session it is asked.
 * @param end ends it early.
 * @returns how many answered, and a line for each surface; resolves when all have answered or failed, or at the end.
 */
export async function trial(askSurfaces: AskSurfaces, agent: AskAgent, end: TrialEnd, texts: CommandTexts): Promise<string> {
  const limit = setTimeout(end.now, TRIAL_MS)
  const { question, option } = texts.test
  const request: AskUserQuestionRequest = {
    questions: [{ id: 'test', question, options: [{ label: option }] }], agent, signal: end.signal,
  }
  const surfaces = askSurfaces.list(), before = standings(askSurfaces)
  try {
    const results = await Promise.all(surfaces.map((surface, at) => resultOf(surface, before[at]!, request, texts)))
    const answered = results.filter(({ seen }) => seen).length
    return [
      texts.test.title(answered, results.length),
      ...before.map(({ label }, at) => `- ${texts.labelled(label, results[at]!.what)}`),
    ].join('\n')
  } finally {
    clearTimeout(limit)
  }
}

/** @returns what to say of it, and whether a person saw it. */
async function resultOf(
  surface: AskSurface, { watched }: Standing, request: AskUserQuestionRequest, texts: CommandTexts,
): Promise<{ what: string, seen: boolean }> {
  const began = performance.now()
  const time = () => texts.time(Number(((performance.now() - began) / 1000).toFixed(1)), 's')
  try {
    await routeAsk([withoutPolicy(surface)], request)
    return { what: texts.test.answered(time()), seen: true }
  } catch (error) {
    if (request.signal!.aborted) return { what: texts.noted(texts.test.silent, watched ? '' : texts.unwatched), seen: false }
    if (hasCode(error, 'ASK_CANCELLED')) return { what: texts.test.declined(time()), seen: true }
    return { what: texts.test.failed(reasonOf(error)), seen: false }
  }
}

/** The surface as far as a question needs it: asked at once, not reminded, and given all the time there is. */
function withoutPolicy(surface: AskSurface): AskSurface {
  return {
    name: surface.name,
    personal: !!surface.personal,
    claim: request => surface.claim(request),
    ask: (request, context) => surface.ask(request, context),
  }
}

/**
 * Why a surface failed, in a few words without secrets. Messages of `UserQuestionError`s hold none by their contract; of
 * other errors the code is enough, and without one the message has its addresses taken out.
 */
function reasonOf(error: unknown): string {
  const { name, code, message } = Object(error) as Partial<Record<'name' | 'code' | 'message', unknown>>
  const hasText = typeof message === 'string' && message.trim() !== ''
  let reason: string
  if (typeof code === 'string' && code !== '') reason = name === 'UserQuestionError' && hasText ? `${code}: ${message}` : code
  else reason = hasText ? message.replace(/\b\w+:\/\/\S+/g, '…') : String(name ?? typeof error)
  return short(visibleLine(reason.trim()), REASON_LENGTH)
}
