// A question, or what became of it, as the JSON that ntfy publishes: within the server's limits, whatever the text.
import type { Origin } from '../../protocol/origin.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { formatOrigin, howToAnswer } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { visibleLine } from '../../reply/visible.ts'
import { buttonBody } from './button.ts'
import type { Card } from './cards.ts'
import type { Config } from './config.ts'
import { bytesOf, cutToBytes, cutToColumns } from './cut.ts'
import { layOut } from './layout.ts'
import { phoneTexts } from './texts.ts'

/** What ntfy takes of a request, in bytes. */
export const MAX_JSON = 8191

/** ntfy takes no more buttons, and its own web app lays longer ones over each other, in columns. */
const MAX_BUTTONS = 3, BUTTON_COLUMNS = 16

/** The same in bytes, since a letter in one column can have any number of marks; emoji made of several have room. */
const BUTTON_BYTES = 200

/** The highest priority that makes no sound. */
const SILENT = 2

/** Sizes of what stands around the text, in bytes. */
const TITLE_BYTES = 150, NAME_BYTES = 40, LINK_BYTES = 1000

/** Makes the pushes of one plugin. */
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

  /** The title of a question's notification. */
  title({ header }: AskUserQuestionItem, { agent }: Origin): string {
    const about = visibleLine(header?.trim() ?? '').toWellFormed() || phoneTexts[this.#lang].question
    return cutToBytes(`${shortName(agent)}: ${about}`, TITLE_BYTES)
  }

  /**
   * A question with its buttons.
   *
   * @param link where it can be answered on a page, if it can.
   * @param quiet whether it comes without a sound.
   * @param again the sequence of the notification, when it is a reminder.
   */
  question(card: Card, origin: Origin, link: string | undefined, quiet = false, again?: string): string {
    const { question, part, code } = card
    const texts = phoneTexts[this.#lang]
    const from = this.#from(origin)
    const head = part.total > 1 ? texts.partFrom(from, part.index, part.total) : texts.from(from)
    const { priority } = this.#config
    const how = this.#how(question) + texts.space + (this.shared ? texts.codeFirst(code) : texts.code(code))
    const around = {
      ...this.#frame(card, quiet ? Math.min(priority, SILENT) : priority, again),
      tags: this.#config.tags,
      ...(link !== undefined && bytesOf(link) <= LINK_BYTES && { click: link }),
      ...this.#actions(card),
    }
    return this.#fit(around, max => layOut({ head: again === undefined ? head : texts.stillOpen + texts.space + head, how, question }, texts, max))
  }

  /**
   * What became of a question, in the place of its notification: quiet, and without buttons.
   *
   * @param sequence of the notification, by default the newest.
   */
  outcome(card: Card, sequence?: string): string {
    return this.#fit(this.#frame(card, SILENT, sequence), max => cutToBytes(card.outcome!, max))
  }

  /** A late reply is told what became of its question, in the place of the question's notification. */
  late(card: Card, sequence?: string): string {
    const text = phoneTexts[this.#lang].late(card.outcome!)
    return this.#fit(this.#frame(card, 3, sequence), max => cutToBytes(text, max))
  }

  /**
   * A reply could not be used.
   *
   * @param id the reply's id: what several hosts have to say to one reply takes one place on the phone.
   */
  notice(text: string, id: string): string {
    const { topic } = this.#config
    return this.#fit({ topic, title: 'dsh', priority: 3, sequence_id: `notice-${id}` }, max => cutToBytes(text, max))
  }

  /** What a reply to this question may be, when it may not be anything. */
  optionsOnly({ multiSelect }: AskUserQuestionItem): string {
    const texts = phoneTexts[this.#lang]
    return multiSelect ? texts.severalOptionsOnly : texts.optionsOnly
  }

  #from({ agent, machine, project, session }: Origin): string {
    // Four names must not crowd the question out of a small message.
    const max = Math.min(NAME_BYTES, Math.floor(this.#config.maxBytes / 20))
    const short = (name: string) => shortName(name, max)
    return formatOrigin({
      agent: short(agent), machine: short(machine), project: short(project), ...session !== undefined && { session: short(session) },
    }, this.#lang)
  }

  #how(question: AskUserQuestionItem): string {
    return this.#config.freeText || !question.options?.length ? howToAnswer(question, this.#lang) : this.optionsOnly(question)
  }

  #frame({ title, sequence: newest }: Card, priority: number, sequence = newest) {
    return { topic: this.#config.topic, title, priority, sequence_id: sequence }
  }

  #actions({ question: { options = [], multiSelect }, secret }: Card) {
    if (multiSelect || options.length === 0 || options.length > MAX_BUTTONS) return {}
    const { server, replyTopic, buttonToken } = this.#config
    return {
      actions: options.map(({ label }, at) => ({
        action: 'http',
        label: cutToColumns(`${at + 1} ${cutToBytes(visibleLine(label).toWellFormed(), BUTTON_BYTES)}`.trim(), BUTTON_COLUMNS),
        url: `${server}/${replyTopic}`,
        method: 'POST',
        ...(buttonToken !== undefined && { headers: { Authorization: `Bearer ${buttonToken}` } }),
        // The position, never the label: what comes back is looked up in what was asked.
        body: buttonBody(secret, at + 1),
        clear: true,
      })),
    }
  }

  /** Write the JSON with as long a message as the limits allow: escapes make it longer than its text. */
  #fit(around: object, write: (max: number) => string): string {
    for (let max = this.#config.maxBytes; max > 0; max = Math.floor(max * 0.9)) {
      const json = JSON.stringify({ ...around, message: write(max).toWellFormed() })
      if (bytesOf(json) <= MAX_JSON) return json
    }
    throw new Error('what stands around the text leaves no room for it')
  }
}

function shortName(name: string, max = NAME_BYTES): string {
  return cutToBytes(visibleLine(name).toWellFormed(), max)
}
