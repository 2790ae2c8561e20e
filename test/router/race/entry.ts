// A surface of a schedule that writes down what happens to it.
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../../src/protocol/request.ts'
import type { AskContext, AskSurface } from '../../../src/protocol/surface.ts'
import type { Drive } from './drive.ts'
import { nameOf, type Reply } from './schedule.ts'

/** One registration as it went. */
export class Entry implements AskSurface {
  readonly id: string
  readonly name: string
  readonly personal: boolean
  readonly claims: unknown[] = []
  readonly asks: { request: AskUserQuestionRequest, context: AskContext }[] = []
  readonly told: { request: AskUserQuestionRequest, by: string, answer: AskUserQuestionAnswer | undefined }[] = []
  readonly answer = Promise.withResolvers<never>()
  readonly #drive: Drive
  readonly #who: number
  dispose: (() => void) | undefined
  /** Unloads the plugin that registered it, when it has one of its own. */
  unload: ((said: Reply, tag: string) => void) | undefined

  constructor(drive: Drive, who: number, id: string) {
    this.#drive = drive
    this.#who = who
    this.id = id
    this.name = nameOf(who)
    this.personal = drive.plan.surfaces[who]!.claim === 'personal'
  }

  claim(request: AskUserQuestionRequest): boolean {
    this.claims.push(request)
    switch (this.#drive.plan.surfaces[this.#who]!.claim) {
      case 'yes': return true
      case 'no': return false
      case 'promise': return Promise.reject(new Error('a promise is no claim')) as never
      case 'personal': throw new Error('asked for a claim')
      case 'throws': throw new Error('claim')
    }
  }

  ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer> {
    const { first, eager } = this.#drive.plan.surfaces[this.#who]!
    this.#drive.asked.push([this.#drive.now, this.id])
    this.asks.push({ request, context })
    if (eager) void context.signal
    return this.#drive.react(this.answer.promise, first, `${this.name} at once`)
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    this.told.push({ request, by, answer })
    if (this.told.length > 1) throw new Error('told twice')
  }
}
