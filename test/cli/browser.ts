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
    readonly approvalId?: string
    readonly toolName?: string
    readonly callId?: string
    readonly reason?: string
    readonly outcome?: string
  }
}

/** A question on the page: what a person sees there, and what the page needs to answer it. */
export interface Card {
  readonly rpcId: string
  readonly sessionId: string
  readonly questions: readonly AskUserQuestionItem[]
}

/** What decides an approval on the page: the two buttons. */
export type Decision = 'allowed-once' | 'rejected'

/** An approval on the page. */
export interface Panel {
  readonly rpcId: string
  readonly sessionId: string
  readonly approvalId: string
  readonly toolName: string
  readonly callId: string | undefined
  readonly reason: string | undefined
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

  /** The next frame of a type that asks something of the person, in a session. */
  private requested(what: string, type: string, sessionId: string): Promise<{ rpcId: string, payload: Frame['payload'] }> {
    return this.host.until(what, () => {
      const isNew = (frame: Frame) => frame.rpcId !== undefined && !this.shown.has(frame.rpcId)
      const { rpcId, payload } = this.frames.find(frame =>
        frame.payload.type === type && frame.payload.sessionId === sessionId && isNew(frame)) ?? {}
      if (rpcId === undefined || payload === undefined) return undefined
      this.shown.add(rpcId)
      return { rpcId, payload }
    })
  }

  private count(type: string, sessionId: string): number {
    return this.frames.filter(({ payload }) => payload.type === type && payload.sessionId === sessionId).length
  }

  /** The next card that appears for a session. */
  async card(sessionId: string): Promise<Card> {
    const { rpcId, payload: { questions = [] } } = await this.requested('a card in the web UI', 'question/requested', sessionId)
    return { rpcId, sessionId, questions }
  }

  /** How many cards appeared for a session, taken or not. */
  cards(sessionId: string): number {
    return this.count('question/requested', sessionId)
  }

  /** Why a card went away, once it has: `answered` (here) or `cancelled` (anything else). */
  gone(card: Card): Promise<string> {
    return this.host.until('the card to go', () =>
      this.frames.find(({ payload }) => payload.type === 'question/resolved' && payload.questionRpcId === card.rpcId)?.payload.outcome)
  }

  /** The next approval that appears for a session. */
  async panel(sessionId: string): Promise<Panel> {
    const { rpcId, payload } = await this.requested('an approval in the web UI', 'approval/requested', sessionId)
    const { approvalId = '', toolName = '', callId, reason } = payload
    return { rpcId, sessionId, approvalId, toolName, callId, reason }
  }

  /** How many approvals appeared for a session, taken or not. */
  panels(sessionId: string): number {
    return this.count('approval/requested', sessionId)
  }

  /** Why an approval went away, once it has: what was decided here, or `cancelled` (anything else). */
  closed(panel: Panel): Promise<string> {
    return this.host.until('the approval to go', () =>
      this.frames.find(({ payload }) => payload.type === 'approval/resolved' && payload.approvalId === panel.approvalId)?.payload.outcome)
  }

  /** A person answers the card. Resolves with whether the host took it. */
  answer(card: Card, answer: AskUserQuestionAnswer) {
    return this.respond(card, { ok: true, value: { sessionId: card.sessionId, answer } })
  }

  /** A person closes the card without an answer. */
  dismiss(card: Card) {
    return this.respond(card, { ok: false, error: { code: 'cancelled', message: 'closed', details: {} } })
  }

  /** A person presses a button of an approval. Resolves with whether the host took it. */
  decide({ rpcId, sessionId, approvalId }: Panel, outcome: Decision) {
    return this.respond({ rpcId }, { ok: true, value: { sessionId, approvalId, outcome } })
  }

  private async respond({ rpcId }: Pick<Card, 'rpcId'>, result: unknown): Promise<{ accepted: boolean; reason?: string }> {
    const response = { type: 'client-response', rpcId, result }
    return (await this.post('respond', response)) as { accepted: boolean; reason?: string }
  }
}
