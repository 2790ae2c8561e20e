// Which lines of a text change, for the person who is asked about it.

/** Lines around a change that are shown with it. */
const AROUND = 1

/** So many pairs of lines are compared; beyond that a change is one block. */
const MAX_PAIRS = 4_000_000

/**
 * Show what changes between two texts.
 *
 * @returns a line each, with `- `, `+ ` or two spaces in front; a line `…` stands for those that stay.
 */
export function changedLines(before: string, after: string): string[] {
  const all = compare(linesOf(before), linesOf(after)), isNear = all.map((_, at) => all.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(line => !line.startsWith(' ')))
  return all.flatMap((line, at) => isNear[at] ? [line] : at > 0 && isNear[at - 1] && isNear.includes(true, at) ? ['  …'] : [])
}

const linesOf = (text: string) => text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)

function compare(before: readonly string[], after: readonly string[]): string[] {
  let head = 0, tail = 0
  while (head < before.length && before[head] === after[head]) head++
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const old = before.slice(head, before.length - tail), fresh = after.slice(head, after.length - tail)
  const stays = (line: string) => `  ${line}`
  return [...before.slice(0, head).map(stays), ...middle(old, fresh), ...before.slice(before.length - tail).map(stays)]
}

/** By the longest common sequence of lines. */
function middle(old: readonly string[], fresh: readonly string[]): string[] {
  const gone = (line: string) => `- ${line}`, come = (line: string) => `+ ${line}`
  if (old.length * fresh.length > MAX_PAIRS) return [...old.map(gone), ...fresh.map(come)]
  const width = fresh.length + 1, common = new Uint32Array((old.length + 1) * width)
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = fresh.length - 1; b >= 0; b--) {
      common[a * width + b] = old[a] === fresh[b] ? common[(a + 1) * width + b + 1]! + 1 : Math.max(common[(a + 1) * width + b]!, common[a * width + b + 1]!)
    }
  }
  const lines: string[] = []
  let a = 0, b = 0
  while (a < old.length || b < fresh.length) {
    if (a < old.length && b < fresh.length && old[a] === fresh[b]) {
      lines.push(`  ${old[a]!}`)
      a++
      b++
    } else if (a < old.length && (b === fresh.length || common[(a + 1) * width + b]! >= common[a * width + b + 1]!)) {
      lines.push(gone(old[a++]!))
    } else {
      lines.push(come(fresh[b++]!))
    }
  }
  return lines
}
