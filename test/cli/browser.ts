// The web UI's side of `dsh web`, without its pixels: the RPCs and the event stream that its page uses.
import { randomUUID } from 'node:crypto'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import type { Host } from './host.ts'

interface Frame {
  readonly rpcId?: string
  readonly payload: {
    readonly type: string
    readonly sessionId?: string
    readonly questions?: readonly AskUserQuestionItem[]
    readonly questionRpcId?: string
    readonly outcome?: string
  }
}

/** A question on the page: what a person sees there, and what the page needs to answer it. */
export interface Card {
  readonly rpcId: string
  readonly sessionId: string
  readonly questions: readonly AskUserQuestionItem[]
}

export class Browser {
  private readonly frames: Frame[] = []
  private readonly shown = new Set<string>()
  private readonly host: Host
  private readonly origin: string
  private socket: WebSocket | undefined

  private constructor(host: Host, origin: string) {
    this.host = host
    this.origin = origin
  }

  /** Opens the page of a `dsh web --port 0` that has just been started. */
  static async open(host: Host): Promise<Browser> {
    const origin = await host.until('the line with its address', () => /dsh web: (http:\/\/\S+)/.exec(host.stdout + host.stderr)?.[1])
    const browser = new Browser(host, origin)
    await browser.connect()
    return browser
  }

  /** The stream's route appears a little after the address is printed, so this is tried until it is there. */
  async connect(): Promise<void> {
    this.socket = await this.host.until('the event stream', () => {
      const socket = new WebSocket(`${this.origin.replace('http', 'ws')}/api/events.mux`)
      socket.addEventListener('message', event => {
        const frame = JSON.parse(String(event.data)) as Frame | Frame['payload']
        this.frames.push('payload' in frame ? frame : { payload: frame })
      })
      return new Promise<WebSocket | undefined>(resolve => {
        socket.addEventListener('open', () => resolve(socket), { once: true })
        socket.addEventListener('error', () => resolve(undefined), { once: true })
      })
    })
  }

  /** Closes the page; the host goes on. */
  async close(): Promise<void> {
    const { socket } = this
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return
    const closed = new Promise(resolve => socket.addEventListener('close', resolve, { once: true }))
    socket.close()
    await closed
  }

  private async post(path: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${this.origin}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}\n${this.host.describe()}`)
    return JSON.parse(text)
  }

  async rpc(method: string, payload: unknown): Promise<Record<string, unknown>> {
    const request = { type: 'client-request', rpcId: randomUUID(), method, payload }
    const { result } = (await this.post(method, request)) as { result: { ok: boolean; value: Record<string, unknown> } }
    if (!result.ok) throw new Error(`${method}: ${JSON.stringify(result)}\n${this.host.describe()}`)
    return result.value
  }

  async newSession(cwd: string): Promise<string> {
    return String((await this.rpc('session.create', { cwd })).sessionId)
  }

  async prompt(sessionId: string, text: string): Promise<void> {
    await this.rpc('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text }] })
  }

  /** The stop button: interrupts the running turn. */
  async stop(sessionId: string): Promise<void> {
    await this.rpc('session.cancel', { sessionId })
  }

  /** The slash commands that the page offers in a session. */
  async commands(sessionId: string): Promise<readonly { name: string; input?: { hint: string } }[]> {
    return (await this.rpc('commands/list', { args: { agentId: sessionId } })) as never
  }

  /** Sends a slash command; resolves with its result, as the page shows it. */
  async command(sessionId: string, line: string): Promise<{ kind: string; text?: string }> {
    return (await this.rpc('commands/execute', { args: { agentId: sessionId, line, images: [] } })).result as never
  }

  /** The next card that appears for a session. */
  card(sessionId: string): Promise<Card> {
    return this.host.until('a card in the web UI', () => {
      const frame = this.frames.find(({ rpcId, payload }) =>
        payload.type === 'question/requested' && payload.sessionId === sessionId && rpcId !== undefined && !this.shown.has(rpcId))
      if (frame?.rpcId === undefined) return undefined
      this.shown.add(frame.rpcId)
      return { rpcId: frame.rpcId, sessionId, questions: frame.payload.questions ?? [] }
    })
  }

  /** How many cards appeared for a session, taken or not. */
  cards(sessionId: string): number {
    return this.frames.filter(({ payload }) => payload.type === 'question/requested' && payload.sessionId === sessionId).length
  }

  /** Why a card went away, once it has: `answered` (here) or `cancelled` (anything else). */
  async gone(card: Card): Promise<string | undefined> {
    return this.host.until('the card to go', () =>
      this.frames.find(({ payload }) => payload.type === 'question/resolved' && payload.questionRpcId === card.rpcId)?.payload.outcome)
  }

  /** A person answers the card. Resolves with whether the host took it. */
  answer(card: Card, answer: AskUserQuestionAnswer) {
    return this.respond(card, { ok: true, value: { sessionId: card.sessionId, answer } })
  }

  /** A person closes the card without an answer. */
  dismiss(card: Card) {
    return this.respond(card, { ok: false, error: { code: 'cancelled', message: 'closed', details: {} } })
  }

  private async respond(card: Card, result: unknown): Promise<{ accepted: boolean; reason?: string }> {
    const response = { type: 'client-response', rpcId: card.rpcId, result }
    return (await this.post('respond', response)) as { accepted: boolean; reason?: string }
  }
}
