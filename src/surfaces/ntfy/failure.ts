// What can go wrong between here and an ntfy server, as sentences that say what to do. They may reach the model word for
// word, so they hold no topic, no token and nothing that the server or a page in front of it said.

/** Whether trying again can help: once the server can be reached again, once it was left alone for a moment, or not. */
export type FailureKind = 'temporary' | 'rate-limited' | 'permanent'

/** A request to the server that did not do what it should. */
export class NtfyFailure extends Error {
  override readonly name = 'NtfyFailure'
  readonly kind: FailureKind
  /** Whether the server may have taken the message all the same. */
  readonly uncertain: boolean

  constructor(message: string, kind: FailureKind, uncertain: boolean, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.uncertain = uncertain
  }
}

// ntfy's own codes of a 429. Of these only 42901, too many requests in a row, passes soon.
const LIMITS: Readonly<Record<number, string>> = {
  42903: 'the ntfy server allows no more subscriptions from this address; close some, or use a server of your own',
  42905: 'the bandwidth that the ntfy server allows for today is used up; wait until tomorrow, or use a server of your own',
  42908: "the day's quota of messages on the ntfy server is used up; wait until tomorrow, or use an account or a server of your own",
  42909: 'the ntfy server has locked this address out after failed logins; correct the token or the password and wait',
}

/** A TLS handshake that the network has ended. */
const CUT_OFF = /HANDSHAKE_TIMEOUT|UNEXPECTED_EOF/

/** No connection came to be. */
const UNCONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_[A-Z]+|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_HANDSHAKE_TIMEOUT)$/

/**
 * Say what a response that is no success means.
 *
 * @param status the HTTP status.
 * @param body what came with it, as far as it was read; only ntfy's own error code is taken from it.
 */
export function failureOfResponse(status: number, body: string): NtfyFailure {
  const code = codeOf(body)
  if (status === 429) {
    // Without a code of ntfy's it is somebody in front of the server; those limits pass too.
    if (code === undefined || code === 42901) return new NtfyFailure('the ntfy server asks to slow down', 'rate-limited', false)
    return new NtfyFailure(LIMITS[code] ?? `a limit of the ntfy server is reached (error ${code})`, 'permanent', false)
  }
  if (status >= 500) return new NtfyFailure(`the ntfy server has a problem (status ${status})`, 'temporary', true)
  // It has not got all of it: the network was too slow.
  if (status === 408) return new NtfyFailure('the ntfy server has not got the request in time', 'temporary', false)
  if (status === 401) return lasting('the ntfy server does not accept the credentials; correct token, or username and password')
  if (status === 403) return lasting('the ntfy server denies access to the topics; give these credentials read and write access to both')
  if (status >= 300 && status < 400) return lasting(notNtfy(`redirects (status ${status})`, 'give the address that it leads to, or, '))
  if (status < 300) return new NtfyFailure(notNtfy('answers, but not as ntfy does'), 'permanent', true)
  return lasting(`the ntfy server refuses the request (${code === undefined ? `status ${status}` : `error ${code}`}); see that server is the address of an ntfy server`)
}

/** Say what a request that got no response means. */
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
    // A page, or nothing.
    return undefined
  }
}

/** Node's own code of an error, or of what caused it. */
function errorCode(error: unknown): string | undefined {
  const { code, cause } = Object(error) as { code?: unknown, cause?: unknown }
  if (typeof code === 'string' && /^[A-Z0-9_]+$/.test(code)) return code
  return cause === undefined ? undefined : errorCode(cause)
}

/** Whether an error came before there was a connection: then the server cannot have taken anything. */
function wasNeverSent(error: unknown): boolean {
  const { code, syscall, message, errors, cause } = Object(error) as Record<string, unknown>
  // One for each address of the server.
  if (Array.isArray(errors)) return errors.length > 0 && errors.every(wasNeverSent)
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  if (typeof code === 'string' && UNCONNECTED.test(code)) return true
  // Node has no code for it.
  if (typeof message === 'string' && message.includes('before secure TLS connection was established')) return true
  return cause !== undefined && wasNeverSent(cause)
}
