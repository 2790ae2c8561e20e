// One session of Codex, as the app-server calls a thread: what is known of it, and the requests that are open in it.
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { Origin } from '../../protocol/origin.ts'
import { CODEX } from './asking.ts'
import type { Connection } from './connection.ts'
import type { Pending } from './pending.ts'
import { type FileChanges, type Heard, type Item, itemsSchema, type RequestId, withThreadSchema } from './protocol.ts'

/** A session's id ends in so many characters that tell it from others; it begins with the time. */
const ID_LENGTH = 8

/** So many items are looked through for the changes of a request that was open before we came. */
const MOST_ITEMS = 50

/** How long requests may outlive what they belong to before they are put away, in milliseconds. */
const LINGER_MS = 2000

/** What is read of a thread. */
type Facts = Heard<'thread/started'>['thread']

/** One session. */
export class Thread {
  readonly id: string
  readonly requests = new Map<RequestId, Pending>()
  /** Those that Codex has its own answer to, while that is looked for. */
  readonly #settling = new Set<Pending>()
  /** Requests that do not hold the turn, by their item. */
  readonly loose = new Map<string, Pending>()
  readonly #connection: Connection
  #facts: Facts | undefined
  #isActive = false
  #subscription: 'none' | 'coming' | 'there' = 'none'
  /** Whether the state has changed while it was being subscribed to. */
  #isStale = false
  readonly #changes = new Map<string, FileChanges>()
  #linger: NodeJS.Timeout | undefined

  constructor(id: string, connection: Connection) {
    this.id = id
    this.#connection = connection
  }

  /** The log of the session. */
  get log(): string | undefined {
    return this.#facts?.path
  }

  get origin(): Origin {
    const { cwd = '/', name } = this.#facts ?? {}
    return { agent: CODEX, machine: hostname(), project: basename(cwd) || cwd, session: name?.trim() || this.id.slice(-ID_LENGTH) }
  }

  /** Requests of which is found out what they are about. */
  preparing = 0
  /** The turn that has ended last. */
  endedTurn: string | undefined

  get isOpen(): boolean {
    return this.preparing > 0 || this.requests.size > 0 || this.loose.size > 0
  }

  learn(facts: Facts): void {
    this.#facts = { ...facts, name: facts.name ?? this.#facts?.name }
    this.setStatus(facts.status)
  }

  rename(name: string | undefined): void {
    if (this.#facts) this.#facts = { ...this.#facts, name }
  }

  /** While it works, everything that happens in it is heard; otherwise nothing. */
  setStatus({ type }: Facts['status']): void {
    this.#isActive = type === 'active'
    this.#isStale = true
    if (this.#isActive) return void this.#subscribe()
    for (const one of this.loose.values()) one.withdraw()
    this.loose.clear()
    this.#expire()
    this.rest()
  }

  /** A request is open. */
  add(id: RequestId, pending: Pending): void {
    this.requests.set(id, pending)
    this.#expire()
  }

  /** What holds a turn is over with it, and the app-server says so of each. Nothing stays open where it does not. */
  #expire(): void {
    clearTimeout(this.#linger)
    if (!this.isOpen) return
    this.#linger = setTimeout(() => {
      if (!this.#isActive) this.close()
    }, LINGER_MS).unref()
  }

  async #subscribe(): Promise<void> {
    if (this.#subscription !== 'none') return
    this.#subscription = 'coming'
    this.#isStale = false
    try {
      const result = await this.#connection.call('thread/resume', { threadId: this.id, excludeTurns: true })
      this.#subscription = 'there'
      const { data } = withThreadSchema.safeParse(result)
      // What was said of it meanwhile is newer.
      if (data) this.#facts = { ...data.thread, name: data.thread.name ?? this.#facts?.name }
    } catch {
      // It is not in a state to be heard yet, such as before its first turn is written down, or not at all, such as a helper's.
      this.#subscription = 'none'
      if (this.#isStale && this.#isActive) void this.#subscribe()
      return
    }
    this.rest()
  }

  /** Hear nothing any longer where there is nothing to hear of. */
  rest(): void {
    if (this.#isActive || this.isOpen || this.#subscription !== 'there') return
    this.#subscription = 'none'
    this.#changes.clear()
    void this.#connection.call('thread/unsubscribe', { threadId: this.id })
  }

  heard(item: Item): void {
    if (item.type === 'fileChange' && item.changes) this.#changes.set(item.id, item.changes)
    for (const one of [...this.#settling, ...this.loose.values()]) one.heard(item)
  }

  /** Codex has an answer to a request. */
  resolved(id: RequestId): void {
    const one = this.requests.get(id)
    if (!one) return
    this.requests.delete(id)
    this.#settling.add(one)
    void one.resolved().then(() => this.#settling.delete(one))
    this.rest()
  }

  /** What an item is to change; `undefined` where Codex does not say. */
  async changesOf(itemId: string): Promise<FileChanges | undefined> {
    if (!this.#changes.has(itemId)) {
      const result = await this.#connection.call('thread/items/list', { threadId: this.id, limit: MOST_ITEMS, sortDirection: 'desc' }).catch(() => undefined)
      for (const { item } of itemsSchema.safeParse(result).data?.data ?? []) this.heard(item)
    }
    return this.#changes.get(itemId)
  }

  turnEnded({ id, status }: Heard<'turn/completed'>['turn']): void {
    this.endedTurn = id
    for (const [key, one] of this.loose) {
      if (one.turnId !== id) continue
      one.turnEnded(false)
      this.loose.delete(key)
    }
    for (const one of [...this.requests.values(), ...this.#settling]) if (one.turnId === id) one.turnEnded(status === 'interrupted')
    this.#changes.clear()
    this.rest()
  }

  /** Put away what is open in it. */
  close(): void {
    clearTimeout(this.#linger)
    for (const one of [...this.requests.values(), ...this.#settling, ...this.loose.values()]) one.withdraw()
    this.requests.clear()
    this.loose.clear()
    this.rest()
  }
}
