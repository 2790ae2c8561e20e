// Where the page listens: at both of this machine's own addresses, or not at all.
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listenAt, portOf } from '../../src/surfaces/web/listen.ts'
import { type BootedWeb, bootWeb } from '../helpers/web.ts'

const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Somebody else's server. */
async function taken(host: string, port = 0): Promise<number> {
  const server = createServer(socket => socket.destroy())
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(port, host, resolve))
  closing.push(() => new Promise(resolve => void server.close(resolve)))
  return (server.address() as AddressInfo).port
}

/** A server that cannot have an address: it is made to fail once it is asked for it. */
function failing(address: string, code: string): Server {
  const server = createHttpServer()
  const listen = server.listen.bind(server) as (...args: unknown[]) => typeof server
  server.listen = ((options: { host: string }, ...rest: unknown[]) => {
    if (options.host !== address) return listen(options, ...rest)
    setImmediate(() => server.emit('error', Object.assign(new Error(code), { code, address })))
    return server
  }) as never
  closing.push(() => server.listening && new Promise(resolve => void server.close(resolve)))
  return server
}

async function boot(config: Record<string, unknown>): Promise<BootedWeb> {
  const page = await bootWeb({ lang: 'en', ...config })
  closing.push(page.close)
  return page
}

const ipv6 = await taken('::1').then(() => true, () => false)

describe('the page listens', () => {
  it.runIf(ipv6)('at both loopback addresses, on one port, and answers at localhost', async () => {
    for (const host of [undefined, 'localhost', '::1']) {
      const { url } = await boot(host === undefined ? {} : { host })
      const { port } = new URL(url)
      for (const name of ['127.0.0.1', '[::1]', 'localhost']) {
        expect((await fetch(`http://${name}:${port}/`)).headers.get('ask-host'), name).toBe('ask-web')
      }
      for (const name of ['127.0.0.1', '::1']) await expect(taken(name, Number(port))).rejects.toMatchObject({ code: 'EADDRINUSE' })
    }
  })

  it.runIf(ipv6)('not where somebody else has the other half: that is said, and nothing listens', async () => {
    const port = await taken('::1')
    const page = await boot({ port })
    expect(page.lines).toEqual([`ask-web: port ${port} of ::1 is taken, so there is no page; set another port, or 0 for any`])
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed')
  })

  it('at another port where any will do and half of the first one is taken', async () => {
    let made = 0
    const servers = await listenAt(() => ++made === 2 ? failing('::1', 'EADDRINUSE') as never : createHttpServer(), '127.0.0.1', 0)
    closing.push(...servers.map(server => () => server.close()))
    expect(made).toBeGreaterThan(2)
    expect(new Set(servers.map(server => portOf([server]))).size).toBe(1)
  })

  it('at 127.0.0.1 alone where there is no IPv6, for nobody else can have it either', async () => {
    const servers = await listenAt(() => failing('::1', 'EADDRNOTAVAIL') as never, '127.0.0.1', 0)
    expect(servers.map(server => (server.address() as AddressInfo).address)).toEqual(['127.0.0.1'])
  })

  it('gives up after some tries, and says why', async () => {
    await expect(listenAt(() => failing('::1', 'EADDRINUSE') as never, '127.0.0.1', 0)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await expect(listenAt(() => failing('192.0.2.1', 'EADDRNOTAVAIL') as never, '192.0.2.1', 0)).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
  })
})

describe('what is not encrypted', () => {
  it.each([
    [{ port: 0, publicUrl: 'http://ask.example/' }, 1], [{ port: 0, publicUrl: 'https://ask.example/' }, 0], [{ port: 0, publicUrl: 'http://localhost:4000/' }, 0],
  ])('%j: %i line says so', async (config, lines) => {
    const port = await taken('127.0.0.1')
    await closing.pop()!()
    const page = await boot({ ...config, port })
    expect(page.lines.filter(line => line.includes('is not encrypted'))).toHaveLength(lines)
  })
})
