// The phone as a surface: asks go out as pushes, and messages come in as answers.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { SurfacePolicy } from '../../protocol/policy.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskContext, AskSurface } from '../../protocol/surface.ts'
import type { Lang } from '../../reply/lang.ts'
import { isOutrun } from '../../reply/outrun.ts'
import { whereOf } from '../../reply/place.ts'
import { stopReasonOf } from '../../reply/stop-reason.ts'
import { Allowance } from './allowance.ts'
import { Cards } from './cards.ts'
import type { NtfyClient } from './client.ts'
import type { Config } from './config.ts'
import { ConnectionHealth } from './connection-health.ts'
import type { Warn } from './delivery.ts'
import { Explainer } from './explainer.ts'
import type { NtfyFailure } from './failure.ts'
import { Inbox } from './inbox.ts'
import { Outbox } from './outbox.ts'
import { PhoneAsk, type PhoneParts } from './phone-ask.ts'
import { PushWriter } from './push.ts'
import { ServerClock } from './server-clock.ts'
import { settledCardsOf } from './settled-cards.ts'
import { Subscription } from './subscription.ts'
import { phoneTexts, type PhoneTexts } from './texts.ts'

/**
 * How long unloading waits for the last pushes, in milliseconds. It is well below the second for which the router keeps a
 * question that no surface has, so that a reloaded plugin is back in time.
 */
const FAREWELL_MS = 500

/** What the phone needs. */
export interface PhoneOptions {
  readonly config: Config
  readonly lang: Lang
  readonly client: NtfyClient
  /** The page where an ask can be answered, if there is one. */
  readonly linkFor: (askId: string) => string | undefined
  /** Called when `watched()` changes, until the phone is closed. */
  readonly reconsider?: () => void
  readonly warn: Warn
}

/** The phone. It listens from its construction until it is closed. */
export class Phone implements AskSurface {
  readonly name = 'ntfy'
  readonly personal = true
  readonly silent = true
  readonly approvals: boolean
  /** At home the question is on a screen already. A phone that always buzzes too is soon muted, so the others get a minute. */
  readonly defaultPolicy: SurfacePolicy = { home: { delayMs: 60_000 }, away: { delayMs: 0 } }
  readonly #options: PhoneOptions
  readonly #texts: PhoneTexts
  readonly #parts: PhoneParts
  readonly #outbox: Outbox
  readonly #inbox: Inbox
  readonly #health: ConnectionHealth
  readonly #subscription: Subscription
  /** By request. Those answered on the phone stay, because somebody else's answer may still win. */
  readonly #asks = new WeakMap<AskUserQuestionRequest, PhoneAsk>()
  readonly #open = new Set<PhoneAsk>()
  /** Why the server refuses the stream, while it does. */
  #refusal: string | undefined
  /** The refusals that were warned about since the stream was last open. */
  readonly #refusalsTold = new Set<string>()

  constructor(options: PhoneOptions) {
    const { config, lang, client, reconsider, warn } = options
    this.#options = options
    this.approvals = config.approvals
    this.#texts = phoneTexts[lang]
    this.#health = new ConnectionHealth(warn, reconsider)
    const clock = new ServerClock()
    const cards = new Cards(settledCardsOf(config))
    const writer = new PushWriter(config, lang)
    this.#outbox = new Outbox(client, config.topic, message => warn(`pushes: ${message}`), clock, this.#health)
    const allowance = new Allowance(() => warn('too many messages came that are no answers; for a while they are not explained, and files not fetched'))
    const explainer = new Explainer(this.#texts, cards, this.#outbox, writer, allowance)
    this.#inbox = new Inbox({ config, client, cards, clock, writer, explainer, allowance, warn })
    this.#subscription = new Subscription(client, [config.topic, config.replyTopic], {
      opened: time => {
        this.#refusal = undefined
        this.#refusalsTold.clear()
        this.#inbox.streamOpened(time)
        this.#health.streamOpened()
      },
      message: (message, isOld) => this.#inbox.receive(message, isOld),
      refused: failure => this.#onRefused(failure),
      // The stream may be back at any moment, so open questions stay.
      lost: failure => this.#health.streamLost(failure),
      failed: () => warn('a message could not be handled, because of a fault in this plugin'),
    })
    this.#parts = {
      cards,
      outbox: this.#outbox,
      writer,
      lang,
      ready: this.#subscription.ready,
      refusal: () => this.#refusal,
      published: (card, published) => {
        card.shown ??= clock.at(published.time)
        this.#subscription.published(published)
      },
    }
  }

  claim(): boolean {
    return false
  }

  /** Not while the server is unreachable: then others are asked too, and the phone shows the question once it is back. */
  watched(): boolean {
    return this.#health.isWatched
  }

  async ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer> {
    const ask = new PhoneAsk(this.#parts, request, context, this.#options.linkFor(context.id))
    this.#asks.set(request, ask)
    this.#open.add(ask)
    const remove = () => void this.#open.delete(ask)
    ask.result.then(remove, remove)
    const { signal } = context
    signal.addEventListener('abort', () => {
      const why = stopReasonOf(signal)
      // `settled` handles that case, because it is told by whom.
      if (why !== 'settled') ask.stop(why === 'gone' ? this.#texts.gone : this.#texts.cancelled, signal.reason)
    }, { once: true })
    return await ask.result
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    const ask = this.#asks.get(request)
    if (isOutrun(by, answer, ask?.isLate)) return ask!.end(this.#texts.outrun)
    ask?.settle(answer, whereOf(by, request, this.#options.lang))
  }

  remind(request: AskUserQuestionRequest): void {
    this.#asks.get(request)?.remind()
  }

  late(request: AskUserQuestionRequest): void {
    this.#asks.get(request)?.late()
  }

  /** Put open questions away on the phone, then stop. Never rejects. */
  async close(): Promise<void> {
    this.#health.close()
    this.#subscription.close()
    this.#inbox.close()
    for (const ask of this.#open) ask.fail('it was unloaded')
    await this.#outbox.close(FAREWELL_MS)
  }

  /** Without the stream no answer can arrive, so questions must not stay on the phone. */
  #onRefused({ message }: NtfyFailure): void {
    if (!this.#refusalsTold.has(message)) this.#options.warn(`replies: ${message}`)
    this.#refusalsTold.add(message)
    this.#refusal = message
    for (const ask of this.#open) ask.fail(message)
    this.#health.streamRefused()
  }
}
