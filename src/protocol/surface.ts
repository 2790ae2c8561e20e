// The protocol between the router and the surfaces. It is public and stable, and only ever added to.
import type { AskUserQuestionAnswer } from './answer.ts'
import type { Origin } from './origin.ts'
import { type Presence, type SurfacePolicy, type SurfaceTiming, surfacePolicySchema } from './policy.ts'
import type { ApprovalSubject, AskAgent, AskUserQuestionItem, AskUserQuestionRequest } from './request.ts'
import { z } from './zod.ts'

/** What a surface gets beside the request. */
export interface AskContext {
  /** Identifies the ask, the same for every surface that is asked. */
  readonly id: string
  /**
   * Aborts when this surface should stop. The reason is a `UserQuestionError` whose `code` says why: `ASK_SETTLED`
   * (somebody else settled it), `ASK_ABORTED` or `SURFACE_GONE`. Made when it is first read. A time-out does not abort it:
   * while the ask is open, an answer counts.
   */
  readonly signal: AbortSignal
  /**
   * Whether to show the question without a sound or a light, because this surface is in its quiet hours now. Reads the
   * clock each time.
   */
  readonly quiet: boolean
  /** Whether the agent has gone on without waiting any longer. An answer still reaches it, by its host's own way. */
  readonly late?: boolean
  /** Where the ask comes from, where its source says so; else the request's agent tells. */
  readonly origin?: Origin | undefined
}

/** A place where a person can be asked. */
export interface AskSurface {
  /** Shown to people ("answered on <name>") and the key of its policy in the configuration. Not `host`. */
  readonly name: string
  /**
   * Whether it belongs to the person and not to a session: a phone, a terminal, a page. Such a surface is invited
   * whoever claims, is not asked for a claim, and keeps no question from others. Default: no.
   */
  readonly personal?: boolean
  /** When it is asked, unless the configuration says otherwise; the configuration overrides it value by value. */
  readonly defaultPolicy?: SurfacePolicy
  /**
   * Whether it can show a question silently, as `context.quiet` asks. In its quiet hours such a surface is asked
   * silently; any other one waits until they end, unless it is the last. Default: no.
   */
  readonly silent?: boolean
  /**
   * Whether it takes approvals too: requests of `kind: 'approval'`, in which a tool needs permission. Its person chooses one of
   * their two options by an act that means just that; words alone, a default or silence never choose. Default: no, and it never
   * sees one.
   */
  readonly approvals?: boolean
  /**
   * Whether this surface shows the asking session now, by `request.agent?.session.id`. Only `true` claims; a promise
   * does not. A question goes to all surfaces that claim it and to the personal ones; if none claims, to all. A personal
   * surface is not asked, so it may leave this out; any other one may not.
   */
  claim?(request: AskUserQuestionRequest): boolean
  /**
   * Show the question and wait for the person.
   *
   * @param request a frozen copy, the same object in `claim`, `ask` and `settled`. Its `signal` aborts with the turn and when the
   *   ask is settled without a winner.
   * @param context the ask's id and this surface's own signal.
   * @returns the answer. Reject with `ASK_CANCELLED` when the person declines (ends the ask for everybody); any other
   *   rejection only takes this surface out.
   */
  ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer>
  /**
   * Somebody else settled the ask: put the question away. Not called on the winner, on a surface that left, or when the
   * turn was aborted.
   *
   * @param request the object that `ask` got.
   * @param by the winner's name; of the host's own UIs `host`, or `host: <plugin>`.
   * @param answer a copy of the answer; absent when a person cancelled. A choice may have words beside it.
   */
  settled?(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void
  /**
   * Whether anybody can see this surface now, if it knows. While it returns anything but `true`, it is asked all the
   * same, but nobody else waits for it. Call `askSurfaces.reconsider()` when that changes; it is also read again every
   * minute. Default: watched.
   */
  watched?(): boolean
  /**
   * The question is still open: draw attention to it again. Called as often as `remindMs` of its policy says, and when
   * its quiet hours are over. A surface without this method is never reminded.
   *
   * @param request the object that `ask` got.
   * @param context the object that `ask` got.
   */
  remind?(request: AskUserQuestionRequest, context: AskContext): void
  /**
   * The agent has gone on: its host gave the question a time, and that is over. The question stays open, and an answer still
   * reaches the agent, later. Say so where it is shown. From now on `context.late` is true; a surface that is asked only after
   * this finds it so.
   *
   * @param request the object that `ask` got.
   * @param context the object that `ask` got.
   */
  late?(request: AskUserQuestionRequest, context: AskContext): void
}

/**
 * The state of a participant: `waiting` (invited, not asked yet), `asked`, `blank` (its answer said nothing and counts
 * only if nobody else answers), `failed`, `timed-out`, `left`, and at the end `answered` or `cancelled` for the one that
 * settled the ask.
 */
export type ParticipantState = 'waiting' | 'asked' | 'blank' | 'failed' | 'timed-out' | 'left' | 'answered' | 'cancelled'

/** One participant of an ask, as others see it. */
export interface AskParticipant {
  /** The surface's name; of the host's own UIs `host`, or `host: <plugin>` where the plugin is known. */
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
  /** `approval` where a tool needs permission; absent for questions. */
  readonly kind?: 'approval'
  /** What the approval is about. */
  readonly approval?: ApprovalSubject
  /** Where it comes from, where its source says so. */
  readonly origin?: Origin
  /** Whether the agent has gone on meanwhile, and gets a late answer by its host's own way. */
  readonly late?: true
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

/** The state of a registered surface, for people who want to know who would be asked when. */
export interface SurfaceStatus {
  readonly name: string
  /** Whether anybody can see it now. A surface that does not know counts as watched. */
  readonly watched: boolean
  /** Whether it is quiet now: it is in its quiet hours, or hushed. */
  readonly quiet: boolean
  /** What holds at home, by its own policy and the configured one; `false` when it is not asked there. */
  readonly home: SurfaceTiming | false
  /** The same for away. */
  readonly away: SurfaceTiming | false
  /** What holds for approvals, in both modes; absent for a surface that takes none. */
  readonly approvals?: { readonly home: SurfaceTiming | false, readonly away: SurfaceTiming | false }
}

/** The asker's own dialog, which shows the request already. */
export interface AskDialog {
  /** The program, as people know it: "answered in <name>". */
  readonly name: string
  /**
   * What the person answers there. Reject with `ASK_CANCELLED` when they decline; any other rejection only takes the dialog out.
   * Where the request went away without either, abort the ask's signal.
   */
  readonly answer: Promise<AskUserQuestionAnswer>
  /**
   * Whether the person has decided there already, though it is not known yet what: then a surface's answer is late, and the ask is
   * aborted by it. Default: what `answer` says is all there is.
   */
  isDecided?(): boolean
}

/** How a source asks. */
export interface AskOptions {
  /** Aborts when the request should be put away. Default: the request's own signal. */
  readonly signal?: AbortSignal | undefined
  /** Where the request comes from. Default: what the request's `origin` or its agent says. */
  readonly origin?: Origin | undefined
  /** Where the person can answer without us. It counts as a UI of the host does: at home somebody may be there. */
  readonly dialog?: AskDialog | undefined
}

/** What a source gets. */
export interface AskResult {
  /** In normal form: one item per question, in their order. */
  readonly answer: AskUserQuestionAnswer
  /** The surface that answered, or the name of the asker's own dialog. */
  readonly by: string
}

/** What plugins find as `ctx.askSurfaces`. */
export interface AskSurfaces {
  /**
   * Add a surface. It is offered the open asks at once. The registration goes with the plugin that made it.
   *
   * @returns a function that takes the surface out again; calling it twice is harmless.
   * @throws TypeError when the surface is malformed or registered already, naming what is wrong.
   */
  register(surface: AskSurface): () => void
  /**
   * Offer a request of any source to the surfaces, by the same rules as the host's questions, with no host behind it. It is put away
   * when the plugin that asks is unloaded.
   *
   * @param request an approval's one question may offer more than `allow` and `reject`, by `id`: each that permits more stands
   *   behind `allow`, and only a surface that can show what it means offers it.
   * @returns the first acceptable answer and who gave it. Rejects with `NO_PROVIDER` when nobody can be asked, `ASK_CANCELLED` when
   *   the person declined, `ASK_ABORTED` when the signal aborts or the router is unloaded, and with a `TypeError` that names the
   *   field when something is malformed.
   */
  ask(request: AskUserQuestionRequest, options?: AskOptions): Promise<AskResult>
  /** The registered surfaces, in the order of registration. */
  list(): readonly AskSurface[]
  /** The open asks, oldest first. */
  pending(): readonly PendingAsk[]
  /**
   * Where the person is. Setting it reconsiders at once who is asked in the open asks, and dispatches
   * `ask-surfaces/presence`. What a surface already shows stays there. Kept in memory only.
   *
   * @throws TypeError when it is set to anything but `home` or `away`.
   */
  presence: Presence
  /**
   * Until when `hush` keeps it quiet, in milliseconds since the epoch; `undefined` while it does not. Quiet hours of the
   * configuration are not in it: `status` says whether a surface is quiet, for whichever reason.
   */
  readonly hushedUntil: number | undefined
  /**
   * Keep it quiet for a while, as quiet hours do: for each surface that can be silent, and for those that quiet hours are
   * configured for. Reconsiders the open asks and dispatches `ask-surfaces/hush`, also when the time is over. Kept in
   * memory only.
   *
   * @param until in milliseconds since the epoch, rounded up to the full minute. A time that is over, or `undefined`, ends it.
   * @throws TypeError when it is no time.
   */
  hush(until: number | undefined): void
  /** Reconsider who is asked in the open asks. A surface calls it when what its `watched` returns has changed. */
  reconsider(): void
  /** The state and policy of each registered surface, in the order of registration. */
  status(): readonly SurfaceStatus[]
  /** Names in the configuration that no registered surface has: it is still to come, or the name is mistyped. */
  absent(): readonly string[]
  /**
   * The host's own UIs that are asked beside the surfaces, in the order in which they are: `host: <plugin>`, or `host` for one
   * whose plugin is not known, and where cordis does not say who there is. Without any, and without a surface, nobody can be asked.
   */
  hosts(): readonly string[]
}

/** Whether a participant's name is that of the host, or of one of its UIs. */
export function isHostName(name: string): boolean {
  return /^host(:|$)/.test(name)
}

/** The plugin in the name of one of the host's UIs; empty where it is not known. */
export function hostPlugin(name: string): string {
  return name.replace(/^host:?\s*/, '')
}

/**
 * Find what is wrong with a surface.
 *
 * @returns `undefined` for a valid surface, else which member is wrong and what it must be.
 */
export function surfaceProblem(value: unknown): string | undefined {
  const surface = value as Partial<AskSurface> | null | undefined
  const { name } = surface ?? {}
  if (typeof name !== 'string' || name.trim() === '') return 'name must be a non-empty string'
  if (isHostName(name)) return 'name must not be "host" or begin with "host:"'
  const { personal, claim, ask, settled, watched, remind, late, defaultPolicy } = surface!
  const wrong = (method: string, given: unknown, isNeeded = false) => (
    typeof given === 'function' || !isNeeded && given === undefined ? undefined : method
  )
  const method = wrong('claim', claim, !personal) ?? wrong('ask', ask, true) ?? wrong('settled', settled) ?? wrong('watched', watched) ?? wrong('remind', remind) ?? wrong('late', late)
  if (method !== undefined) return `${method} must be a function`
  if (defaultPolicy !== undefined) {
    const issue = surfacePolicySchema.safeParse(defaultPolicy).error?.issues[0]
    if (issue) return `${['defaultPolicy', ...issue.path].join('.')}: ${issue.message}`
  }
  return undefined
}

/** Schema of a surface; it reports what {@link surfaceProblem} finds. The object passes as it is. */
export const askSurfaceSchema: z.ZodType<AskSurface> = z.custom<AskSurface>(
  value => surfaceProblem(value) === undefined,
  { error: ({ input }) => surfaceProblem(input) },
)
