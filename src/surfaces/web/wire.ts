// What travels between the page and its server. Types only: each side imports this file, and none of the other's code.
import type { REJECT } from '../../protocol/approval.ts'
import type { Origin } from '../../protocol/origin.ts'
import type { Presence } from '../../protocol/policy.ts'
import type { Place } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import type { ApprovalChoice } from '../../reply/verdict.ts'

export type { Origin, Presence }

/** An option as the page shows it. An answer names it by position, so its label only travels to the page. */
export interface CardOption {
  readonly label: string
  readonly description?: string
  readonly preview?: string
}

/** One question of a card. */
export interface CardQuestion {
  readonly question: string
  readonly header?: string
  /** Markdown. */
  readonly detail?: string
  /** Whether the detail is so long that it is shown folded. */
  readonly long?: boolean
  readonly options: readonly CardOption[]
  readonly multiSelect: boolean
  /** Whether some of it was too long for the page, and is missing here. */
  readonly cut?: true
}

/** The option of an approval that denies. */
export type RejectId = typeof REJECT

/** What a person reads of an approval, in one language. */
export interface CardApproval {
  /** The word that tells it from a question. */
  readonly kind: string
  readonly title: string
  readonly reason?: string
  /** The one that denies first, then the one that permits once, then those that permit more. An answer names one by its id. */
  readonly choices: readonly ApprovalChoice[]
  /** Whether it is about a plan. */
  readonly isPlan?: true
  /** Whether some of it was too long for the page, and is missing here. */
  readonly cut?: true
}

/** An open ask. */
export interface Card {
  readonly id: string
  readonly origin: Origin
  /** In milliseconds since the epoch. */
  readonly askedAt: number
  readonly questions: readonly CardQuestion[]
  /** Whether it is shown without a notification. */
  readonly quiet: boolean
  /** How often the person was reminded of it. */
  readonly reminders: number
  /** Where a tool needs permission: shown in place of the one question, of which only the detail is shown beside it. */
  readonly approval?: Readonly<Record<Lang, CardApproval>>
  /** Whether the agent has gone on; an answer still reaches it. */
  readonly late?: true
}

/** How an ask ended, as far as this page knows. `outrun`: the agent had gone on, and somebody's answer had reached it already. */
export type EndKind = 'answered' | 'cancelled' | 'outrun' | 'aborted'

/** One question of an ask that has ended. */
export interface EndedQuestion {
  readonly question: string
  readonly header?: string
  /** The chosen labels, of an approval the id of its option; absent, like `custom`, when nobody answered. */
  readonly selected?: readonly string[]
  readonly custom?: string
}

/** What is kept of an approval that has ended, in one language. */
export interface EndedApproval extends Pick<CardApproval, 'kind' | 'title' | 'isPlan'> {
  /** What was chosen; absent when nobody chose. */
  readonly choice?: ApprovalChoice
}

/** An ask that has ended, and where; without `by` it was on the page. */
export interface Ended extends Partial<Place> {
  readonly id: string
  /** The version at which it ended: an older snapshot still has it as open. */
  readonly version: number
  readonly origin: Origin
  readonly askedAt: number
  readonly endedAt: number
  readonly kind: EndKind
  readonly questions: readonly EndedQuestion[]
  readonly approval?: Readonly<Record<Lang, EndedApproval>>
}

/** Where the person is, whether the surfaces are hushed, and since which version. */
export interface Whereabouts {
  readonly presence: Presence
  /** Until when they make no sound, in milliseconds since the epoch; absent while they may. */
  readonly hushedUntil?: number
  /** The version at which any of that changed last. */
  readonly version: number
}

/** The body of a request for a proof that the host knows the page's secret. */
export interface HelloBody {
  /** Made by the page for this one time. */
  readonly nonce: string
  /** The ask that the page has a grant for; absent when it has the token. */
  readonly ask?: string
}

/** The response to it. */
export interface Hello {
  /** HMAC-SHA-256 of `ask-web host:<port>:<nonce>` under the secret, in hexadecimal digits. */
  readonly proof: string
  /** Where the host listens. */
  readonly port: number
}

/** The header in which the page sends its secret: `Authorization` may be a proxy's. */
export type SecretHeader = 'ask-secret'

/** The header that every response of the host has: what comes without it was said by something in front of the host. */
export type HostHeader = 'ask-host'

/** The body of a request to change the presence. */
export type PresenceBody = Pick<Whereabouts, 'presence'>

/** The body of a request to hush the surfaces. The host's clock counts the minutes; 0 ends it. */
export interface HushBody {
  readonly minutes: number
}

/** Everything there is to show. */
export interface Snapshot {
  /** A different one means a different host, whose versions start over. */
  readonly epoch: string
  /** Grows with every change. */
  readonly version: number
  /** Oldest first. */
  readonly open: readonly Card[]
  /** Newest first. */
  readonly ended: readonly Ended[]
  /** How many more are open, and appear when there is room; absent when there are none. */
  readonly waiting?: number
  /** Absent for a reader who may see one ask only. */
  readonly whereabouts?: Whereabouts
}

/** A change of what there is to show. */
export type Change =
  | { readonly type: 'opened', readonly version: number, readonly card: Card }
  | { readonly type: 'ended', readonly version: number, readonly ended: Ended }
  | { readonly type: 'reminded', readonly version: number, readonly id: string, readonly reminders: number }
  | { readonly type: 'late', readonly version: number, readonly id: string }
  | { readonly type: 'waiting', readonly version: number, readonly waiting: number }
  | ({ readonly type: 'presence' } & Whereabouts)

/**
 * One line of the event stream. First comes a snapshot, then every later change, once and in order. `beat` says that the
 * stream is alive and asks the page to say the same. `poll` says that the stream ends because this browser has too many:
 * the page is to poll instead.
 */
export type StreamLine = ({ readonly type: 'snapshot' } & Snapshot) | Change | { readonly type: 'beat' } | { readonly type: 'poll' }

/** The body of a "not now": every question is skipped, and the agent goes on without an answer. */
export interface DeclineBody {
  readonly decline: true
}

/** The body of an answer to an approval: it has a shape of its own, so that what is meant for a question permits nothing. */
export interface ApprovalBody {
  /** The id of the chosen option. */
  readonly option: string
  /** The person's own words; only beside the option that denies. */
  readonly custom?: string
}

/**
 * The body of an answer: one item per question, in their order; or {@link DeclineBody}, since blank items are never meant. To an
 * approval, and to nothing else, {@link ApprovalBody}.
 */
export type AnswerBody = DeclineBody | FilledBody | ApprovalBody

/** What was filled in. */
export interface FilledBody {
  readonly answers: readonly {
    /** Positions of the chosen options, from 0. */
    readonly selected: readonly number[]
    /** The person's own words. */
    readonly custom?: string
  }[]
}

/** The response to an answer: how the ask ended, and whether this answer ended it. */
export interface AnswerResult {
  readonly accepted: boolean
  readonly ended: Ended
}

/** Why a request was refused. */
export type Refusal =
  | 'bad-host' | 'bad-origin' | 'not-found' | 'bad-method' | 'no-access' | 'other-ask' | 'settled' | 'not-json'
  | 'too-large' | 'bad-body' | 'bad-answer' | 'too-many' | 'failed'
