// The lines of what has ended: each stands where its card was until it is acknowledged or left, then with the earlier ones.
import type { Lang } from '../../../reply/lang.ts'
import type { Ended } from '../wire.ts'
import { h } from './dom.ts'
import type { Typing } from './draft.ts'
import { FoldedView, type Gone } from './folded.ts'
import type { Still } from './still.ts'
import type { PageTexts } from './texts.ts'

/** How many earlier ones stay. */
const KEPT = 50
/** How many that nobody was busy with stand between the open cards: a page that nobody touches would fill up with them. */
const MAX_HERE = 3

/** What the lines need. */
export interface EarlierOptions {
  readonly texts: PageTexts
  readonly lang: Lang
  readonly still: Still
  /** What focuses the open card after a line, else the line. */
  next(line: HTMLElement): () => void
}

/** All lines. */
export class Earlier {
  /** The section of the earlier ones. */
  readonly element: HTMLElement
  readonly #options: EarlierOptions
  readonly #list: HTMLElement
  /** The earlier ones by ask, the oldest first. */
  readonly #lines = new Map<string, HTMLElement>()
  /** Those that stand where their cards were, the oldest first. */
  readonly #here = new Map<string, { readonly line: FoldedView, readonly isBusy: boolean }>()

  constructor(options: EarlierOptions) {
    this.#options = options
    this.#list = h('ul')
    this.element = h('section', { class: 'history', hidden: '', 'aria-labelledby': 'history' },
      h('h2', { id: 'history' }, options.texts.history), this.#list)
    // Whoever does not look any more has left: nothing moves under their eyes.
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.leave(() => true)
    })
  }

  /** What moves as a whole. */
  get blocks(): readonly Element[] {
    return Array.from(this.#list.children)
  }

  /** Add a line to the earlier ones: its card was not on show, or nobody is looking. */
  add(ended: Ended | Gone): FoldedView {
    const line = new FoldedView(ended, this.#options.texts, this.#options.lang)
    this.#keep(ended.id, line)
    return line
  }

  /**
   * Put a line where a card is.
   *
   * @param typing where the person was typing in the card.
   * @param isBusy whether the person was doing something in the card.
   */
  replace(card: HTMLElement, ended: Ended | Gone, typing: Typing | undefined, isBusy: boolean): FoldedView {
    const { texts, lang } = this.#options
    const line = new FoldedView(ended, texts, lang)
    line.stay(typing, () => this.#acknowledge(ended.id))
    card.replaceWith(line.element)
    // What this page answered has been seen once something else has ended.
    this.leave(({ isLost }) => !isLost)
    this.#here.set(ended.id, { line, isBusy })
    const idle = Array.from(this.#here).filter(([, one]) => !one.isBusy)
    for (const [id, one] of idle.slice(0, -MAX_HERE)) this.#keep(id, one.line)
    return line
  }

  /** Put lines with the earlier ones. */
  leave(which: (line: FoldedView) => boolean): void {
    for (const [id, { line }] of Array.from(this.#here)) if (which(line)) this.#keep(id, line)
  }

  /**
   * Take a line out, because its ask is open again.
   *
   * @param card takes its place if it stands where the card was.
   * @returns whether it did.
   */
  reopen(id: string, card: HTMLElement): boolean {
    const here = this.#here.get(id)
    this.#here.delete(id)
    here?.line.element.replaceWith(card)
    this.#lines.get(id)?.remove()
    this.#lines.delete(id)
    this.#show()
    return here !== undefined
  }

  #acknowledge(id: string): void {
    const here = this.#here.get(id)
    if (here === undefined) return
    const focusNext = this.#options.next(here.line.element)
    this.#options.still.move(() => this.#keep(id, here.line))
    focusNext()
  }

  #keep(id: string, line: FoldedView): void {
    this.#here.delete(id)
    line.leave()
    this.#lines.get(id)?.remove()
    this.#lines.delete(id)
    const item = h('li', {}, line.element)
    this.#list.prepend(item)
    this.#lines.set(id, item)
    if (this.#lines.size > KEPT) {
      const [oldest] = this.#lines.keys()
      this.#lines.get(oldest!)!.remove()
      this.#lines.delete(oldest!)
    }
    this.#show()
  }

  #show(): void {
    this.element.hidden = this.#lines.size === 0
  }
}
