// What the commands can say; dictionary.ts has it in both languages.
import type { Presence } from '../protocol/policy.ts'
import type { ParticipantState } from '../protocol/surface.ts'
import type { Lang } from '../reply/lang.ts'

/** A unit of time. */
export type Unit = 'd' | 'h' | 'min' | 's' | 'ms'

/** The commands' texts. */
export interface CommandTexts {
  /** The language, for what `src/reply` formats. */
  readonly lang: Lang
  /** Each command's line in the list of commands. */
  readonly describe: Readonly<Record<Presence | 'asks' | 'quiet', string>>
  readonly now: Readonly<Record<Presence, string>>
  readonly already: Readonly<Record<Presence, string>>
  /** `/asks` with an argument that it does not know. */
  unknown(word: string): string

  // /quiet.
  readonly quiet: {
    /** What may follow it, for whoever wrote something else. */
    unknown(words: string): string
    until(time: string, left: string): string
    silently(names: string): string
    waits(names: string): string
    readonly nobody: string
    readonly loud: string
    readonly over: string
    readonly wasLoud: string
    hours(names: string): string
  }

  // Pieces.
  readonly and: string
  readonly comma: string
  readonly semicolon: string
  /** A sentence, and those that follow it. */
  sentence(first: string, rest: readonly string[]): string
  labelled(label: string, what: string): string
  noted(what: string, note: string): string
  time(count: number, unit: Unit): string

  // Policies.
  readonly atOnce: string
  after(time: string): string
  readonly afterQuiet: string
  readonly notAsked: string
  reminder(time: string, most: number): string
  /** How long others wait for its answer; it may still come after that. */
  waitedFor(time: string): string
  policy(home: string, away: string): string

  // Whom questions go to.
  questionsGoTo(whom: string): string
  goTo(whom: string, when: string): string
  notTo(whom: string): string
  readonly nobodyAsked: string
  /** No surface is registered; `hosts` are the host's own UIs. */
  noSurfaces(hosts: string): string
  /** No surface is registered, and the host has no UI. */
  readonly nobody: string
  /** Configured names without a registered surface. */
  absent(names: string): string
  readonly silently: string

  // The overview.
  readonly presence: Readonly<Record<Presence, string>>
  readonly surfaces: string
  readonly watched: string
  readonly unwatched: string
  readonly quietSilent: string
  readonly quietWaits: string
  readonly notAskedIn: Readonly<Record<Presence, string>>
  /** A surface that takes no approvals. */
  readonly questionsOnly: string
  /** Before the policy for approvals, where it is another one than for questions. */
  readonly forPermissions: string
  readonly nothingOpen: string
  open(count: number): string
  openPermissions(count: number): string
  readonly questions: string
  readonly permissions: string
  /** Beside the origin of a question of the session in which `/asks` was sent. */
  readonly thisSession: string
  readonly noQuestion: string
  readonly unreadable: string
  andMore(title: string, count: number): string
  openFor(time: string): string
  /** The agent does not wait any longer. */
  readonly goneOn: string
  readonly shownOn: string
  /** The dialog that the asking program has itself. */
  ownDialog(program: string): string
  readonly shownNowhere: string
  since(time: string): string
  readonly timedOut: string
  readonly waiting: string
  in(time: string): string
  /** The host's own UI in `fallback` mode. */
  readonly ifNobodyElse: string
  readonly out: string
  readonly states: Readonly<Record<Exclude<ParticipantState, 'asked' | 'waiting' | 'timed-out'>, string>>

  // /asks test; its description above names the time limit.
  readonly test: {
    readonly none: string
    readonly question: string
    readonly option: string
    title(answered: number, all: number): string
    answered(time: string): string
    declined(time: string): string
    failed(reason: string): string
    /** The reason of a failure whose error cannot be read. */
    readonly unreadable: string
    readonly silent: string
  }
}
