// A surface of a schedule that writes down what happens to it.
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import type { SurfacePolicy } from '../../../src/protocol/policy.ts'
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
  readonly asks: { request: AskUserQuestionRequest, context: AskContext, quiet: boolean }[] = []
  readonly defaultPolicy?: SurfacePolicy
  readonly silent: boolean
  readonly approvals: boolean
  readonly watched?: () => boolean
  readonly remind?: (request: AskUserQuestionRequest, context: AskContext) => void
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
    const { claim, silent, approves, watched, reminds, home, away, written } = drive.plan.surfaces[who]!
    this.personal = claim === 'personal'
    this.silent = silent
    this.approvals = approves
    if (written === 'own') this.defaultPolicy = { home, away }
    if (written === 'own and config') this.defaultPolicy = { home }
    if (watched !== undefined) this.watched = () => (drive.within('watched', who), drive.watched[who]!)
    if (reminds) {
      this.remind = (request, context) => {
        drive.reminded.push([drive.now, this.id])
        const [asked] = this.asks
        if (request !== asked!.request || context !== asked!.context) drive.broken.push(`${this.id} is reminded of something else`)
        if (context.quiet) drive.broken.push(`${this.id} is reminded in its quiet hours`)
        if (drive.settledAt >= 0) drive.broken.push(`${this.id} is reminded after the end`)
        drive.within('remind', who)
      }
    }
  }

  claim(request: AskUserQuestionRequest): boolean {
    this.claims.push(request)
    this.#drive.within('claim', this.#who)
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
    this.#drive.look(this.#who)
    this.asks.push({ request, context, quiet: context.quiet })
    if (eager) void context.signal
    this.#drive.within('ask', this.#who)
    return this.#drive.react(this.#who, this.answer.promise, first)
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    this.told.push({ request, by, answer })
    this.#drive.within('settled', this.#who)
    if (this.told.length > 1) throw new Error('told twice')
  }
}
