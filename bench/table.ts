// The tables in which the benches print what they measured.

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

/** The smallest number that a share of all of them does not exceed. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

/** Print a table. */
export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map(row => row[at]!.length)))
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padStart(widths[at]!)).join('  ')
  console.log([`\n${title}`, line(head), ...rows.map(line)].join('\n'))
}
