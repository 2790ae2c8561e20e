// Turns Markdown from an agent into a tree of a few harmless elements. HTML is never produced: markup in the source is
// text, an image becomes a link, and a link that does not go to http, https or mailto is text.
import { lexer, type Token, type Tokens } from 'marked'
import type { Markup, MarkupElement, MarkupTag } from './wire.ts'

/** Longer sources are shown as they are: parsing them would block the host. */
const MAX_LENGTH = 50_000

/** Deeper nesting is shown as it is. */
const MAX_DEPTH = 20

/**
 * Render Markdown.
 *
 * @param source has passed through `visible`.
 * @returns its blocks; the source as one preformatted block when it is too long or nested too deep.
 */
export function renderMarkdown(source: string): Markup[] {
  if (source.length > MAX_LENGTH) return [element('pre', [source])]
  try {
    return blocks(lexer(source), 0)
  } catch {
    // Nested too deep for the parser, or for us.
    return [element('pre', [source])]
  }
}

function blocks(tokens: readonly Token[], depth: number): Markup[] {
  if (depth > MAX_DEPTH) throw new RangeError('Markdown is nested too deep')
  return tokens.flatMap(token => render(token, depth + 1))
}

function render(token: Token, depth: number): Markup[] {
  const inside = () => blocks((token as Tokens.Generic).tokens ?? [], depth)
  switch (token.type) {
    case 'space': case 'def': case 'checkbox': return []
    case 'paragraph': return [element('p', inside())]
    case 'heading': return [element('heading', inside())]
    case 'code': return [element('pre', [token.text])]
    case 'blockquote': return [element('blockquote', inside())]
    case 'list': return [list(token as Tokens.List, depth)]
    case 'table': return [table(token as Tokens.Table, depth)]
    case 'hr': return [element('hr', [])]
    case 'br': return [element('br', [])]
    case 'strong': case 'em': case 'del': return [element(token.type, inside())]
    case 'codespan': return [element('code', [token.text])]
    case 'escape': return [token.text]
    case 'link': return [link(token.href, inside(), token.raw)]
    case 'image': return [link(token.href, [token.text || token.href], token.raw)]
    case 'text': return token.tokens ? inside() : [withEntities(token.raw)]
    default: return [token.raw]
  }
}

function element(tag: MarkupTag, children: readonly Markup[]): MarkupElement {
  return { tag, children }
}

function list({ ordered, start, items }: Tokens.List, depth: number): MarkupElement {
  const children = items.map(({ task, checked, tokens }) => {
    const content = blocks(tokens, depth + 1)
    return element('li', task ? [checked ? '\u2611 ' : '\u2610 ', ...content] : content)
  })
  return ordered ? { ...element('ol', children), start: Number(start) || 1 } : element('ul', children)
}

function table({ header, rows }: Tokens.Table, depth: number): MarkupElement {
  const row = (tag: MarkupTag, cells: readonly Tokens.TableCell[]) =>
    element('tr', cells.map(({ tokens }) => element(tag, blocks(tokens, depth))))
  return element('table', [row('th', header), ...rows.map(cells => row('td', cells))])
}

function link(href: string, children: readonly Markup[], raw: string): Markup {
  const address = withEntities(href)
  const target = URL.canParse(address) ? new URL(address) : undefined
  if (target === undefined || !['http:', 'https:', 'mailto:'].includes(target.protocol)) return raw
  return { ...element('a', children), href: target.href }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: '\'', nbsp: '\u00a0' }

/** Resolves common entities: marked leaves them to the browser, which only gets text here. */
function withEntities(text: string): string {
  return text.replaceAll(/&(#\d{1,6}|#x[\da-f]{1,5}|[a-z]{2,4});/gi, (raw, name: string) => {
    if (!name.startsWith('#')) return NAMED[name] ?? raw
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    // An entity must not bring back what `visible` has taken out.
    return code >= 0x20 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(String.fromCodePoint(code)) ? String.fromCodePoint(code) : raw
  })
}
