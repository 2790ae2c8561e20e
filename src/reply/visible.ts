// Text from an agent made harmless for a screen: control characters are shown, not executed, and nothing can reorder
// what stands around it.

// C0, DEL and C1, line and paragraph separators, and what changes the direction of text.
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/**
 * Show what would otherwise be executed or hidden: an escape becomes `␛`, other controls their picture or their number.
 *
 * @param text any text; line feeds and tabs stay.
 */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, character => {
    if (character === '\n' || character === '\t') return character
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    if (code === 0x7f) return '\u2421'
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

/**
 * The same for text on a single line, so that a label or a name cannot pretend to be two.
 *
 * @param text any text; a line feed becomes `⏎`, a tab a space.
 */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '\u23ce').replaceAll('\t', ' ')
}

/**
 * Cut a text to a length, with an ellipsis if anything is left out.
 *
 * @param maxLength in characters, the ellipsis included.
 */
export function truncate(text: string, maxLength: number): string {
  const characters = Array.from(text)
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('').trimEnd()}…`
}
