// Long texts are shown folded, with a button that opens them. What stands above the button never moves.
import { h } from './dom.ts'
import type { PageTexts } from './texts.ts'

/** Whether a text has more characters or lines than can be read at a glance. */
export function isLong(text: string, characters: number, lines: number): boolean {
  return text.length > characters || text.split('\n').length > lines
}

/**
 * Fold an element.
 *
 * @param content has an id.
 * @param of the id of what tells this button from others on the page.
 * @returns the button.
 */
export function fold(content: HTMLElement, texts: PageTexts, of?: string): HTMLButtonElement {
  const button = h('button', {
    type: 'button', class: 'quiet unfold', 'aria-controls': content.id, 'aria-expanded': 'false', 'aria-describedby': of,
  }, texts.more)
  content.classList.add('folded')
  button.addEventListener('click', () => {
    const folded = content.classList.toggle('folded')
    button.setAttribute('aria-expanded', String(!folded))
    button.textContent = folded ? texts.more : texts.less
  })
  return button
}
