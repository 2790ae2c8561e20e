// Who may read and answer what: the page's token opens everything, a grant one ask.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

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
   * @param authorization the header, unchanged.
   * @returns `undefined` for a stranger. Does not check whether a grant's ask is open.
   */
  scopeOf(authorization: string | undefined): Scope | undefined {
    const secret = /^Bearer ([\w.~-]{1,512})$/i.exec(authorization ?? '')?.[1]
    if (secret === undefined) return undefined
    if (timingSafeEqual(digest(secret), this.#tokenDigest)) return {}
    const [ask, grant, ...rest] = secret.split('.')
    if (ask === undefined || grant === undefined || rest.length > 0) return undefined
    return timingSafeEqual(digest(grant), digest(this.#grantOf(ask))) ? { ask } : undefined
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
