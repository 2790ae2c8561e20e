// The labels in an answer that Claude Code's own dialog wrote.

/** One entry of a list in one line: quoted where it has a comma in it. */
const ENTRY = /\s*"(?:[^"\\]|\\.)*"\s*|[^,]+/g

/**
 * Tell chosen labels from words.
 *
 * @param value one label or words, a list of them, or such a list in one line.
 * @returns the labels in the order of the question, and whatever is none.
 */
export function readLabels(value: string | readonly string[], labels: readonly string[], multiSelect = false): { selected: string[], words: string[] } {
  const entries = typeof value !== 'string' ? value : labels.includes(value) || !multiSelect ? [value] : entriesOf(value, labels)
  return { selected: labels.filter(label => entries.includes(label)), words: entries.filter(entry => !labels.includes(entry) && entry.trim() !== '') }
}

function entriesOf(line: string, labels: readonly string[]): string[] {
  const entries = (line.match(ENTRY) ?? []).map(entry => unquoted(entry.trim()))
  const words = entries.filter(entry => !labels.includes(entry))
  // Words may have commas of their own, and stand behind the labels.
  return [...entries.filter(entry => labels.includes(entry)), ...words.length > 0 ? [words.join(', ')] : []]
}

function unquoted(entry: string): string {
  return /^".*"$/s.test(entry) ? entry.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : entry
}
