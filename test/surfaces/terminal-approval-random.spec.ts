// 10,000 random and crafted ways to use the keyboard, on the panel and line by line: an approval is allowed by the one key or line
// that allows, more than it asks for by nothing but what was pointed at in a list of its own, and never missed when somebody has
// pressed that. What is expected comes from a model that knows keys, lines and times, and nothing of how panels work.
import { PassThrough } from 'node:stream'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { always } from '../../src/surfaces/terminal/foreground.ts'
import { type Key, KeyDecoder } from '../../src/surfaces/terminal/keys.ts'
import { LineMode } from '../../src/surfaces/terminal/line-mode.ts'
import { PanelMode } from '../../src/surfaces/terminal/panel-mode.ts'
import { PipeLines } from '../../src/surfaces/terminal/pipe-lines.ts'
import { type Display, TerminalSurface } from '../../src/surfaces/terminal/terminal-surface.ts'
import { TtyLines } from '../../src/surfaces/terminal/tty-lines.ts'
import { codeOf } from '../helpers/surface.ts'
import { approval, OPTIONS, WIDER } from '../helpers/approval.ts'
import { FakeInput, FakeOutput } from '../helpers/streams.ts'
import { flush, pass } from '../helpers/time.ts'

/** How many for a panel and a pipe: many in the long run, `APPROVAL_RUNS=10000`. */
const RUNS = Number(process.env['APPROVAL_RUNS'] ?? 2000)
const TYPED_RUNS = RUNS / 5
const SEED = Number(process.env['TERMINAL_SEED'] ?? Date.now() % 1e6)
const ESC = '\u001B'
type Outcome = 'allow' | 'reject' | 'allow-session' | 'allow-always' | 'cancelled' | 'open'
const NONE: Record<Outcome, number> = { 'allow': 0, 'reject': 0, 'allow-session': 0, 'allow-always': 0, 'cancelled': 0, 'open': 0 }
/** A chunk of input, and how long nothing happens after it. */
type Step = readonly [chunk: string, gap: number]

vi.setConfig({ testTimeout: 190_000 })
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

class Terminal {
  readonly output = new FakeOutput()
  readonly surface: TerminalSurface

  constructor(makeDisplay: (output: FakeOutput) => Display) {
    this.surface = new TerminalSurface('terminal', 'en', this.output, makeDisplay(this.output), always, () => {})
  }

  /** Ask, do these things, and put the question away where it is still open. */
  async run(act: () => Promise<void>): Promise<Outcome> {
    const request = approval({ detail: 'rm -rf build', options: [...WIDER, ...OPTIONS] })
    let outcome: Outcome = 'open'
    this.surface.ask(request, { id: 'ask', signal: new AbortController().signal, quiet: false }).then(
      ({ answers: [item] }) => outcome = item!.selected[0] as Outcome,
      (error) => {
        if (codeOf(error) === 'ASK_CANCELLED') outcome = 'cancelled'
      },
    )
    await flush()
    await act()
    await pass(1000)
    const found = outcome
    this.surface.settled(request, 'phone')
    this.output.written = ''
    await pass(5000)
    return found
  }
}

/** Where the line begins in which a caret is. */
const lineStart = (text: string, caret: number) => text.slice(0, caret).lastIndexOf('\n') + 1

/** What the keys of a panel come to, each chunk of them with the time at which it was read; it appeared at 0. */
function byKeys(batches: readonly (readonly [at: number, keys: readonly Key[]])[]): Outcome {
  let words = '', caret = 0, isWriting = false, over: 'keys' | 'cancel' | 'wider' | undefined, pointed: number | undefined
  let typedAt = -Infinity, enterFrom = 0, held: readonly [id: Outcome, at: number] | undefined
  const moves = new Set(['up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown', 'redraw'])
  for (const [at, keys] of batches) {
    if (held && at - held[1] >= 300) return held[0]
    const isAlone = keys.length === 1 && at - typedAt >= 1000
    if (keys.some(({ name }) => !moves.has(name))) typedAt = at
    for (const key of keys) {
      const { name } = key, text = 'text' in key ? key.text : ''
      if (name === 'redraw') {
        // What was pressed before stands as long after it.
        if (held) held = [held[0], at]
      } else if (at < 300 || (name === 'enter' && at < enterFrom)) {
        if (name === 'enter') enterFrom = at + 300
      } else if (held) {
        held = undefined
      } else if (over === 'cancel') {
        if (name === 'text' && (text === 'y' || text === 'Y')) return 'cancelled'
        over = undefined
      } else if (name === 'pageup' || name === 'pagedown') {
        continue
      } else if (over === 'keys') {
        if (name !== 'up' && name !== 'down') over = undefined
      } else if (over === 'wider') {
        if (name === 'down' || text === 'w') pointed = pointed === undefined ? 0 : 1 - pointed
        else if (name === 'up') pointed = pointed === undefined ? 1 : 1 - pointed
        else if (name !== 'enter') over = undefined
        else if (isAlone && pointed !== undefined) held = [pointed === 0 ? 'allow-session' : 'allow-always', at]
      } else if (isWriting) {
        if (name === 'escape') isWriting = false
        else if (name === 'enter' && words.trim() !== '') return 'reject'
        else if (name === 'home') caret = lineStart(words, caret)
        else if (name === 'erase-line') [words, caret] = [words.slice(0, lineStart(words, caret)) + words.slice(caret), lineStart(words, caret)]
        else [words, caret] = [words.slice(0, caret) + text + words.slice(caret), caret + text.length]
      } else if (name === 'escape') {
        over = 'cancel'
      } else if (name === 'tab') {
        isWriting = true
      } else if (name === 'text' && text === '?') {
        over = 'keys'
      } else if (name === 'text' && isAlone && text === 'r') {
        held = ['reject', at]
      } else if (name === 'text' && isAlone && text === 'a' && words.trim() === '') {
        held = ['allow', at]
      } else if (name === 'text' && isAlone && text === 'w' && words.trim() === '') {
        over = 'wider'
        pointed = undefined
      }
    }
  }
  return held?.[0] ?? 'open'
}

const gap = fc.constantFrom(60, 100, 299, 300, 700, 999, 1000, 1500, 1500)
const crafted = fc.constantFrom(
  'a', 'a', 'a', 'a', 'A', 'ａ', 'aa', 'a\r', '\ra', 'a ', 'ra', 'ar', 'allow', 'yes', 'y', '1', '2', '\r', '\n', ' ', '?', 'j', '\t', '\t', '\ta', '\ta\r', ESC, ESC, ESC, 'y', 'y', '\u0015', '\u000C',
  'w', 'w', 'w\r', 'w\u001B[B\r', 'ww', 'W', 'allow-session', '\u0001', `${ESC}a`, `${ESC}[97u`, `${ESC}[97;5u`, `${ESC}[97;1:3u`, `${ESC}[A`, `${ESC}[B`, `${ESC}[6~`, `${ESC}[H`, `${ESC}[<0;1;1M`, `${ESC}[I`,
  `${ESC}[200~a${ESC}[201~`, `${ESC}[200~a\r${ESC}[201~`, 'a\ra\ra', 'a'.repeat(300), '权限', 'r',
)
const step: fc.Arbitrary<Step> = fc.tuple(fc.oneof({ weight: 9, arbitrary: crafted }, fc.string({ unit: fc.constantFrom('a', ' ', 'x', '\r', '\t', '1'), minLength: 1, maxLength: 4 })), gap)
/** What comes close to pointing at something and allowing it. */
const pointing: fc.Arbitrary<Step[]> = fc.tuple(
  fc.constantFrom('w', 'w', 'w', 'w', '?'), fc.constantFrom(1000, 1500, 1500, 300), fc.constantFrom(`${ESC}[B`, `${ESC}[B`, `${ESC}[A`, 'w', '', 'x'), gap, fc.constantFrom('\r', '\r', '\r', 'a', '\n\n', ' '), gap,
).map(([open, first, point, second, allow, last]) => [[open, first], [point, second], [allow, last]])
const cancelling: fc.Arbitrary<Step[]> = fc.tuple(gap, fc.constantFrom('y', 'Y', 'n', 'a'), gap).map(([first, key, last]) => [[ESC, first], [key, last]])
const stepsOf = fc.array(fc.oneof({ weight: 7, arbitrary: step.map(one => [one]) }, { weight: 2, arbitrary: pointing }, { weight: 1, arbitrary: cancelling }), { minLength: 1, maxLength: 9 }).map(all => all.flat())

it(`a panel is allowed by a lone a and by nothing else, in ${RUNS} ways`, async () => {
  const input = new FakeInput()
  const terminal = new Terminal(output => new PanelMode({
    input: input as unknown as NodeJS.ReadableStream, output, foreground: always, setRaw() {}, others: [], lang: 'en', colour: false, pushes: false,
    onInterrupt() {}, onSuspend() {}, onLost() {},
  }))
  const counts = { ...NONE }
  for (const steps of fc.sample(fc.tuple(gap, stepsOf), { numRuns: RUNS, seed: SEED })) {
    const batches: (readonly [number, readonly Key[]])[] = []
    const outcome = await terminal.run(async () => {
      const [first, all] = steps, decoder = new KeyDecoder(), start = performance.now()
      await pass(first)
      for (const [chunk, after] of all) {
        const keys = decoder.feed(chunk)
        if (keys.length > 0) batches.push([performance.now() - start, keys])
        input.emit('data', chunk)
        const { pendingMs } = decoder
        if (pendingMs !== undefined && pendingMs <= after) batches.push([performance.now() - start + pendingMs, decoder.flush()])
        await pass(after)
      }
    })
    expect(outcome, `TERMINAL_SEED=${SEED} ${JSON.stringify(steps)}`).toBe(byKeys(batches))
    counts[outcome]++
  }
  // None of the ends is too rare to mean anything.
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(RUNS / 200)
})

/** What typed lines come to, each with the time of its first character and whether it came by itself; shown at 0. */
function byLines(lines: readonly { readonly text: string, readonly since: number, readonly at: number, readonly isAlone: boolean }[]): Outcome {
  let from = 300
  for (const { text, since, at, isAlone } of lines) {
    if (since >= from) {
      if (text === 'a' && isAlone) return 'allow'
      if (/^r(\s|$)/.test(text)) return 'reject'
    }
    from = Math.max(from, at + 300)
  }
  return 'open'
}

const piece = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(
  'a\n', 'a\n', 'a\r\n', 'a', '\n', 'r\n', 'r no\n', 'yes\n', '1\n', '2\n', '\n\n', 'a\nb\n', 'x\na\n', 'a\nx', 'aa\n', ' a\n', 'a \n', 'A\n', 'ａ\n', 'allow\n', 'allow it please\n', 'allow-session\n', 'Allow for this session\n', 'w\n', 'w\n\n', 'ok\n', 'Allow once\n', 'a\n'.repeat(50), '\u001B[200~a\u001B[201~\n', 'a\u0000\n',
) }, fc.string({ unit: fc.constantFrom('a', ' ', 'x', '\n'), minLength: 1, maxLength: 4 }))
const writing = fc.tuple(fc.option(piece, { nil: '' }), gap, fc.array(fc.tuple(piece, gap), { minLength: 1, maxLength: 6 }))

it(`a line on a pipe allows only as a, by itself and begun after the approval was there, in ${RUNS} ways`, async () => {
  const counts = { ...NONE }
  for (const pieces of fc.sample(writing, { numRuns: RUNS, seed: SEED })) {
    const input = new PassThrough()
    const terminal = new Terminal(output => new LineMode({ lines: new PipeLines(input), output, typed: false, lang: 'en', onLost() {} }))
    const [before, first, all] = pieces
    const read: { text: string, since: number, at: number, isAlone: boolean }[] = []
    let draft = '', draftSince = 0
    const write = (chunk: string, at: number) => {
      if (chunk === '') return
      input.write(chunk)
      if (draft === '') draftSince = at
      const texts = (draft + chunk).split('\n')
      draft = texts.pop()!
      for (const text of texts) {
        read.push({ text: text.replace(/\r$/, ''), since: draftSince, at, isAlone: texts.length === 1 && draft === '' })
        draftSince = at
      }
    }
    // Two chunks of the same moment may be read as one.
    write(before, 0)
    const outcome = await terminal.run(async () => {
      const start = performance.now()
      // A line is delivered per macrotask.
      const delivered = async () => {
        for (let at = 0; at < 4 + read.length; at++) await flush()
      }
      await delivered()
      await pass(first)
      for (const [chunk, after] of all) {
        write(chunk, performance.now() - start)
        await delivered()
        await pass(after)
      }
    })
    terminal.surface.close()
    expect(outcome, `TERMINAL_SEED=${SEED} ${JSON.stringify(pieces)}`).toBe(byLines(read))
    counts[outcome]++
  }
  expect(Math.min(counts.allow, counts.reject, counts.open)).toBeGreaterThan(RUNS / 100)
})

it(`a typed line allows only as a and Enter, pressed one after the other, in ${TYPED_RUNS} ways`, async () => {
  const counts = { ...NONE }
  const chunk = fc.constantFrom('a', 'a', 'a', 'a', '\r', '\r', '\r', 'a\r', '\ra', 'aa', 'x', '\u007F', '\u0015', 'r', ' ', 'r no\r', `${ESC}[200~a${ESC}[201~`, `${ESC}[200~a\r${ESC}[201~`, 'yes\r', '1\r', 'w\r', 'allow-session\r', `${ESC}[D`, '\t')
  for (const steps of fc.sample(fc.tuple(gap, fc.array(fc.tuple(chunk, gap), { minLength: 1, maxLength: 9 })), { numRuns: TYPED_RUNS, seed: SEED })) {
    const input = new FakeInput()
    const terminal = new Terminal(output => new LineMode({
      lines: new TtyLines({ input: input as unknown as NodeJS.ReadableStream, output, foreground: always, setRaw() {} }, false, () => {}, () => {}), output, typed: true, lang: 'en', onLost() {},
    }))
    const lines: { text: string, since: number, at: number, isAlone: boolean }[] = []
    const outcome = await terminal.run(async () => {
      const [first, all] = steps, decoder = new KeyDecoder(), start = performance.now()
      let text = '', caret = 0, since: number | undefined, isAlone = true
      await pass(first)
      for (const [given, after] of all) {
        const at = performance.now() - start, keys = decoder.feed(given)
        for (const key of keys) {
          since ??= at
          if (keys.length > 1 || key.name === 'paste') isAlone = false
          if ('text' in key) {
            const put = key.name === 'paste' ? key.text.trimEnd() : key.text
            text = text.slice(0, caret) + put + text.slice(caret)
            caret += put.length
          } else if (key.name === 'left') {
            caret = Math.max(0, caret - 1)
          } else if (key.name === 'backspace') {
            text = text.slice(0, Math.max(0, caret - 1)) + text.slice(caret)
            caret = Math.max(0, caret - 1)
          } else if (key.name === 'erase-line') {
            text = text.slice(caret)
            caret = 0
          } else if (key.name === 'enter') {
            lines.push({ text, since, at, isAlone })
            text = ''
            caret = 0
            since = undefined
            isAlone = true
          }
        }
        input.emit('data', given)
        await pass(after)
      }
    })
    terminal.surface.close()
    expect(outcome, `TERMINAL_SEED=${SEED} ${JSON.stringify(steps)}`).toBe(byLines(lines))
    counts[outcome]++
  }
  expect(Math.min(counts.allow, counts.reject, counts.open)).toBeGreaterThan(TYPED_RUNS / 100)
})
