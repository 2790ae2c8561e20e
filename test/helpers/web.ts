// The web surface in the real cordis, beside the router: what it printed, its link, and questions for it.
import { hostname } from 'node:os'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../src/protocol/request.ts'
import * as web from '../../src/surfaces/web/index.ts'
import { boot, dispatch } from './cordis.ts'

export const DATABASE: AskUserQuestionItem = {
  id: 'db',
  header: 'Storage',
  question: 'Which database?',
  options: [{ label: 'Postgres', description: 'a server' }, { label: 'SQLite', description: 'one file' }],
}

export const CHECKS: AskUserQuestionItem = {
  id: 'checks', question: 'Which checks?', multiSelect: true, options: [{ label: 'Tests' }, { label: 'Types' }, { label: 'Lint' }],
}

export const NAME: AskUserQuestionItem = { id: 'name', question: 'What is it called?' }

/** An agent whose session has this title, with all that the host tells of one. */
export const agentOf = (title: string) => ({ session: { id: 'session-40250cb5-91c8', title, header: { cwd: '/home/me/shop', agentPreset: 'coder' } } })

export const AGENT = agentOf('Fix the tests')

/** How people read who {@link AGENT} is and where it asks. */
export const ORIGIN = `coder on ${hostname()}, project shop, session Fix the tests`

/**
 * Boot the router with the page.
 *
 * @param routing the router's configuration.
 */
export async function bootWeb(config: Record<string, unknown> = {}, routing?: Record<string, unknown>) {
  const { ctx, fiber: router } = await boot(routing)
  const lines: string[] = []
  const fiber = await ctx.plugin({
    name: web.name,
    inject: web.inject,
    Config: web.Config,
    apply: (inner: typeof ctx, settings: unknown) => web.apply(inner, settings, line => lines.push(line)),
  } as never, config as never)
  /** The link, or the address, that was printed last. */
  const link = () => /https?:\/\/\S+/.exec(lines.at(-1) ?? '')?.[0] ?? ''
  return {
    ctx,
    router,
    fiber,
    lines,
    get link() { return link() },
    get url() { return link().replace(/#.*/, '') },
    get token() { return /#t=(\S+)/.exec(link())?.[1] ?? '' },
    /** Ask; a rejection is for whoever awaits the answer. */
    ask(questions: AskUserQuestionItem[], more: Partial<AskUserQuestionRequest> = {}, host?: () => unknown) {
      const answer = dispatch(ctx, { questions, ...more }, host)
      answer.catch(() => {})
      return answer
    },
    /** The router's registry, which a restart of the router makes anew. */
    get registry() { return ctx.get('askSurfaces')! },
    /** The id of the newest open ask. */
    get id() { return this.registry.pending().at(-1)!.id },
    linkFor: (id: string) => ctx.get('askWeb')!.linkFor(id),
    close: () => ctx.fiber.dispose(),
  }
}

export type BootedWeb = Awaited<ReturnType<typeof bootWeb>>
