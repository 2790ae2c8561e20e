// /asks test: a harmless question to every surface, each on its own, and what came of it.
import { hasCode, userQuestionError } from '../protocol/errors.ts'
import type { AskAgent, AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskSurface, AskSurfaces } from '../protocol/surface.ts'
import { redact } from '../reply/redact.ts'
import { truncate, visibleLine } from '../reply/visible.ts'
import { routeAsk } from '../router/route-ask.ts'
import { type SurfaceInfo, surfaceInfos } from './surface-info.ts'
import type { CommandTexts } from './texts.ts'

/** How long the test question stays open at most, in milliseconds. */
const TEST_MS = 60_000

const REASON_LENGTH = 120

/** Ends a test: the question is put away everywhere, and whoever has not answered counts as silent. */
export class TestEnd {
  readonly #controller = new AbortController()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  readonly end = (): void => {
    this.#controller.abort(userQuestionError('ASK_ABORTED', 'the test is over'))
  }
}

/**
 * Ask every surface the test question at once, whatever its policy and its claim are.
 *
 * @param agent in whose session it is asked.
 * @param testEnd ends it early.
 * @returns how many answered, and a line for each surface; resolves when all have answered or failed, or at the end.
 */
export async function askTestQuestion(askSurfaces: AskSurfaces, agent: AskAgent, testEnd: TestEnd, texts: CommandTexts): Promise<string> {
  const limit = setTimeout(testEnd.end, TEST_MS)
  const { question, option } = texts.test
  const request: AskUserQuestionRequest = {
    questions: [{ id: 'test', question, options: [{ label: option }] }], agent, signal: testEnd.signal,
  }
  try {
    const infos = surfaceInfos(askSurfaces)
    const results = await Promise.all(infos.map(info => resultOf(askSurfaces, info, request, texts)))
    const answered = results.filter(({ seen }) => seen).length
    return [
      texts.test.title(answered, results.length),
      ...infos.map(({ label }, at) => `- ${texts.labelled(label, results[at]!.text)}`),
    ].join('\n')
  } finally {
    clearTimeout(limit)
  }
}

/** @returns the surface's line, and whether a person saw the question there. */
async function resultOf(
  askSurfaces: AskSurfaces, { surface, name, watched }: SurfaceInfo, request: AskUserQuestionRequest, texts: CommandTexts,
): Promise<{ text: string, seen: boolean }> {
  const start = performance.now()
  const time = () => texts.time(Number(((performance.now() - start) / 1000).toFixed(1)), 's')
  try {
    // Quiet hours are configured by name, so they hold for every surface that has it.
    const isQuiet = () => askSurfaces.status().some(one => one.name === name && one.quiet)
    await routeAsk([withoutPolicy(surface, isQuiet)], request)
    return { text: texts.test.answered(time()), seen: true }
  } catch (error) {
    if (request.signal!.aborted) return { text: texts.noted(texts.test.silent, watched ? '' : texts.unwatched), seen: false }
    if (hasCode(error, 'ASK_CANCELLED')) return { text: texts.test.declined(time()), seen: true }
    return { text: texts.test.failed(reasonOf(error, texts)), seen: false }
  }
}

/**
 * The surface without its policy: asked at once, never reminded, never timed out.
 *
 * @param isQuiet whether it is in its quiet hours now; `routeAsk` has no configuration to read that from.
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

/** Why a surface failed, in one short line without secrets. */
function reasonOf(error: unknown, texts: CommandTexts): string {
  try {
    return truncate(visibleLine(describe(error).trim()), REASON_LENGTH)
  } catch {
    // A getter of the error's has thrown.
    return texts.test.unreadable
  }
}

/** The error's kind and code, then its text. All three are somebody else's, and no text should hold a secret, but some do. */
function describe(error: unknown): string {
  const { name, code, message } = Object(error) as Partial<Record<'name' | 'code' | 'message', unknown>>
  const isTold = typeof message === 'string' && message.trim() !== ''
  // These names say nothing beside a code or a text.
  const isPlain = name === 'Error' || name === 'UserQuestionError'
  const kind = [isPlain && (isTold || code) ? undefined : name ?? typeof error, code].filter(isIdentifier).join(' ')
  return isTold ? [kind, redact(message)].filter(part => part !== '').join(': ') : kind || typeof error
}

/** Whether a kind or a code is one, and nothing else that somebody has put there. */
function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z]\w{0,60}$/i.test(value) && redact(value) === value
}
