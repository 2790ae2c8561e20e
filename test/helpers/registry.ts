// Another place beside the page: a surface that answers when the test says so.
import type { Context } from '@deepseek-ai/cordis'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'

/** Register a surface of this name; its `answer` answers the newest ask. */
export function register(ctx: Context, name: string) {
  let resolve: (answer: AskUserQuestionAnswer) => void = () => {}
  ctx.get('askSurfaces')!.register({
    name,
    claim: () => true,
    ask: () => new Promise(settle => { resolve = settle }),
  })
  return { answer: (answer: AskUserQuestionAnswer) => resolve(answer) }
}
