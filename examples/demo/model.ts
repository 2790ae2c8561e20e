// A model that follows a script and records what it is told: the one part of the host that a demo or a test must fake.
import {
  CallId, type GenerateOptions, LlmAdapter, type LlmResolvedModelInfo, type StreamChunk, type ToolResultBlock,
} from '@deepseek-ai/dsh-llm'

/** What the model does in one step, or a function that decides it from the request. */
export type Step = readonly StreamChunk[] | ((request: GenerateOptions) => readonly StreamChunk[])

/** A tool result as the model got it. */
export interface ToolResult {
  readonly callId: string
  /** Its text, word for word. */
  readonly text: string
  readonly isError: boolean
}

/** The model says something and ends its turn. */
export function text(words: string): StreamChunk[] {
  return [
    { type: 'block-start', index: 0, blockType: 'text' },
    { type: 'text-delta', index: 0, text: words },
    { type: 'block-end', index: 0, block: { type: 'text', text: words } },
    { type: 'usage', usage: { inputTokens: 10, outputTokens: words.length } },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}

/**
 * The model calls a tool.
 *
 * @param id the call's id, by which {@link ScriptedAdapter.told} finds its result.
 * @param name the tool, for example `ask_user_question`.
 * @param args the tool's arguments, sent as JSON.
 */
export function toolCall(id: string, name: string, args: unknown): StreamChunk[] {
  return [
    { type: 'block-start', index: 0, blockType: 'tool-call' },
    { type: 'block-end', index: 0, block: { type: 'tool-call', id: CallId(id), name, arguments: JSON.stringify(args) } },
    { type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } },
    { type: 'finish', reason: { kind: 'tool-calls' } },
  ]
}

/** A model whose every call consumes the next step of a script. */
export class ScriptedAdapter extends LlmAdapter {
  /** Every request so far, oldest first. */
  readonly requests: GenerateOptions[] = []
  readonly #script: Step[] | Record<string, Step[]>

  /** @param script the steps; for agents that run side by side, the steps of each by its session's id. */
  constructor(script: readonly Step[] | Readonly<Record<string, readonly Step[]>>) {
    super()
    this.#script = Array.isArray(script)
      ? [...script as readonly Step[]]
      : Object.fromEntries(Object.entries(script).map(([session, steps]) => [session, [...steps]]))
  }

  override resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    return Promise.resolve({ provider, id: model, name: model })
  }

  override async *stream(options: GenerateOptions): AsyncIterable<StreamChunk> {
    this.requests.push(options)
    const steps = Array.isArray(this.#script) ? this.#script : this.#script[options.sessionId ?? '']
    const step = steps?.shift()
    if (!step) throw new Error('the script of the model has ended')
    for (const chunk of typeof step === 'function' ? step(options) : step) {
      options.signal?.throwIfAborted()
      yield chunk
    }
  }

  /**
   * What the model was told as the result of a tool call, read from its newest request that has one.
   *
   * @param callId which call; by default the latest.
   * @returns `undefined` while it has been told nothing.
   */
  told(callId?: string): ToolResult | undefined {
    for (const { messages } of this.requests.toReversed()) {
      const block = messages.flatMap(({ content }) => content)
        .findLast((one): one is ToolResultBlock => one.type === 'tool-result' && (callId ?? one.toolCallId) === one.toolCallId)
      if (!block) continue
      const words = block.content.map(one => one.type === 'text' ? one.text : `[${one.type}]`)
      return { callId: block.toolCallId, text: words.join('\n'), isError: block.isError === true }
    }
    return undefined
  }
}
