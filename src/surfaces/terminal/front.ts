// What the terminal says while the process may be in the background: nothing then, and what was to be said once it is back.
import type { Foreground } from './foreground.ts'
import type { Output } from './screen.ts'

/** Follows the foreground as long as something is to be shown or said. */
export class Front {
  readonly #foreground: Foreground
  readonly #output: Output
  readonly #onChange: (isHere: boolean) => void
  #unsaid: string[] = []
  #wasHere = true
  #unwatch: (() => void) | undefined

  /** @param onChange called when the process has gone to the foreground or to the background, while that is followed. */
  constructor(foreground: Foreground, output: Output, onChange: (isHere: boolean) => void) {
    this.#foreground = foreground
    this.#output = output
    this.#onChange = onChange
  }

  /** Whether the process is in the foreground. */
  get isHere(): boolean {
    return this.#foreground.isHere()
  }

  /** The same, as it was when `onChange` was called last. */
  get wasHere(): boolean {
    return this.#wasHere
  }

  /** Print a line, now or when the process is back. */
  say(text: string): void {
    if (this.isHere) return void this.#output.write(`${text}\n`)
    this.#unsaid.push(text)
    this.follow()
  }

  /** Follow the foreground from now on. */
  follow(): void {
    if (!this.#unwatch) this.#wasHere = this.isHere
    this.#unwatch ??= this.#foreground.watch(this.#look)
  }

  /** No question is open: what is still to be said is all there is to wait for. */
  rest(): void {
    if (this.#unsaid.length > 0) return
    this.#unwatch?.()
    this.#unwatch = undefined
  }

  /** Wait for nothing any longer. */
  close(): void {
    this.#unsaid = []
    this.rest()
  }

  readonly #look = (): void => {
    const { isHere } = this
    if (isHere === this.#wasHere) return
    this.#wasHere = isHere
    if (isHere) for (const line of this.#unsaid.splice(0)) this.#output.write(`${line}\n`)
    this.#onChange(isHere)
  }
}
