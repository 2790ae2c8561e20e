// What the model says of a schedule: who is asked when, how it ends, what everybody is told.
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import type { HostId } from './schedule.ts'

/** How an ask is to end. Errors are named by who said them when, those of the router by their code. */
export type Expected =
  | { readonly kind: 'answered', readonly by: string, readonly answer: unknown, readonly asItIs: boolean }
  | { readonly kind: 'cancelled', readonly by: string, readonly error: string }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed', readonly errors: readonly string[] }

/** How far the reminders of one are. */
export interface ModelReminders {
  shownAt: number
  count: number
  /** Whether one is due as soon as it is no longer quiet. */
  owed: boolean
  /** Whether the surface was asked although its mode forbids it. */
  readonly isLastResort: boolean
  /** What the next one waits for, in milliseconds. */
  every: number | undefined
}

/** One registration in the model. `id` tells several of one surface apart. */
export interface ModelEntry {
  readonly id: string
  readonly who: number
  claimed: boolean
  state: 'uninvited' | 'waiting' | 'asked' | 'blank' | 'failed' | 'timed-out' | 'left' | 'answered' | 'cancelled'
  wasAsked: boolean
  /** Whether its registration was disposed. */
  disposed: boolean
  delayMs: number
  /** What it waits for while it waits: its delay, the end of the quiet hours, another mode. */
  waits: 'delay' | 'quiet' | 'mode'
  /** Set while a timer runs for the end of its delay. */
  alarm: object | undefined
  askedAt: number
  /** The time-out that runs, if one does. */
  limit: { readonly timeoutMs: number | undefined } | undefined
  /** Whether it was asked silently. */
  quietly: boolean
  reminders: ModelReminders
  /** The code by which its signal is to abort. */
  stopped: string | undefined
  told: { by: string, answer: AskUserQuestionAnswer | undefined }[]
}

/** A call of `next()` by the router, in the model: a listener of the host, or the end of its list. */
export interface ModelHost {
  /** The number of the call, from 0. */
  readonly at: number
  state: 'asked' | 'failed' | 'blank' | 'answered' | 'cancelled' | 'nobody'
  /** The listener that it took off the list, unless it was the end. */
  readonly who: HostId | undefined
}

export interface ModelRun {
  readonly outcome: Expected | undefined
  readonly settledAt: number
  /** Who is asked when, in order; listeners of the host among them. */
  readonly asked: readonly (readonly [at: number, id: string])[]
  readonly entries: readonly ModelEntry[]
  readonly reminded: readonly (readonly [at: number, id: string])[]
  /** The participants' states before each step; `undefined` where the ask is not open. */
  readonly states: readonly (string | undefined)[]
  readonly requestAborted: boolean
  /** The listeners of the host that the router asked, as they were when the ask ended. */
  readonly hosts: readonly ModelHost[]
  /** What the asker of an approval gets where nobody decides. */
  readonly undecided: 'unavailable' | 'cancelled'
  /** Whether the rules leave open what comes first, because two things happen in the same millisecond. */
  readonly ambiguous: boolean
}
