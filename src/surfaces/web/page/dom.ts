// Makes elements. Text is only ever set as text: nothing in this page turns a string into markup.
import type { Markup } from './markdown.ts'

/** What can stand inside an element. */
export type Child = Node | string | undefined

/**
 * Make an element.
 *
 * @param attributes by name; `undefined` leaves one out.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Readonly<Record<string, string | undefined>> = {}, ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value)
  element.append(...children.filter(child => child !== undefined))
  return element
}

let ids = 0

/** An id that no other element of the page has. */
export function newId(): string {
  return `e${++ids}`
}

/** A text from outside, whose direction must not affect the text around it. */
export function foreign(className: string, text: string, id?: string): HTMLElement {
  return h('span', { class: className, dir: 'auto', id }, text)
}

/** Rendered Markdown as nodes. */
export function nodesOf(markup: readonly Markup[]): Node[] {
  return markup.map(piece => {
    if (typeof piece === 'string') return document.createTextNode(piece)
    const { tag, children, href, start } = piece
    if (tag === 'heading') return h('p', { class: 'heading', dir: 'auto' }, ...nodesOf(children))
    const link = tag === 'a' ? { href, title: href, target: '_blank', rel: 'noopener noreferrer' } : {}
    const inline = ['a', 'strong', 'em', 'del', 'code', 'br'].includes(tag)
    return h(tag, { ...link, start: start?.toString(), dir: inline ? undefined : 'auto' }, ...nodesOf(children))
  })
}
