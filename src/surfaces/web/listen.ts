// Opens the port. `localhost` means 127.0.0.1 to one program and [::1] to another, so whoever had the other one would get the
// requests that are meant for us, secret and all: it is both, or neither.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How many ports are tried where any will do. */
const TRIES = 20

/** The addresses to listen on; each but the first may not exist on this machine. */
function addressesOf(host: string): readonly string[] {
  if (['127.0.0.1', 'localhost', '::1'].includes(host)) return ['127.0.0.1', '::1']
  return host === '0.0.0.0' ? ['0.0.0.0', '::1'] : [host]
}

/** What a port was asked for, and where it could not be had. */
export interface ListenError extends NodeJS.ErrnoException {
  readonly address?: string
}

/**
 * Listen on a port, at every address that the host means.
 *
 * @param make makes a server; each listens at one address.
 * @param port 0 for any that is free at all of them.
 * @returns the servers that listen.
 * @throws the error of `listen`, such as `EADDRINUSE`; none of them listens then.
 */
export async function listenAt(make: () => Server, host: string, port: number): Promise<readonly Server[]> {
  for (let tries = 1; ; tries++) {
    const servers: Server[] = []
    try {
      for (const address of addressesOf(host)) {
        const server = make()
        try {
          await listen(server, address, portOf(servers) ?? port)
          servers.push(server)
        } catch (error) {
          // A machine without IPv6 has no [::1] that anybody else could take.
          if (servers.length === 0 || !['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes((error as ListenError).code ?? '')) throw error
        }
      }
      return servers
    } catch (error) {
      await Promise.all(servers.map(server => new Promise(resolve => void server.close(resolve))))
      if (port !== 0 || servers.length === 0 || tries === TRIES) throw error
    }
  }
}

/** The port that servers listen on; `undefined` for none. */
export function portOf([server]: readonly Server[]): number | undefined {
  return (server?.address() as AddressInfo | null | undefined)?.port
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
