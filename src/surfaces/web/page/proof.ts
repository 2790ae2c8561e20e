// Makes sure that the other side knows our secret before it gets it: a page can outlive its host, and then another program may
// have the port. Works on plain http too, where browsers have no crypto.subtle.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hello, HelloBody } from '../wire.ts'

/** What opens the data. */
export interface Secret {
  /** A token or a grant. */
  readonly kind: 't' | 'g'
  readonly value: string
  /** Where the host listened when it proved that it knows this secret; absent before it has. */
  readonly port?: number
}

/**
 * A question that only who knows the secret can answer.
 *
 * @param nonce a new one each time.
 */
export function challenge({ kind, value }: Secret, nonce: string): HelloBody {
  return { nonce, ...kind === 'g' && { ask: value.split('.', 1)[0]! } }
}

/** Whether the answer to a challenge proves that the host knows the secret, and is the one at the port that we know. */
export function proves(secret: Secret, { nonce }: HelloBody, { proof, port }: Hello): boolean {
  if (secret.port !== undefined && secret.port !== port) return false
  return proof === toHex(secret.value, `ask-web host:${port}:${nonce}`)
}

function toHex(key: string, text: string): string {
  return bytesToHex(hmac(sha256, utf8ToBytes(key), utf8ToBytes(text)))
}
