// Makes elements. Text is only ever set as text: nothing in this page turns a string into markup.
import { type Markup, renderInline } from './markdown.ts'

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

/** Make a field as tall as what is written in it. It has to stand on the page. */
export function fitField(field: HTMLTextAreaElement): void {
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight + 2}px`
}

/** A text from outside, whose direction must not affect the text around it. */
export function foreign(className: string, text: string, id?: string): HTMLElement {
  return h('span', { class: className, dir: 'auto', id }, text)
}

/**
 * The same with its marks rendered.
 *
 * @param links whether links can be followed.
 */
export function foreignMarks(className: string, text: string, links: boolean, id?: string): HTMLElement {
  return h('span', { class: className, dir: 'auto', id }, ...nodesOf(renderInline(text, links)))
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
