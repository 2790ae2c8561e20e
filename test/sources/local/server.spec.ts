// The sockets by which local programs reach a source: who may enter, what passes, and what happens when somebody goes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callSource } from '../../../src/sources/local/client.ts'
import { folderProblem, makeFolder, socketPath, stateFolder } from '../../../src/sources/local/folder.ts'
import { type LocalSource, serveSource } from '../../../src/sources/local/server.ts'

let base: string, folder: string
const open: LocalSource[] = [], warn = vi.fn<(message: string) => void>()

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'local-'))
  folder = join(base, 'state')
})

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  rmSync(base, { recursive: true, force: true })
  warn.mockReset()
})

async function serve(handle: Parameters<typeof serveSource>[0]['handle']): Promise<LocalSource> {
  const source = await serveSource({ folder, name: 'test', warn, handle })
  open.push(source)
  return source
}

const call = (body: unknown, signal?: AbortSignal) => callSource({ folder, name: 'test', body, ...signal && { signal } })

/** Send raw bytes, and wait for whatever comes back until the end. */
function send(...chunks: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath(folder, 'test'))
    let text = ''
    socket.on('data', chunk => void (text += String(chunk)))
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
    socket.on('connect', () => {
      for (const chunk of chunks) socket.write(chunk)
    })
    setTimeout(() => reject(new Error('nothing came back')), 5000).unref()
  })
}

describe('a source\'s socket', () => {
  it('is served by one of those that begin at the same time, also where one was killed before', async () => {
    for (const leftover of [false, true]) {
      makeFolder(folder)
      if (leftover) {
        writeFileSync(socketPath(folder, 'test'), '')
        mkdirSync(`${socketPath(folder, 'test')}.lock`)
        utimesSync(`${socketPath(folder, 'test')}.lock`, 0, 0)
      }
      const results = await Promise.allSettled(Array.from({ length: 10 }, () => serve(async () => ({ output: 'here' }))))
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await call(1)).toEqual({ output: 'here' })
      expect(readdirSync(folder)).toEqual(['test.sock'])
      for (const one of open.splice(0)) await one.close()
    }
  })

  it('takes a call and gives its reply back', async () => {
    await serve(async body => ({ output: { heard: body } }))
    expect(await call({ question: '部署？' })).toEqual({ output: { heard: { question: '部署？' } } })
  })

  it('is in a folder that only this user can enter, and is gone after the end', async () => {
    const source = await serve(async () => undefined)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(source.path).mode & 0o777).toBe(0o600)
    await source.close()
    expect(readdirSync(folder)).toEqual([])
  })

  it('tells the source when the program goes away', async () => {
    const gone = Promise.withResolvers<void>()
    await serve((_, signal) => new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        gone.resolve()
        resolve(undefined)
      })
    }))
    const controller = new AbortController(), calling = call({}, controller.signal)
    setTimeout(() => controller.abort(new Error('no longer')), 20)
    await expect(calling).rejects.toThrow('no longer')
    await gone.promise
  })

  it('ends open calls without a word when it is closed', async () => {
    const source = await serve(() => new Promise(() => {}))
    const calling = call({})
    await vi.waitFor(() => expect(source.calls).toBe(1))
    await source.close()
    await expect(calling).rejects.toMatchObject({ code: 'NO_REPLY' })
  })

  it('is taken over from a program that was killed, and not from one that lives', async () => {
    makeFolder(folder)
    writeFileSync(socketPath(folder, 'test'), '')
    await serve(async () => ({ output: 1 }))
    await expect(serveSource({ folder, name: 'test', warn, handle: async () => undefined })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    expect(await call({})).toEqual({ output: 1 })
  })

  it.runIf(process.platform === 'linux')('is not taken over from a program that is too busy to take a connection', async () => {
    makeFolder(folder)
    const path = socketPath(folder, 'test'), sockets: Socket[] = []
    const busy = spawn(process.execPath, ['-e', 'require("node:net").createServer().listen({ path: process.argv[1], backlog: 1 }, () => {\n  process.stdout.write("here")\n  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)\n})', path])
    await once(busy.stdout, 'data')
    let connects: boolean
    do {
      const socket = connect(path)
      sockets.push(socket)
      connects = await new Promise(resolve => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)))
    } while (connects)
    await expect(serve(async () => undefined)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    for (const socket of sockets) socket.destroy()
    busy.kill('SIGKILL')
  })

  it('refuses what is no message, with one line each', async () => {
    const handle = vi.fn<() => Promise<{ output: number }>>(async () => ({ output: 1 }))
    await serve(handle)
    for (const bad of ['nonsense\n', '[]\n', '{"v":2,"id":"a","body":{}}\n', '{"v":1,"id":"","body":{}}\n', '{"v":1,"body":{}}\n']) expect(await send(bad)).toBe('')
    expect(handle).not.toHaveBeenCalled()
    expect(warn).toHaveBeenCalledTimes(5)
    expect(await send('{"v":1,', '"id":"a","body":{}}\n')).toBe('{"v":1,"id":"a","output":1}\n')
  })

  it('refuses a message of more than 1 MB, and goes on', async () => {
    await serve(async () => ({ output: 1 }))
    expect(await send(`{"v":1,"id":"a","body":"${'x'.repeat(1024 * 1024)}"}\n`)).toBe('')
    expect(warn).toHaveBeenCalledWith('test: a message was refused: it is longer than 1048576 bytes')
    expect(await call({})).toEqual({ output: 1 })
    await expect(call('x'.repeat(1024 * 1024))).rejects.toThrow('too long')
  })

  it('sends those away that are too many', async () => {
    const source = await serve(() => new Promise(() => {}))
    const sockets = Array.from({ length: 200 }, () => connect(source.path))
    await vi.waitFor(() => expect(source.calls).toBe(200))
    expect(await send('{"v":1,"id":"a","body":{}}\n')).toBe('')
    for (const one of sockets) one.destroy()
  })

  it('says what went wrong with a handler that fails, to whoever runs it', async () => {
    await serve(() => { throw new Error('bad input: tool_name') })
    await expect(call({})).rejects.toMatchObject({ code: 'NO_REPLY' })
    expect(warn).toHaveBeenCalledWith('test: a message was refused: bad input: tool_name')
  })
})

describe('a call', () => {
  it('without a desk says so', async () => {
    await expect(call({})).rejects.toMatchObject({ code: 'NO_DESK', message: 'no desk is running' })
    makeFolder(folder)
    await expect(call({})).rejects.toMatchObject({ code: 'NO_DESK', message: 'no desk is running' })
  })

  it('does not enter a folder that others can enter', async () => {
    await serve(async () => ({ output: 1 }))
    chmodSync(folder, 0o755)
    await expect(call({})).rejects.toMatchObject({ code: 'NO_DESK', message: expect.stringContaining('0700') as unknown })
  })
})

describe('the folder', () => {
  it('is where the system keeps state', () => {
    expect(stateFolder({ XDG_STATE_HOME: '/x' })).toBe('/x/dsh-ask-router')
    expect(stateFolder({ XDG_STATE_HOME: 'x' })).toMatch(/\/\.local\/state\/dsh-ask-router$/)
    expect(stateFolder({})).toMatch(/\/\.local\/state\/dsh-ask-router$/)
  })

  it('that cannot be made is refused, where Node.js itself would try for ever', () => {
    expect(() => makeFolder('/proc/nothing/here')).toThrow('ENOENT')
  })

  it('is closed to others, unless it is none', () => {
    makeFolder(folder)
    chmodSync(folder, 0o777)
    expect(folderProblem(folder)).toMatch('0700')
    makeFolder(folder)
    expect(folderProblem(folder)).toBeUndefined()
    expect(folderProblem(join(base, 'no'))).toBe('absent')
    writeFileSync(join(base, 'file'), '')
    expect(() => makeFolder(join(base, 'file'))).toThrow('is no folder')
    expect(() => socketPath(`/${'x'.repeat(100)}`, 'test')).toThrow('too long for a socket')
  })
})
