// A model server that speaks Anthropic's Messages API, as far as Claude Code uses it. A prompt that says `DO <name>` makes it call
// the tools of that script; to everything else it answers with words. What Claude Code tells it of each call is kept.
import type { ServerResponse } from 'node:http'
import { ModelServer, send } from './model-server.ts'

/** A call of one of Claude Code's tools. */
export interface ToolCall {
  readonly name: string
  readonly input: object
}

/** What it calls, message by message: the next message comes when all of the one before have results. */
export type Script = readonly (readonly ToolCall[])[]

interface Block {
  readonly type: string
  readonly text?: string
  readonly tool_use_id?: string
  readonly is_error?: boolean
  readonly content?: string | readonly Block[]
}

interface Message {
  readonly role: string
  readonly content: string | readonly Block[]
}

interface Body {
  readonly model: string
  readonly stream?: boolean
  readonly system?: unknown
  readonly messages: readonly Message[]
  readonly tools?: readonly unknown[]
}

type Said = { readonly type: 'text', readonly text: string } | { readonly type: 'tool_use', readonly id: string } & ToolCall

const options = (...labels: string[]) => labels.map(label => ({ label, description: `${label} it is` }))
const colour = { question: 'Which colour?', header: 'Colour', options: options('Red', 'Blue'), multiSelect: false }
const fruits = { question: 'Which fruits?', header: 'Fruits', options: options('Apple', 'Pear', 'Fig, dried'), multiSelect: true }
const layout = {
  question: 'Which layout?', header: 'Layout', multiSelect: false,
  options: [
    { label: 'Wide', description: 'Side by side', preview: '+------+\n| wide |\n+------+' },
    { label: 'Tall', description: 'On top of each other', preview: '+-+\n|T|\n+-+' },
  ],
}
const ask = (...questions: object[]): ToolCall => ({ name: 'AskUserQuestion', input: { questions } })
const bash = (command: string, description: string): ToolCall => ({ name: 'Bash', input: { command, description } })

/** The scripts that are there from the start. Files are named in the folder in which Claude Code runs. */
const scripts = {
  ask: [[ask(colour)]],
  several: [[ask(colour, fruits, layout)]],
  multi: [[ask(fruits)]],
  preview: [[ask(layout)]],
  bash: [[bash('touch made_by_bash && echo BASH_RAN', 'Make a file')]],
  echo: [[bash('touch made_by_echo && echo ECHO_RAN', 'Make another file')]],
  // It says that it runs, and then runs for longer than any test.
  long: [[bash('touch long_runs && sleep 120', 'Take long')]],
  write: [[{ name: 'Write', input: { file_path: '@FOLDER@/made_by_write.txt', content: 'hello\n' } }]],
  // Claude Code edits only what was read.
  edit: [
    [{ name: 'Read', input: { file_path: '@FOLDER@/notes.txt' } }],
    [{ name: 'Edit', input: { file_path: '@FOLDER@/notes.txt', old_string: 'two', new_string: 'TWO' } }],
  ],
  fetch: [[{ name: 'WebFetch', input: { url: 'https://example.com/', prompt: 'What does it say?' } }]],
  plan: [
    [{ name: 'Write', input: { file_path: '@PLAN@', content: '# The plan\n\n1. Do it\n' } }],
    [{ name: 'ExitPlanMode', input: {} }],
  ],
  both: [[ask(colour), bash('touch made_by_both && echo BOTH_RAN', 'Make a file')]],
} satisfies Record<string, Script>

/** The model server; see {@link ModelServer} for what it was told. An error's text begins with `[is_error] `. */
export class AnthropicMock extends ModelServer {
  readonly #scripts = new Map<string, Script>(Object.entries(scripts))
  #calls = 0

  /** Add a script of a test's own, for the prompt `DO <name>`. */
  add(name: string, ...script: Script): void {
    this.#scripts.set(name, script)
  }

  protected override answer(path: string, body: unknown, response: ServerResponse): void {
    if (path.includes('/count_tokens')) response.setHeader('content-type', 'application/json').end('{"input_tokens":10}')
    else if (path.startsWith('/v1/messages')) this.#reply(body as Body, response)
    else response.writeHead(404).end()
  }

  #reply(body: Body, response: ServerResponse): void {
    // What the program says of itself in between is no part of the conversation.
    const messages = body.messages.filter(({ role }) => role !== 'system')
    const results = messages.flatMap(({ content }) => blocksOf(content)).filter(({ type }) => type === 'tool_result')
    for (const block of results) this.keep(block.tool_use_id!, resultOf(block))
    // A request without tools is for a title.
    const said = body.tools?.length ? this.#next(messages, JSON.stringify(body)) : [{ type: 'text', text: 'A title' } as const]
    const isCall = said.some(({ type }) => type === 'tool_use')
    const message = {
      id: `msg_${++this.#calls}`, type: 'message', role: 'assistant', model: body.model, stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }
    const stop = isCall ? 'tool_use' : 'end_turn'
    if (!body.stream) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...message, content: said, stop_reason: stop }))
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    send(response, 'message_start', { message: { ...message, content: [], stop_reason: null } })
    for (const [index, block] of said.entries()) {
      const isText = block.type === 'text'
      const delta = isText ? { type: 'text_delta', text: block.text } : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      send(response, 'content_block_start', { index, content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} } })
      send(response, 'content_block_delta', { index, delta })
      send(response, 'content_block_stop', { index })
    }
    send(response, 'message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } })
    send(response, 'message_stop', {})
    response.end()
  }

  /** What it says next: the next calls of the script that the last prompt named, else what it was told, else what was said. */
  #next(messages: readonly Message[], all: string): Said[] {
    const names = messages.map(({ role, content }) => role === 'user' ? /.*\bDO (\w+)/s.exec(textOf(content))?.[1] : undefined)
    const at = names.findLastIndex(name => name !== undefined && this.#scripts.has(name))
    const last = messages.at(-1)!
    const results = blocksOf(last.content).filter(({ type }) => type === 'tool_result')
    if (at >= 0 && (results.length > 0 || at === messages.length - 1)) {
      const done = messages.slice(at + 1).filter(({ role, content }) => role === 'assistant' && blocksOf(content).some(({ type }) => type === 'tool_use'))
      const calls = this.#scripts.get(names[at]!)![done.length]
      if (calls) return calls.map(({ name, input }) => ({ type: 'tool_use', id: `toolu_${++this.#calls}`, name, input: placed(input, all) }))
    }
    const text = results.length > 0 ? `TOLD: ${results.map(resultOf).join(' || ')}` : `HEARD: ${textOf(last.content).slice(-300)}`
    return [{ type: 'text', text }]
  }
}

function blocksOf(content: Message['content']): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function textOf(content: Message['content']): string {
  return blocksOf(content).filter(({ type }) => type === 'text').map(({ text }) => text).join('\n')
}

function resultOf({ is_error, content = '' }: Block): string {
  return (is_error ? '[is_error] ' : '') + textOf(content)
}

/** A call's input with the folder and the plan's file that Claude Code named in its own words to the model. */
function placed(input: object, all: string): object {
  const plan = /(\/[^\s"`\\]*\/plans\/[^\s"`\\]+\.md)/.exec(all)?.[1]
  const folder = /[Ww]orking directory: ([^\s"\\]+)/.exec(all)?.[1]
  return JSON.parse(JSON.stringify(input).replace('@PLAN@', plan ?? '@PLAN@').replace('@FOLDER@', folder ?? '@FOLDER@')) as object
}
