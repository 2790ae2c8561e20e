// The panel without a terminal: what a key does, what is shown, and what holds for every batch, key and size.
import { stripVTControlCharacters } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { checkAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { answerOf } from '../../src/reply/form.ts'
import type { Key, KeyName } from '../../src/surfaces/terminal/keys.ts'
import { columns } from '../../src/surfaces/terminal/measure.ts'
import { press } from '../../src/surfaces/terminal/panel.ts'
import { newPanel } from '../../src/surfaces/terminal/panel-state.ts'
import { type Size, view } from '../../src/surfaces/terminal/view.ts'
import { look, seen, size, text, type } from '../helpers/panel.ts'

// Thousands of cases on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const NAMES: KeyName[] = [
  'up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown', 'tab', 'backtab', 'enter', 'escape', 'backspace',
  'delete', 'erase-word', 'erase-line',
]
const words = fc.oneof(
  fc.string({ maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('', ' ', '部署', '👩‍👩‍👧', 'e\u0301', '\u001B[2J', '\u202E', 'a\nb', 'word '.repeat(90), '宽'.repeat(200), '\t'),
)
const question: fc.Arbitrary<AskUserQuestionItem> = fc.record({
  id: fc.constantFrom('a', 'b'), question: words, header: words, detail: words, multiSelect: fc.boolean(),
  options: fc.array(fc.record({ label: words, description: words, preview: words }, { requiredKeys: ['label'] }), { maxLength: 12 }),
}, { requiredKeys: ['id', 'question'] }) as fc.Arbitrary<AskUserQuestionItem>
const key: fc.Arbitrary<Key> = fc.oneof(
  fc.constantFrom(...NAMES).map(name => ({ name })),
  fc.record({ name: fc.constant('text' as const), text: fc.oneof(fc.constantFrom('y', 'n', 'j', 'k', 'o', '?', ' ', '1', '2', '9', '0', 'é', '部'), fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' })) }),
  fc.record({ name: fc.constant('paste' as const), text: words }),
)
const questions = fc.array(question, { minLength: 1, maxLength: 5 })
const keys = fc.array(key, { maxLength: 25 })
const anySize: fc.Arbitrary<Size> = fc.record({
  columns: fc.oneof(fc.constantFrom(80, 40, 200), fc.integer({ min: 1, max: 130 })),
  rows: fc.oneof(fc.constantFrom(24, 12, 60), fc.integer({ min: 1, max: 40 })),
})

describe('whatever is asked and pressed', () => {
  it('every frame fits: no line reaches the last column, all of them leave a row, and nothing is executed', () => {
    fc.assert(fc.property(questions, keys, anySize, fc.constantFrom('en' as const, 'zh' as const), fc.nat(12), (asked, pressed, on, lang, waiting) => {
      const shown = view(type(newPanel(asked), pressed, on), on, { ...look, lang, waiting })
      expect(shown.lines.length).toBeLessThanOrEqual(Math.max(1, on.rows - 1))
      for (const line of shown.lines) {
        const plain = stripVTControlCharacters(line)
        expect(columns(plain)).toBeLessThanOrEqual(Math.max(1, on.columns - 1))
        expect(plain).not.toMatch(/[\p{Cc}\u202E]/u)
      }
      const { caret, layout } = shown
      expect(caret === undefined || (caret.row < shown.lines.length && caret.column < Math.max(2, on.columns))).toBe(true)
      expect(layout.offset).toBeGreaterThanOrEqual(0)
      expect(layout.offset + layout.height).toBeLessThanOrEqual(Math.max(layout.total, 1))
    }), { numRuns: 500 })
  })

  it('there is a way out: at most three escapes and a y cancel', () => {
    fc.assert(fc.property(questions, keys, anySize, (asked, pressed, on) => {
      let panel = type(newPanel(asked), pressed, on)
      for (let at = 0; at < 3 && panel.over !== 'cancel'; at++) panel = type(panel, [{ name: 'escape' }], on)
      panel = type(panel, [{ name: 'text', text: 'y' }], on)
      expect(panel.cancelled || panel.form.submitted).toBe(true)
    }), { numRuns: 300 })
  })

  it('there is a way to answer: from anywhere, with Tab to the end and Enter', () => {
    fc.assert(fc.property(questions, keys, anySize, (asked, pressed, on) => {
      let panel = type(newPanel(asked), pressed, on)
      if (panel.over !== undefined) panel = type(panel, [{ name: 'escape' }], on)
      panel = type(panel, [{ name: 'paste', text: 'x' }, ...asked.map((): Key => ({ name: 'tab' }))], on)
      // From a question's row on the review it goes through the questions from there. On each page one Enter may leave text, and
      // one show what the next would do.
      for (let at = 0; at < 3 * (asked.length + 2) && !panel.cancelled && !panel.form.submitted; at++) panel = type(panel, [{ name: 'enter' }], on)
      expect(panel.cancelled || panel.form.submitted).toBe(true)
    }), { numRuns: 300 })
  })

  it('what is sent is acceptable, as it is', () => {
    fc.assert(fc.property(questions, keys, (asked, pressed) => {
      const { form } = type(newPanel(asked), pressed)
      const { answer, blank } = checkAnswer(asked, answerOf(form))
      expect([answer, form.submitted && blank]).toEqual([answerOf(form), false])
    }), { numRuns: 300 })
  })

  it('a key changes one question at most, and never two things that the person did not see', () => {
    fc.assert(fc.property(questions, keys, key, anySize, (asked, pressed, one, on) => {
      const before = type(newPanel(asked), pressed, on), shown = view(before, on, look)
      const after = press(before, one, shown.layout)
      const changed = before.form.entries.filter((entry, at) => entry !== after.form.entries[at])
      expect(changed.length).toBeLessThanOrEqual(1)
      // Only what has the focus and is on the screen is picked or sent.
      const { focus: [start], offset, height } = shown.layout
      const isVisible = start >= offset && start < offset + height
      expect(after.form.submitted && !before.form.submitted && !isVisible).toBe(false)
    }), { numRuns: 500 })
  })
})

const single: AskUserQuestionItem = { id: 'db', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }] }
const enter: Key = { name: 'enter' }, escape: Key = { name: 'escape' }, up: Key = { name: 'up' }

describe('a choice and own words', () => {
  const TOGETHER = 'Your words go with the choice.'

  it.each([['en', TOGETHER], ['zh', '你的话会与所选选项一起发送。']] as const)('are said to go together beside the text, from the first moment of typing on: %s', (lang, note) => {
    const typing = type(newPanel([single]), text(' o'))
    expect(seen(typing, lang)).toContain(note)
    const typed = type(typing, text('x'))
    expect(seen(typed, lang)).toContain(note)
    expect(seen(type(typed, [escape, up]), lang)).toContain(note)
  })

  it('are not said to do so where there is no choice, or nothing typed or being typed, or several can be chosen', () => {
    for (const panel of [type(newPanel([single]), text('ox')), type(newPanel([single]), text(' ')), type(newPanel([{ ...single, multiSelect: true }]), text(' ox'))]) {
      expect(seen(panel)).not.toContain(TOGETHER)
    }
  })

  it('are both marked', () => {
    expect(seen(type(newPanel([single]), text('2 ox')))).toMatch(/\(\*\) 2\. B[^]*\(\+\) Other: x/)
  })

  it('of a lone question are shown together before they are sent, in whichever order they came', () => {
    for (const pressed of [[...text('ox'), up, up, enter], [...text('2 ox'), enter]]) {
      const review = type(newPanel([single]), pressed)
      expect(review.form.submitted).toBe(false)
      expect(seen(review)).toMatch(/1\. Which\?\n +B, x\n +Your words go with the choice\.[^]*> Submit/)
      const sent = type(review, [enter]).form
      expect([sent.submitted, answerOf(sent)]).toEqual([true, { answers: [{ id: 'db', selected: ['B'], custom: 'x' }] }])
    }
  })

  it('can be parted: Space takes the choice back, as the last line and the list of keys say', () => {
    const chosen = type(newPanel([single]), [...text('2 ox'), up, up])
    expect(seen(chosen)).toContain('Space take back')
    expect(seen(type(chosen, text('?')))).toMatch(/Space +choose, or take the choice back/)
    const wordsAlone = type(chosen, text(' '))
    expect(seen(wordsAlone)).not.toMatch(/Space take back|go with/)
    expect(answerOf(type(wordsAlone, [...text('o'), enter]).form)).toEqual({ answers: [{ id: 'db', selected: [], custom: 'x' }] })
  })

  it('are not promised to be sent by the Enter that chooses', () => {
    expect(seen(newPanel([single]))).toContain('Enter send')
    expect(seen(type(newPanel([single]), [...text('ox'), up, up]))).toContain('Enter choose')
  })
})

describe('who asks', () => {
  const origin = 'coder · nas · shop, in the cellar · Fix the tests'
  const head = (on: Size, waiting: number, by = origin) => view(newPanel([single]), on, { ...look, colour: false, origin: by, waiting })
    .lines.slice(0, 2).map(stripVTControlCharacters)

  it('stands above the question, with the number of questions that wait behind it, or under it where there is no room', () => {
    expect(head(size, 0)).toEqual([`${origin} asks:`, ''])
    expect(head({ columns: 120, rows: 24 }, 1)).toEqual([`${origin} asks:  (1 more question waits.)`, ''])
    expect(head({ columns: 60, rows: 24 }, 1)).toEqual([`${origin} asks:`, '(1 more question waits.)'])
  })

  it('is cut where it must be, but that somebody asks is always said', () => {
    expect(head({ columns: 40, rows: 12 }, 1)).toEqual(['coder · nas · shop, in the cella… asks:', '(1 more question waits.)'])
    expect(head({ columns: 40, rows: 7 }, 1)[0]).toBe('coder … asks:  (1 more question waits.)')
    expect(head({ columns: 40, rows: 12 }, 0)[0]).toBe('coder · nas · shop, in the cella… asks:')
  })
})

describe('a key', () => {
  it('that is no option\'s number moves nothing, and 0 is none', () => {
    const panel = type(newPanel([single]), text('2'))
    expect(panel.focus).toBe(1)
    expect(type(panel, text('7')).focus).toBe(1)
    expect(type(panel, text('0')).focus).toBe(1)
  })

  it('pasted beside the text goes into the own words, and is not executed there', () => {
    const panel = type(newPanel([single]), [{ name: 'paste', text: 'a\nb\u001B[2J' }])
    expect([panel.typing, panel.form.entries[0]!.words]).toEqual([true, 'a\nb\u001B[2J'])
    expect(view(panel, size, look).lines.join('\n')).toContain('b␛[2J')
  })

  it('pressed after the end does nothing', () => {
    const sent = type(newPanel([single]), [{ name: 'enter' }])
    expect(sent.form.submitted).toBe(true)
    expect(type(sent, [{ name: 'escape' }, ...text('y')])).toBe(sent)
  })

  it('takes text away as a person sees it', () => {
    const panel = type(newPanel([{ id: 'q', question: 'What?' }]), text('a👩‍👩‍👧e\u0301').concat({ name: 'backspace' }, { name: 'backspace' }))
    expect(panel.form.entries[0]!.words).toBe('a')
  })

  it('scrolls to what Enter would choose before it chooses', () => {
    const long: AskUserQuestionItem = { ...single, detail: 'line\n'.repeat(60) }
    const first = type(newPanel([long]), [{ name: 'enter' }])
    expect(first.form.submitted).toBe(false)
    expect(stripVTControlCharacters(view(first, size, look).lines.join('\n'))).toContain('> ( ) 1. A')
    expect(type(first, [{ name: 'enter' }]).form.submitted).toBe(true)
    // Nothing is toggled unseen either.
    const multi = type(newPanel([{ ...long, multiSelect: true }]), text(' '))
    expect(multi.form.entries[0]!.chosen).toEqual([])
    expect(type(multi, text(' ')).form.entries[0]!.chosen).toEqual([0])
  })
})
