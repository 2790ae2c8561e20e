// What people make up is told from what was made by chance, without a word list.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { guessBits } from '../../src/surfaces/secret-strength.ts'

/** Bytes by chance, the same in every run. */
const chance = (seed: string, bytes: number) => createHash('sha512').update(seed).digest().subarray(0, bytes)
const ALNUM = 'abcdefghijklmnopqrstuvwxyz0123456789'
const alnum = (seed: string, length: number) => Array.from(chance(seed, length), byte => ALNUM[byte % 36]).join('')

/** The weakest of many that were made by chance. */
const weakest = (make: (seed: string) => string) => Math.min(...Array.from({ length: 300 }, (_, at) => guessBits(make(String(at)))))

describe('guessBits', () => {
  it.each([
    '1q2w3e4r5t6y7u8i', 'jan01feb02mar03apr04', 'a1b2c3d4e5f6g7h8', 'a1a1a1a1a1a1a1a1a1', '1qaz2wsx3edc4rfv5tgb', 'mon1tue2wed3thu4fri5',
    'qwertyuiop1234567890', '12345678901234567890123456789012', '0123456789abcdef0123456789abcdef', 'deadbeefdeadbeefdeadbeefdeadbeef',
    'abcabcabc123123123abc', 'jan2024feb2024mar2024', 'qwe123asd456zxc789', 'p4ssw0rd-p4ssw0rd-p4ssw0rd', 'a'.repeat(64), '',
  ])('%s is hardly a secret', secret => {
    expect(guessBits(secret)).toBeLessThan(45)
  })

  it.each([
    'correct-horse-battery-staple', 'CorrectHorseBatteryStaple', 'c0rr3ct-h0rs3-b4tt3ry-st4pl3', 'johnsmith1987janedoe1990', 'my-secret-dsh-token-2026',
    '2024-01-15-meeting-notes', 'alpha1bravo2charlie3delta4', 'dsh-questions-for-my-phone', 'hello1world2my3phone4', 'woaibeijingtiananmen2026',
  ])('%s is made of words', secret => {
    expect(guessBits(secret)).toBeLessThan(80)
  })

  it.each([
    ['24 bytes as base64url', (seed: string) => chance(seed, 24).toString('base64url'), 115],
    ['16 bytes as base64url', (seed: string) => chance(seed, 16).toString('base64url'), 80],
    ['16 bytes as hexadecimal', (seed: string) => chance(seed, 16).toString('hex'), 90],
    ['16 small letters and digits', (seed: string) => alnum(seed, 16), 40],
    ['24 small letters and digits', (seed: string) => alnum(seed, 24), 65],
  ])('by chance, %s: all are better than that', (_what, make, least) => {
    expect(weakest(make)).toBeGreaterThan(least)
  })

  it('is never more than length and alphabet allow, and takes any text', () => {
    for (const [secret, most] of [['7391', 14], ['0f9d', 17], ['kq7z', 21], ['部署', 10], ['x'.repeat(100_000), 20], ['\n\u0000', 4]] as const) {
      expect(guessBits(secret), secret.slice(0, 9)).toBeLessThanOrEqual(most)
      expect(guessBits(secret)).toBeGreaterThanOrEqual(0)
    }
  })
})
