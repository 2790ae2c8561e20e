// The page's proof, and the host's: both make the same of the same secret, with different code.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Access } from '../../src/surfaces/web/access.ts'
import { challenge, proves } from '../../src/surfaces/web/page/proof.ts'

const NONCE = ['0123456789abcdef01234567', 'fedcba9876543210fedcba98'] as const

const token = fc.string({ unit: fc.constantFrom(...'abcXYZ0189-_.~'), minLength: 22, maxLength: 120 })
const ask = fc.option(fc.string({ unit: fc.constantFrom(...'abc019-_'), minLength: 1, maxLength: 64 }), { nil: undefined })

describe('the proof', () => {
  it('of the host that knows the secret is taken, and no other', () => {
    fc.assert(fc.property(token, ask, fc.integer({ min: 1, max: 65_535 }), fc.integer({ min: 1, max: 65_535 }), token, (known, id, port, otherPort, other) => {
      const access = new Access(known)
      const secret = id === undefined ? { kind: 't', value: known } as const : { kind: 'g', value: access.grantFragment(id).slice('#g='.length) } as const
      const asked = challenge(secret, NONCE[0])
      expect(asked.ask).toBe(id)
      const hello = { port, proof: access.proofOf(asked.nonce, port, asked.ask) }
      expect(proves(secret, asked, hello)).toBe(true)
      expect(proves({ ...secret, port }, asked, hello)).toBe(true)
      // Neither for another port, another question, another host, nor sent back.
      expect(proves({ ...secret, port: otherPort }, asked, hello)).toBe(otherPort === port)
      expect(proves(secret, asked, { ...hello, port: otherPort })).toBe(otherPort === port)
      expect(proves(secret, challenge(secret, NONCE[1]), hello)).toBe(false)
      expect(proves(secret, asked, { port, proof: new Access(other).proofOf(asked.nonce, port, asked.ask) })).toBe(other === known)
      expect(proves(secret, asked, { port, proof: asked.nonce })).toBe(false)
    }))
  })
})
