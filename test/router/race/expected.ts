// What the model says of a schedule: who is asked when, how it ends, what everybody is told.
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'

/** How an ask is to end. Errors are named by who said them when, those of the router by their code. */
export type Expected =
  | { readonly kind: 'answered', readonly by: string, readonly answer: unknown, readonly asItIs: boolean }
  | { readonly kind: 'cancelled', readonly by: string, readonly error: string }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed', readonly errors: readonly string[] }

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
  /** The code by which its signal is to abort. */
  stopped: string | undefined
  told: { by: string, answer: AskUserQuestionAnswer | undefined }[]
}

export interface ModelRun {
  readonly outcome: Expected | undefined
  readonly settledAt: number
  /** Who is asked when, in order; `host` among them. */
  readonly asked: readonly (readonly [at: number, id: string])[]
  readonly entries: readonly ModelEntry[]
  /** The participants' states before each step; `undefined` where the ask is not open. */
  readonly states: readonly (string | undefined)[]
  readonly requestAborted: boolean
  /** Whether the host was asked and neither ended the ask nor was out when it ended. */
  readonly hostLoses: boolean
  /** Whether the rules leave open what comes first, because two things happen in the same millisecond. */
  readonly ambiguous: boolean
}
