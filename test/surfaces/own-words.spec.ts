// Digits on the own words: they jump anywhere but inside a text that has characters, and no word is lost to a jump.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { answerOf } from '../../src/reply/form.ts'
import type { Key } from '../../src/surfaces/terminal/keys.ts'
import { newPanel, type Panel } from '../../src/surfaces/terminal/panel-state.ts'
import { seen, text, type } from '../helpers/panel.ts'

const question = (count: number, multiSelect = false): AskUserQuestionItem =>
  ({ id: 'q', question: 'Which?', multiSelect, options: Array.from({ length: count }, (_, at) => ({ label: `option ${at + 1}` })) })
const enter: Key = { name: 'enter' }, escape: Key = { name: 'escape' }, backspace: Key = { name: 'backspace' }
/** The focus on "Other", outside the text. */
const onRow = (asked: AskUserQuestionItem): Panel => type(newPanel([asked]), [{ name: 'end' }])
/** In the text of "Other". */
const inText = (asked: AskUserQuestionItem): Panel => type(newPanel([asked]), text('o'))
const wordsOf = ({ form }: Panel) => form.entries[0]!.words
const answered = (panel: Panel) => answerOf(type(panel, [enter]).form).answers[0]

describe.each([['on the row', onRow], ['in the empty text', inText]])('%s of "Other"', (_, start) => {
  it('a digit jumps to the option of that number, and chooses nothing', () => {
    const jumped = type(start(question(3)), text('2'))
    expect(seen(jumped)).toMatch(/> \( \) 2\. option 2[^]*\( \) Other: *$/m)
    expect(jumped.form.entries[0]).toEqual({ chosen: [], words: '' })
    expect(answered(jumped)).toEqual({ id: 'q', selected: ['option 2'] })
  })

  it('two digits jump where there are so many options', () => {
    expect(type(start(question(42)), text('42')).focus).toBe(41)
  })

  it('"15:00" comes out as typed, whatever options there are (case 2)', () => {
    for (let count = 1; count < 30; count++) {
      const typed = type(start(question(count)), text('15:00'))
      expect([typed.typing, wordsOf(typed), typed.form.entries[0]!.chosen]).toEqual([true, '15:00', []])
      expect(answered(typed)).toEqual({ id: 'q', selected: [], custom: '15:00' })
    }
  })

  it('whatever is typed is the text, unless it is the number of an option and nothing else', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('1', '2', '3', '0', '9', 'a', 'j', 'k', 'o', 'y', ':', '部'), minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 25 }), (typed, count) => {
      const panel = type(start(question(count)), text(typed))
      const isOption = /^[1-9]\d*$/.test(typed) && Number(typed) <= count
      expect([wordsOf(panel), panel.form.entries[0]!.chosen]).toEqual([isOption ? '' : typed, []])
      expect(panel.focus).toBe(isOption ? Number(typed) - 1 : count)
    }))
  })

  it('a number that no option has is text at once', () => {
    expect(wordsOf(type(start(question(3)), text('7')))).toBe('7')
    expect(wordsOf(type(start(question(3)), text('0')))).toBe('0')
  })

  it('a number is taken back as it would be in the text', () => {
    const back = type(start(question(12)), [...text('12'), backspace])
    expect([back.focus, wordsOf(back)]).toEqual([0, ''])
    expect(type(back, [backspace]).focus).toBe(12)
    expect(wordsOf(type(back, [{ name: 'paste', text: '5' }]))).toBe('15')
  })

  it('arrows, Tab and Esc after a jump are about the option', () => {
    const jumped = type(start(question(3)), text('2'))
    expect(type(jumped, [{ name: 'down' }, ...text('a')])).toMatchObject({ focus: 2, typing: false })
    expect(type(jumped, [escape]).over).toBe('cancel')
    expect(wordsOf(type(jumped, [{ name: 'up' }, ...text('a')]))).toBe('')
  })
})

it('inside a text that has characters a digit is one of them', () => {
  expect(wordsOf(type(inText(question(3)), text('a1')))).toBe('a1')
  expect(wordsOf(type(inText(question(3)), [...text('1a'), backspace, ...text('2')]))).toBe('12')
})

it('outside such a text it jumps, and the text stays', () => {
  const left = type(inText(question(3)), [...text('abc'), escape])
  const jumped = type(left, text('2'))
  expect([jumped.focus, jumped.typing, wordsOf(jumped)]).toEqual([1, false, 'abc'])
  expect(wordsOf(type(jumped, text(':')))).toBe('abc2:')
  expect(wordsOf(type(left, text('7')))).toBe('abc7')
})

it('Space after a number chooses on the row, and is a character in the text', () => {
  expect(type(onRow(question(3, true)), text('2 ')).form.entries[0]).toEqual({ chosen: [1], words: '' })
  expect(type(inText(question(3, true)), text('3 or 4 jobs')).form.entries[0]).toEqual({ chosen: [], words: '3 or 4 jobs' })
})

it('what an input method commits is text, and no Enter; the next Enter sends (case 8)', () => {
  const committed = type(inText(question(3)), text('部署到生产环境'))
  expect([wordsOf(committed), committed.form.submitted]).toEqual(['部署到生产环境', false])
  expect(type(committed, [enter]).form.submitted).toBe(true)
})
