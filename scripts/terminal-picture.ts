// Cuts docs/terminal.svg out of docs/demo.svg: the panel with two options chosen, standing still. Run it after
// record-demo.ts. `node scripts/terminal-picture.ts`
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What is in the picture: from the line that says who asks, where two options are chosen. */
const FIRST = 'asks:', SHOWN = [/\[x\]<\/text>\n[^\n]*1\. Tests/, /\[x\]<\/text>\n[^\n]*3\./]

/** Where the first line stands in demo.svg's own picture of a terminal. */
const TOP = 51.5

const path = (name: string) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url))
const demo = readFileSync(path('demo.svg'), 'utf8')
const frame = Array.from(demo.matchAll(/<g class="f\d+">\n(.*?)\n<\/g>/gs), ([, rows]) => rows!).find(rows => SHOWN.every(shown => shown.test(rows)))
const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(demo)!.map(Number)
const rows = frame!.split('\n'), above = yOf(rows.find(row => row.includes(FIRST))!) - TOP

function yOf(row: string): number {
  return Number(/ y="([\d.]+)"/.exec(row)![1])
}

const panel = rows.filter(row => yOf(row) >= above + TOP).map(row => row.replace(/ y="[\d.]+"/, ` y="${yOf(row) - above}"`))
writeFileSync(path('terminal.svg'), demo
  .replace(/<g class="f0">.*<\/g>/s, panel.join('\n'))
  .replace(/g\{visibility:hidden\}\n.*?(?=<\/style>)/s, '\n')
  .replace(/<title>.*<\/title>/, '<title>The panel in a terminal: a question with three options, two of them chosen</title>')
  .replace(/viewBox="0 0 \d+ \d+" width="\d+" height="\d+"/, `viewBox="0 0 ${width} ${height! - above}" width="${width}" height="${height! - above}"`))
console.log('docs/terminal.svg')
