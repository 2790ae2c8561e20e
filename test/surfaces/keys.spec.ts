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

describe('keys as kitty and xterm report them when asked for more', () => {
  it.each([
    ['27u', 'escape'], ['13u', 'enter'], ['9u', 'tab'], ['9;2u', 'backtab'], ['127u', 'backspace'], ['127;3u', 'erase-word'], ['99;5u', 'interrupt'], ['122;5u', 'suspend'],
    ['27;5;99~', 'interrupt'], ['27;5;108~', 'redraw'], ['27;1;13~', 'enter'], ['27;1;27~', 'escape'], ['27;5;91~', 'escape'], ['99;69u', 'interrupt'], ['99;133u', 'interrupt'],
    ['57414u', 'enter'], ['57419u', 'up'], ['1;1A', 'up'], ['1;129B', 'down'], ['1;1:1C', 'right'], ['5;1:2~', 'pageup'], ['3;1~', 'delete'],
    ['97u', 'a'], ['97;2u', 'A'], ['50:34;2u', '"'], ['97;2;65u', 'A'], ['57400u', '1'], ['32u', ' '], ['228u', 'ä'], ['27;2;65~', 'A'], ['99;7u', 'interrupt'],
  ])('CSI %s is %s', (sequence, key) => {
    expect(names(decode(`${ESC}[${sequence}`))).toEqual([key])
    expect(names(decode(...`${ESC}[${sequence}`))).toEqual([key])
  })

  it.each(['97;3u', '97;9u', '99;5:3u', '13;5u', '13;3u', '57441u', '57358u', '1;5C', '1;1:3A', '1114112u', '55296u', '27;5;1114112~', '0u', '133u', '99999999999999999999u', '?1u', 'u'])(
    'CSI %s, released, with Alt, or no character, is nothing', sequence => expect(decode(`${ESC}[${sequence}`)).toEqual([]))
})

describe('what a terminal reports that is no key', () => {
  const REPORTS: Record<string, string> = {
    'a mouse, as xterm began': `${ESC}[M !!`, 'a mouse far right': `${ESC}[M \u00ff\u00ff`, 'a mouse, UTF-8': `${ESC}[M \u00c4\u0080!`, 'a mouse, SGR': `${ESC}[<35;10;5M`, 'a release, SGR': `${ESC}[<0;10;5m`,
    'a mouse, urxvt': `${ESC}[35;10;5M`, 'the focus': `${ESC}[I${ESC}[O`, 'DA1': `${ESC}[?62;1;6;9;15;22c`, 'DA2': `${ESC}[>0;276;0c`, 'DA3': `${ESC}P!|00000000${ESC}\\`,
    'the cursor': `${ESC}[12;40R`, 'the cursor at home': `${ESC}[1;1R`, 'its state': `${ESC}[0n`, 'a mode': `${ESC}[?2026;2$y`, 'the keyboard': `${ESC}[?1u`, 'a size': `${ESC}[8;24;80t`, 'a colour': `${ESC}]11;rgb:1e1e/1e1e/2e2e\u0007`,
    'a colour, with ST': `${ESC}]10;rgb:ffff/ffff/ffff${ESC}\\`, 'the clipboard': `${ESC}]52;c;aGVsbG8gd29ybGQ=${ESC}\\`, 'its version': `${ESC}P>|XTerm(390)${ESC}\\`, 'a capability': `${ESC}P1+r544e=787465726d${ESC}\\`,
    'an image': `${ESC}_Gi=31;OK${ESC}\\`, 'a title': `${ESC}]lvim${ESC}\\`, 'a window': `${ESC}]l\u00c3\u00a9${ESC}\\`,
  }

  it.each(Object.entries(REPORTS))('%s does nothing, whole or split anywhere, also where the line is slow', (_, report) => {
    const bytes = Buffer.from(report, 'latin1')
    expect(names(decode(Buffer.from('a'), bytes, Buffer.from('b')))).toEqual(['a', 'b'])
    expect(names(decode(Buffer.from('a'), ...Array.from(bytes, byte => Buffer.of(byte)), Buffer.from('b')))).toEqual(['a', 'b'])
    for (let at = 1; at < bytes.length; at++) expect(names(decode(bytes.subarray(0, at), bytes.subarray(at), Buffer.from('b')))).toEqual(['b'])
    // Longer than an escape alone waits.
    const decoder = new KeyDecoder()
    decoder.feed(bytes.subarray(0, 2))
    expect(decoder.pendingMs).toBeGreaterThan(200)
  })

  it('does not swallow the keys after one that never ends', () => {
    const decoder = new KeyDecoder()
    expect(names(decoder.feed(`${ESC}]11;rgb`))).toEqual([])
    // An interrupt is in no report.
    expect(names(decoder.feed('\u0003'))).toEqual(['interrupt'])
    expect(names(decoder.feed(`${ESC}]11;rgb${ESC}[A`))).toEqual(['up'])
    expect(names(decoder.feed(`${ESC}[12${ESC}[A`))).toEqual(['up'])
    expect(names(decoder.feed(`${ESC}[12\u0003`))).toEqual(['interrupt'])
    decoder.feed(`${ESC}]11;rgb`)
    decoder.flush()
    expect(names(decoder.feed('a'))).toEqual(['a'])
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

it('is decoded in a time that grows with its length, and no more of it is kept than an answer may have', () => {
  const times = [1, 16].map((factor) => {
    const bytes = Buffer.from(`${ESC}[200~${'部署 one two\r'.repeat(40_000 * factor)}${ESC}[201~`)
    const decoder = new KeyDecoder(), from = performance.now()
    for (let at = 0; at < bytes.length - 60_000; at += 60_000) expect(decoder.feed(bytes.subarray(at, at + 60_000))).toEqual([])
    const keys = decoder.feed(bytes.subarray(bytes.length - bytes.length % 60_000))
    expect(keys).toHaveLength(1)
    expect((keys[0] as { text: string }).text.length).toBeLessThan(600_000)
    return performance.now() - from
  })
  // 10 MB: it took 14 seconds.
  expect(times[1]).toBeLessThan(2000)
  // Not bracketed, it is one text all the same.
  expect(decode('x'.repeat(8192))).toEqual([{ name: 'paste', text: 'x'.repeat(8192) }])
  const decoder = new KeyDecoder()
  for (let at = 0; at < 200; at++) decoder.feed(`${at === 0 ? `${ESC}[` : ''}${'0'.repeat(60_000)}`)
  decoder.flush()
  expect(names(decoder.feed('a'))).toEqual(['a'])
})

it('is the same wherever the bytes are cut', () => {
  const piece = fc.constantFrom('a', 'é', '部', '👍', `${ESC}[A`, `${ESC}[5~`, `${ESC}OM`, `${ESC}[200~x\ry é${ESC}[201~`, `${ESC}[1;5C`, '\t', '\u0003', `${ESC}]11;rgb:0/0/0${ESC}\\`, `${ESC}[<0;1;1M`, `${ESC}[M !!`, `${ESC}[99;5u`, `${ESC}é`)
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
