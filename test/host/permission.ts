// What the tests of approvals in the real host share: the agent loop's own gate before a tool, the real approval service, people who
// take approvals, and stand-ins for UIs of the host.
import type { Context } from '@deepseek-ai/cordis'
import { defineTool } from '@deepseek-ai/dsh-tools'
import { type ApprovalOutcome, ApprovalService } from '@deepseek-ai/dsh-user-approval'
import { type Step, toolCall } from '../../examples/demo/model.ts'
import { Person, startAgent, text, toldError } from './support.ts'

/** A surface that takes approvals. */
export class Taker extends Person {
  readonly approvals = true
  /** How often it was reminded. */
  reminded = 0

  remind(): void {
    this.reminded++
  }
}

/** An approval in a UI of the host that holds it and never calls `next()`. */
export interface Panel {
  readonly signal: AbortSignal | undefined
  decide(outcome: ApprovalOutcome): void
}

/** Such a UI. */
export class PanelUi {
  readonly name: string
  readonly panels: Panel[] = []
  readonly #waiting: ((panel: Panel) => void)[] = []

  constructor(name = 'panel-ui') {
    this.name = name
  }

  readonly apply = (ctx: Context): void => {
    ctx.on('approval/request', ({ signal }) => {
      const { promise, resolve } = Promise.withResolvers<ApprovalOutcome>()
      signal?.addEventListener('abort', () => resolve('cancelled'))
      const panel = { signal, decide: resolve }
      this.panels.push(panel)
      for (const notice of this.#waiting.splice(0)) notice(panel)
      return promise
    })
  }

  next(): Promise<Panel> {
    return new Promise(resolve => this.#waiting.push(resolve))
  }
}

/** The model calls a tool that needs permission. */
export const DEPLOY = toolCall('c1', 'deploy', { command: 'make deploy', workdir: '/srv/shop' })

/** The host with the router and an agent, whose model calls that tool and then ends its turn. */
export async function startGated(config?: unknown, script: readonly Step[] = [DEPLOY, text('Done.')]) {
  const all = await startAgent(script, config), { ctx, agent } = all, ran: unknown[] = []
  await ctx.plugin(ApprovalService, { policy: 'ask' })
  ctx.on('tools/pre-execute', ({ name }, next) => name === 'deploy' ? Promise.resolve({ kind: 'ask', reason: 'it touches production' }) : next())
  ctx.tools.register(defineTool({
    name: 'deploy',
    description: 'Deploy.',
    parameters: { command: { type: 'string', required: true, description: 'How.' }, workdir: { type: 'string', description: 'Where.' } },
    output: { schema: { type: 'string' }, render: (_args, value) => [{ type: 'text', text: value }] },
    execute(args) {
      ran.push(args)
      return Promise.resolve('deployed')
    },
  }))
  return {
    ...all,
    ran,
    /** What the session keeps of approvals. */
    audit: () => agent.session.events.flatMap(({ type, data }) => (
      type === 'approval/asked' ? [[type, data.id, data.toolName, data.callId, data.reason]] : type === 'approval/decided' ? [[type, data.id, data.outcome]] : []
    )),
    takers: <const N extends readonly string[]>(...names: N) => {
      const added = names.map(name => new Taker(name))
      for (const one of added) all.surfaces.register(one)
      return added as { [K in keyof N]: Taker }
    },
  }
}

/** What the model is told when it was permitted, rejected, or nobody could decide. */
export const DEPLOYED = { callId: 'c1', text: 'deployed', isError: false }
export const REJECTED = toldError('the user rejected tool "deploy"')
export const UNAVAILABLE = toldError('tool "deploy" requires approval, but no approval channel is available')
