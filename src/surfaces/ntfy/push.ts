// Writes questions, approvals, outcomes and notices as JSON for ntfy, always within the server's limits.
import type { Origin } from '../../protocol/origin.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import type { ApprovalText } from '../../reply/approval.ts'
import { formatOrigin, howToAnswer, type Part } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { buttonBody } from './button.ts'
import { type Card, noticeSequence } from './cards.ts'
import type { Config } from './config.ts'
import { bytesOf, cutToBytes, cutToColumns, MARK, shortLine } from './cut.ts'
import { layOut, layOutApproval } from './layout.ts'
import { buttonsOf, PERMISSION_TAG } from './permission.ts'
import { phoneTexts } from './texts.ts'

/** The largest request that ntfy accepts, in bytes. */
export const MAX_JSON = 8191

/** ntfy accepts no more buttons. */
const MAX_BUTTONS = 3

/** In ntfy's web app longer button labels cover each other. */
const BUTTON_COLUMNS = 16

/** A limit in bytes too, because one column can hold a letter with any number of combining marks. */
const BUTTON_BYTES = 200

/** Emoji that mean a question. */
const QUESTION_TAG = /question/

/** The highest priority that makes no sound. */
const SILENT = 2

/** The largest title, name and link, in bytes. */
const TITLE_BYTES = 150, NAME_BYTES = 40, LINK_BYTES = 1000

/** What differs from one push of a question to the next. */
export interface Showing {
  /** The page where it can be answered, if there is one. */
  readonly link?: string | undefined
  /** Whether it makes no sound. */
  readonly isQuiet?: boolean | undefined
  /** Whether the agent no longer waits for the answer, which reaches it all the same. */
  readonly isLate?: boolean | undefined
  /** The sequence of the notification, if it is a reminder. */
  readonly reminder?: string | undefined
}

/** Writes the pushes of one plugin. */
export class PushWriter {
  /** Whether every reply needs a code. */
  shared: boolean
  readonly #config: Config
  readonly #lang: Lang

  constructor(config: Config, lang: Lang) {
    this.#config = config
    this.shared = config.shared
    this.#lang = lang
  }

  /**
   * The title of a card's notifications: who asks, what about, and which question of a batch it is. That of an approval begins
   * with the word that tells it from a question, which no title of a question does.
   */
  title({ header }: AskUserQuestionItem, { index, total }: Part, { agent }: Origin, approval?: ApprovalText): string {
    const texts = phoneTexts[this.#lang]
    if (approval) return shortLine(texts.permission(approval.kind, approval.title), TITLE_BYTES)
    const about = shortLine(header?.trim() ?? '', TITLE_BYTES) || texts.question
    const place = total > 1 ? texts.part(index, total) : ''
    return cutToBytes(`${shortLine(agent, NAME_BYTES)}: ${about}`, TITLE_BYTES - bytesOf(place)) + place
  }

  /** A question or an approval, with its buttons. */
  question(card: Card, origin: Origin, { link, isQuiet, isLate, reminder }: Showing = {}): string {
    const { question, approval } = card
    const texts = phoneTexts[this.#lang]
    const { priority } = this.#config
    const how = (isLate ? `${texts.agentWentOn}\n` : '') + (approval ? this.#howToDecide(card) : this.#howToAnswer(card))
    const from = texts.from(this.#from(origin))
    const frame = this.#frame(card, isQuiet ? Math.min(priority, SILENT) : priority, reminder)
    const title = reminder === undefined ? frame.title : cutToBytes(texts.stillOpen(frame.title), TITLE_BYTES)
    const fields = {
      ...frame,
      title,
      tags: this.#tags(card),
      ...(link !== undefined && bytesOf(link) <= LINK_BYTES && { click: link }),
      ...this.#actions(card),
    }
    if (!approval) return this.#fit(fields, max => layOut({ question, how, from }, texts, max))
    const head = title.endsWith(MARK) ? approval.title : ''
    return this.#fit(fields, max => layOutApproval({ ...approval, head, how, from }, texts, max))
  }

  /**
   * A card's outcome, which replaces a notification: silent and without buttons.
   *
   * @param sequence of the notification; by default the newest.
   */
  outcome(card: Card, sequence?: string): string {
    return this.#fit(this.#frame(card, SILENT, sequence), max => cutToBytes(card.outcome!, max))
  }

  /** A card's outcome for somebody who replied too late. It replaces a notification too. */
  late(card: Card, sequence?: string): string {
    const text = phoneTexts[this.#lang].late(card.outcome!)
    return this.#fit(this.#frame(card, 3, sequence), max => cutToBytes(text, max))
  }

  /**
   * A notice that a reply was not used.
   *
   * @param id of the reply.
   */
  notice(text: string, id: string): string {
    const { topic } = this.#config
    return this.#fit({ topic, title: 'dsh', priority: 3, sequence_id: noticeSequence(id) }, max => cutToBytes(text, max))
  }

  /** How to answer a question for which only its options count. */
  optionsOnly({ multiSelect }: AskUserQuestionItem): string {
    const texts = phoneTexts[this.#lang]
    return multiSelect ? texts.severalOptionsOnly : texts.optionsOnly
  }

  #from({ agent, machine, project, session }: Origin): string {
    // Four long names would take up most of a small message.
    const max = Math.min(NAME_BYTES, Math.floor(this.#config.maxBytes / 20))
    const short = (name: string) => shortLine(name, max)
    return formatOrigin({
      agent: short(agent), machine: short(machine), project: short(project), ...session !== undefined && { session: short(session) },
    })
  }

  #howToAnswer({ question, code }: Card): string {
    const texts = phoneTexts[this.#lang]
    const how = this.#config.freeText || !question.options?.length ? howToAnswer(question, this.#lang) : this.optionsOnly(question)
    return how + texts.space + (this.shared ? texts.codeRequired(code) : texts.codeHint(code))
  }

  #howToDecide({ code }: Card): string {
    const { decide, decideByButtons } = phoneTexts[this.#lang]
    return this.#config.freeText ? decide(code) : decideByButtons
  }

  /** Of an approval its own one, and those of questions that say nothing of a question. */
  #tags({ approval }: Card): readonly string[] {
    const { tags } = this.#config
    return approval ? [PERMISSION_TAG, ...tags.filter(tag => !QUESTION_TAG.test(tag))] : tags
  }

  #frame({ title, sequence: newest }: Card, priority: number, sequence = newest) {
    return { topic: this.#config.topic, title, priority, sequence_id: sequence }
  }

  #actions({ question: { options = [], multiSelect }, approval, secrets }: Card) {
    if (approval) return { actions: buttonsOf(approval).map(({ label }, at) => this.#button(label, buttonBody(secrets[at]!, at + 1))) }
    if (multiSelect || options.length === 0 || options.length > MAX_BUTTONS) return {}
    // The position, never the label. The answer is looked up in the question.
    return { actions: options.map(({ label }, at) => this.#button(`${at + 1} ${shortLine(label, BUTTON_BYTES)}`.trim(), buttonBody(secrets[0]!, at + 1))) }
  }

  #button(label: string, body: string) {
    const { server, replyTopic, buttonToken } = this.#config
    return {
      action: 'http',
      label: cutToColumns(label, BUTTON_COLUMNS),
      url: `${server}/${replyTopic}`,
      method: 'POST',
      ...(buttonToken !== undefined && { headers: { Authorization: `Bearer ${buttonToken}` } }),
      body,
      clear: true,
    }
  }

  /** Write JSON with the longest message that fits. Escaping may make the JSON much longer than the message. */
  #fit(fields: object, write: (max: number) => string): string {
    for (let max = this.#config.maxBytes; max > 0; max = Math.floor(max * 0.9)) {
      const json = JSON.stringify({ ...fields, message: write(max).toWellFormed() })
      if (bytesOf(json) <= MAX_JSON) return json
    }
    throw new Error('the other fields leave no room for the message')
  }
}
