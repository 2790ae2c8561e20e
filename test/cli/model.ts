// A model server on a free port that speaks the protocol dsh's DeepSeek adapter does. It calls a tool when a test told it
// to, and keeps what it was told afterwards: that is all the model ever learns of an answer.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'

interface Message {
  readonly role: string
  readonly content?: unknown
  readonly tool_call_id?: string
}

interface Body {
  readonly model?: string
  readonly messages?: readonly Message[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

interface Step {
  readonly call: string
  readonly tool: string
  readonly args: unknown
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

export class Model {
  private readonly server: Server
  private readonly results = new Map<string, string>()
  private readonly script: Step[] = []
  private calls = 0

  private constructor() {
    this.server = createServer((request, response) => {
      this.reply(request, response).catch(() => response.destroy())
    })
  }

  static async listen(): Promise<Model> {
    const model = new Model()
    await new Promise<void>(resolve => model.server.listen(0, '127.0.0.1', resolve))
    return model
  }

  /** What dsh needs in its environment to use this model instead of a real one. */
  get env(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo
    return { DEEPSEEK_API_KEY: 'none', DEEPSEEK_BASE_URL: `http://127.0.0.1:${port}` }
  }

  /** The next prompt that comes is answered with this call of a tool. Returns the call's name. */
  willCall(tool: string, args: unknown): string {
    const call = `call_${++this.calls}`
    this.script.push({ call, tool, args })
    return call
  }

  /** The same, for a question to the person. */
  willAsk(questions: readonly AskUserQuestionItem[]): string {
    // The tool takes its words with underscores and turns them into those of the request.
    const args = questions.map(({ multiSelect, ...rest }) => ({ ...rest, multi_select: multiSelect }))
    return this.willCall('ask_user_question', { questions: args })
  }

  /** The result of that tool call, word for word, once the model has been told. */
  told(call: string): string | undefined {
    return this.results.get(call)
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise(resolve => this.server.close(resolve))
  }

  private async reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request)) as Body
    const messages = body.messages ?? []
    for (const { role, tool_call_id: call, content } of messages) {
      if (role === 'tool' && call !== undefined) this.results.set(call, String(content))
    }
    const last = messages.at(-1)
    // A request without tools is dsh's own, for a title of the session.
    const calls = last?.role !== 'tool' && body.tools?.some(tool => tool.function.name === this.script[0]?.tool)
    const step = calls ? this.script.shift() : undefined

    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta: unknown, finish: string | null) => {
      const choices = [{ index: 0, delta, finish_reason: finish }]
      const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: body.model, choices }
      response.write(`data: ${JSON.stringify(finish === null ? chunk : { ...chunk, usage: USAGE })}\n\n`)
    }
    if (step === undefined) {
      send({ role: 'assistant', content: last?.role === 'tool' ? `I was told: ${String(last.content)}` : 'Hello.' }, null)
      send({}, 'stop')
    } else {
      const call = { name: step.tool, arguments: JSON.stringify(step.args) }
      send({ role: 'assistant', tool_calls: [{ index: 0, id: step.call, type: 'function', function: call }] }, null)
      send({}, 'tool_calls')
    }
    response.end('data: [DONE]\n\n')
  }
}
