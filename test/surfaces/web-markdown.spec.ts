// Markdown from an agent becomes a tree of harmless elements; nothing is lost, nothing comes to life.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../src/surfaces/web/markdown.ts'
import type { Markup } from '../../src/surfaces/web/wire.ts'

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
