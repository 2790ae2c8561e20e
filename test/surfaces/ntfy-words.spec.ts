// Small parts of pushes and replies: cut texts, codes, and what a button sends.
import { describe, expect, it } from 'vitest'
import { readButton } from '../../src/surfaces/ntfy/button.ts'
import { splitCode } from '../../src/surfaces/ntfy/codes.ts'
import { cutToBytes, cutToColumns, fairShare } from '../../src/surfaces/ntfy/cut.ts'

describe('cutting', () => {
  it('never splits a character, and marks what it cut', () => {
    expect(cutToBytes('größer', 6)).toBe('gr…')
    expect(cutToBytes('🙂🙂🙂', 8)).toBe('🙂…')
    expect(cutToBytes('👨‍👩‍👧‍👦 family', 20)).toMatch(/^👨.*…$/u)
    expect(cutToBytes('fits', 4)).toBe('fits')
    expect(cutToBytes('anything', 2)).toBe('')
    expect(cutToColumns('部署部署', 6)).toBe('部署…')
  })

  it('shares what there is, the short ones whole', () => {
    expect(fairShare([5, 100, 100], 105)).toBe(50)
    expect(fairShare([5, 10], 15)).toBe(Infinity)
    expect(fairShare([5], -3)).toBe(0)
  })
})

describe('codes and buttons in replies', () => {
  it.each([
    ['z4k 2', '2'], ['Z4K: 2', '2'], ['z4k:2', '2'], ['ｚ４ｋ　２', '２'], ['  z4k)  two words ', 'two words '], ['z4k.', ''], ['z4k', ''], ['z4k：2', '2'],
    ['z4k\n2', '2'], ['z4k，后者', '后者'],
  ])('%j is for z4k', (reply, rest) => {
    expect(splitCode(reply)).toEqual({ code: 'z4k', rest })
  })

  it.each(['z4', 'a4k 2', 'z4a 2', 'z1k 2', 'zz4k 2', 'z4kx 2', '2 z4k', ''])('%j starts with no code', reply => {
    expect(splitCode(reply)).toBeUndefined()
  })

  it('what has a secret’s shape, also a broken one, is never words, and all else is', () => {
    const secret = 'A-_4567890123456789012'
    expect(readButton(`dsh-ask ${secret} 2`)).toEqual({ secret, position: 2 })
    for (const broken of [`${secret.slice(1)} 2`, `${secret}x 2`, secret, `${secret} 0`]) expect(readButton(`dsh-ask ${broken}`)).toEqual({ secret: '', position: 0 })
    for (const words of ['dsh-ask', 'dsh-ask 2', 'dsh-ask is fine', 'dsh-ask abc 2']) expect(readButton(words)).toBeUndefined()
    expect(readButton('dsh-asking for a friend')).toBeUndefined()
  })
})
