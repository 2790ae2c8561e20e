// The names by which browsers may reach the page. A foreign `Host` means DNS rebinding, a foreign `Origin` another site's
// script: both are refused before anything looks at a token.
import { hostname, networkInterfaces } from 'node:os'
import type { Config } from './config.ts'

/** The allowed names, and the address to put in a link. */
export class Hosts {
  /** Names from the configuration; a proxy may show the browser a different name than it shows us. */
  readonly #named: ReadonlySet<string>
  readonly #own: ReadonlySet<string>
  readonly #host: string
  readonly #publicUrl: string | undefined

  constructor({ host, publicUrl, allowedHosts }: Pick<Config, 'host' | 'publicUrl' | 'allowedHosts'>) {
    this.#host = host
    this.#publicUrl = publicUrl
    this.#named = new Set([...allowedHosts, ...publicUrl === undefined ? [] : [new URL(publicUrl).hostname]].map(normalise))
    const machine = hostname()
    this.#own = new Set(['localhost', '127.0.0.1', '[::1]', inUrl(host), machine, ...machine.includes('.') ? [] : [`${machine}.local`]].map(normalise))
  }

  /** Whether a request's `Host` header is allowed, whatever its port: tunnels change ports. */
  allows(header: string | undefined): boolean {
    const name = parse(header)?.hostname
    return name !== undefined && this.#has(name)
  }

  /**
   * Whether a request's `Origin` is allowed: an allowed name that is also the request's own `Host`, or a configured name.
   * Another port of this machine is another site.
   *
   * @param origin the header; browsers leave it out where no other site can have sent the request.
   * @param host the `Host` header.
   */
  allowsOrigin(origin: string | undefined, host: string | undefined): boolean {
    if (origin === undefined) return true
    if (!/^https?:\/\/[^/]+$/.test(origin) || !URL.canParse(origin)) return false
    const url = new URL(origin)
    return this.#named.has(url.hostname) || (this.#has(url.hostname) && url.host === parse(host)?.host)
  }

  /**
   * The page's address, with a slash at its end.
   *
   * @param port the port it listens on.
   */
  url(port: number): string {
    if (this.#publicUrl !== undefined) return this.#publicUrl.replace(/\/*$/, '/')
    const everywhere = this.#host === '0.0.0.0' || this.#host === '::'
    return `http://${inUrl(everywhere ? outside() ?? '127.0.0.1' : this.#host)}:${port}/`
  }

  #has(name: string): boolean {
    return this.#own.has(name) || this.#named.has(name) || interfaces().some(({ address }) => inUrl(address) === name)
  }
}

/** Read each time: interfaces come and go. */
function interfaces() {
  return Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
}

function outside(): string | undefined {
  return interfaces().find(({ internal, family }) => !internal && family === 'IPv4')?.address
}

function inUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/** As browsers send it: lower case, punycode, addresses in their short form. */
function normalise(name: string): string {
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name.toLowerCase()
}

function parse(header: string | undefined): { readonly hostname: string, readonly host: string } | undefined {
  const [host, name] = /^([\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/.exec((header ?? '').toLowerCase()) ?? []
  return host === undefined || name === undefined ? undefined : { hostname: name, host }
}
