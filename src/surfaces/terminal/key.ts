// What a person can press.

/** A key other than text. */
export type KeyName =
  | 'up' | 'down' | 'left' | 'right' | 'home' | 'end' | 'pageup' | 'pagedown' | 'tab' | 'backtab' | 'enter' | 'escape'
  | 'backspace' | 'delete' | 'erase-word' | 'erase-line' | 'interrupt' | 'suspend' | 'redraw' | 'unfold' | 'end-of-input'

/** One character typed, a text pasted (its line ends are line feeds), or another key pressed. */
export type Key = { readonly name: 'text' | 'paste', readonly text: string } | { readonly name: KeyName }
