// Acts on what the stream brings: answers settle cards, other replies are explained to their senders, and pushes seen on the
// topic show which cards are on the phone and whether another host uses the same topics.
import type { Allowance } from './allowance.ts'
import { textFileOf, TextFiles } from './attachment.ts'
import { readButton } from './button.ts'
import { type Cards, isPushSequence } from './cards.ts'
import type { NtfyClient } from './client.ts'
import type { Config } from './config.ts'
import type { Warn } from './delivery.ts'
import type { NtfyMessage } from './event.ts'
import type { Explainer } from './explainer.ts'
import type { PushWriter } from './push.ts'
import type { Moment, ServerClock } from './server-clock.ts'
import { Unclaimed } from './unclaimed.ts'
import { judge, type Reply } from './verdict.ts'

/** For how long after the start another process that was here before may still be putting its cards away, in seconds. */
const SETTLING_S = 5

/** How often at most the log has the same line about a message: whoever floods the topics must not flood it, in milliseconds. */
const LOG_EVERY_MS = 60_000

/** What the inbox needs of the phone. */
export interface InboxParts {
  readonly config: Config
  readonly client: NtfyClient
  readonly cards: Cards
  readonly clock: ServerClock
  readonly writer: PushWriter
  readonly explainer: Explainer
  /** Limits what replies that are no answer can cause. */
  readonly allowance: Allowance
  readonly warn: Warn
}

/** The messages of one plugin. */
export class Inbox {
  readonly #parts: InboxParts
  readonly #closing = new AbortController()
  readonly #files: TextFiles
  readonly #unclaimed = new Unclaimed()
  /** When the log last had each line, by the monotonic clock. */
  readonly #warnedAt = new Map<string, number>()
  /** Whether the server is known to keep sequences, by which our own pushes are told from replies. Before 2.16 it does not. */
  #keepsSequences = false
  /** The `order` at which the current stream was opened. */
  #streamOrder = 0
  /** When the first stream opened, by the server's clock. */
  #startedAt: number | undefined

  constructor(parts: InboxParts) {
    this.#parts = parts
    this.#files = new TextFiles(parts.client, this.#closing.signal)
  }

  /** A stream has opened, at this time by the server's clock. */
  streamOpened(time: number): void {
    this.#startedAt ??= time
    this.#streamOrder = this.#parts.clock.now().order
  }

  /**
   * Handle a message.
   *
   * @param isOld whether it was published before the subscription began.
   */
  receive(message: NtfyMessage, isOld: boolean): void {
    const { config, clock, explainer } = this.#parts
    const moment = clock.at(message.time)
    if (message.topic !== config.replyTopic) {
      // Questions come to this topic too. They have a title, tags and a sequence; what a person says may have a title at most.
      if (message.sequence !== undefined && isPushSequence(message.sequence)) return this.#onPush(message.sequence, moment, isOld)
      if ((message.hasTitle || message.isComposed) && !this.#keepsSequences) return
      if (message.isComposed) return isOld ? undefined : explainer.refuseComposed(message.id)
    }
    // Old words are for nobody here. An old button press may be, and its secret proves it.
    if (isOld && readButton(message.message) === undefined) return
    const reply = { ...moment, streamOrder: this.#streamOrder, text: message.message }
    if (message.attachment === undefined) this.#act(reply, message.id)
    else void this.#onAttachment(message.attachment, reply, message.id)
  }

  /** Stop fetching attachments, and waiting for other hosts. */
  close(): void {
    this.#unclaimed.close()
    this.#closing.abort()
  }

  /**
   * It is a push of ours or of another host. Anybody who may write to the topic can pretend to be one; but they could also
   * answer in words, and all that comes of this is that replies need a code. Those who know the reply topic alone, such as
   * everybody who can read a button's address, are not heard here.
   */
  #onPush(sequence: string, moment: Moment, isOld: boolean): void {
    const { cards, allowance } = this.#parts
    this.#keepsSequences = true
    this.#unclaimed.seen(sequence)
    if (!isOld && cards.isForeignSequence(sequence)) this.#onOtherHost(moment.time)
    const card = cards.noteSequence(sequence, () => allowance.take())
    if (card) card.shown ??= moment
  }

  /** Another host uses these topics. A reply without a code may be for one of its questions, so codes are required. */
  #onOtherHost(time: number): void {
    const { writer, warn } = this.#parts
    if (writer.shared || this.#startedAt === undefined || time < this.#startedAt + SETTLING_S) return
    writer.shared = true
    warn('another dsh host uses the same topics; set shared: true for each of them, or give each its own; replies need a code from now on')
  }

  async #onAttachment(attachment: NonNullable<NtfyMessage['attachment']>, reply: Reply, id: string): Promise<void> {
    const { config, cards, explainer, allowance } = this.#parts
    // Without an open question the file does not matter.
    if (cards.open.length === 0) return this.#act(reply, id)
    // A file holds words. Where only options count it is not looked at.
    const file = config.freeText ? textFileOf(attachment, config.server) : undefined
    if (file && !allowance.take()) return
    const text = file && await this.#files.fetch(file)
    if (this.#closing.signal.aborted) return
    if (text !== undefined) this.#act({ ...reply, text }, id)
    else if (explainer.refuseAttachment(id)) this.#warnSeldom(`a reply with a file was refused: ${file ? 'it could not be had, or is no text' : 'its address is not that of a text on this server, or only options count'}`)
  }

  #act(reply: Reply, id: string): void {
    const { config, cards, explainer, writer } = this.#parts
    const verdict = judge(reply, cards, { freeText: config.freeText, shared: writer.shared })
    switch (verdict.kind) {
      case 'answer':
        // An answer proves that the card is on the phone, even if the server has not confirmed it yet.
        verdict.card.shown ??= { time: reply.time, order: reply.order }
        verdict.card.answeredWith = reply.text
        return verdict.card.answer(verdict.item)
      case 'explain': return explainer.explain(verdict, id)
      case 'elsewhere': return this.#unclaimed.add(id, verdict.code, () => explainer.untaken(id))
      case 'forged': return this.#warnSeldom('a button reply without the secret of a question was dropped')
      case 'late':
        this.#warnSeldom('a reply to a settled question was dropped')
        verdict.card.shown ??= { time: reply.time, order: reply.order }
        explainer.late(verdict.card)
    }
  }

  #warnSeldom(line: string): void {
    const now = performance.now()
    if (now - (this.#warnedAt.get(line) ?? -Infinity) < LOG_EVERY_MS) return
    this.#warnedAt.set(line, now)
    this.#parts.warn(line)
  }
}
