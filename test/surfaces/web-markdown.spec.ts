// Markdown from an agent becomes a tree of harmless elements; nothing is lost, nothing comes to life.
import * as fc from 'fast-check'
import { Lexer } from 'marked'
import { describe, expect, it, vi } from 'vitest'
import { type Markup, renderMarkdown } from '../../src/surfaces/web/page/markdown.ts'

const textOf = (markup: readonly Markup[]): string => markup.map(piece => typeof piece === 'string' ? piece : textOf(piece.children)).join('')
const elements = (markup: readonly Markup[]): Exclude<Markup, string>[] =>
  markup.flatMap(piece => typeof piece === 'string' ? [] : [piece, ...elements(piece.children)])

describe('renderMarkdown', () => {
  it('knows what people write', () => {
    const tags = elements(renderMarkdown(
      '# A\n\nb **c** *d* ~~e~~ `f`  \ng\n\n> h\n\n3. i\n4. j\n\n- [x] k\n- l\n\n---\n\n```ts\nm\n```\n\n| n |\n|---|\n| o |\n'))
    expect(new Set(tags.map(({ tag }) => tag))).toEqual(new Set([
      'heading', 'p', 'strong', 'em', 'del', 'code', 'br', 'blockquote', 'ol', 'ul', 'li', 'hr', 'pre', 'table', 'tr', 'th', 'td',
    ]))
    expect(tags.find(({ tag }) => tag === 'ol')?.start).toBe(3)
    expect(textOf(tags.filter(({ tag }) => tag === 'ul'))).toBe('☑ kl')
  })

  it.each([
    ['<img src=x onerror=1>'], ['a <b onclick="x">b</b>'], ['<script>alert(1)</script>'], ['<!-- x -->'],
  ])('markup is text: %s', (source) => {
    expect(textOf(renderMarkdown(source))).toContain(source)
  })

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', '//example.com', '/local', 'file:///x', 'vbscript:x'])(
    'no link goes to %s', (href) => {
      const rendered = renderMarkdown(`[text](${href}) ![image](${href})`)
      expect(elements(rendered).filter(({ tag }) => tag === 'a')).toEqual([])
      expect(textOf(rendered)).toContain(`[text](${href})`)
    })

  it('an image is a link, and a link keeps its text', () => {
    const rendered = renderMarkdown('![picture](https://example.com/?a&amp;b) [b](mailto:c@example.com)')
    expect(elements(rendered).filter(({ tag }) => tag === 'a')).toEqual([
      { tag: 'a', children: ['picture'], href: 'https://example.com/?a&b' },
      { tag: 'a', children: ['b'], href: 'mailto:c@example.com' },
    ])
  })

  it('entities are what they stand for, unless that is hidden', () => {
    expect(textOf(renderMarkdown('a &lt;b&gt; &amp;amp; &amp;lt; &#x41;&#66; &#x202e; &#7; &unknown; &#x110000; `&lt;`')))
      .toBe('a <b> &amp; &lt; AB &#x202e; &#7; &unknown; &#x110000; &lt;')
  })

  it.each([
    'src/**/*.ts and test/**/*.ts', '**/*.ts and **/*.js', '*.ts, *.js, x*', '*-test.ts,*-spec.ts', 'see __init__.py', '__init__ and __all__', '__init__()', 'a_*.py, b_*.py',
    '~/a and ~/b', '~5, then ~6~', 'f(*args, **kwargs)', '2**3**4', 'lib/*/x/*/y', '*.{ts,js}*.x', '*foo*.ts', 'snake_case_name',
  ])('paths and names keep their characters: %s', source => {
    expect(renderMarkdown(source)).toEqual([{ tag: 'p', children: [source] }])
  })

  it.each([
    ['**Note:** x', 'strong', 'Note:'], ['a **b**, c', 'strong', 'b'], ['这是**重点**内容', 'strong', '重点'], ['(*b*)', 'em', 'b'], ['_b c_.', 'em', 'b c'],
    ['__b c__', 'strong', 'b c'], ['"**b**"', 'strong', 'b'], ['~~b~~', 'del', 'b'], ['**`src/**`** x', 'code', 'src/**'], ['**b**: c', 'strong', 'b'],
  ])('emphasis is seen: %s', (source, tag, text) => {
    expect(elements(renderMarkdown(source)).filter(one => one.tag === tag).map(one => textOf([one]))).toEqual([text])
  })

  it('a list, a table or a fence that has empty lines in it stays one, and what follows is read too', () => {
    const source = 'a\n\n1. b\n\n2. c\n\n   d\n\n```js\ne\n\n**f**\n```\n**g**\n~~~\nh\n~~~\n\n- i\n  ```\n  j\n\n  k\n  ```\n- l'
    expect(renderMarkdown(source).map(one => typeof one === 'string' ? one : `${one.tag} ${textOf([one])}`))
      .toEqual(['p a', 'ol bcd', 'pre e\n\n**f**', 'p g', 'pre h', 'ul ij\n\nkl'])
  })

  const LONG = 50_000
  const repeat = (piece: string) => piece.repeat(Math.ceil(LONG / piece.length)).slice(0, LONG)
  it.each([
    ['references', `${'[x] '.repeat(9000)}\n\n[x]: https://example.com/${'y'.repeat(10_000)}`], ['references in small pieces', repeat(`${'[x] '.repeat(500)}\n[x]: https://e.com/${'y'.repeat(1500)}\n\n`)],
    ['strong', repeat('__a__')], ['lists', repeat('- ')], ['letters and an @', `${'x'.repeat(49_000)}@`], ['quotes', repeat('> ')], ['open emphasis', repeat('*a _b ')],
    ['a wide table', `${'|a'.repeat(400)}|\n${'|-'.repeat(400)}|\n${'x\n'.repeat(1000)}`], ['tables', repeat(`${'|a'.repeat(20)}|\n${'|-'.repeat(20)}|\n${'x\n'.repeat(900)}\n`)],
    ['brackets', repeat('[')], ['links', repeat('[a](b')], ['fences', repeat('```\n')], ['code', repeat('`a')], ['lines', repeat('a\n\n')], ['images', repeat('![a](https://e.com/x)')],
  ])('costs what it is long: %s', (_what, source) => {
    // Counted, for time says little on a busy machine: the parser has small pieces, and what comes of them is no more than they are.
    const lex = vi.spyOn(Lexer.prototype, 'lex')
    const rendered = renderMarkdown(source)
    const pieces = lex.mock.calls.map(([piece]) => piece.length)
    lex.mockRestore()
    expect(Math.max(0, ...pieces)).toBeLessThanOrEqual(4000)
    expect(pieces.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(source.length + 1)
    const all = elements(rendered)
    expect(all.length).toBeLessThanOrEqual(source.length + 1)
    expect(textOf(rendered).length + all.reduce((sum, { href = '' }) => sum + href.length, 0)).toBeLessThanOrEqual(3 * source.length)
  })

  it('what is too deep or too long is shown as it is', () => {
    for (const source of ['> '.repeat(30) + 'x', '> '.repeat(20_000) + 'x', '*a _b '.repeat(2000), 'x'.repeat(60_000)]) {
      expect(textOf(renderMarkdown(source)).length).toBeGreaterThan(0)
    }
    expect(renderMarkdown('> '.repeat(30) + 'x')).toEqual([{ tag: 'pre', children: ['> '.repeat(30) + 'x'] }])
  })

  it('never throws, and makes no other elements', () => {
    const piece = fc.constantFrom('# ', '> ', '- ', '1. ', '*', '_', '`', '```', '|', '---', '\n', '\n\n', '[', '](', ')', '<b>', '&lt;', '!', 'x', ' ', '\\')
    fc.assert(fc.property(fc.oneof(fc.string(), fc.array(piece, { maxLength: 60 }).map(parts => parts.join(''))), source => {
      for (const { tag, href } of elements(renderMarkdown(source))) {
        expect(tag).toMatch(/^(p|heading|pre|code|blockquote|ul|ol|li|strong|em|del|a|br|hr|table|tr|th|td)$/)
        expect(href ?? 'https:').toMatch(/^(https?|mailto):/)
      }
    }))
  })
})
