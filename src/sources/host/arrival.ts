// Notices that dsh's questions do not come here, and says so: an older dsh asks one provider and dispatches nothing, and a
// listener in front of ours may keep every question.
import type { Context } from '@deepseek-ai/cordis'

const TOO_OLD = 'ask-router: this dsh is too old: its questions do not reach this plugin, which needs dsh 0.1.5-rc.2 or newer.\n'

// Listeners behind ours are asked along, wherever their bundles stand; only one ahead of ours can keep a question.
const KEPT = 'ask-router: an agent asks, but its question does not reach this plugin. Another plugin stands ahead of it and keeps the question: list this bundle last in dsh.profile.bundles.\n'

/** How long a plugin that mends an older dsh may take to be loaded, and dsh to bring a question, in milliseconds. */
const MENDED_MS = 1000, BROUGHT_MS = 10_000

/** What is read of an event of a session. */
interface SessionEvent {
  readonly type: string
  readonly data?: { readonly name?: unknown }
}

/**
 * Say once, on stderr, that questions do not come here: soon after the start where dsh is too old, else when an agent asks
 * and no question arrives.
 *
 * @returns is to be called when one has come; nothing is said from then on.
 */
export function expectQuestions(ctx: Context): () => void {
  let timer: NodeJS.Timeout | undefined
  const forget = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const wait = (ms: number, line: string, isWrong = () => true) => {
    timer ??= setTimeout(() => {
      forget()
      if (isWrong()) {
        stop()
        process.stderr.write(line)
      }
    }, ms).unref()
  }
  let off: (() => unknown) | undefined = ctx.on('session/event' as never, ((_session: unknown, { type, data }: SessionEvent) => {
    if (type === 'tool/call' && data?.name === 'ask_user_question') wait(BROUGHT_MS, KEPT)
    // It was refused before anybody could be asked, or somebody in front of us has answered.
    else if (type === 'tool/result') forget()
  }) as never)
  const stop = () => {
    forget()
    // Once: this is called for each question.
    off?.()
    off = undefined
  }
  ctx.effect(() => stop, 'whether questions come')
  ctx.inject?.(['userQuestions'], ({ userQuestions }: Context & { userQuestions?: object }) => {
    // Where somebody has put a method of their own, they bring the questions.
    const isOld = () => 'registerProvider' in userQuestions! && !Object.hasOwn(userQuestions, 'registerProvider')
    if (isOld()) wait(MENDED_MS, TOO_OLD, isOld)
  })
  return stop
}
