// The panel: from a key to the bytes of the next frame. `node bench/terminal.ts`
import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { always } from '../src/surfaces/terminal/foreground.ts'
import { PanelMode } from '../src/surfaces/terminal/panel-mode.ts'
import { TerminalSurface } from '../src/surfaces/terminal/terminal-surface.ts'
import { median, quantile, table } from './table.ts'

const KEYS = 4000
/** Keys pressed in the first moments of a panel do nothing, in milliseconds. */
const DEAF = 310

interface Seen {
  /** Milliseconds from each key to its frame. */
  readonly times: number[]
  /** Bytes written for each key. */
  readonly bytes: number[]
}

/** Press keys, one after the other, on a panel at 80x24. */
async function press(options: number, keys: readonly string[]): Promise<Seen> {
  const input = Object.assign(new EventEmitter(), { isTTY: true, setRawMode() {}, resume() {}, pause() {} })
  let written = 0
  const output = Object.assign(new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.length
      done()
    },
  }), { isTTY: true, columns: 80, rows: 24 })
  const display = new PanelMode({
    input: input as unknown as NodeJS.ReadableStream, output, foreground: always, setRaw() {}, others: [], lang: 'en', colour: true, pushes: false,
    onInterrupt() {}, onSuspend() {}, onLost() {},
  })
  const surface = new TerminalSurface('terminal', 'en', output, display, always, () => {})
  const question = {
    id: 'q', question: 'Which of these should it be?', detail: 'Some lines that say what this is about.\n'.repeat(3),
    options: Array.from({ length: options }, (_, at) => ({ label: `Option ${at + 1}`, description: `What choosing number ${at + 1} means, in a sentence of the usual length.` })),
  }
  surface.ask({ questions: [question] }, { id: 'bench', signal: new AbortController().signal, quiet: false }).catch(() => {})
  await new Promise(resolve => setTimeout(resolve, DEAF))
  const times: number[] = [], bytes: number[] = []
  for (let at = 0; at < KEYS; at++) {
    written = 0
    const start = performance.now()
    input.emit('data', keys[at % keys.length]!)
    times.push(performance.now() - start)
    bytes.push(written)
  }
  surface.close()
  return { times, bytes }
}

/** Measure and print a table. */
export async function benchTerminal(): Promise<void> {
  const rows: string[][] = []
  const walk = (options: number) => [...Array<string>(options).fill('\u001B[B'), ...Array<string>(options).fill('\u001B[A')]
  const letters = () => ['o', ...'What the person would rather have, in their own words. '.repeat(3), '\u0015']
  for (const [what, keys] of [['arrows', walk], ['text', letters]] as const) {
    for (const options of [4, 200]) {
      // Once to warm up.
      await press(options, keys(options))
      const { times, bytes } = await press(options, keys(options))
      const ms = (share: number) => quantile(times, share).toFixed(3)
      rows.push([what, String(options), ms(0.5), ms(0.99), String(median(bytes)), String(quantile(bytes, 0.99))])
    }
  }
  table(`The panel at 80x24, ${KEYS} keys each`, ['keys', 'options', 'median ms', 'p99 ms', 'bytes/key', 'p99 bytes'], rows)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await benchTerminal()
