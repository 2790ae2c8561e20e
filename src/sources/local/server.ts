// The socket of a source: local programs ask by it, and nothing that they send can answer or allow anything.
import { chmodSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { z } from '../../protocol/zod.ts'
import { LONGEST_MESSAGE, type Reply, VERSION } from './client.ts'
import { makeFolder, socketPath } from './folder.ts'

/** So many programs may wait at the same time; one more is sent away. */
const MOST_CALLS = 200

/** A program says what it wants within this time, in milliseconds. */
const SPEAK_WITHIN_MS = 10_000

/** Who begins to serve a socket needs it to itself for a moment; a lock that is older than this is of a program that was killed. */
const LOCKED_MS = 5000, LOOK_MS = 20

const messageSchema = z.object({ v: z.literal(VERSION), id: z.string().min(1).max(100), body: z.unknown() })

/** What a socket needs of its source. */
export interface SourceOptions {
  /** See `stateFolder`. */
  readonly folder: string
  /** Names the socket. */
  readonly name: string
  /** One line for whoever runs it. */
  readonly warn: (message: string) => void
  /**
   * Take a call.
   *
   * @param body whatever a local program sent: check it.
   * @param signal aborts when the program goes away.
   * @returns what is sent back; `undefined` closes the connection without a word, which every program takes for "no desk".
   */
  readonly handle: (body: unknown, signal: AbortSignal) => Promise<Reply | undefined>
}

/** A socket that is served. */
export interface LocalSource {
  readonly path: string
  /** How many calls are open. */
  readonly calls: number
  /** Stop: open calls end without a word. The socket is removed. */
  close(): Promise<void>
}

/**
 * Serve the socket of a source.
 *
 * @throws Error with the code `EADDRINUSE` when another program serves it; other errors say what is wrong with the folder.
 */
export async function serveSource(options: SourceOptions): Promise<LocalSource> {
  const { folder, name } = options, path = socketPath(folder, name)
  makeFolder(folder)
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (sockets.size >= MOST_CALLS) return void socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    take(socket, options)
  })
  await alone(path, async () => {
    if (await isServed(path)) throw Object.assign(new Error(`${path} is served by another program`), { code: 'EADDRINUSE' })
    // Of a program that was killed.
    rmSync(path, { force: true })
    await listen(server, path)
    chmodSync(path, 0o600)
  })
  const { ino } = statSync(path)
  return {
    path,
    get calls() {
      return sockets.size
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
      // Node removes it by its name, whoever has it now; one of a newcomer stays.
      if (statSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true })
    },
  }
}

/** Whether somebody listens there. */
export function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // A full queue is that of a living program.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ENOENT' && code !== 'ECONNREFUSED' && code !== 'ENOTSOCK'))
  })
}

/** Of two programs that begin at the same time, one must not take the other's socket for one of a program that was killed. */
async function alone(path: string, act: () => Promise<void>): Promise<void> {
  const lock = `${path}.lock`
  while (!isMade(lock)) {
    const { mtimeMs = Date.now() } = statSync(lock, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > LOCKED_MS) removeIfThere(lock)
    else await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }
  try {
    await act()
  } finally {
    removeIfThere(lock)
  }
}

/** @returns whether it was this call that made it. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function removeIfThere(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Somebody else did.
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      // One connection that cannot be taken costs nobody else anything.
      server.on('error', () => {})
      resolve()
    })
  })
}

/** Read one line, hand it on, write one line. */
function take(socket: Socket, { name, handle, warn }: SourceOptions): void {
  const gone = new AbortController(), chunks: Buffer[] = []
  let size = 0, isHeard = false
  const refuse = (why: string) => {
    warn(`${name}: a message was refused: ${why}`)
    socket.destroy()
  }
  const slow = setTimeout(() => refuse('it did not come in time'), SPEAK_WITHIN_MS).unref()
  socket.on('error', () => {
    // 'close' follows.
  })
  socket.on('close', () => {
    clearTimeout(slow)
    gone.abort()
  })
  // It waits for no reply any longer. Whoever only looks whether somebody listens is sent away without a word.
  socket.on('end', () => socket.destroy())
  socket.on('data', (chunk) => {
    if (isHeard) return
    chunks.push(chunk)
    size += chunk.length
    if (size > LONGEST_MESSAGE) return refuse(`it is longer than ${LONGEST_MESSAGE} bytes`)
    if (!chunk.includes(10)) return
    isHeard = true
    clearTimeout(slow)
    const bytes = Buffer.concat(chunks), message = readMessage(bytes.subarray(0, bytes.indexOf(10)))
    if (typeof message === 'string') return refuse(message)
    const { id, body } = message
    void (async () => {
      try {
        const reply = await handle(body, gone.signal)
        if (reply && !gone.signal.aborted) socket.end(`${JSON.stringify({ v: VERSION, id, ...reply })}\n`)
        else socket.destroy()
      } catch (error) {
        refuse(error instanceof Error ? error.message : 'it could not be handled')
      }
    })()
  })
}

/** @returns the message, or what is wrong with it. */
function readMessage(bytes: Buffer): z.infer<typeof messageSchema> | string {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch {
    return 'it is no JSON'
  }
  const { data, error } = messageSchema.safeParse(value)
  if (data) return data
  const [issue] = error.issues
  return `${issue!.path.join('.') || 'message'}: ${issue!.message}`
}
