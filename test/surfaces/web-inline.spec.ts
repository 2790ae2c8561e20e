// The marks in a question and in a description: rendered, or left alone where they are none.
import { describe, expect, it } from 'vitest'
import { type Markup, plainText, renderInline } from '../../src/surfaces/web/page/markdown.ts'

const html = (markup: readonly Markup[]): string =>
  markup.map(piece => typeof piece === 'string' ? piece : `<${piece.tag}>${html(piece.children)}</${piece.tag}>`).join('')

describe('renderInline', () => {
  it.each([
    ['Use **Postgres** or `SQLite`?', 'Use <strong>Postgres</strong> or <code>SQLite</code>?'],
    ['*now* ~~later~~', '<em>now</em> <del>later</del>'],
    ['## Which one?\nand **why**', '<strong>Which one?</strong>\nand <strong>why</strong>'],
    ['请选择**数据库**', '请选择<strong>数据库</strong>'],
    ['see [the plan](https://example.com/plan)', 'see <a>the plan</a>'],
    ['`a` and\n\n- b\n1. c', '<code>a</code> and\n\n- b\n1. c'],
  ])('%j', (source, wanted) => {
    expect(html(renderInline(source, true))).toBe(wanted)
  })

  it.each([
    'src/**/*.ts and lib/**/*.js', '__init__.py', 'a * b * c', '2 ** 3 ** 4', 'snake_case_name', '<b>x</b> &amp', '#include', '**', '`', 'x'.repeat(3000),
  ])('keeps its characters: %s', (source) => {
    expect(plainText(source)).toBe(source)
  })

  it('without links shows where they would go, and an address once', () => {
    expect(html(renderInline('[plan](https://example.com/p) or https://example.com/q', false))).toBe('plan (https://example.com/p) or https://example.com/q')
    expect(plainText('**[plan](https://example.com/p)**')).toBe('plan (https://example.com/p)')
  })

  it('costs what it is long, whatever it is', () => {
    const started = performance.now()
    for (const piece of ['**a ', '[', '`', '__a__ ', '*a**', '![', 'a@']) expect(plainText(`${piece.repeat(300)}\n`.repeat(8)).length).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(3000)
  })
})
