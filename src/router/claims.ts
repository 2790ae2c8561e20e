// Asking one surface whether it claims an ask (ROUTING rule 2). Whatever a claim does, it cannot hurt the ask.
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import type { Registration, RouterLog } from './world.ts'

/**
 * Ask a surface for its claim.
 *
 * @returns whether it said `true`; a claim that throws or returns anything else, a promise included, is none.
 */
export function claims({ surface, name }: Registration, request: AskUserQuestionRequest, log: RouterLog): boolean {
  const threw = (error: unknown) => log.trouble(`claim of "${name}" threw`, error)
  try {
    const claim: unknown = surface.claim(request)
    if (claim === true) return true
    if (claim) {
      log.trouble(`claim of "${name}" is no boolean`)
      Promise.resolve(claim).catch(threw)
    }
  } catch (error) {
    threw(error)
  }
  return false
}
