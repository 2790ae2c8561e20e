// What happens over one connection to Codex' app-server: its sessions are watched, what one of them asks is asked on the surfaces,
// and the first answer counts.
import type { AskSurfaces } from '../../protocol/surface.ts'
import type { z } from '../../protocol/zod.ts'
import type { Lang } from '../../reply/lang.ts'
import { asyncAsking } from './async-question.ts'
import { commandAsking, fileAsking } from './approval.ts'
import type { Asking, Sent } from './asking.ts'
import { CallFailed, type Connection, type Listener } from './connection.ts'
import { noticeAsking } from './notice.ts'
import { Pending } from './pending.ts'
import {
  commandApprovalSchema, fileApprovalSchema, type Heard, type Item, loadedSchema, notifications, questionSchema, type RequestId, withThreadSchema,
} from './protocol.ts'
import { questionAsking } from './question.ts'
import { Thread } from './thread.ts'

/** What comes often and is read by nobody here. */
const UNHEARD = [
  'item/agentMessage/delta', 'item/plan/delta', 'item/reasoning/summaryTextDelta', 'item/reasoning/summaryPartAdded', 'item/reasoning/textDelta',
  'item/commandExecution/outputDelta', 'item/fileChange/outputDelta', 'command/exec/outputDelta', 'process/outputDelta', 'item/mcpToolCall/progress',
  'turn/diff/updated', 'turn/plan/updated', 'thread/tokenUsage/updated', 'account/rateLimits/updated', 'thread/readState/changed',
  'rawResponseItem/completed', 'rawResponse/completed', 'mcpServer/startupStatus/updated',
]

/** What one connection needs. */
export interface AppServerOptions {
  readonly askSurfaces: Pick<AskSurfaces, 'ask'>
  readonly lang: Lang
  /** One line for whoever runs it, without what was asked. */
  readonly warn: (message: string) => void
  /** The same for what a broken server may say any number of times. */
  readonly malformed: (what: string) => void
  /** Called once the connection has ended. */
  readonly closed: () => void
}

/** Where a request belongs. */
interface Place {
  readonly threadId: string
  readonly turnId: string
  readonly itemId: string
}

/** The other end of one connection. */
export class AppServer implements Listener {
  readonly #options: AppServerOptions
  readonly #threads = new Map<string, Thread>()
  /** Requests of which is found out what they are about. */
  readonly #preparing = new Set<RequestId>()
  /** Requests that Codex has its answer to, whatever else comes of them. */
  readonly #resolvedIds = new Set<RequestId>()
  #connection: Connection | undefined

  constructor(options: AppServerOptions) {
    this.#options = options
  }

  /** How many sessions are loaded. */
  get sessions(): number {
    return this.#threads.size
  }

  /** Whether a session runs in this app-server. */
  has(threadId: string): boolean {
    return this.#threads.has(threadId)
  }

  /**
   * Say who we are, and look at what runs already.
   *
   * @throws CallFailed where the app-server does not speak what we speak.
   */
  async start(connection: Connection): Promise<void> {
    this.#connection = connection
    await connection.call('initialize', {
      clientInfo: { name: 'dsh_ask_router', title: 'dsh-ask-router', version: '1' },
      capabilities: { experimentalApi: true, optOutNotificationMethods: UNHEARD },
    })
    connection.notify('initialized')
    const { data } = loadedSchema.safeParse(await connection.call('thread/loaded/list', {}))
    if (!data) throw new CallFailed('thread/loaded/list has no list')
    await Promise.all(data.data.map(async (threadId) => {
      const thread = withThreadSchema.safeParse(await connection.call('thread/read', { threadId }).catch(() => undefined)).data?.thread
      if (thread) this.#thread(thread.id).learn(thread)
    }))
  }

  request(id: RequestId, method: string, params: unknown): void {
    switch (method) {
      case 'item/tool/requestUserInput': return this.#read(questionSchema, method, params, given => (
        this.#open(id, given, given.questions.some(({ isSecret }) => isSecret) ? noticeAsking('secret', this.#options.lang) : questionAsking(given))
      ))
      case 'item/commandExecution/requestApproval': return this.#read(commandApprovalSchema, method, params, (given) => {
        const asking = commandAsking(given)
        if (asking) this.#open(id, given, asking)
      })
      case 'item/fileChange/requestApproval': return this.#read(fileApprovalSchema, method, params, (given) => {
        void this.#prepare(id, given, async () => {
          const { lang } = this.#options
          // "Allow once" would permit all that is written there from now on.
          if (given.grantRoot !== undefined) return noticeAsking('folder', lang)
          const changes = await this.#thread(given.threadId).changesOf(given.itemId)
          return changes?.length ? fileAsking(given, changes) : noticeAsking('changes', lang)
        })
      })
      // Everything else is between Codex and its own dialogs; an answer that says so would be one.
    }
  }

  notification(method: string, params: unknown): void {
    switch (method) {
      case 'thread/started': return this.#read(notifications[method], method, params, ({ thread }) => this.#thread(thread.id).learn(thread))
      case 'thread/status/changed': return this.#read(notifications[method], method, params, ({ threadId, status }) => {
        this.#thread(threadId).setStatus(status)
        if (status.type === 'notLoaded') this.#forget(threadId)
      })
      case 'thread/name/updated': return this.#read(notifications[method], method, params, ({ threadId, threadName }) => this.#threads.get(threadId)?.rename(threadName))
      case 'thread/closed': return this.#read(notifications[method], method, params, ({ threadId }) => this.#forget(threadId))
      case 'turn/completed': return this.#read(notifications[method], method, params, ({ threadId, turn }) => this.#threads.get(threadId)?.turnEnded(turn))
      case 'item/started': return this.#read(notifications[method], method, params, ({ threadId, item }) => this.#threads.get(threadId)?.heard(item))
      case 'item/completed': return this.#read(notifications[method], method, params, given => this.#completed(given))
      case 'serverRequest/resolved': return this.#read(notifications[method], method, params, given => this.#resolved(given))
    }
  }

  malformed(): void {
    this.#options.malformed('a message')
  }

  closed(): void {
    for (const thread of this.#threads.values()) thread.close()
    this.#threads.clear()
    this.#options.closed()
  }

  #read<T extends z.ZodType>(schema: T, method: string, params: unknown, then: (given: z.infer<T>) => void): void {
    const { data, error } = schema.safeParse(params)
    if (error) this.#options.malformed(`${method}: ${error.issues[0]!.path.join('.') || 'params'}`)
    else then(data)
  }

  #thread(id: string): Thread {
    let thread = this.#threads.get(id)
    if (!thread) this.#threads.set(id, thread = new Thread(id, this.#connection!))
    return thread
  }

  #forget(threadId: string): void {
    this.#threads.get(threadId)?.close()
    this.#threads.delete(threadId)
  }

  /** @param make what is asked, which takes a while to find out. */
  async #prepare(id: RequestId, place: Place, make: () => Promise<Asking | undefined>): Promise<void> {
    // The same request comes again whenever its session is subscribed to again.
    if (this.#preparing.has(id)) return
    const thread = this.#thread(place.threadId)
    this.#preparing.add(id)
    thread.preparing++
    const asking = await make()
    thread.preparing--
    const isThere = this.#threads.get(place.threadId) === thread && thread.endedTurn !== place.turnId && this.#connection!.isOpen
    if (this.#preparing.delete(id) && asking && isThere) this.#open(id, place, asking)
    thread.rest()
  }

  #open(id: RequestId, { threadId, turnId, itemId }: Place, asking: Asking): void {
    const thread = this.#thread(threadId)
    if (!thread.requests.has(id) && !this.#resolvedIds.has(id)) thread.add(id, this.#pending(thread, turnId, itemId, asking, false, sent => this.#send(thread, turnId, sent, id)))
  }

  #pending(thread: Thread, turnId: string, itemId: string, asking: Asking, isLoose: boolean, send: (sent: Sent) => void): Pending {
    const { askSurfaces, warn } = this.#options
    return new Pending({ askSurfaces, warn, asking, origin: thread.origin, turnId, itemId, log: thread.log, isLoose, send })
  }

  #send({ id: threadId }: Thread, turnId: string, { result, words }: Sent, id?: RequestId): void {
    const { warn } = this.#options, connection = this.#connection!
    if (result && id !== undefined && !connection.respond(id, result)) warn('an answer did not reach Codex: the connection has ended')
    if (words === undefined) return
    const input = [{ type: 'text', text: words, text_elements: [] }]
    connection.call('turn/steer', { threadId, expectedTurnId: turnId, input }).catch((error: CallFailed) => warn(`words did not reach Codex: ${error.message}`))
  }

  #completed({ threadId, turnId, item }: Heard<'item/completed'>): void {
    const thread = this.#threads.get(threadId)
    if (!thread) return
    thread.heard(item)
    this.#openLoose(thread, turnId, item)
  }

  #openLoose(thread: Thread, turnId: string, item: Item): void {
    if (item.delivery !== 'async' || !item.questions || thread.loose.has(item.id)) return
    const asking = asyncAsking(item, item.questions)
    thread.loose.set(item.id, this.#pending(thread, turnId, item.id, asking, true, sent => this.#send(thread, turnId, sent)))
  }

  #resolved({ threadId, requestId }: Heard<'serverRequest/resolved'>): void {
    this.#preparing.delete(requestId)
    this.#resolvedIds.add(requestId)
    this.#threads.get(threadId)?.resolved(requestId)
  }
}
