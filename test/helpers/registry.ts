// Another place beside the page: a surface that answers when the test says so.
import type { Context } from '@deepseek-ai/cordis'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'

/** Register a surface of this name; its `answer` answers the newest ask, or the one that came at that place. */
export function register(ctx: Context, name: string) {
  const asked: ((answer: AskUserQuestionAnswer) => void)[] = []
  ctx.get('askSurfaces')!.register({
    name,
    approvals: true,
    claim: () => true,
    ask: () => new Promise(settle => void asked.push(settle)),
  })
  return { answer: (answer: AskUserQuestionAnswer, at = asked.length - 1) => asked[at]?.(answer) }
}
