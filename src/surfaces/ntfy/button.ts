// What a button sends: a secret of its card and the position of the option.

// Matches nothing but what a button sends: a person's own words may start the same way.
const BUTTON = /^dsh-ask ([-\w]{22}) ([1-9]\d{0,3})$/

// A damaged button body. It must not pass as words.
const BROKEN = /^dsh-ask (?:[-\w]{16,} \d+|[-\w]{22})$/

/** The body of a button's request. */
export function buttonBody(secret: string, position: number): string {
  return `dsh-ask ${secret} ${position}`
}

/**
 * Parse a button's body.
 *
 * @returns `undefined` for anything else. A damaged body has an empty secret, which matches no card.
 */
export function readButton(text: string): { readonly secret: string, readonly position: number } | undefined {
  const match = BUTTON.exec(text)
  if (match) return { secret: match[1]!, position: Number(match[2]) }
  return BROKEN.test(text) ? { secret: '', position: 0 } : undefined
}
