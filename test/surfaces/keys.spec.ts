// From bytes to keys, however the bytes are cut.
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type Key, KeyDecoder } from '../../src/surfaces/terminal/keys.ts'

// Thousands of cases on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const ESC = '\u001B'

function decode(...chunks: (string | Buffer)[]): Key[] {
  const decoder = new KeyDecoder()
  return [...chunks.flatMap(chunk => decoder.feed(chunk)), ...decoder.flush()]
}

const names = (keys: readonly Key[]) => keys.map(key => 'text' in key ? key.text : key.name)

describe('keys', () => {
  it('are known by the sequences of many terminals', () => {
    expect(names(decode(`${ESC}[A${ESC}OB${ESC}[C${ESC}OD${ESC}[H${ESC}[4~${ESC}[5~${ESC}[6~${ESC}[3~${ESC}[Z`)))
      .toEqual(['up', 'down', 'right', 'left', 'home', 'end', 'pageup', 'pagedown', 'delete', 'backtab'])
    expect(names(decode('\r\t\u007F\b\u0001\u0005\u0003\u001A\u000C\u0015\u0017\u000F')))
      .toEqual(['enter', 'tab', 'backspace', 'backspace', 'home', 'end', 'interrupt', 'suspend', 'redraw', 'erase-line', 'erase-word', 'unfold'])
  })

  it('that are unknown are nothing, and no part of them is text', () => {
    expect(decode(`${ESC}[1;5C${ESC}[15~${ESC}[[A${ESC}OP${ESC}x${ESC}\r${ESC}[I${ESC}]11;rgb:0/0/0${ESC}\\${ESC}P1$r\u0007${ESC}[>0;276;0c\u0000`)).toEqual([])
  })

  it('an escape alone is a key once nothing follows, and a held one is many', () => {
    const decoder = new KeyDecoder()
    expect(decoder.feed(ESC)).toEqual([])
    expect(decoder.pendingMs).toBe(50)
    expect(decoder.flush()).toEqual([{ name: 'escape' }])
    expect(decoder.pendingMs).toBeUndefined()
    expect(names(decode(ESC.repeat(4)))).toEqual(Array(4).fill('escape'))
    expect(names(decode(`${ESC}${ESC}[A`))).toEqual(['escape', 'up'])
  })

  it('Alt with y is no y, Alt with Ctrl-C still interrupts', () => {
    expect(decode(`${ESC}y`)).toEqual([])
    expect(names(decode(`${ESC}\u0003`))).toEqual(['interrupt'])
  })

  it('the start of a sequence that never ends is nothing', () => {
    expect(decode(`${ESC}[`)).toEqual([])
    expect(decode(`${ESC}]0;title`)).toEqual([])
  })
})

describe('a paste', () => {
  it('is one text with line feeds, whatever stands in it', () => {
    expect(decode(`${ESC}[200~a\r\nb\rc\u0003${ESC}[A${ESC}[201~d`)).toEqual([{ name: 'paste', text: `a\nb\nc\u0003${ESC}[A` }, { name: 'text', text: 'd' }])
  })

  it('that the terminal never ends does not swallow the keys after it for ever', () => {
    const decoder = new KeyDecoder()
    expect(decoder.feed(`${ESC}[200~abc`)).toEqual([])
    expect(decoder.pendingMs).toBe(1000)
    expect(decoder.flush()).toEqual([{ name: 'paste', text: 'abc' }])
    expect(names(decoder.feed('\u0003'))).toEqual(['interrupt'])
  })

  it('of lines that is not bracketed is known by their coming at once; two Enters are two Enters', () => {
    expect(decode('one\rtwo\r')).toEqual([{ name: 'paste', text: 'one\ntwo\n' }])
    // A key that comes with them is one all the same.
    expect(names(decode('one\rtwo\u0003'))).toEqual(['one\ntwo', 'interrupt'])
    expect(names(decode(`one\rtwo${ESC}[A`))).toEqual(['one\ntwo', 'up'])
    expect(names(decode('\r\r'))).toEqual(['enter', 'enter'])
    expect(names(decode('ab\r'))).toEqual(['a', 'b', 'enter'])
  })
})

it('is the same wherever the bytes are cut', () => {
  const piece = fc.constantFrom('a', 'é', '部', '👍', `${ESC}[A`, `${ESC}[5~`, `${ESC}OM`, `${ESC}[200~x\ry é${ESC}[201~`, `${ESC}[1;5C`, '\t', '\u0003')
  fc.assert(fc.property(fc.array(piece, { maxLength: 8 }), fc.infiniteStream(fc.integer({ min: 1, max: 4 })), (pieces, cuts) => {
    const bytes = Buffer.from(pieces.join(''))
    const chunks: Buffer[] = []
    for (let at = 0; at < bytes.length;) {
      const { value } = cuts.next()
      chunks.push(bytes.subarray(at, at + value))
      at += value
    }
    expect(decode(...chunks)).toEqual(decode(bytes))
  }), { numRuns: 500 })
})
