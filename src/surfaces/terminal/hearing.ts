// From when on a panel listens. Keys pressed in its first moments were meant for something else; so were those of a person
// who goes on typing for the panel whose place it took. Pure: it is told the time.
import type { Key } from './keys.ts'

/** What is typed this soon after a question appeared was not meant for it, in milliseconds. */
export const TOO_EARLY_MS = 300
/** A person who was typing into the last panel needs longer to see that it is gone: keys count only after such a pause. */
const PAUSE_MS = 1000
/** Who types on without a pause is heard all the same after so long, in milliseconds: no panel is deaf for good. */
const LONGEST_MS = 3000

/** Keys that only show more, and belong to no text. */
const SHOWING: ReadonlySet<Key['name']> = new Set(['up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown', 'redraw'])

/**
 * Tells a key that somebody pressed alone, looking at what it does, from a letter of something that is being typed or pasted.
 * Whether something follows the key is to be waited for as long as {@link TOO_EARLY_MS}.
 */
export class Alone {
  #typedAt = -Infinity

  /**
   * Keys have come, all of these at once.
   *
   * @param now in milliseconds of one clock.
   * @returns whether they are one key, after a pause.
   */
  came(keys: readonly Key[], now: number): boolean {
    const isAlone = keys.length === 1 && now - this.#typedAt >= PAUSE_MS
    if (keys.some(({ name }) => !SHOWING.has(name))) this.#typedAt = now
    return isAlone
  }
}

/** Whether a panel that appears now takes the place of one that somebody else ended `sinceMs` ago. */
export function takesPlace(sinceMs: number): boolean {
  return sinceMs < PAUSE_MS
}

/** Decides for one panel which keys are meant for it. Times are milliseconds of one clock. */
export class Hearing {
  readonly #replaces: boolean
  #from = Infinity
  #latest = Infinity
  #enterFrom = 0

  /** @param replaces whether the panel takes the place of one that somebody else ended. */
  constructor(replaces: boolean) {
    this.#replaces = replaces
  }

  /** The panel can be seen. Until then no key is meant for it. */
  appear(now: number): void {
    this.#from = now + (this.#replaces ? PAUSE_MS : TOO_EARLY_MS)
    this.#latest = now + LONGEST_MS
  }

  /** Whether a key that is pressed now is meant for the panel. */
  isMeant({ name }: Key, now: number): boolean {
    const isEnter = name === 'enter'
    if (now >= this.#from && !(isEnter && now < this.#enterFrom)) return true
    if (this.#replaces && now < this.#from) this.#from = Math.max(this.#from, Math.min(now + PAUSE_MS, this.#latest))
    // An Enter held down since the last panel must not submit this one, however long it is held; other keys do count.
    if (isEnter) this.#enterFrom = now + TOO_EARLY_MS
    return false
  }

  /** Whether what was pressed and not meant for the panel may be the rest of what was typed for the last one. */
  get replaces(): boolean {
    return this.#replaces
  }
}
