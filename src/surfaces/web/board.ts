// The surface itself: which asks are open on the page, how the last ones ended, where the person is, and each change of
// these in order.
import { randomUUID } from 'node:crypto'
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { userQuestionError } from '../../protocol/errors.ts'
import type { Presence } from '../../protocol/policy.ts'
import { readQuestions } from '../../protocol/read-questions.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskContext, AskSurface } from '../../protocol/surface.ts'
import { isOutrun } from '../../reply/outrun.ts'
import { placeOf } from '../../reply/place.ts'
import { stopReasonOf } from '../../reply/stop-reason.ts'
import { cardOf, endedOf, type Ending } from './card.ts'
import { fitAnswer, fitApproval } from './fit.ts'
import { Room, type Sized } from './room.ts'
import { Viewers } from './viewers.ts'
import type { AnswerBody, AnswerResult, Card, Change, Ended, Snapshot, Whereabouts } from './wire.ts'

/** How many ended asks stay readable, and how many characters of JSON they have at most; the last one stays in any case. */
const KEPT = 50, KEPT_SIZE = 250_000

/** How many characters of JSON one ask may have. */
const MAX_SIZE = 256_000

interface Open extends Sized {
  card: Card
  readonly request: AskUserQuestionRequest
  /** What is asked, checked. */
  readonly questions: AskUserQuestionItem[]
  readonly resolve: (answer: AskUserQuestionAnswer) => void
  readonly reject: (error: unknown) => void
  /** What was answered on the page, until the router has decided. */
  sent: AskUserQuestionAnswer | undefined
  /** Resolves with how the ask ended; with `undefined` when the surface was taken out. */
  readonly over: PromiseWithResolvers<Ended | undefined>
}

/** The page as a surface, without its server. */
export class Board implements AskSurface {
  readonly name = 'web'
  readonly personal = true
  readonly silent = true
  readonly approvals = true
  readonly viewers = new Viewers()
  readonly #epoch = randomUUID()
  #version = 0
  #whereabouts: Whereabouts = { presence: 'home', version: 0 }
  readonly #open = new Map<string, Open>()
  #ended: Ended[] = []
  readonly #room = new Room<Open>()
  /** How many wait for room, as the readers know it. */
  #waiting = 0
  readonly #watchers = new Set<(change: Change) => void>()

  /** Whichever session asks, the person at the page can answer. */
  claim(): boolean {
    return true
  }

  ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer> {
    return new Promise((resolve, reject) => {
      const { id, signal } = context
      signal.throwIfAborted()
      const questions = readQuestions(request)
      const card = cardOf(context, request, questions)
      const size = JSON.stringify(card).length
      if (size > MAX_SIZE) throw new RangeError(`the page shows no request of more than ${MAX_SIZE} characters, and this one has ${size}`)
      // One whose answer from here the router refused is still open elsewhere, and comes again when the plugin was restarted.
      this.#ended = this.#ended.filter(one => one.id !== id)
      const open: Open = { card, size, request, questions, resolve, reject, sent: undefined, over: Promise.withResolvers() }
      this.#open.set(id, open)
      signal.addEventListener('abort', () => {
        switch (stopReasonOf(signal)) {
          case 'gone': return this.#drop(id, signal.reason)
          // `settled` says who settled it.
          case 'settled': return
          case 'aborted': return this.#end(id, { kind: 'aborted' })
        }
      }, { once: true })
      this.#show(this.#room.add(open))
    })
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    for (const [id, open] of this.#open) {
      if (open.request !== request) continue
      if (isOutrun(by, answer, open.card.late)) this.#end(id, { kind: 'outrun' })
      else this.#end(id, { kind: answer ? 'answered' : 'cancelled', place: placeOf(by, request), answer })
    }
  }

  watched(): boolean {
    return this.viewers.watched
  }

  remind(request: AskUserQuestionRequest, { id, quiet }: AskContext): void {
    const open = this.#open.get(id)
    // An answer that was sent may not have reached the router yet.
    if (open?.request !== request || quiet || open.sent !== undefined) return
    const reminders = open.card.reminders + 1
    open.card = { ...open.card, quiet: false, reminders }
    if (this.#room.shows(open)) this.#publish({ type: 'reminded', version: ++this.#version, id, reminders })
  }

  late(request: AskUserQuestionRequest, { id }: AskContext): void {
    const open = this.#open.get(id)
    if (open?.request !== request || open.card.late) return
    open.card = { ...open.card, late: true }
    if (this.#room.shows(open)) this.#publish({ type: 'late', version: ++this.#version, id })
  }

  /** Where the person is, as the page knows it. */
  get whereabouts(): Whereabouts {
    return this.#whereabouts
  }

  /** Take note of where the person is. */
  setPresence(presence: Presence): void {
    if (presence !== this.#whereabouts.presence) this.#setWhereabouts({ ...this.#whereabouts, presence })
  }

  /** Take note of until when the surfaces are hushed. */
  setHush(until: number | undefined): void {
    if (until === this.#whereabouts.hushedUntil) return
    this.#setWhereabouts({ presence: this.#whereabouts.presence, ...until !== undefined && { hushedUntil: until } })
  }

  #setWhereabouts(whereabouts: Omit<Whereabouts, 'version'>): void {
    this.#whereabouts = { ...whereabouts, version: ++this.#version }
    this.#publish({ type: 'presence', ...this.#whereabouts })
  }

  /** Whether any ask is open on the page. */
  get hasOpen(): boolean {
    return this.#open.size > 0
  }

  /** Whether this ask is open on the page. */
  has(id: string): boolean {
    return this.#open.has(id)
  }

  /**
   * Everything there is to show.
   *
   * @param only the id of the one ask that the reader may see.
   */
  snapshot(only?: string): Snapshot {
    const common = { epoch: this.#epoch, version: this.#version }
    if (only !== undefined) return { ...common, open: [this.#open.get(only)?.card ?? []].flat(), ended: [] }
    const open = this.#room.shown.map(({ card }) => card)
    return { ...common, open, ended: this.#ended, ...this.#waiting > 0 && { waiting: this.#waiting }, whereabouts: this.#whereabouts }
  }

  /**
   * Hear of every change from now on.
   *
   * @returns stops that.
   */
  watch(watcher: (change: Change) => void): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /**
   * Answer an ask.
   *
   * @param body well formed, but not yet checked against the questions.
   * @returns how the ask ended; `undefined` when the page does not know the ask, or was taken out meanwhile.
   * @throws a `BAD_ANSWER` error that names the field when the answer does not fit the questions or says nothing.
   */
  async answer(id: string, body: AnswerBody): Promise<AnswerResult | undefined> {
    const open = this.#open.get(id)
    if (open === undefined) {
      const ended = this.#ended.find(one => one.id === id)
      return ended && { accepted: false, ended }
    }
    if (open.sent === undefined) {
      const { approval } = open.card
      const answer = approval ? fitApproval(open.questions, offeredIn(approval), body) : fitAnswer(open.questions, body)
      open.sent = answer
      open.resolve(answer)
      // The router tells losers only, in the microtasks that follow: whoever has not lost after them has won.
      setImmediate(() => this.#end(id, { kind: 'answered', answer }))
      const ended = await open.over.promise
      return ended && { accepted: ended.kind === 'answered' && ended.by === undefined, ended }
    }
    const ended = await open.over.promise
    return ended && { accepted: false, ended }
  }

  #end(id: string, ending: Ending): void {
    const open = this.#open.get(id)
    if (open === undefined) return
    this.#open.delete(id)
    const ended = endedOf(open.card, ending, ++this.#version)
    this.#ended = lastOf([ended, ...this.#ended])
    if (open.sent === undefined) open.reject(userQuestionError('ASK_SETTLED', 'the page has put the question away'))
    open.over.resolve(ended)
    this.#publish({ type: 'ended', version: ended.version, ended })
    this.#show(this.#room.remove(open))
  }

  /** Forget an ask without an end: the page was taken out, by an unload for example, and the ask may come back. */
  #drop(id: string, reason: unknown): void {
    const open = this.#open.get(id)
    if (open === undefined) return
    this.#open.delete(id)
    this.#version++
    open.reject(reason)
    open.over.resolve(undefined)
    this.#show(this.#room.remove(open))
  }

  /** Tell of those that there is room for now, and of how many still wait. */
  #show(opened: readonly Open[]): void {
    for (const { card } of opened) this.#publish({ type: 'opened', version: ++this.#version, card })
    const { waiting } = this.#room
    if (waiting === this.#waiting) return
    this.#waiting = waiting
    this.#publish({ type: 'waiting', version: ++this.#version, waiting })
  }

  #publish(change: Change): void {
    for (const watcher of this.#watchers) watcher(change)
  }
}

/** The ids of the options that the page shows, in whichever language. */
function offeredIn({ en, zh }: NonNullable<Card['approval']>): string[] {
  return en.choices.map(({ id }) => id).filter(id => zh.choices.some(choice => choice.id === id))
}

/** The last ones, as many as are kept. */
function lastOf(ended: readonly Ended[]): Ended[] {
  let size = 0
  return ended.slice(0, KEPT).filter((one, at) => {
    size += JSON.stringify(one).length
    return at === 0 || size <= KEPT_SIZE
  })
}
