// Acts on what the stream brings: answers settle cards, other replies are explained to their senders, and pushes seen on the
// topic show which cards are on the phone and whether another host uses the same topics.
import { fetchAttachmentText } from './attachment.ts'
import { readButton } from './button.ts'
import type { Cards } from './cards.ts'
import type { NtfyClient } from './client.ts'
import type { Config } from './config.ts'
import type { Warn } from './delivery.ts'
import type { NtfyMessage } from './event.ts'
import type { Explainer } from './explainer.ts'
import type { PushWriter } from './push.ts'
import type { Moment, ServerClock } from './server-clock.ts'
import { judge, type Reply } from './verdict.ts'

/** For how long after the start another process that was here before may still be putting its cards away, in seconds. */
const SETTLING_S = 5

/** What the inbox needs of the phone. */
export interface InboxParts {
  readonly config: Config
  readonly client: NtfyClient
  readonly cards: Cards
  readonly clock: ServerClock
  readonly writer: PushWriter
  readonly explainer: Explainer
  readonly warn: Warn
}

/** The messages of one plugin. */
export class Inbox {
  readonly #parts: InboxParts
  readonly #closing = new AbortController()
  /** The `order` at which the current stream was opened. */
  #streamOrder = 0
  /** When the first stream opened, by the server's clock. */
  #startedAt: number | undefined

  constructor(parts: InboxParts) {
    this.#parts = parts
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
    const { config, clock } = this.#parts
    const moment = clock.at(message.time)
    if (message.sequence !== undefined) return this.#onPush(message.sequence, moment, isOld)
    if (message.topic !== config.replyTopic && !message.isPlain) return
    // Old words are for nobody here. An old button press may be, and its secret proves it.
    if (isOld && readButton(message.message) === undefined) return
    const reply = { ...moment, streamOrder: this.#streamOrder, isTyped: message.isPlain && message.topic === config.replyTopic, text: message.message }
    if (message.attachment === undefined) this.#act(reply, message.id)
    else void this.#onAttachment(message.attachment, reply, message.id).catch(() => {})
  }

  /** Stop fetching attachments. */
  close(): void {
    this.#closing.abort()
  }

  /** People's replies have no sequence: it is a push of ours or of another host. */
  #onPush(sequence: string, moment: Moment, isOld: boolean): void {
    const { cards } = this.#parts
    if (!isOld && cards.isForeignSequence(sequence)) this.#onOtherHost(moment.time)
    const card = cards.noteSequence(sequence)
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
    const { cards, client, explainer } = this.#parts
    // Without an open question the file does not matter.
    if (cards.open.length === 0) return this.#act(reply, id)
    const text = await fetchAttachmentText(attachment, client, this.#closing.signal)
    if (this.#closing.signal.aborted) return
    if (text === undefined) explainer.refuseAttachment(id)
    else this.#act({ ...reply, text }, id)
  }

  #act(reply: Reply, id: string): void {
    const { config, cards, explainer, writer, warn } = this.#parts
    const verdict = judge(reply, cards, { freeText: config.freeText, shared: writer.shared })
    switch (verdict.kind) {
      case 'answer':
        // An answer proves that the card is on the phone, even if the server has not confirmed it yet.
        verdict.card.shown ??= { time: reply.time, order: reply.order }
        verdict.card.answeredWith = reply.text
        return verdict.card.answer(verdict.item)
      case 'explain': return explainer.explain(verdict, id)
      case 'forged': return warn('a button reply without the secret of a question was dropped')
      case 'late':
        warn('a reply to a settled question was dropped')
        verdict.card.shown ??= { time: reply.time, order: reply.order }
        explainer.late(verdict.card)
    }
  }
}
