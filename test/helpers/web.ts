// The web surface in the real cordis, beside the router: what it printed, its link, and questions for it.
import { hostname } from 'node:os'
import { userQuestionError } from '../../src/protocol/errors.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../src/protocol/request.ts'
import type { Board } from '../../src/surfaces/web/board.ts'
import * as web from '../../src/surfaces/web/index.ts'
import type { Change, Snapshot, StreamLine } from '../../src/surfaces/web/wire.ts'
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
export const agentOf = (title: string) => ({ session: { id: 'session-40250cb5-91c8', title, header: { cwd: '/srv/me/shop', agentPreset: 'coder' } } })

export const AGENT = agentOf('Fix the tests')

/** How people read who {@link AGENT} is and where it asks. */
export const ORIGIN = `coder · ${hostname()} · shop · Fix the tests`

/** Open an ask on a board; a rejection is for whoever awaits the answer. */
export function askOn(board: Board, id: string, questions: AskUserQuestionItem[] = [DATABASE], quiet = false, more: Partial<AskUserQuestionRequest> = {}) {
  const controller = new AbortController()
  const request = { questions, ...more }, context = { id, signal: controller.signal, quiet }
  const answer = board.ask(request, context)
  answer.catch(() => {})
  return { request, context, answer, stop: (code: Parameters<typeof userQuestionError>[0]) => controller.abort(userQuestionError(code, 'over')) }
}

/** An approval, as the source of dsh's approvals makes one. */
export function approvalRequest(detail = '```sh\nrm -rf build\n```', more: Partial<AskUserQuestionRequest> = {}): AskUserQuestionRequest {
  return {
    kind: 'approval',
    questions: [{
      id: 'approval', question: 'Allow bash?\nIt removes files.', detail, options: [{ id: 'allow', label: 'Allow once' }, { id: 'reject', label: 'Reject' }],
    }],
    approval: { toolName: 'bash', reason: 'It removes files.', displayReason: { en: 'It removes files.', zh: '它会删除文件。' } },
    ...more,
  }
}

/** The changes of a board from now on. */
export function changesOf(board: Board): Change[] {
  const changes: Change[] = []
  board.watch(change => changes.push(change))
  return changes
}

/** The lines of a stream as they come; `done` settles when it ends. */
export function readStream({ body }: Response) {
  const lines: StreamLine[] = []
  const done = (async () => {
    let text = ''
    for await (const chunk of body!) {
      text += Buffer.from(chunk).toString()
      lines.push(...text.split('\n').slice(0, -1).map(line => JSON.parse(line) as StreamLine))
      text = text.slice(text.lastIndexOf('\n') + 1)
    }
  })()
  done.catch(() => {})
  return { lines, done }
}

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
    /** Ask for a permission, as dsh dispatches it. */
    approve(more: object = {}, host: () => unknown = () => Promise.resolve('unavailable')) {
      const waterfall = ctx.waterfall.bind(ctx) as (...args: unknown[]) => Promise<string>
      return waterfall('approval/request', { toolName: 'bash', reason: 'It removes files.', agent: AGENT, ...more }, host)
    },
    /** The router's registry, which a restart of the router makes anew. */
    get registry() { return ctx.get('askSurfaces')! },
    /** The id of the newest open ask. */
    get id() { return this.registry.pending().at(-1)!.id },
    /** Make a request to the page's server: a GET, or a POST of a body. Headers can be another token. */
    api(path: string, body?: unknown, headers: Record<string, string> = {}) {
      return fetch(`${this.url}api/${path}`, {
        method: body === undefined ? 'GET' : 'POST', body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'authorization': `Bearer ${this.token}`, ...headers },
      } as RequestInit)
    },
    async snapshot() {
      const response = await this.api('asks')
      if (!response.ok) throw new Error(`status ${response.status}`)
      return await response.json() as Snapshot
    },
    linkFor: (id: string) => ctx.get('askWeb')!.linkFor(id),
    close: () => ctx.fiber.dispose(),
  }
}

export type BootedWeb = Awaited<ReturnType<typeof bootWeb>>
