// What follows an escape, as bytes: where a sequence ends, and whether it has come whole.

// CSI M and the three characters of a mouse report, which may be any; a function key of Linux' console; CSI; SS3; or Alt with
// a character, of one byte or more.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const WHOLE = /\[M(?:[\xC2-\xDF][\x80-\xBF]|[^\xC2-\xDF]|[\xC2-\xDF](?=[^\x80-\xBF])){3}|\[\[[^\x1B]|\[(?!M)[0-?]*[ -/]*[@-Z\\-~]|O[ -~]|[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}|[^[\]OPX^_\x1B\xC2-\xF4]/y
// What may still become one of those.
const PART = /(?:|\[M[^]{0,5}|\[\[?|\[[0-?]*[ -/]*|O|[\xC2-\xF4][\x80-\xBF]{0,2})$/y
// One that is broken off by another one or by a control character.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const BROKEN = /\[M[^\x1B]{0,5}|\[\[?[0-?]*[ -/]*(?=[\x00-\x1F\x7F-\xFF])|O(?=[\x00-\x1F\x7F-\xFF])|[\xC2-\xF4][\x80-\xBF]*/y
// The start of a string: the terminal's answer to a query, of any length.
const STRING = /[\]PX^_]/y

/**
 * What there is after an escape: a `whole` sequence, the first `part` of one, one that is `broken` off, the start of a
 * `string`, or `none`: the escape was a key.
 */
export type Sequence = 'whole' | 'part' | 'broken' | 'string' | 'none'

const KINDS: readonly (readonly [Sequence, RegExp])[] = [['string', STRING], ['whole', WHOLE], ['part', PART], ['broken', BROKEN]]

/**
 * Read what follows an escape.
 *
 * @param from the place after the escape.
 * @returns what it is, and where it ends.
 */
export function readSequence(bytes: string, from: number): { readonly kind: Sequence, readonly end: number } {
  for (const [kind, pattern] of KINDS) {
    pattern.lastIndex = from
    const [found] = pattern.exec(bytes) ?? []
    if (found !== undefined) return { kind, end: from + found.length }
  }
  return { kind: 'none', end: from }
}
