// A stand-in for Codex' app-server, made from what the real one (0.171.0) was seen to say: the same messages in the same order, over
// a WebSocket on a unix socket behind a link. Its person is the test.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type WebSocket, WebSocketServer } from 'ws'

type Json = Record<string, unknown>

/** A request that is open, and what came for it. */
export interface Request {
  readonly id: number
  readonly threadId: string
  readonly turnId: string
  readonly itemId: string
  readonly method: string
  readonly params: Json
  /** Every reply that came, in time or not. */
  readonly replies: Json[]
  /** Whose answer counted, and what it was. */
  outcome?: { readonly by: 'client' | 'native', readonly value: unknown }
}

const QUESTION = 'item/tool/requestUserInput', COMMAND = 'item/commandExecution/requestApproval', FILES = 'item/fileChange/requestApproval'

/** The question of most tests. */
export const colour = {
  id: 'colour', header: 'Colour', question: 'Which colour?', isOther: true, isSecret: false,
  options: [{ label: 'Red (Recommended)', description: 'warm' }, { label: 'Blue', description: 'cold' }],
}

interface Thread {
  readonly id: string
  readonly log: string
  turnId: string
  status: Json
  name: string | null
  readonly items: Json[]
}

/** One app-server, with a home of its own. */
export class StandIn {
  readonly home = mkdtempSync(join(tmpdir(), 'codex-'))
  readonly requests: Request[] = []
  /** Every call of a client but the first ones, by method. */
  readonly calls: { readonly method: string, readonly params: Json }[] = []
  /** Every reply that was an error. */
  readonly errors: unknown[] = []
  /** Makes `thread/resume` fail, as it does before a session's first turn is written down. */
  cannotResume = false
  /** Ends the connection at the next call of this method. */
  dropsAt: string | undefined
  /** Makes `turn/steer` fail, as it does when the turn is over. */
  cannotSteer = false
  readonly #threads = new Map<string, Thread>()
  readonly #subscribed = new Map<WebSocket, Set<string>>()
  readonly #folder = join(this.home, 'app-server-control')
  #server: Server | undefined
  #ids = 0

  get link(): string {
    return join(this.#folder, 'app-server-control.sock')
  }

  get clients(): number {
    return this.#subscribed.size
  }

  /** Begin to listen; the link is there last, as it is with the real one. */
  async start(): Promise<this> {
    mkdirSync(this.#folder, { recursive: true })
    const path = join(this.home, `socket-${++this.#ids}`)
    const server = this.#server = createServer(), sockets = new WebSocketServer({ server, perMessageDeflate: false })
    sockets.on('connection', (socket) => {
      this.#subscribed.set(socket, new Set())
      socket.on('message', data => this.#hear(socket, JSON.parse(String(data as Buffer)) as Json))
      socket.on('close', () => this.#subscribed.delete(socket))
    })
    await new Promise<void>(resolve => server.listen(path, resolve))
    rmSync(this.link, { force: true })
    symlinkSync(path, this.link)
    return this
  }

  /** End every connection. */
  drop(): void {
    for (const socket of this.#subscribed.keys()) socket.terminate()
  }

  /** End, as `codex app-server daemon stop` does: nothing is open any more. */
  async stop(): Promise<void> {
    this.drop()
    this.requests.length = 0
    this.#threads.clear()
    rmSync(this.link, { force: true })
    this.#server?.closeAllConnections()
    await new Promise<void>(resolve => this.#server ? this.#server.close(() => resolve()) : resolve())
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.home, { recursive: true, force: true })
  }

  /** Open a session. */
  thread(id = `01a23ae2-a5ca-7371-a619-${String(++this.#ids).padStart(12, '0')}`): string {
    this.#threads.set(id, { id, log: join(this.home, `${id}.jsonl`), turnId: '', status: { type: 'idle' }, name: null, items: [] })
    this.#tell('thread/started', { thread: this.#facts(id) })
    return id
  }

  /** Give it a name. */
  rename(threadId: string, name: string): void {
    this.#threads.get(threadId)!.name = name
    this.#tell('thread/name/updated', { threadId, threadName: name })
  }

  /** Begin a turn. */
  turn(threadId: string): string {
    const thread = this.#threads.get(threadId)!
    thread.turnId = `turn-${++this.#ids}`
    this.#status(thread, { type: 'active', activeFlags: [] })
    this.#tellThread(threadId, 'turn/started', { threadId, turn: { id: thread.turnId, status: 'inProgress' } })
    return thread.turnId
  }

  /** End the turn of a session. What holds it ends with it. */
  endTurn(threadId: string, status: 'completed' | 'interrupted' = 'completed'): void {
    const thread = this.#threads.get(threadId)!
    this.#status(thread, { type: 'idle' })
    this.#tellThread(threadId, 'turn/completed', { threadId, turn: { id: thread.turnId, status } })
    for (const one of this.#openIn(threadId)) {
      one.outcome = { by: 'native', value: status }
      this.#tellThread(threadId, 'serverRequest/resolved', { threadId, requestId: one.id })
    }
  }

  question(threadId: string, ...questions: object[]): Request {
    return this.#open(threadId, QUESTION, { questions: questions.length > 0 ? questions : [colour], isBlocking: true, autoResolutionMs: null })
  }

  command(threadId: string, extra: Json = {}): Request {
    const command = '/bin/bash -lc \'echo second-run\'', itemId = `call_${++this.#ids}`
    this.#item(threadId, 'item/started', { type: 'commandExecution', id: itemId, command, status: 'inProgress' })
    return this.#open(threadId, COMMAND, {
      kind: 'command', environmentId: 'local', reason: 'second', command, cwd: '/home/me/shop', proposedExecpolicyAmendment: ['echo', 'second-run'],
      availableDecisions: ['accept', { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['echo', 'second-run'] } }, 'cancel'], ...extra,
    }, itemId)
  }

  files(threadId: string, changes: readonly object[] = [{ path: '/home/me/notes.txt', kind: { type: 'add' }, diff: 'hello\n' }]): Request {
    const itemId = `call_${++this.#ids}`
    this.#item(threadId, 'item/started', { type: 'fileChange', id: itemId, changes, status: 'inProgress' })
    return this.#open(threadId, FILES, { reason: null, grantRoot: null }, itemId)
  }

  /** Any request. */
  request(threadId: string, method: string, params: Json): Request {
    return this.#open(threadId, method, params)
  }

  /** A question that does not hold the turn. Returns its item's id. */
  async(threadId: string, ...questions: object[]): string {
    const id = `call_${++this.#ids}`
    this.#item(threadId, 'item/completed', {
      type: 'agentMessage', id, text: '', delivery: 'async', questions: questions.length > 0 ? questions : [{ title: 'Which colour?', options: ['Red', 'Blue'] }],
    })
    return id
  }

  /** Words of the person's, as the terminal shows them too. */
  say(threadId: string, text: string): void {
    this.#item(threadId, 'item/completed', { type: 'userMessage', id: `item-${++this.#ids}`, content: [{ type: 'text', text, text_elements: [] }] })
  }

  /**
   * Answer in Codex' own dialog.
   *
   * @param value the output that the model gets of a question, or the state of an approval's item.
   * @returns whether it was the first answer.
   */
  native(request: Request, value: string): boolean {
    if (request.outcome) return false
    request.outcome = { by: 'native', value }
    this.#resolve(request, value)
    return true
  }

  /** Send an open request once more, as it comes again to whoever subscribes again. */
  again(request: Request): void {
    if (request.outcome) return
    for (const [socket, threads] of this.#subscribed) if (threads.has(request.threadId)) this.#ask(socket, request)
  }

  /** Say anything, to every client. */
  raw(text: string): void {
    for (const socket of this.#subscribed.keys()) socket.send(text)
  }

  #resolve({ id, method, threadId, itemId }: Request, value: string): void {
    const thread = this.#threads.get(threadId)!
    this.#tellThread(threadId, 'serverRequest/resolved', { threadId, requestId: id })
    if (method === QUESTION) {
      appendFileSync(thread.log, `${JSON.stringify({ timestamp: new Date().toISOString(), payload: { type: 'function_call_output', call_id: itemId, output: value } })}\n`)
    } else if (value !== '') {
      this.#item(threadId, 'item/completed', { ...thread.items.findLast(item => item['id'] === itemId), id: itemId, type: 'commandExecution', status: value })
    }
    this.#status(thread, { type: 'active', activeFlags: this.#openIn(threadId).length > 0 ? ['waitingOnUserInput'] : [] })
  }

  #open(threadId: string, method: string, params: Json, itemId = `call_${++this.#ids}`): Request {
    const thread = this.#threads.get(threadId)!
    const request: Request = { id: this.requests.length, threadId, turnId: thread.turnId, itemId, method, params: { threadId, turnId: thread.turnId, itemId, ...params }, replies: [] }
    this.requests.push(request)
    this.#status(thread, { type: 'active', activeFlags: [method === QUESTION ? 'waitingOnUserInput' : 'waitingOnApproval'] })
    for (const [socket, threads] of this.#subscribed) if (threads.has(threadId)) this.#ask(socket, request)
    return request
  }

  #openIn(threadId: string): Request[] {
    return this.requests.filter(one => one.threadId === threadId && !one.outcome)
  }

  #ask(socket: WebSocket, { id, method, params }: Request): void {
    socket.send(JSON.stringify({ method, id, params }))
  }

  #hear(socket: WebSocket, { id, method, params, result, error }: Json): void {
    if (typeof method !== 'string') return this.#answered(this.requests[id as number]!, result as Json, error)
    if (id === undefined) return
    if (method === this.dropsAt) {
      this.dropsAt = undefined
      return socket.terminate()
    }
    const given = params as Json, threadId = given['threadId'] as string
    if (method !== 'initialize') this.calls.push({ method, params: given })
    const reply = (value: unknown) => socket.send(JSON.stringify({ id, result: value }))
    const refuse = (message: string) => socket.send(JSON.stringify({ id, error: { code: -32600, message } }))
    switch (method) {
      case 'initialize': return reply({ userAgent: 'stand-in', codexHome: this.home, platformFamily: 'unix', platformOs: 'linux' })
      case 'thread/loaded/list': return reply({ data: [...this.#threads.keys()], nextCursor: null })
      case 'thread/read': return reply({ thread: this.#facts(threadId) })
      case 'thread/resume':
        if (this.cannotResume || !this.#threads.has(threadId)) return refuse(`no rollout found for thread id ${threadId}`)
        this.#subscribed.get(socket)?.add(threadId)
        reply({ thread: this.#facts(threadId), model: 'x' })
        for (const one of this.#openIn(threadId)) this.#ask(socket, one)
        return
      case 'thread/unsubscribe':
        return reply({ status: this.#subscribed.get(socket)?.delete(threadId) ? 'unsubscribed' : 'notSubscribed' })
      case 'thread/items/list': return reply({ data: this.#threads.get(threadId)!.items.toReversed().map(item => ({ turnId: '', item })), nextCursor: null })
      case 'turn/steer': return this.cannotSteer ? refuse('no active turn to steer') : reply({ turnId: given['expectedTurnId'] })
      default: return refuse(`unknown method ${method}`)
    }
  }

  #answered(request: Request, result: Json | undefined, error: unknown): void {
    if (error !== undefined) this.errors.push(error)
    request.replies.push(result!)
    if (request.outcome) return
    request.outcome = { by: 'client', value: result }
    this.#resolve(request, request.method === QUESTION ? JSON.stringify(result) : result!['decision'] === 'decline' ? 'declined' : 'completed')
  }

  #item(threadId: string, method: string, item: Json): void {
    const thread = this.#threads.get(threadId)!
    thread.items.push(item)
    this.#tellThread(threadId, method, { threadId, turnId: thread.turnId, item })
  }

  #status(thread: Thread, status: Json): void {
    thread.status = status
    this.#tell('thread/status/changed', { threadId: thread.id, status })
  }

  #facts(id: string): Json {
    const { log, status, name } = this.#threads.get(id)!
    return { id, sessionId: id, cwd: '/home/me/shop', path: log, name, status, turns: [] }
  }

  #tell(method: string, params: Json): void {
    this.raw(JSON.stringify({ method, params, emittedAtMs: Date.now() }))
  }

  #tellThread(threadId: string, method: string, params: Json): void {
    const text = JSON.stringify({ method, params, emittedAtMs: Date.now() })
    for (const [socket, threads] of this.#subscribed) if (threads.has(threadId)) socket.send(text)
  }
}
