// How a local program calls a source: one connection, one line of JSON there, one line back. Nothing here depends on another
// package.
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { folderProblem, socketPath } from './folder.ts'

/** The version of what travels on the sockets. */
export const VERSION = 1

/** A message is at most this long, in bytes, with its line's end. */
export const LONGEST_MESSAGE = 1024 * 1024

/** What a source said: `output`, or why it says nothing. */
export type Reply = { readonly output: unknown } | { readonly error: string }

/** A call that has no reply. `code`: `NO_DESK` when nobody listens, `NO_REPLY` when the source went away or said what nobody knows. */
export interface CallError extends Error {
  code: 'NO_DESK' | 'NO_REPLY'
}

function callError(code: CallError['code'], message: string): CallError {
  return Object.assign(new Error(message), { code })
}

/** Who calls, and what. */
export interface Call {
  /** See `stateFolder`. */
  readonly folder: string
  /** The source's name, as `socketPath` takes it. */
  readonly name: string
  readonly body: unknown
  /** Aborts the call: the source is told by the end of the connection. */
  readonly signal?: AbortSignal
}

/**
 * Call a source and wait for its reply, for as long as it takes.
 *
 * @returns the reply to this very call: the source repeats its random id.
 * @throws CallError, and the signal's reason.
 */
export async function callSource({ folder, name, body, signal }: Call): Promise<Reply> {
  signal?.throwIfAborted()
  const problem = folderProblem(folder)
  // A folder that others can enter may be anybody's trap.
  if (problem !== undefined) throw callError('NO_DESK', problem === 'absent' ? 'no desk is running' : problem)
  const id = randomUUID(), line = `${JSON.stringify({ v: VERSION, id, body })}\n`
  if (Buffer.byteLength(line) > LONGEST_MESSAGE) throw callError('NO_REPLY', 'the message is too long')
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath(folder, name)), chunks: Buffer[] = []
    let size = 0, isConnected = false
    const abort = () => void socket.destroy()
    const end = (settle: () => void) => {
      signal?.removeEventListener('abort', abort)
      socket.destroy()
      settle()
    }
    signal?.addEventListener('abort', abort)
    socket.on('connect', () => {
      isConnected = true
      socket.write(line)
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > LONGEST_MESSAGE) return end(() => reject(callError('NO_REPLY', 'the reply is too long')))
      if (!chunk.includes(10)) return
      const reply = readReply(Buffer.concat(chunks), id)
      end(() => reply ? resolve(reply) : reject(callError('NO_REPLY', 'the reply is not one to this call')))
    })
    socket.on('error', () => {
      // 'close' follows, and settles.
    })
    socket.on('close', () => end(() => {
      if (signal?.aborted) reject(signal.reason)
      else reject(isConnected ? callError('NO_REPLY', 'the desk went away') : callError('NO_DESK', 'no desk is running'))
    }))
  })
}

function readReply(bytes: Buffer, id: string): Reply | undefined {
  try {
    const { v, id: of, output, error } = JSON.parse(bytes.subarray(0, bytes.indexOf(10)).toString()) as Record<string, unknown>
    if (v !== VERSION || of !== id) return undefined
    return typeof error === 'string' ? { error } : { output }
  } catch {
    // No JSON.
    return undefined
  }
}
