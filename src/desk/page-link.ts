// The page in the desk: its link is part of the desk's own line.
import type { Context, Plugin } from '@deepseek-ai/cordis'
import type { apply } from '../surfaces/web/index.ts'
import type { LoadedRow } from './load.ts'

type WebPlugin = Plugin.Object & { readonly apply: typeof apply }

const PAGE = 'dsh-ask-router/web'

/** Takes the place of the terminal for what the page says at its start. */
export class PageLink {
  readonly #print: (line: string) => void
  readonly #onLink: () => void
  #wrapped: Plugin | undefined
  /** The page's link, once it is served. A secret. */
  current: string | undefined

  /**
   * @param print takes the page's warnings.
   * @param onLink is called when the page is served at another link than before.
   */
  constructor(print: (line: string) => void, onLink: () => void) {
    this.#print = print
    this.#onLink = onLink
  }

  /** The row with a page that speaks to us; other rows as they are. */
  wrap(row: LoadedRow): LoadedRow {
    if (row.name !== PAGE) return row
    const web = row.plugin as WebPlugin
    // Always the same object: cordis knows a plugin by its `apply`.
    this.#wrapped ??= {
      ...web,
      apply: (ctx: Context, config: unknown) => web.apply(ctx, config, (line, link) => link === undefined ? this.#print(line) : this.#take(link)),
    }
    return { ...row, plugin: this.#wrapped }
  }

  #take(link: string): void {
    if (link === this.current) return
    this.current = link
    this.#onLink()
  }
}
