// The phone as a surface: asks go out as pushes, messages come in as answers.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { userQuestionError } from '../../protocol/errors.ts'
import type { SurfacePolicy } from '../../protocol/policy.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskContext, AskSurface } from '../../protocol/surface.ts'
import { formatAnswer } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { originOf } from '../../reply/origin.ts'
import { type StopReason, stopReasonOf } from '../../reply/stop-reason.ts'
import { visibleLine } from '../../reply/visible.ts'
import { fetchAttachmentText } from './attachment.ts'
import { readButton } from './button.ts'
import { Cards } from './cards.ts'
import type { NtfyClient } from './client.ts'
import { ServerClock } from './server-clock.ts'
import type { Config } from './config.ts'
import type { NtfyMessage } from './event.ts'
import { Explainer } from './explainer.ts'
import type { NtfyFailure } from './failure.ts'
import { judge, type Reply } from './verdict.ts'
import { Outbox } from './outbox.ts'
import { settledCardsOf } from './settled-cards.ts'
import { PhoneAsk, type PhoneParts } from './phone-ask.ts'
import { PushWriter } from './push.ts'
import { ConnectionHealth } from './connection-health.ts'
import { Subscription } from './subscription.ts'
import { phoneTexts, type PhoneTexts } from './texts.ts'

/**
 * How long unloading waits for the last pushes, in milliseconds: well below the second that the router keeps a question
 * without a surface, so that this plugin is back in time when it is only loaded anew.
 */
const FAREWELL_MS = 500

/** So long after the start another process that was here before may still be putting its questions away, in seconds. */
const SETTLING_S = 5

/** What the phone needs. */
export interface PhoneOptions {
  readonly config: Config
  readonly lang: Lang
  readonly client: NtfyClient
  /** Where an ask can be answered on a page, if it can. */
  readonly linkFor: (askId: string) => string | undefined
  /** Whether the phone is watched has changed; never called once it is closed. */
  readonly reconsider?: () => void
  /** What somebody should repair; says nothing secret. */
  readonly warn: (message: string) => void
}

/** The phone. It listens from its construction on, until it is closed. */
export class Phone implements AskSurface {
  readonly name = 'ntfy'
  readonly #options: PhoneOptions
  readonly #texts: PhoneTexts
  readonly #parts: PhoneParts
  readonly #cards: Cards
  readonly #outbox: Outbox
  readonly #health: ConnectionHealth
  readonly #writer: PushWriter
  readonly #explainer: Explainer
  readonly #subscription: Subscription
  readonly #closing = new AbortController()
  /** By request: also those that were answered here, should somebody else have been quicker. */
  readonly #asks = new WeakMap<AskUserQuestionRequest, PhoneAsk>()
  readonly #open = new Set<PhoneAsk>()
  /** Why nothing can be heard, while that lasts. */
  #refusal: string | undefined
  readonly #clock = new ServerClock()
  #streamOrder = 0
  /** When the first stream opened, by the server's clock. */
  #began: number | undefined

  constructor(options: PhoneOptions) {
    const { config, lang, client, reconsider, warn } = options
    this.#options = options
    this.#health = new ConnectionHealth(reconsider)
    this.#cards = new Cards(settledCardsOf(config))
    this.#texts = phoneTexts[lang]
    this.#outbox = new Outbox(client, config.topic, message => warn(`pushes: ${message}`), this.#clock, this.#health)
    this.#writer = new PushWriter(config, lang)
    this.#explainer = new Explainer(this.#texts, this.#cards, this.#outbox, this.#writer)
    this.#subscription = new Subscription(client, [config.topic, config.replyTopic], {
      opened: time => {
        this.#began ??= time
        this.#refusal = undefined
        this.#streamOrder = this.#clock.now().order
        this.#health.streamOpened()
      },
      message: (message, isOld) => this.#onMessage(message, isOld),
      refused: failure => this.#onRefused(failure),
      // It may be back at any moment: the questions stay.
      lost: ({ message: why }) => {
        warn(`replies: none can be heard at the moment, ${why}; open questions stay`)
        this.#health.streamLost()
      },
    })
    this.#parts = {
      cards: this.#cards,
      outbox: this.#outbox,
      writer: this.#writer,
      lang,
      ready: this.#subscription.ready,
      refusal: () => this.#refusal,
      published: (card, published) => {
        card.shown ??= this.#clock.at(published.time)
        this.#subscription.published(published)
      },
    }
  }

  readonly personal = true

  /** At home somebody else has a minute: a phone that buzzes for what is on the screen is soon switched off. */
  readonly defaultPolicy: SurfacePolicy = { home: { delayMs: 60_000 }, away: { delayMs: 0 } }

  readonly silent = true

  claim(): boolean {
    return false
  }

  /** While the server is out of reach others are asked; what the phone was asked comes there once it is back. */
  watched(): boolean {
    return this.#health.isWatched
  }

  ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer> {
    if (request.questions.length === 0) return Promise.reject(userQuestionError('BAD_ANSWER', 'there is no question to answer'))
    const ask = new PhoneAsk(this.#parts, request, context, originOf(request), this.#options.linkFor(context.id))
    this.#asks.set(request, ask)
    this.#open.add(ask)
    const remove = () => void this.#open.delete(ask)
    ask.result.then(remove, remove)
    // Settled by somebody else is told by `settled`, which knows by whom.
    const { signal } = context
    signal.addEventListener('abort', () => {
      const why = stopReasonOf(signal)
      if (why !== 'settled') ask.stop(this.#outcomeOf(why), signal.reason)
    }, { once: true })
    return ask.result
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    const where = this.#texts.on(by === 'host' ? 'dsh' : visibleLine(by))
    this.#asks.get(request)?.end(answer
      ? this.#texts.answered(formatAnswer(answer, this.#options.lang), where)
      : this.#texts.cancelledOn(where))
  }

  remind(request: AskUserQuestionRequest): void {
    this.#asks.get(request)?.remind()
  }

  /** Stop: open questions are put away on the phone, then nothing of this is left. Never rejects. */
  async close(): Promise<void> {
    this.#health.close()
    this.#subscription.close()
    this.#closing.abort()
    for (const ask of this.#open) ask.fail('it was unloaded')
    await this.#outbox.close(FAREWELL_MS)
  }

  #outcomeOf(why: Exclude<StopReason, 'settled'>): string {
    const { cancelled, timedOut, gone } = this.#texts
    return { aborted: cancelled, 'timed-out': timedOut, gone }[why]
  }

  /** Without its answers a question on the phone would only seem to be one. */
  #onRefused({ message }: NtfyFailure): void {
    if (this.#refusal !== message) this.#options.warn(`replies: ${message}`)
    this.#refusal = message
    for (const ask of this.#open) ask.fail(message)
    this.#health.streamLost()
  }

  /** Another host uses these topics: from now on a reply that names no question may be for one of its. */
  #onOthers(time: number): void {
    if (this.#writer.shared || this.#began === undefined || time < this.#began + SETTLING_S) return
    this.#writer.shared = true
    this.#options.warn('another dsh host uses the same topics; set shared: true for each of them, or give each its own; replies need a code from now on')
  }

  #onMessage(message: NtfyMessage, isOld: boolean): void {
    const moment = this.#clock.at(message.time)
    const { config } = this.#options
    if (message.sequence !== undefined) {
      // Never a person's: ours, seen on its way to the phone, or another host's.
      if (!isOld && this.#cards.isForeignSequence(message.sequence)) this.#onOthers(message.time)
      const card = this.#cards.noteSequence(message.sequence)
      if (card) card.shown ??= moment
      return
    }
    if (message.topic !== config.replyTopic && !message.bare) return
    // Words from before our time are for nobody here; a button proves by its secret what it is for.
    if (isOld && readButton(message.message) === undefined) return
    const reply = { ...moment, streamOrder: this.#streamOrder, isTyped: message.bare && message.topic === config.replyTopic, text: message.message }
    if (message.attachment === undefined) this.#act(reply, message.id)
    else void this.#onAttachment(message.attachment, reply, message.id).catch(() => {})
  }

  async #onAttachment(attachment: NonNullable<NtfyMessage['attachment']>, reply: Reply, id: string): Promise<void> {
    const { client } = this.#options
    // With no question open the file is not even looked at.
    if (this.#cards.open.length === 0) return this.#act(reply, id)
    const text = await fetchAttachmentText(attachment, client, this.#closing.signal)
    if (this.#closing.signal.aborted) return
    if (text === undefined) this.#explainer.refuseAttachment(id)
    else this.#act({ ...reply, text }, id)
  }

  #act(reply: Reply, id: string): void {
    const verdict = judge(reply, this.#cards, { freeText: this.#options.config.freeText, shared: this.#writer.shared })
    switch (verdict.kind) {
      case 'answer':
        // Whoever answers it has seen it, though the server may not have said yet that it took it.
        verdict.card.shown ??= { time: reply.time, order: reply.order }
        verdict.card.answeredWith = reply.text
        return verdict.card.answer(verdict.item)
      case 'explain': return this.#explainer.explain(verdict, id)
      case 'forged': return this.#options.warn('a button reply without the secret of a question was dropped')
      case 'late':
        this.#options.warn('a reply to a settled question was dropped')
        verdict.card.shown ??= { time: reply.time, order: reply.order }
        this.#explainer.late(verdict.card)
    }
  }
}
