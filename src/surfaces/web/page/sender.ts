// Sends answers, and finds the words for what came of them.
import type { AnswerBody, Ended } from '../wire.ts'
import { BlockedError, type Connection, StatusError } from './connection.ts'
import type { Draft } from './draft.ts'
import { forgetSent, noteSent } from './own.ts'
import type { PageTexts } from './texts.ts'

/** What sending needs. */
export interface SenderOptions {
  readonly texts: PageTexts
  readonly connection: Pick<Connection, 'answer' | 'restart'>
  /** The host has said how an ask ended. */
  ended(ended: Ended): void
  announce(text: string): void
}

/** Sends the answers of one page. */
export class Sender {
  readonly #options: SenderOptions

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /**
   * Send an answer.
   *
   * @param said what the body says, as it will be shown.
   * @returns what to tell the person when it was not sent.
   */
  async send(id: string, body: AnswerBody, said: Draft['answers']): Promise<string | undefined> {
    const { texts, connection } = this.#options
    noteSent(id, { answers: said })
    try {
      const { accepted, ended } = await connection.answer(id, body)
      if (!accepted) forgetSent(id)
      this.#options.ended(ended)
      if (!accepted) this.#options.announce(texts.answeredAlready)
      return undefined
    } catch (error) {
      const status = error instanceof StatusError ? error.status : 0
      // Without a response it may have arrived.
      if (status !== 0 || error instanceof BlockedError) forgetSent(id)
      // No response, settled or no longer known: the next snapshot says what happened.
      if (status === 0 || status === 404 || status === 410) connection.restart()
      return error instanceof BlockedError ? texts.blocked : problemOf(status, texts)
    }
  }
}

/** What to tell the person whose answer was refused with this status; 0 is no response. */
function problemOf(status: number, texts: PageTexts): string {
  switch (status) {
    case 410: return texts.answeredAlready
    case 401: case 403: return texts.denied
    case 413: return texts.tooLong
    case 400: case 422: return texts.refused
    default: return texts.notConfirmed
  }
}
