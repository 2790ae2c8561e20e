// Plays the demo in a pseudo-terminal and draws what is seen as docs/demo.svg: two surfaces show every question, one
// answer settles it on both. `node scripts/record-demo.ts`
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Person } from '../test/pty/person.ts'

const COLUMNS = 80, ROWS = 26
/** How long a picture is shown, in seconds; the last one longer. */
const SHOWN = 1.6, LAST = 5
const CELL = { width: 8.4, height: 18 }, MARGIN = 14

/** What the person does, what is then to be seen, and whether that is a new panel. */
const steps: readonly (readonly [keys: string, seen: string, fresh?: 'panel'])[] = [
  ['', '> ( ) 1. Postgres', 'panel'],
  ['j', '> ( ) 2. SQLite'],
  ['\r', '> [ ] 1. Tests', 'panel'],
  [' ', '> [x] 1. Tests'],
  ['3 ', '> [x] 3. Linter'],
  ['\r', '> Answer:'],
  ['blue', 'Answer: blue'],
  ['\r', '> Submit'],
  ['\r', 'Questions still open: 0.'],
]

type Style = 'bold' | 'dim' | 'inverse' | 'cyan' | 'green' | 'yellow'

function styleOf(cell: NonNullable<ReturnType<NonNullable<ReturnType<Person['buffer']['getLine']>>['getCell']>>): string {
  const colours: Record<number, Style> = { 2: 'green', 3: 'yellow', 6: 'cyan' }
  const styles: (Style | undefined)[] = [
    cell.isBold() ? 'bold' : undefined, cell.isDim() ? 'dim' : undefined, cell.isInverse() ? 'inverse' : undefined,
    cell.isFgPalette() ? colours[cell.getFgColor()] : undefined,
  ]
  return styles.filter(style => style !== undefined).join(' ')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The screen as SVG text, one element for each run of cells that look alike. */
function picture({ buffer }: Person): string {
  const rows: string[] = []
  for (let row = 0; row < ROWS; row++) {
    const line = buffer.getLine(buffer.baseY + row)!
    const runs: { from: number, text: string, style: string }[] = []
    for (let column = 0; column < COLUMNS; column++) {
      const cell = line.getCell(column)!, style = styleOf(cell), last = runs.at(-1)
      if (cell.getWidth() === 0) continue
      if (last?.style === style) last.text += cell.getChars() || ' '
      else runs.push({ from: column, text: cell.getChars() || ' ', style })
    }
    for (const { from, text, style } of runs) {
      if (text.trim() === '') continue
      const x = (MARGIN + from * CELL.width).toFixed(1), y = MARGIN + 24 + (row + 0.75) * CELL.height
      rows.push(`<text x="${x}" y="${y}"${style ? ` class="${style}"` : ''}>${escape(text.trimEnd())}</text>`)
    }
  }
  return rows.join('\n')
}

const person = Person.node('examples/demo/main.ts', [COLUMNS, ROWS])
const pictures: string[] = []
for (const [keys, seen, fresh] of steps) {
  person.press(keys)
  await person.sees(seen)
  pictures.push(picture(person))
  // What is pressed in the first moments of a panel does nothing.
  if (fresh) await new Promise(resolve => setTimeout(resolve, 400))
}
await person.end()
person.kill()

const total = SHOWN * (pictures.length - 1) + LAST
const percent = (seconds: number) => (100 * seconds / total).toFixed(3)
const width = COLUMNS * CELL.width + 2 * MARGIN, height = ROWS * CELL.height + 2 * MARGIN + 24
const frames = pictures.map((_, at) => {
  const from = percent(at * SHOWN), to = at === pictures.length - 1 ? '100' : percent((at + 1) * SHOWN)
  const before = at === 0 ? '' : `0%{visibility:hidden}${from}%{visibility:visible}`
  return `@keyframes f${at}{${before || '0%{visibility:visible}'}${to === '100' ? '' : `${to}%{visibility:hidden}`}100%{visibility:${to === '100' ? 'visible' : 'hidden'}}}`
    + `.f${at}{animation:f${at} ${total}s step-end infinite}`
})
writeFileSync(fileURLToPath(new URL('../docs/demo.svg', import.meta.url)), `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>The demo: an agent asks, the terminal and a second surface show the question, one answer settles both</title>
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d8dee9;white-space:pre}
.bold{font-weight:bold;fill:#fff}.dim{fill:#8b95a7}.inverse{font-weight:bold;text-decoration:underline;fill:#fff}
.green{fill:#a3d977}.yellow{fill:#f2c968}.cyan{fill:#7fd1e0}g{visibility:hidden}
${frames.join('\n')}
@media (prefers-reduced-motion:reduce){g{animation:none!important}.f${pictures.length - 1}{visibility:visible}}
</style>
<rect width="100%" height="100%" rx="8" fill="#1d2330"/>
<circle cx="20" cy="18" r="5" fill="#ed6a5e"/><circle cx="38" cy="18" r="5" fill="#f5bf4f"/><circle cx="56" cy="18" r="5" fill="#61c554"/>
${pictures.map((lines, at) => `<g class="f${at}">\n${lines}\n</g>`).join('\n')}
</svg>
`)
console.log(`docs/demo.svg: ${pictures.length} pictures, ${total} s`)
process.exit()
