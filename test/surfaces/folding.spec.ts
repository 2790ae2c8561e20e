// Long texts on a panel: folded with a key to open them, and readable in full all the same; and the labels of a page.
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import type { Key } from '../../src/surfaces/terminal/keys.ts'
import { newPanel, type Panel } from '../../src/surfaces/terminal/panel-state.ts'
import { seen, text, type } from '../helpers/panel.ts'

const open: Key = { name: 'unfold' }, down: Key = { name: 'down' }, tab: Key = { name: 'tab' }
/** A text of some length, whose words are all different. */
function longText(from: string, length: number): string {
  let all = ''
  for (let at = 0; all.length < length; at++) all += `${from}${at} `
  return all.slice(0, length)
}
const sizes = [{ columns: 80, rows: 24 }, { columns: 40, rows: 12 }, { columns: 200, rows: 60 }]

/** Every word that is seen on the way down with the arrow. */
function readDown(start: Panel, on: typeof sizes[number]): Set<string> {
  const words = new Set<string>()
  let panel = start
  for (let at = 0; at < 400; at++) {
    for (const word of seen(panel, 'en', on).split(/\s+/)) words.add(word)
    panel = type(panel, [down], on)
  }
  return words
}

describe.each(sizes)('at $columns x $rows', (on) => {
  const question = longText('q', 2000), first = longText('f', 2000), second = longText('s', 2000)
  const asked: AskUserQuestionItem = { id: 'q', question, options: [{ label: 'First', description: first }, { label: 'Second', description: second }] }

  it('a question and descriptions of 2,000 characters fold, and the last line names the key', () => {
    const shown = seen(newPanel([asked]), 'en', on)
    expect(shown).toContain('q0 q1')
    expect(shown).toMatch(/… \d+ more lines: Ctrl-O/)
    expect(shown).toContain('Ctrl-O open')
    expect(shown).toContain('> ( ) 1. First')
    expect(shown).not.toContain(question.trim().split(' ').at(-2))
    expect(seen(newPanel([asked]), 'zh', on)).toMatch(/…… 还有 \d+ 行：按 Ctrl-O 展开[^]*Ctrl-O 展开/)
  })

  it('the key opens them, and all of them can be read; pressed again, it folds them', () => {
    const opened = type(newPanel([asked]), [open], on)
    expect(seen(opened, 'en', on)).toContain('Ctrl-O fold')
    const words = readDown(opened, on)
    for (const one of [question, first, second]) expect(one.trim().split(' ').filter(word => !words.has(word))).toEqual([])
    expect(seen(type(opened, [open], on), 'en', on)).toMatch(/more lines: Ctrl-O[^]*> \( \) 1\. First[^]*Ctrl-O open/)
  })

  it('descriptions of 400 characters are never folded (case 29)', () => {
    for (const description of [longText('d', 400), '说明'.repeat(200)]) {
      const panel = newPanel([{ id: 'q', question: 'Which?', options: [{ label: 'First', description }, { label: 'Second', description }] }])
      expect(seen(panel, 'en', on)).not.toContain('Ctrl-O')
    }
  })

  it('the key works in the text, and writes nothing there', () => {
    const panel = newPanel([{ id: 'q', question }])
    expect(seen(panel, 'en', on)).toContain('Ctrl-O open')
    const typed = type(panel, [...text('a'), open, ...text('b')], on)
    expect([typed.form.entries[0]!.words, typed.unfolded]).toEqual(['ab', true])
  })

  it('the review folds the questions, not the answers', () => {
    const words = longText('w', 700)
    const review = type(newPanel([{ id: 'a', question }, { id: 'b', question: 'More?' }]), [{ name: 'paste', text: words }, tab, tab], on)
    const all = readDown(type(review, [{ name: 'home' }], on), on)
    expect(words.trim().split(' ').filter(word => !all.has(word))).toEqual([])
    expect(all.has(question.trim().split(' ').at(-2)!)).toBe(false)
    expect(seen(review, 'en', on)).toContain('Ctrl-O open')
  })
})

it('many short lines fold too', () => {
  const panel = newPanel([{ id: 'q', question: 'line\n'.repeat(40).trimEnd(), options: [{ label: 'A' }] }])
  expect(seen(panel)).toContain('… 36 more lines: Ctrl-O')
})

describe('the labels', () => {
  const several: AskUserQuestionItem = { id: 'q', question: 'Which?', multiSelect: true, options: [{ label: 'A' }] }

  it('"Review" has no checkbox, whatever is answered', () => {
    const panel = newPanel([several, { id: 'b', question: 'What?' }])
    for (const one of [panel, type(panel, [...text(' '), tab, tab])]) {
      const bar = seen(one).split('\n').find(line => line.includes('Review'))
      expect(bar).toMatch(/\[[ x]\] What\? .*[^\]]\s*>?Review\s*$/)
    }
  })

  it('own words beside several options are said to be another way', () => {
    expect(seen(newPanel([several]))).toContain('[ ] Or in your own words:')
    expect(seen(newPanel([several]), 'zh')).toContain('[ ] 或用自己的话回答：')
    expect(seen(newPanel([{ ...several, multiSelect: false }]))).toContain('( ) Other:')
  })

  it('the review is 核对 in Chinese', () => {
    expect(seen(newPanel([several]), 'zh')).toContain('核对')
  })

  it('nobody is offered a yes or no that is not an option (case 28)', () => {
    for (const lang of ['en', 'zh'] as const) expect(seen(newPanel([several]), lang)).not.toMatch(/y\/n|\byes\b|\bno\b/i)
  })

  it('of a multi-select choosing one sends nothing; one more and Submit send both (case 6)', () => {
    const panel = type(newPanel([{ ...several, options: [{ label: 'A' }, { label: 'B' }] }]), text(' j '))
    expect(panel.form.submitted).toBe(false)
    const sent = type(panel, [{ name: 'enter' }, { name: 'enter' }])
    expect([sent.form.submitted, sent.form.entries[0]!.chosen]).toEqual([true, [0, 1]])
  })
})
