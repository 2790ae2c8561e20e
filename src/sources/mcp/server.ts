// `dsh-ask-router mcp`: an MCP server on stdin and stdout. Each call of a tool is one call of the desk's socket `mcp`; nothing is
// asked, answered or permitted here.
import type { Readable, Writable } from 'node:stream'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type CallToolResult, CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { type CallError, callSource } from '../local/client.ts'
import { stateFolder } from '../local/folder.ts'
import { APPROVE, TOOLS } from './tools.ts'

/** How often a client that wants to know hears that its call still waits, in milliseconds. */
const PROGRESS_EVERY_MS = 10_000

/** How the server runs. */
export interface McpServerOptions {
  /** Of this package, for the client. */
  readonly version: string
  /** Default: `stateFolder()`. */
  readonly folder?: string | undefined
  /** Default: those of this process. */
  readonly stdin?: Readable
  readonly stdout?: Writable
  /** Where the agent works. Default: where this process does. */
  readonly cwd?: string
  /** The session that starts it. Default: the one that Claude Code names to its servers. */
  readonly session?: string | undefined
}

/**
 * Serve one client until it goes.
 *
 * @returns when the client has closed its end. Its open calls are withdrawn then.
 * @throws Error when it had to be cut off: a message of more than 10 MB.
 */
export async function runMcpServer(options: McpServerOptions): Promise<void> {
  const { version, folder = stateFolder(), stdin = process.stdin, stdout = process.stdout } = options
  const { cwd = process.cwd(), session = process.env['CLAUDE_CODE_SESSION_ID'] } = options
  const server = new Server({ name: 'dsh-ask-router', version }, { capabilities: { tools: {} } })
  const transport = new StdioServerTransport(stdin as typeof process.stdin, stdout as typeof process.stdout)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }, { signal, _meta, sendNotification }) => {
    if (!TOOLS.some(tool => tool.name === name)) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name}`)
    const { progressToken } = _meta ?? {}, startedAt = Date.now()
    const tick = progressToken === undefined ? undefined : setInterval(() => {
      const progress = Math.round((Date.now() - startedAt) / 1000)
      sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message: `Waiting for the user, ${progress} s` } }).catch(() => {
        // The client is gone; the signal says so.
      })
    }, PROGRESS_EVERY_MS)
    try {
      const { title, name: own } = (server.getClientVersion() ?? {}) as { title?: string, name?: string }, client = title?.trim() || own?.trim()
      return await call({ folder, signal, name: 'mcp', body: { tool: name, input, cwd, ...client && { client: { name: client } }, ...session && { session } } }, name)
    } finally {
      clearInterval(tick)
    }
  })
  let isLeft = false, problem: Error | undefined
  // oxlint-disable unicorn/prefer-add-event-listener -- the SDK's own, which is no event target
  const closed = new Promise<void>(resolve => void (server.onclose = resolve))
  server.onerror = error => void (problem = error)
  // oxlint-enable unicorn/prefer-add-event-listener
  const close = () => {
    isLeft = true
    void server.close()
  }
  for (const event of ['end', 'close', 'error']) stdin.on(event, close)
  stdout.on('error', close)
  await server.connect(transport)
  await closed
  // The SDK ends the connection where a message is longer than it takes.
  if (!isLeft) throw new Error(`the connection has ended: ${problem?.message ?? 'nobody says why'}`)
}

/** Call the desk. Where it has no answer, a question is a failed call, and a permission is denied. */
async function call(to: Parameters<typeof callSource>[0], tool: string): Promise<CallToolResult> {
  const reply = await callSource(to).catch((error: unknown) => {
    to.signal?.throwIfAborted()
    return { error: sentence(error as CallError) }
  })
  if ('output' in reply) return said(reply.output)
  return tool === APPROVE ? said({ behavior: 'deny', message: reply.error }) : { content: [{ type: 'text', text: reply.error }], isError: true }
}

function said(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] }
}

function sentence({ code, message }: CallError): string {
  return code === 'NO_DESK'
    ? `The user cannot be asked: ${message}. Somebody has to start it (dsh-ask-router desk), with the row ask-mcp on.`
    : `The user did not answer: ${message}.`
}
