// What a button sends: the secret of its question and the option's position.

const BUTTON = /^dsh-ask(?:\s+(\S+)\s+([1-9]\d{0,3}))?(?:\s|$)/

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
  return match ? { secret: match[1] ?? '', position: Number(match[2] ?? 0) } : undefined
}
