// The short codes by which a typed reply says which question it answers, such as `z4k`.

// A shape that no word has in English or Chinese. Without vowels, no code becomes a word.
const LETTERS = 'qjz', DIGITS = '23456789', CONSONANTS = 'bcdfghjklmnpqrstvwxz'
const CODE = new RegExp(`^[${LETTERS}][${DIGITS}][${CONSONANTS}]$`)

/** Every code there is: 480. */
export const CODES: readonly string[] = [...LETTERS].flatMap(a => [...DIGITS].flatMap(b => [...CONSONANTS].map(c => a + b + c)))

/**
 * Split a reply that starts with a code. Case, full-width characters and punctuation after the code do not matter.
 *
 * @returns the code and the rest, or `undefined` when the reply does not start with one.
 */
export function splitCode(reply: string): { readonly code: string, readonly rest: string } | undefined {
  const [, first = '', rest = ''] = /^\s*(\S{3})(?:[:.,)：．，）。、]+\s*|\s+|$)([^]*)$/.exec(reply) ?? []
  const code = first.normalize('NFKC').toLowerCase()
  return CODE.test(code) ? { code, rest } : undefined
}
