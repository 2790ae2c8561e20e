// Who may read and answer what: the page's token opens everything, a grant one ask.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** What a request may touch: everything, or one ask. */
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
   * Who sends a request.
   *
   * @param authorization the header as it came.
   * @returns `undefined` for a stranger. Whether a grant's ask is open is not looked at.
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

  /** A grant is derived, so that there is nothing to keep, and nothing to forget when its ask has ended. */
  #grantOf(ask: string): string {
    return createHmac('sha256', this.#token).update(`ask-web grant:${ask}`).digest().subarray(0, GRANT_BYTES).toString('base64url')
  }
}

/** Secrets are compared by their digests: in constant time, whatever their lengths. */
function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
