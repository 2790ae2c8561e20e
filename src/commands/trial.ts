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
  try {
    const before = standings(askSurfaces)
    const results = await Promise.all(before.map(one => resultOf(askSurfaces, one, request, texts)))
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
  askSurfaces: AskSurfaces, { surface, name, watched }: Standing, request: AskUserQuestionRequest, texts: CommandTexts,
): Promise<{ what: string, seen: boolean }> {
  const began = performance.now()
  const time = () => texts.time(Number(((performance.now() - began) / 1000).toFixed(1)), 's')
  try {
    // Quiet hours are for all surfaces of a name.
    const isQuiet = () => askSurfaces.status().some(one => one.name === name && one.quiet)
    await routeAsk([withoutPolicy(surface, isQuiet)], request)
    return { what: texts.test.answered(time()), seen: true }
  } catch (error) {
    if (request.signal!.aborted) return { what: texts.noted(texts.test.silent, watched ? '' : texts.unwatched), seen: false }
    if (hasCode(error, 'ASK_CANCELLED')) return { what: texts.test.declined(time()), seen: true }
    return { what: texts.test.failed(reasonOf(error, texts)), seen: false }
  }
}

/**
 * The surface as far as a question needs it: asked at once, not reminded, and given all the time there is.
 *
 * @param isQuiet whether it is in its quiet hours now; the router of one question knows of none.
 */
function withoutPolicy(surface: AskSurface, isQuiet: () => boolean): AskSurface {
  return {
    name: surface.name,
    personal: !!surface.personal,
    claim: request => surface.claim?.(request) ?? false,
    ask: (request, context) => surface.ask(request, {
      id: context.id,
      get signal() { return context.signal },
      get quiet() { return isQuiet() },
    }),
  }
}

/** Why a surface failed, in a few words without secrets. */
function reasonOf(error: unknown, texts: CommandTexts): string {
  try {
    return short(visibleLine(wordsOf(error).trim()), REASON_LENGTH)
  } catch {
    // A getter of what was thrown.
    return texts.test.unreadable
  }
}

/**
 * A code says enough, but for `UserQuestionError`s: their codes are few, and their messages say what to do. Those are to
 * hold no secrets, but not everybody who makes one knows that, so that no message is shown as it is.
 */
function wordsOf(error: unknown): string {
  const { name, code, message } = Object(error) as Partial<Record<'name' | 'code' | 'message', unknown>>
  const text = typeof message === 'string' && message.trim() !== '' ? withoutSecrets(message) : undefined
  if (typeof code !== 'string' || code === '') return text ?? String(name ?? typeof error)
  return name === 'UserQuestionError' && text !== undefined ? `${code}: ${text}` : code
}

/** The text without addresses, and without long words of letters and digits, as tokens are. */
function withoutSecrets(text: string): string {
  return text
    .replace(/\b\w+:\/\/\S+/g, '…')
    .replace(/[\w-]{20,}/g, word => /\d/.test(word) && /[a-z]/i.test(word) ? '…' : word)
}
