// The protocol between the router and the places where a person can answer. Public, stable, additive only.
import { z } from 'zod'
import type { AskUserQuestionAnswer } from './answer.ts'
import { type Presence, type SurfacePolicy, type SurfaceTiming, surfacePolicySchema } from './policy.ts'
import type { AskAgent, AskUserQuestionItem, AskUserQuestionRequest } from './request.ts'

/** What a surface gets beside the request. */
export interface AskContext {
  /** Identifies the ask, the same for every surface that is asked. */
  readonly id: string
  /**
   * Aborts when this surface should stop. The reason is a `UserQuestionError` whose `code` says why: `ASK_SETTLED`
   * (somebody else ended it), `ASK_ABORTED`, `SURFACE_TIMEOUT` or `SURFACE_GONE`. Created on first read.
   */
  readonly signal: AbortSignal
  /**
   * Whether to show the question without a sound or a light, because this surface is in its quiet hours now. The clock
   * is read at each reading.
   */
  readonly quiet: boolean
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
  /** When it is asked where the configuration does not say; the configuration overrides it value by value. */
  readonly defaultPolicy?: SurfacePolicy
  /**
   * Whether it heeds `context.quiet`. In its quiet hours one that does is asked silently, one that does not waits until
   * they end, unless it is the last. Default: no.
   */
  readonly silent?: boolean
  /**
   * Whether this surface drives the asking session now, by `request.agent?.session.id`. Only `true` claims, and no
   * promise does. A question goes to all that claim it and to the personal ones; if no surface claims, to all. Only a
   * personal surface may leave it out, since it is not asked for a claim.
   */
  claim?(request: AskUserQuestionRequest): boolean
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
  /**
   * Whether anybody can see this surface now, when it knows. While it says anything but `true`, what it shows counts
   * as shown to nobody: it is asked, but nobody else waits for it. Call `askSurfaces.reconsider()` when it changes; it is
   * read again every minute as well. Default: watched.
   */
  watched?(): boolean
  /**
   * The question is still open: draw attention to it once more, as `remindMs` of its policy says or because its quiet
   * hours are over. Without this method it is never reminded.
   *
   * @param request the object that `ask` got.
   * @param context the object that `ask` got.
   */
  remind?(request: AskUserQuestionRequest, context: AskContext): void
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
  /** When it was asked, in milliseconds since the epoch; absent before. */
  readonly since?: number
}

/** A frozen picture of one ask. */
export interface PendingAsk {
  /** The `id` that surfaces see in their context. */
  readonly id: string
  /** The asking agent's session, when an agent asks. */
  readonly sessionId?: string
  /** The asking agent itself, when an agent asks. Not enumerable, so that a picture can be printed. */
  readonly agent?: AskAgent | undefined
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

/** A surface as it stands now, for people who want to know who would be asked when. */
export interface SurfaceStatus {
  readonly name: string
  /** Whether anybody can see it now; a surface that does not say counts as watched. */
  readonly watched: boolean
  /** Whether it is in its quiet hours. */
  readonly quiet: boolean
  /** What holds at home, its own policy and the configured one together; `false` when it is not asked there. */
  readonly home: SurfaceTiming | false
  /** The same for away. */
  readonly away: SurfaceTiming | false
}

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
  /**
   * Where the person is. Setting it decides at once again who is asked in the open asks, and dispatches
   * `ask-surfaces/presence`; what a surface already shows stays there. In memory only.
   *
   * @throws TypeError when it is set to anything but `home` or `away`.
   */
  presence: Presence
  /** Decide again who is asked in the open asks, because what a surface says of itself has changed. */
  reconsider(): void
  /** The registered surfaces with their state and policy, in the order of registration. */
  status(): readonly SurfaceStatus[]
  /** The names for which there are policies or quiet hours, and no surface now: to come, or mistyped. */
  absent(): readonly string[]
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
  const { claim, personal, ask, settled, watched, remind, defaultPolicy } = surface!
  for (const [method, given] of Object.entries({ claim, ask, settled, watched, remind })) {
    const isNeeded = method === 'ask' || method === 'claim' && !personal
    if (typeof given !== 'function' && (isNeeded || given !== undefined)) return `${method} must be a function`
  }
  if (defaultPolicy !== undefined) {
    const issue = surfacePolicySchema.safeParse(defaultPolicy).error?.issues[0]
    if (issue) return `${['defaultPolicy', ...issue.path].join('.')}: ${issue.message}`
  }
  return undefined
}

/** Schema of a surface: {@link surfaceProblem} as zod sees it. The object passes as it is. */
export const askSurfaceSchema: z.ZodType<AskSurface> = z.custom<AskSurface>(
  value => surfaceProblem(value) === undefined,
  { error: ({ input }) => surfaceProblem(input) },
)
