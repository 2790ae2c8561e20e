// What a button sends: the secret of its question and the option's position.

// Exactly what is sent, since a person's words may begin in the same way.
const BUTTON = /^dsh-ask ([-\w]{22}) ([1-9]\d{0,3})$/

// A secret that was cut, or one alone: nobody's words, and nobody's tap.
const BROKEN = /^dsh-ask (?:[-\w]{16,} \d+|[-\w]{22})$/

/** The body of one button's request. */
export function buttonBody(secret: string, position: number): string {
  return `dsh-ask ${secret} ${position}`
}

/**
 * Read what may be a button's body.
 *
 * @returns `undefined` for anything else; a body that is broken has no secret of ours.
 */
export function readButton(text: string): { readonly secret: string, readonly position: number } | undefined {
  const match = BUTTON.exec(text)
  if (match) return { secret: match[1]!, position: Number(match[2]) }
  return BROKEN.test(text) ? { secret: '', position: 0 } : undefined
}
