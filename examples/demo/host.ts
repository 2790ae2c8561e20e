// The real dsh host inside this process: cordis, sessions, agents, the agent loop, tools and the real
// `ask_user_question` tool. Only the model is a script (model.ts), and questions take the newer host's way (bridge.ts).
import { Context } from '@deepseek-ai/cordis'
import { type Agent, AgentRegistry } from '@deepseek-ai/dsh-agent'
import { AgentLoop } from '@deepseek-ai/dsh-agent-loop'
import { createUserMessage, type LlmAdapter, LlmRuntime } from '@deepseek-ai/dsh-llm'
import { SessionId, SessionStore, type TurnEndReason } from '@deepseek-ai/dsh-session'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import * as toolAskUser from '@deepseek-ai/dsh-tool-ask-user'
import { ToolRuntime } from '@deepseek-ai/dsh-tools'
import { UserQuestionService } from '@deepseek-ai/dsh-user-questions'
import * as bridge from './bridge.ts'

export type { Agent }

/**
 * Boot the host.
 *
 * @param adapter the model behind every agent.
 * @returns its root context; `await ctx.fiber.dispose()` shuts it down.
 */
export async function bootHost(adapter: LlmAdapter): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(LlmRuntime)
  await ctx.plugin(SessionStore)
  await ctx.plugin(SystemPrompt, { persona: '' })
  await ctx.plugin(ToolRuntime)
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(AgentLoop, { agents: [] })
  await ctx.plugin(UserQuestionService)
  await ctx.plugin(toolAskUser)
  await ctx.plugin(bridge)
  ctx.llm.registerAdapter(['mock'], adapter)
  return ctx
}

/**
 * Start an agent.
 *
 * @param ctx the host; another agent's `ctx` makes a child agent of that one.
 * @param id the agent's id, which is its session's too.
 */
export async function newAgent(ctx: Context, id = 'agent'): Promise<Agent> {
  const { agent } = await ctx.agents.create({ sessionId: SessionId(id), agentOptions: { provider: 'mock', model: 'mock' } })
  return agent
}

/**
 * Give an agent a prompt and wait until it has nothing more to do.
 *
 * @returns how the turn ended: `completed`, or `aborted` when it was interrupted.
 * @throws what broke the turn, for example a script that has ended.
 */
export async function runTurn(ctx: Context, agent: Agent, prompt: string): Promise<TurnEndReason> {
  const errors: unknown[] = []
  const off = ctx.on('agent/error', (event) => {
    if (event.agent === agent) errors.push(event.error)
  })
  try {
    agent.followup(createUserMessage({ content: [{ type: 'text', text: prompt }], source: { kind: 'user' } }))
    await agent.whenIdle()
  } finally {
    off()
  }
  if (errors.length > 0) throw errors[0]
  const end = agent.session.events.findLast(event => event.type === 'turn/end')
  if (!end) throw new Error('the turn has not ended')
  return end.data.reason
}

/** Stop an agent's turn, as a person does who presses "stop": the turn's signal aborts at once. */
export function interrupt(agent: Agent): void {
  agent.cancel({ kind: 'user' })
}
