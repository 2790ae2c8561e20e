// What can go wrong with a request to an ntfy server, as sentences that say what to do. The model may read them word for
// word, so they contain no topic, no token and no text from the server or a proxy.

/** Whether to try again: when the server is reachable again, after a pause, or not at all. */
export type FailureKind = 'temporary' | 'rate-limited' | 'permanent'

/** A request to the server has failed. */
export class NtfyFailure extends Error {
  override readonly name = 'NtfyFailure'
  readonly kind: FailureKind
  /** Whether the server may have accepted the message all the same. */
  readonly mayHaveArrived: boolean

  constructor(message: string, kind: FailureKind, mayHaveArrived: boolean, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.mayHaveArrived = mayHaveArrived
  }
}

// ntfy's error codes for status 429, apart from 42901 (too many requests in a row), which passes soon.
const LIMITS: Readonly<Record<number, string>> = {
  42903: 'the ntfy server allows no more subscriptions from this address; close some, or use a server of your own',
  42905: "today's bandwidth on the ntfy server is used up; wait until tomorrow, or use a server of your own",
  42908: "the day's quota of messages on the ntfy server is used up; wait until tomorrow, or use an account or a server of your own",
  42909: 'the ntfy server has locked this address out after failed logins; correct the token or the password and wait',
}

/** Error codes of a TLS handshake that the network has interrupted. */
const CUT_OFF = /HANDSHAKE_TIMEOUT|UNEXPECTED_EOF/

/** Error codes that mean that no connection was made. */
const UNCONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_[A-Z]+|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_HANDSHAKE_TIMEOUT)$/

/**
 * Explain an unsuccessful response.
 *
 * @param status the HTTP status.
 * @param body the body, as far as it was read. Only ntfy's error code is used.
 */
export function failureOfResponse(status: number, body: string): NtfyFailure {
  const code = codeOf(body)
  if (status === 429) {
    // Without an ntfy code it comes from a proxy, whose limits also pass soon.
    if (code === undefined || code === 42901) return new NtfyFailure('the ntfy server asks to slow down', 'rate-limited', false)
    return new NtfyFailure(LIMITS[code] ?? `a limit of the ntfy server is reached (error ${code})`, 'permanent', false)
  }
  if (status >= 500) return new NtfyFailure(`the ntfy server has a problem (status ${status})`, 'temporary', true)
  // The network was too slow for the whole request to arrive.
  if (status === 408) return new NtfyFailure('the ntfy server did not receive the request in time', 'temporary', false)
  if (status === 401) return lasting('the ntfy server does not accept the credentials; correct token, or username and password')
  if (status === 403) return lasting('the ntfy server denies access to the topics; give these credentials read and write access to both')
  if (status >= 300 && status < 400) return lasting(notNtfy(`redirects (status ${status})`, 'give the address that it redirects to, or, '))
  if (status < 300) return new NtfyFailure(notNtfy('answers, but not as ntfy does'), 'permanent', true)
  return lasting(`the ntfy server refuses the request (${code === undefined ? `status ${status}` : `error ${code}`}); check that server is the address of an ntfy server`)
}

/** Explain a request that got no response. */
export function failureOfError(error: unknown): NtfyFailure {
  const code = errorCode(error)
  if (code !== undefined && !CUT_OFF.test(code) && /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code)) {
    return new NtfyFailure(`the certificate of the ntfy server is not accepted (${code}); correct it, or the address in server`, 'permanent', false, { cause: error })
  }
  return new NtfyFailure(`the ntfy server cannot be reached${code === undefined ? '' : ` (${code})`}`, 'temporary', !wasNeverSent(error), { cause: error })
}

function lasting(message: string): NtfyFailure {
  return new NtfyFailure(message, 'permanent', false)
}

function notNtfy(what: string, advice = ''): string {
  return `the address in server ${what}; ${advice}if a login page stands in front of the ntfy server, let this machine pass`
}

function codeOf(body: string): number | undefined {
  try {
    const { code } = Object(JSON.parse(body)) as { code?: unknown }
    return Number.isInteger(code) ? code as number : undefined
  } catch {
    // Not JSON, such as a proxy's error page.
    return undefined
  }
}

/** Node's error code, of the error itself or its cause. */
function errorCode(error: unknown): string | undefined {
  const { code, cause } = Object(error) as { code?: unknown, cause?: unknown }
  if (typeof code === 'string' && /^[A-Z0-9_]+$/.test(code)) return code
  return cause === undefined ? undefined : errorCode(cause)
}

/** Whether an error occurred before there was a connection, so that nothing can have arrived. */
function wasNeverSent(error: unknown): boolean {
  const { code, syscall, message, errors, cause } = Object(error) as Record<string, unknown>
  // One error for each address of the server.
  if (Array.isArray(errors)) return errors.length > 0 && errors.every(wasNeverSent)
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  if (typeof code === 'string' && UNCONNECTED.test(code)) return true
  // Node gives this one no code of its own.
  if (typeof message === 'string' && message.includes('before secure TLS connection was established')) return true
  return cause !== undefined && wasNeverSent(cause)
}
