// The protocol between the router and the places where a person can answer. Public, stable, additive only.
import { z } from 'zod'
import type { AskUserQuestionAnswer } from './answer.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from './request.ts'

/** What a surface gets beside the request. */
export interface AskContext {
  /** Identifies the ask, the same for every surface that is asked. */
  readonly id: string
  /**
   * Aborts when this surface should stop. The reason is a `UserQuestionError` whose `code` says why: `ASK_SETTLED`
   * (somebody else ended it), `ASK_ABORTED`, `SURFACE_TIMEOUT` or `SURFACE_GONE`. Created on first read.
   */
  readonly signal: AbortSignal
}

/** A place where a person can be asked. */
export interface AskSurface {
  /** Shown to people ("answered on <name>") and the key of its policy in the configuration. Not `host`. */
  readonly name: string
  /**
   * Whether it belongs to the person and not to a session: a phone, a terminal, a page. It is asked whoever claims,
   * without being asked for a claim, and keeps no question from others. Default: no.
   */
  readonly personal?: boolean
  /**
   * Whether this surface drives the asking session now, by `request.agent?.session.id`. Only `true` claims, and no
   * promise does. A question goes to all that claim it and to the personal ones; if no surface claims, to all.
   */
  claim(request: AskUserQuestionRequest): boolean
  /**
   * Show the question and wait for the person.
   *
   * @param request one copy per ask, the same object in `claim`, `ask` and `settled`. Its `signal` aborts with the turn
   *   and when the ask ends without a winner.
   * @param context the ask's id and this surface's own signal.
   * @returns the answer. Reject with `ASK_CANCELLED` when the person declines (ends the ask for everybody); any other
   *   rejection only takes this surface out.
   */
  ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer>
  /**
   * Somebody else ended the ask: put the question away. Not called for the winner, for a surface that left, or when
   * the turn was aborted.
   *
   * @param request the object that `ask` got.
   * @param by the winner's name, or `host`.
   * @param answer what was answered, as a copy; absent when a person cancelled.
   */
  settled?(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void
}

/**
 * Where a participant of an open ask stands: `waiting` (invited, not asked yet), `asked`, `blank` (it answered nothing
 * and is used only if nobody else answers), `failed`, `timed-out`, `left`, and at the end `answered` or `cancelled` for
 * the one that ended the ask.
 */
export type ParticipantState = 'waiting' | 'asked' | 'blank' | 'failed' | 'timed-out' | 'left' | 'answered' | 'cancelled'

/** One participant of an ask, as others see it. */
export interface AskParticipant {
  /** The surface's name, or `host`. */
  readonly name: string
  readonly state: ParticipantState
}

/** A frozen picture of one ask. */
export interface PendingAsk {
  /** The `id` that surfaces see in their context. */
  readonly id: string
  /** The asking agent's session, when an agent asks. */
  readonly sessionId?: string
  readonly questions: readonly AskUserQuestionItem[]
  /** When the ask was opened, in milliseconds since the epoch. */
  readonly askedAt: number
  /** In the order in which they were invited. */
  readonly participants: readonly AskParticipant[]
}

/** How an ask ended. */
export type AskOutcome =
  | { readonly kind: 'answered', readonly by: string, readonly answer: AskUserQuestionAnswer }
  | { readonly kind: 'cancelled', readonly by: string }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed', readonly error: unknown }

/** What plugins find as `ctx.askSurfaces`. */
export interface AskSurfaces {
  /**
   * Add a surface; asks that are open are offered to it at once. The registration goes with the plugin that made it.
   *
   * @returns takes the surface out again; calling it twice is harmless.
   * @throws TypeError when the surface is malformed or registered already, naming what is wrong.
   */
  register(surface: AskSurface): () => void
  /** The registered surfaces, in the order of registration. */
  list(): readonly AskSurface[]
  /** The open asks, oldest first. */
  pending(): readonly PendingAsk[]
}

/**
 * Find what is wrong with a surface.
 *
 * @returns `undefined` for a proper surface, else the member at fault and what it must be.
 */
export function surfaceProblem(value: unknown): string | undefined {
  const surface = value as Partial<AskSurface> | null | undefined
  const { name } = surface ?? {}
  if (typeof name !== 'string' || name.trim() === '') return 'name must be a non-empty string'
  if (name === 'host') return 'name must not be "host"'
  const { claim, ask, settled } = surface!
  if (typeof claim !== 'function') return 'claim must be a function'
  if (typeof ask !== 'function') return 'ask must be a function'
  if (settled !== undefined && typeof settled !== 'function') return 'settled must be a function'
  return undefined
}

/** Schema of a surface: {@link surfaceProblem} as zod sees it. The object passes as it is. */
export const askSurfaceSchema: z.ZodType<AskSurface> = z.custom<AskSurface>(
  value => surfaceProblem(value) === undefined,
  { error: ({ input }) => surfaceProblem(input) },
)
