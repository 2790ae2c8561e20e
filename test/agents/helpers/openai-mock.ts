// A model server that speaks OpenAI's Responses API, as far as Codex uses it. A prompt that says `DO <name>` makes it call the tools
// of that script; to everything else it answers with words. What Codex tells it of each call is kept.
import type { ServerResponse } from 'node:http'
import { ModelServer, send } from './model-server.ts'

/** A call of one of Codex' tools: with arguments as JSON, or with a text. */
export type ToolCall = { readonly name: string, readonly args: object } | { readonly name: string, readonly input: string }

/** What it calls, one after the other. */
export type Script = readonly ToolCall[]

interface Item {
  readonly type: string
  readonly role?: string
  readonly call_id?: string
  readonly content?: readonly { readonly text?: string }[]
  readonly output?: unknown
}

interface Body {
  readonly input: readonly Item[]
  readonly text?: { readonly format?: unknown }
}

const option = (label: string, description: string) => ({ label, description })
const colour = { id: 'colour', header: 'Colour', question: 'Which colour?', options: [option('Red (Recommended)', 'warm'), option('Blue', 'cold')] }
const size = { id: 'size', header: 'Size', question: 'Which size?', options: [option('Small', 's'), option('Large', 'l')] }
const ask = (...questions: object[]): ToolCall => ({ name: 'request_user_input', args: { questions } })
/** Codex' models call most tools from a line of JavaScript, which is a tool itself. */
const js = (tool: string, args: unknown): ToolCall => ({ name: 'exec', input: `const r = await tools.${tool}(${JSON.stringify(args)}); text(r);` })
const shell = (cmd: string, justification: string): ToolCall => js('exec_command', { cmd, sandbox_permissions: 'require_escalated', justification })

/** The scripts that are there from the start. */
const scripts = {
  ask: [ask(colour)],
  several: [ask(colour, size)],
  other: [ask({ ...colour, isOther: true, is_other: true })],
  secret: [ask({ ...colour, isSecret: true, is_secret: true })],
  // The question does not hold the turn, which goes on for a while.
  async: [
    { name: 'request_user_input_async', args: { questions: [{ title: 'Which colour?', options: ['Red', 'Blue'] }] } },
    { name: 'exec', input: '// @exec: {"yield_time_ms": 30000}\nconst r = await tools.exec_command({cmd:"sleep 8; echo slept", yield_time_ms: 25000}); text(r);' },
  ],
  exec: [shell('echo EXEC_RAN', 'Say that it runs')],
  echo: [shell('echo ECHO_RAN', 'Say it again')],
  // Outside the project, so that it needs permission.
  patch: [js('apply_patch', `*** Begin Patch
*** Add File: ../home/made_by_patch.txt
+hello
*** Update File: ../home/notes.txt
@@
 one
-two
+TWO
 three
*** End Patch
`)],
} satisfies Record<string, Script>

/** The model server; see {@link ModelServer} for what it was told. */
export class OpenAiMock extends ModelServer {
  readonly #scripts = new Map<string, Script>(Object.entries(scripts))
  #ids = 0

  /** Add a script of a test's own, for the prompt `DO <name>`. */
  add(name: string, ...script: Script): void {
    this.#scripts.set(name, script)
  }

  protected override answer(path: string, body: unknown, response: ServerResponse): void {
    if (!path.endsWith('/responses')) {
      response.writeHead(404).end()
      return
    }
    const { input, text } = body as Body
    for (const { type, call_id: call, output, content } of input) {
      if (isOutput(type)) this.keep(call!, textOf(output))
      // The answer to a question that did not hold the turn is no result, but words of the person's.
      const words = contentOf(content)
      if (words.startsWith('<send_user_message_question_reply>')) this.keep(words, words)
    }
    // A request that wants JSON is for a title, and has the prompt in it.
    const item = text?.format === undefined ? this.#next(input) : message(++this.#ids, '{"title":"A title"}')
    const id = `resp_${++this.#ids}`, whole = { object: 'response', id }
    response.setHeader('content-type', 'text/event-stream')
    send(response, 'response.created', { response: { ...whole, status: 'in_progress', output: [] } })
    send(response, 'response.output_item.added', { output_index: 0, item: 'content' in item ? { ...item, content: [] } : item })
    if ('content' in item) {
      send(response, 'response.output_text.delta', { item_id: item.id, output_index: 0, content_index: 0, delta: item.content[0]!.text })
    }
    send(response, 'response.output_item.done', { output_index: 0, item })
    send(response, 'response.completed', {
      response: {
        ...whole, status: 'completed', output: [item],
        usage: { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 },
      },
    })
    response.end()
  }

  /** The item it says next: the next call of the script that the last prompt named, else what it was told, else what was said. */
  #next(input: readonly Item[]) {
    const names = input.map(({ role, content }) => role === 'user' ? /.*\bDO (\w+)/s.exec(contentOf(content))?.[1] : undefined)
    const at = names.findLastIndex(name => name !== undefined && this.#scripts.has(name))
    const results = input.slice(at + 1).filter(({ type }) => isOutput(type))
    const call = at < 0 ? undefined : this.#scripts.get(names[at]!)![results.length]
    const id = ++this.#ids
    if (call) {
      const common = { call_id: `call_${id}`, name: call.name, status: 'completed' }
      return 'args' in call
        ? { type: 'function_call', id: `fc_${id}`, ...common, arguments: JSON.stringify(call.args) }
        : { type: 'custom_tool_call', id: `ctc_${id}`, ...common, input: call.input }
    }
    const text = results.length > 0 ? `TOLD: ${results.map(({ output }) => textOf(output)).join(' || ')}` : 'HEARD'
    return message(id, text)
  }
}

function message(id: number, text: string) {
  return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] }
}

function isOutput(type: string): boolean {
  return type.endsWith('call_output')
}

function contentOf(content: Item['content'] = []): string {
  return content.map(({ text = '' }) => text).join('\n')
}

/** A result is a text, or parts of one. */
function textOf(output: unknown): string {
  if (typeof output === 'string') return output
  return Array.isArray(output) ? contentOf(output as Item['content']) : JSON.stringify(output)
}
