// What `ctx.askSurfaces.ask` does: a request of any source becomes an ask of the router (rule 27 of docs/routing.md).
import { userQuestionError } from '../protocol/errors.ts'
import type { Origin } from '../protocol/origin.ts'
import { type AskUserQuestionRequest, askUserQuestionRequestSchema } from '../protocol/request.ts'
import { type AskDialog, type AskOptions, type AskResult, isHostName } from '../protocol/surface.ts'
import { Ask } from './ask.ts'
import { DialogHost } from './dialog-host.ts'
import type { Router } from './router.ts'

/**
 * Offer a request to the surfaces of a router.
 *
 * @returns as `AskSurfaces.ask` says.
 */
export async function offer(router: Router, request: AskUserQuestionRequest, options: AskOptions = {}): Promise<AskResult> {
  const { signal = request?.signal, origin = request?.origin, dialog } = options
  // Whoever loses the race may say so to nobody.
  if (isPromise(dialog?.answer)) dialog.answer.catch(() => {})
  if (router.closed) throw userQuestionError('ASK_ABORTED', 'the router is unloaded')
  const problem = problemOf(request) ?? originProblem(origin) ?? dialogProblem(dialog)
  if (problem !== undefined) throw new TypeError(`bad request: ${problem}`)
  const given = { ...request, ...origin && { origin: Object.freeze({ ...origin }) }, ...request.approval && { approval: Object.freeze({ ...request.approval }) } }
  const ask = new Ask(given, signal, router, dialog && new DialogHost(dialog))
  if (ask.depth > 1) throw new TypeError('bad request: it is a copy of one that is being asked')
  const answer = await router.open(ask)
  return { answer, by: ask.by! }
}

function problemOf(request: AskUserQuestionRequest): string | undefined {
  if (Object(request) !== request || !Array.isArray(request.questions)) return 'questions must be a list'
  if (request.questions.length === 0) return 'questions must not be empty'
  try {
    const [issue] = askUserQuestionRequestSchema.safeParse(request).error?.issues ?? []
    return issue && `${issue.path.join('.')}: ${issue.message}`
  } catch {
    // A getter of it threw.
    return 'it is unreadable'
  }
}

function originProblem(origin: Origin | undefined): string | undefined {
  if (origin === undefined) return undefined
  const wrong = (['agent', 'machine', 'project', 'session'] as const).find(field => {
    const value: unknown = Object(origin)[field]
    return !(field === 'session' && value === undefined) && (typeof value !== 'string' || value.trim() === '')
  })
  return wrong && `origin.${wrong} must be a non-empty string`
}

function dialogProblem(dialog: AskDialog | undefined): string | undefined {
  if (dialog === undefined) return undefined
  const { name, answer } = Object(dialog) as AskDialog
  if (typeof name !== 'string' || name.trim() === '' || isHostName(name)) return 'dialog.name must be a non-empty string that does not begin with "host"'
  return isPromise(answer) ? undefined : 'dialog.answer must be a promise'
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise
}
