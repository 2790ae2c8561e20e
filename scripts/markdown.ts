// Reads the documents: their links, headings and code, for the test of the documents and the check of the tarball.
import { marked, type Token, type Tokens } from 'marked'

/** What is read of one page. */
export interface Page {
  /** Targets of links and pictures, as they are written. */
  readonly links: readonly string[]
  /** The level of each heading, in their order. */
  readonly levels: readonly number[]
  /** What may stand behind the `#` of a link to this page. */
  readonly anchors: ReadonlySet<string>
  readonly code: readonly { readonly lang: string, readonly text: string }[]
}

/** Read a page. */
export function readPage(text: string): Page {
  const links: string[] = [], levels: number[] = [], code: { lang: string, text: string }[] = []
  const anchors = new Set<string>()
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push((token as Tokens.Link).href)
    else if (token.type === 'html') links.push(...Array.from((token as Tokens.HTML).raw.matchAll(/\b(?:src|href)="([^"]*)"/g), ([, target]) => target!))
    else if (token.type === 'code') code.push({ lang: (token as Tokens.Code).lang ?? '', text: token.text as string })
    else if (token.type === 'heading') {
      levels.push((token as Tokens.Heading).depth)
      anchors.add(free(anchorOf(textOf((token as Tokens.Heading).tokens)), anchors))
    }
  })
  return { links, levels, anchors, code }
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(token => 'tokens' in token && token.tokens ? textOf(token.tokens) : (token as Tokens.Text).text).join('')
}

/** By GitHub's rule: lower case, letters, digits, `_` and `-` stay, a space becomes `-`. */
function anchorOf(heading: string): string {
  return heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-')
}

/** The second of the same name has `-1` behind it, and so on. */
function free(anchor: string, taken: ReadonlySet<string>): string {
  if (!taken.has(anchor)) return anchor
  for (let count = 1; ; count++) if (!taken.has(`${anchor}-${count}`)) return `${anchor}-${count}`
}

/** Whether a link leads to a file of this repository. */
export function isRelative(link: string): boolean {
  return !/^[a-z][a-z+.-]*:|^\/\//i.test(link)
}
