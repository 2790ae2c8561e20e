// Nothing that has just moved or appeared takes a tap: the tap may have been meant for what stood there a moment ago. Keys and
// the focus are left alone, so that whoever is typing goes on. Buttons that permit something (`.choices`) are held whatever it was
// that moved them.

/** For how long. */
export const STILL_MS = 600

/** Keeps taps off what something other than the tap itself has moved. */
export class Still {
  readonly #blocks: () => Iterable<Element>
  readonly #timers = new WeakMap<Element, number>()

  /** @param blocks everything that can be moved, in pieces that move as a whole. */
  constructor(blocks: () => Iterable<Element>) {
    this.#blocks = blocks
    // What grows, shrinks or folds anywhere on the page moves what stands below it.
    new ResizeObserver(() => {
      for (const element of document.querySelectorAll('.choices')) this.hold(element)
    }).observe(document.body)
  }

  /** Change the page. Each block that stands elsewhere afterwards, or was not there before, takes no tap at first. */
  move(change: () => void): void {
    const before = new Map(Array.from(this.#blocks(), block => [block, topOf(block)] as const))
    change()
    for (const block of this.#blocks()) if (before.get(block) !== topOf(block)) this.hold(block)
  }

  /** Let an element take no tap at first. */
  hold(element: Element): void {
    clearTimeout(this.#timers.get(element))
    element.classList.add('still')
    this.#timers.set(element, window.setTimeout(() => element.classList.remove('still'), STILL_MS))
  }
}

function topOf(element: Element): number {
  return Math.round(element.getBoundingClientRect().top)
}
