// Who may read and answer what: the page's token opens everything, a grant one ask. The page asks for a proof that we know its
// secret before it sends it, because another program may have our port by then.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What a request may read and answer: everything, or one ask. */
export type Scope = { readonly ask?: string }

const GRANT_BYTES = 16

/** The page's secret and what is derived from it. */
export class Access {
  readonly #token: string
  readonly #tokenDigest: Buffer

  /** @param token at least 128 bits. */
  constructor(token: string) {
    this.#token = token
    this.#tokenDigest = digest(token)
  }

  /**
   * What the sender of a request may do.
   *
   * @param headers the secret stands in `Ask-Secret`; where that is missing, after `Bearer` in `Authorization`, which may also be
   *   a proxy's.
   * @returns `undefined` for a stranger. Does not check whether a grant's ask is open.
   */
  scopeOf({ 'ask-secret': own, authorization = '' }: IncomingHttpHeaders): Scope | undefined {
    const secret = /^[\w.~-]{1,512}$/.exec(typeof own === 'string' ? own : /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '')?.[0]
    if (secret === undefined) return undefined
    if (timingSafeEqual(digest(secret), this.#tokenDigest)) return {}
    const [ask, grant, ...rest] = secret.split('.')
    if (ask === undefined || grant === undefined || rest.length > 0) return undefined
    return timingSafeEqual(digest(grant), digest(this.#grantOf(ask))) ? { ask } : undefined
  }

  /**
   * Prove that we know a secret, without telling it. Whoever hears the proof cannot use it again, nor as a grant.
   *
   * @param nonce made by the page for this one time.
   * @param port where we listen: a proof is not good for somebody who got it from us at another port.
   * @param ask the ask of a grant; without it the secret is the token.
   */
  proofOf(nonce: string, port: number, ask?: string): string {
    const secret = ask === undefined ? this.#token : `${ask}.${this.#grantOf(ask)}`
    return createHmac('sha256', secret).update(`ask-web host:${port}:${nonce}`).digest('hex')
  }

  /** The fragment of the link that opens everything. */
  get fragment(): string {
    return `#t=${this.#token}`
  }

  /** The fragment of the link that opens one ask. */
  grantFragment(ask: string): string {
    return `#g=${ask}.${this.#grantOf(ask)}`
  }

  /** Derived from the token, so that no grant has to be stored or forgotten. */
  #grantOf(ask: string): string {
    return createHmac('sha256', this.#token).update(`ask-web grant:${ask}`).digest().subarray(0, GRANT_BYTES).toString('base64url')
  }
}

/** Digests have equal lengths, so that secrets of any length compare in constant time. */
function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
