// Turns Markdown from an agent into a tree of a few harmless elements, here in the browser: the host has better things to do.
// HTML is never produced: markup in the source is text, an image becomes a link, and a link that does not go to http, https
// or mailto is text. What it costs grows with the length of the source and not with its square.
import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from 'marked'

/** The elements that Markdown becomes. The page makes each with `createElement`, so there can be no others. */
export type MarkupTag =
  | 'p' | 'heading' | 'pre' | 'code' | 'blockquote' | 'ul' | 'ol' | 'li' | 'strong' | 'em' | 'del' | 'a' | 'br' | 'hr'
  | 'table' | 'tr' | 'th' | 'td'

/** A piece of rendered Markdown: a text, or an element of {@link MarkupTag}. */
export type Markup = string | MarkupElement

/** An element of rendered Markdown. */
export interface MarkupElement {
  readonly tag: MarkupTag
  readonly children: readonly Markup[]
  /** The address of a link, whose scheme is http, https or mailto. */
  readonly href?: string
  /** The first number of an ordered list. */
  readonly start?: number
}

/** A longer piece without an empty line is shown as it is: the parser takes time with the square of its length. */
const MAX_PIECE = 4000
/** Pieces are not cut smaller than this for no reason. */
const MIN_PIECE = 1000

/** Deeper nesting is shown as it is. */
const MAX_DEPTH = 20

/** A table with more cells is shown as it is: short lines make as many cells as the longest. */
const MAX_CELLS = 2000

/** Agents write of files and names as much as they write Markdown: `src/**\/*.ts` and `__init__.py` keep their characters. */
class AgentTokenizer extends Tokenizer {
  override emStrong(source: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    if (/[\w/\\.*]/.test(masked.at(-source.length - 1) ?? '') || /^[*_]+[/.]/.test(source)) return undefined
    const token = super.emStrong(source, masked, before)
    if (token === undefined || /^__\w+__$/.test(token.raw)) return undefined
    const goesOn = /^([/\\(]|\.[\w*])/.test(source.slice(token.raw.length)) || /[,/\\(][*_]+\S/.test(source.slice(token.raw.length - 4, token.raw.length + 1))
    return goesOn ? undefined : token
  }

  /** One `~` is a home folder, or "about". */
  override del(source: string, masked: string, before?: string): Tokens.Del | undefined {
    return source.startsWith('~~') ? super.del(source, masked, before) : undefined
  }

  /** None: a few of them would make a long address out of each word. */
  override def(): undefined {}

  override table(source: string): Tokens.Table | undefined {
    const lines = source.split('\n', MAX_CELLS)
    return lines.length * lines[0]!.split('|').length > MAX_CELLS ? undefined : super.table(source)
  }
}

/**
 * Render Markdown.
 *
 * @param source has passed through `visible`.
 * @returns its blocks; what is too long or nested too deep as it is, preformatted.
 */
export function renderMarkdown(source: string): Markup[] {
  return piecesOf(source).flatMap(piece => {
    const [, code] = /^(?:`{3,}|~{3,}).*\n([^]*?)\n?(?:`{3,}|~{3,})\s*$/.exec(piece) ?? []
    if (code !== undefined) return [element('pre', [code])]
    if (piece.length > MAX_PIECE) return [element('pre', [piece])]
    try {
      return blocks(new Lexer({ ...getDefaults(), tokenizer: new AgentTokenizer() }).lex(piece), 0)
    } catch {
      // Nested too deep for the parser, or for us.
      return [element('pre', [piece])]
    }
  })
}

/** Cuts Markdown where a block must end: before and after a fence of code, and at an empty line unless a list may go on. */
function piecesOf(source: string): string[] {
  const pieces: string[] = []
  let piece = ''
  let fence: RegExp | undefined
  const cut = () => {
    if (piece.trim() !== '') pieces.push(piece)
    piece = ''
  }
  for (const line of source.split('\n')) {
    if (fence?.test(line)) {
      fence = undefined
      piece += `${line}\n`
      if (!line.startsWith(' ')) cut()
      continue
    }
    const [, indent, marks] = (fence === undefined && /^( *)(`{3,}(?!.*`)|~{3,})/.exec(line)) || []
    if (marks !== undefined) fence = new RegExp(`^ *${marks[0]}{${marks.length},}\\s*$`)
    const mayCut = piece.length > MIN_PIECE && piece.endsWith('\n\n') && !/^(\s|$|[-*+>|]|\d+[.)])/.test(line)
    if (indent === '' || (mayCut && fence === undefined)) cut()
    piece += `${line}\n`
  }
  cut()
  return pieces.map(one => one.replace(/\n$/, ''))
}

function blocks(tokens: readonly Token[], depth: number): Markup[] {
  if (depth > MAX_DEPTH) throw new RangeError('Markdown is nested too deep')
  return tokens.flatMap(token => render(token, depth + 1))
}

function render(token: Token, depth: number): Markup[] {
  const inside = () => blocks((token as Tokens.Generic).tokens ?? [], depth)
  switch (token.type) {
    case 'space': case 'checkbox': return []
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
