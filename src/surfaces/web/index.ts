// The web surface's plugin: a small page that answers questions in any browser that has its link.
import { randomBytes } from 'node:crypto'
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { langOf } from '../../reply/lang.ts'
import { isLoopback } from '../loopback.ts'
import { Access } from './access.ts'
import { Board } from './board.ts'
import { Config } from './config.ts'
import { Hosts } from './hosts.ts'
import type { ListenError } from './listen.ts'
import { PageServer } from './server.ts'
import { loadShell } from './shell.ts'
import { startTexts } from './texts.ts'

/** What plugins find as `ctx.askWeb` while the page is served. */
export interface AskWeb {
  /**
   * A link that lets anybody who has it read and answer one ask until it is settled, and nothing else.
   *
   * @param askId the ask's id, as in `AskContext` and `PendingAsk`.
   * @returns `undefined` when this ask is not open.
   */
  linkFor(askId: string): string | undefined
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    /** Links to the page, provided by dsh-ask-router/web. */
    askWeb: AskWeb
  }
}

/** The plugin's name. */
export const name = 'ask-web'

/** Loaded while there is a registry, whichever plugin provides it. */
export const inject = ['askSurfaces']

export { Config }

/** What survives a restart of the plugin in its host, so that an open page keeps working. */
interface Memory {
  readonly board: Board
  readonly token: string
  port: number
}

const memories = new WeakMap<object, Memory>()

/**
 * Serve the page and register it as the surface `web`.
 *
 * @param config see {@link Config}; validated here too, for hosts that do not validate.
 * @param print takes a line for the person who started the host, and the page's link where the line has it; stderr by default.
 * @returns resolves once the page is served, or once it was printed why it cannot be.
 * @throws when a value of the configuration is wrong, naming the field.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = async (
  ctx: Context, config?: unknown, print: (line: string, link?: string) => void = line => void process.stderr.write(`${line}\n`),
): Promise<void> => {
  const settings = Config.parse(config)
  const { askSurfaces, root } = ctx as Context & { askSurfaces: AskSurfaces }
  const memory = memories.get(root) ?? { board: new Board(), token: randomBytes(32).toString('base64url'), port: 0 }
  memories.set(root, memory)
  const access = new Access(settings.token ?? memory.token)
  const hosts = new Hosts(settings)
  const logger = ctx.logger?.(name)
  const { board } = memory
  /** Writing down what failed may fail too: what was thrown can be anything. */
  const note = (error: unknown) => {
    try {
      logger?.debug(error)
    } catch { /* then it stays unsaid */ }
  }
  /** What an event or a timer calls must not throw: nobody is there to catch it, and the host would end. */
  const guarded = (act: () => void) => () => {
    try {
      act()
    } catch (error) {
      note(error)
    }
  }
  const followPresence = () => board.setPresence(askSurfaces.presence)
  const followHush = () => board.setHush(askSurfaces.hushedUntil)
  const isOpen = (id: string) => askSurfaces.pending().some(ask => ask.id === id)
  const server = new PageServer({
    board, access, hosts, isOpen, shell: await loadShell(settings.lang), onError: note,
    setPresence(presence) {
      askSurfaces.presence = presence
      followPresence()
    },
    hush(minutes) {
      askSurfaces.hush(minutes === 0 ? undefined : Date.now() + minutes * 60_000)
      followHush()
    },
  })
  ctx.effect(() => () => server.close(), 'ask-web: server')
  followPresence()
  ctx.on('ask-surfaces/presence', guarded(followPresence))
  followHush()
  ctx.on('ask-surfaces/hush', guarded(followHush))
  ctx.effect(() => {
    board.viewers.start(guarded(() => askSurfaces.reconsider()))
    return () => board.viewers.stop()
  }, 'ask-web: viewers')

  const texts = startTexts[langOf(settings.lang)]
  const { host, port } = settings
  try {
    // A page that is still open knows the last port.
    if (port === 0 && memory.port !== 0) memory.port = await server.listen(host, memory.port).catch(() => server.listen(host, 0))
    else memory.port = await server.listen(host, port)
  } catch (error) {
    const { code, address = host } = error as ListenError
    print(code === 'EADDRINUSE' ? texts.taken(address, port) : texts.failed(address, port, String(code)))
    return
  }
  const url = hosts.url(memory.port)
  if (!isLoopback(host)) print(texts.exposed(host))
  if (settings.publicUrl !== undefined && url.startsWith('http:') && !isLoopback(new URL(url).hostname)) print(texts.unencrypted(url))
  if (settings.token === undefined) print(texts.ready(url + access.fragment), url + access.fragment)
  else print(texts.readyWithoutToken(url), `${url}#t=<token>`)
  ctx.provide('askWeb', { linkFor: id => isOpen(id) ? url + access.grantFragment(id) : undefined } satisfies AskWeb)
  askSurfaces.register(board)
}
