// What every open card has, whatever it asks for: who asks, whether the agent has gone on, and what went wrong when it was sent.
import type { AnswerBody, Card } from '../wire.ts'
import { foreign, h, newId } from './dom.ts'
import type { Draft, Typing } from './draft.ts'
import type { Still } from './still.ts'
import type { PageTexts } from './texts.ts'

/** What a card needs. */
export interface CardOptions {
  readonly card: Card
  /** Who asks and where, in the page's language. */
  readonly origin: string
  readonly texts: PageTexts
  readonly still: Still
  /**
   * Send; resolves with what to tell the person when it was not sent.
   *
   * @param said what the body says, as it will be shown.
   */
  send(body: AnswerBody, said: Draft['answers']): Promise<string | undefined>
}

/** A card. */
export abstract class OpenCard {
  readonly element: HTMLElement
  protected readonly options: CardOptions
  readonly #heading: HTMLElement
  protected readonly error: HTMLElement
  readonly #late: HTMLElement
  #isSending = false

  /** @param isApproval whether a tool needs permission, so that it must look like nothing else. */
  constructor(options: CardOptions, isApproval = false) {
    this.options = options
    const { card, origin, texts } = options, headingId = newId()
    this.#heading = h('h2', { id: headingId, tabindex: '-1' }, foreign('who', texts.askedBy(origin)))
    this.error = h('p', { class: 'error', role: 'alert' })
    this.#late = h('p', { class: 'late', role: 'status' })
    this.element = h('article', { class: isApproval ? 'card approval' : 'card', 'aria-labelledby': headingId }, this.#heading, this.#late)
    if (card.late) this.late()
  }

  /** Whether the person is doing something in this card, or was. */
  abstract get isBusy(): boolean

  /** Where the person is typing in this card, if they are. */
  abstract get typing(): Typing | undefined

  /** Make its fields as tall as what a draft has in them. Called once the card stands on the page. */
  abstract fit(): void

  /** Show whether something is being sent. */
  protected abstract showSending(isSending: boolean): void

  /** What is said while it is in doubt whether an answer has arrived, and once it is known that it has not. */
  protected get doubt(): readonly [notConfirmed: string, notArrived: string] {
    const { notConfirmed, notArrived } = this.options.texts
    return [notConfirmed, notArrived]
  }

  /** Whether the focus is in this card. */
  get hasFocus(): boolean {
    return this.element.contains(document.activeElement)
  }

  /** Whether some of the card is on the screen. */
  get isInSight(): boolean {
    const { top, bottom } = this.element.getBoundingClientRect()
    return top < innerHeight && bottom > 0
  }

  /** Whether something is being sent: then nothing changes any more. */
  protected get isSending(): boolean {
    return this.#isSending
  }

  /** The host has said that this ask is open: an answer whose arrival was in doubt has not arrived. */
  isStillOpen(): void {
    const [notConfirmed, notArrived] = this.doubt
    if (this.error.textContent === notConfirmed) this.error.textContent = notArrived
  }

  /** The agent has gone on. */
  late(): void {
    this.#late.textContent = this.options.texts.late
  }

  /** Focus the card rather than one of its controls. */
  focus(): void {
    this.#heading.focus({ preventScroll: true })
  }

  /** Name the card by this before it says who asks. */
  protected nameBy(...ids: readonly string[]): void {
    this.element.setAttribute('aria-labelledby', [...ids, this.#heading.id].join(' '))
  }

  /** Send, or say why it was not sent. */
  protected async deliver(body: AnswerBody, said: Draft['answers']): Promise<void> {
    if (this.#isSending) return
    this.#setSending(true)
    this.error.textContent = ''
    const problem = await this.options.send(body, said)
    if (problem === undefined) return
    this.#setSending(false)
    this.tell(problem === this.options.texts.notConfirmed ? this.doubt[0] : problem)
  }

  /** Say what went wrong, on the screen: of a tall card only a part is. */
  protected tell(problem: string): void {
    this.error.textContent = problem
    this.error.scrollIntoView({ block: 'nearest' })
  }

  #setSending(isSending: boolean): void {
    this.#isSending = isSending
    this.element.setAttribute('aria-busy', String(isSending))
    this.showSending(isSending)
  }
}
