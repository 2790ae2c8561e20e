// Both languages say the same things of the same things.
import { describe, expect, it } from 'vitest'
import { phoneTexts } from '../../src/surfaces/ntfy/texts.ts'

const keys = Object.keys(phoneTexts.en) as (keyof typeof phoneTexts.en)[]

describe('the phone’s texts', () => {
  it('exist in both languages', () => {
    expect(Object.keys(phoneTexts.zh)).toEqual(keys)
  })

  it.each(keys)('%s names all that it is given, in both', key => {
    for (const texts of [phoneTexts.en, phoneTexts.zh]) {
      const text: unknown = texts[key]
      const given = ['⟨1⟩', '⟨2⟩', '⟨3⟩', '⟨4⟩'].slice(0, typeof text === 'function' ? text.length : 0)
      const said = typeof text === 'function' ? String(text(...given)) : String(text)
      for (const value of given) expect(said).toContain(value)
    }
    // In Chinese nothing stands between two sentences.
    expect(key === 'space' || phoneTexts.zh[key] !== '').toBe(true)
  })
})
