// Much text: what is laid out again at each key is what has changed, and what is too much is cut with a sentence. Nothing is
// timed; laid out anew at each key, as it once was, these would take many minutes.
import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import type { Lang } from '../../src/reply/lang.ts'
import { edit } from '../../src/surfaces/terminal/editor.ts'
import { always } from '../../src/surfaces/terminal/foreground.ts'
import { columns, graphemes } from '../../src/surfaces/terminal/measure.ts'
import { PanelMode } from '../../src/surfaces/terminal/panel-mode.ts'
import { TerminalSurface } from '../../src/surfaces/terminal/terminal-surface.ts'
import { wrapWords } from '../../src/surfaces/terminal/words.ts'

vi.setConfig({ testTimeout: 60_000 })

/** A panel that listens. */
async function open(question: AskUserQuestionItem, lang: Lang = 'en') {
  const input = Object.assign(new EventEmitter(), { isTTY: true, setRawMode() {}, resume() {}, pause() {} })
  let written = ''
  const output = Object.assign(new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString()
      done()
    },
  }), { isTTY: true, columns: 80, rows: 24 })
  const display = new PanelMode({
    input: input as unknown as NodeJS.ReadableStream, output, foreground: always, setRaw() {}, others: [], lang, colour: false, pushes: false,
    onInterrupt() {}, onSuspend() {}, onLost() {},
  })
  const surface = new TerminalSurface('terminal', lang, output, display, always, () => {})
  const answer = surface.ask({ questions: [question] }, { id: 'ask', signal: new AbortController().signal, quiet: false })
  answer.catch(() => {})
  // The moments in which it is deaf are counted from the next macrotask.
  await new Promise(resolve => setImmediate(() => setTimeout(resolve, 320)))
  return {
    answer,
    close: () => surface.close(),
    /** What has been drawn since the last look. */
    drawn() {
      const text = stripVTControlCharacters(written)
      written = ''
      return text
    },
    /** Press keys, one chunk each. */
    press(...chunks: string[]) {
      for (const chunk of chunks) input.emit('data', chunk)
    },
  }
}

const words: AskUserQuestionItem = { id: 'words', question: 'What?' }
const pasted = (text: string) => `\u001B[200~${text}\u001B[201~`

describe('much text', () => {
  it.each([['at once', 8192, 8192], ['in pieces', 8192, 100], ['one by one', 2048, 1]])('that is not bracketed, %s', async (_, total, length) => {
    const panel = await open(words), text = 'some words of 10 '.repeat(500).slice(0, total).trim()
    panel.press(...text.match(new RegExp(`.{1,${length}}`, 'gs'))!)
    panel.press('\r')
    expect(await panel.answer).toEqual({ answers: [{ id: 'words', selected: [], custom: text }] })
  })

  it.each(['部署到生产环境之前先备份数据库，', 'ひらがなとカタカナ ', '한국어 ', 'naïve café ', '👩‍👩‍👧 '])('of 100 KB pasted, then a key at its end and in its middle: %s', async (piece) => {
    const panel = await open(words), text = piece.repeat(Math.ceil(100_000 / Buffer.byteLength(piece)))
    panel.press(pasted(text))
    const keys = Array.from({ length: 40 }, () => 'x')
    panel.press(...keys)
    panel.press(...Array.from({ length: 400 }, () => '\u001B[D'))
    panel.press(...keys, ...keys.map(() => '\u007F'))
    panel.press('\r')
    expect((await panel.answer).answers[0]!.custom).toContain(piece.trim())
    panel.close()
  })

  it.each([['en', 'Too long: the end of the paste was cut off.'], ['zh', '内容太长：粘贴的末尾已截去。']] as const)('of 10 MB pasted is cut, and that is said: %s', async (lang, said) => {
    const panel = await open(words, lang)
    panel.drawn()
    const bytes = pasted('a line of a log that somebody copied\r'.repeat(280_000))
    panel.press(...bytes.match(/[^]{1,65536}/g)!)
    expect(panel.drawn()).toContain(said)
    panel.press('x')
    panel.press('\r')
    const { answers: [answer] } = await panel.answer
    expect(answer!.custom!.length).toBeLessThanOrEqual(100_000)
    expect(answer!.custom!.length).toBeGreaterThan(99_000)
  })

  it.each([
    ['lines', 'line\n'.repeat(200_000), 'en', '(Too long for a terminal: 975001 more characters are not shown.)'],
    ['characters', '数'.repeat(1_000_000), 'zh', '（内容太长，终端不显示其余 800000 个字符。）'],
  ] as const)('in a question is cut, and that is said: %s', async (_, detail, lang, said) => {
    const panel = await open({ id: 'db', question: 'Which?', detail, options: [{ label: 'one', description: detail }, { label: 'two' }] }, lang)
    panel.drawn()
    panel.press('\u001B[F', '\u001B[H')
    panel.drawn()
    const up = Array.from({ length: 30 }, () => '\u001B[A')
    panel.press(...up)
    expect(panel.drawn()).toContain(said)
    panel.press('2', '\r')
    expect(await panel.answer).toEqual({ answers: [{ id: 'db', selected: ['two'] }] })
  })

  it('in a label is an answer all the same', async () => {
    const label = 'x'.repeat(1_000_000)
    const panel = await open({ id: 'db', question: 'Which?', options: [{ label: 'one' }, { label }] })
    panel.press('2', '\r')
    expect(await panel.answer).toEqual({ answers: [{ id: 'db', selected: [label] }] })
  })
})

it('words that change are laid out as if they were new', () => {
  const piece = fc.constantFrom('a', 'word ', ' ', '部', '署，', 'é', '\u0301', '👍', '\n', '\t', '\u202E', 'a long word that is longer', '🇩🇪', '-')
  const change = fc.tuple(fc.nat(), fc.constantFrom('text', 'backspace', 'delete', 'erase-word') as fc.Arbitrary<'text'>, fc.array(piece, { maxLength: 5 }))
  fc.assert(fc.property(fc.array(piece, { maxLength: 60 }), fc.array(change, { maxLength: 12 }), fc.integer({ min: 2, max: 30 }), (pieces, changes, width) => {
    let text = pieces.join('')
    const fresh = (caret: number) => {
      wrapWords('', 0, width + 1)
      return wrapWords(text, caret, width)
    }
    for (const [at, name, put] of changes) {
      const before = edit({ text, caret: 0 }, { name: 'right' })!.text
      let caret = at % (before.length + 1)
      // Never between the halves of a character.
      if (/[\uDC00-\uDFFF]/.test(before[caret] ?? '')) caret++
      const after = edit({ text: before, caret }, { name, text: put.join('') })!
      wrapWords(text, caret, width)
      text = after.text
      const changed = wrapWords(text, after.caret, width)
      expect(changed).toEqual(fresh(after.caret))
    }
  }), { numRuns: 500 })
})

it('a text of even characters has the width and the characters that it has by itself', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const [from, to] of [[0x20, 0x7E], [0x3000, 0x3029], [0x3030, 0x303E], [0x3041, 0x3096], [0x30A1, 0x30FA], [0x4E00, 0x9FFF], [0xFF01, 0xFF60]] as const) {
    const text = String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, at) => from + at))
    expect([...graphemes(text)]).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment))
    expect(columns(text)).toBe([...text].reduce((sum, one) => sum + columns(one), 0))
  }
})
