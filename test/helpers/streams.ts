// A terminal that a test holds: what is typed and what is written.
import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'

/** A terminal's input. */
export class FakeInput extends EventEmitter {
  isTTY = true
  isRaw = false
  flowing = false
  get readableFlowing() {
    return this.flowing
  }
  setRawMode(raw: boolean) {
    this.isRaw = raw
  }
  resume() {
    this.flowing = true
  }
  pause() {
    this.flowing = false
  }
}

/** A terminal's output, and what was written to it. */
export class FakeOutput extends Writable {
  isTTY = true
  columns = 80
  rows = 24
  written = ''
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.written += chunk.toString()
    done()
  }
}
