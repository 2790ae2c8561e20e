// A program for the tests in a pseudo-terminal: the router and the terminal in a real cordis, and a second surface,
// `phone`, all of which does what it is told over a socket.
import { writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { createInterface } from 'node:readline'
import { Context } from '@deepseek-ai/cordis'
import * as router from '../../src/index.ts'
import type { AskContext, AskUserQuestionAnswer, AskUserQuestionItem, AskUserQuestionOption, AskUserQuestionRequest } from '../../src/index.ts'
import { routeAsk } from '../../src/router/route-ask.ts'
import * as terminal from '../../src/surfaces/terminal/index.ts'
import { approval, OPTIONS, WIDER } from '../helpers/approval.ts'
import { dispatch } from '../helpers/cordis.ts'

/** What can be told. */
export type Order =
  | ['ask', id: string, questions: AskUserQuestionItem[]]
  | ['approve' | 'approve-more', id: string, detail: string]
  | ['answer', id: string, answer: AskUserQuestionAnswer]
  | ['abort' | 'remind', id: string]
  | ['say' | 'complain', text: string]
  | ['watched'] | ['until-watched'] | ['throw'] | ['reject'] | ['exit'] | ['unload'] | ['read-keys'] | ['listen', signal: string]

/** What is told back: the questions' outcome, or that an order was carried out. */
export type Report = ['outcome', id: string, outcome: AskUserQuestionAnswer | string] | ['done', order: string]

const ctx = new Context()
await ctx.plugin(router)
const phones = new Map<string, (answer: AskUserQuestionAnswer) => void>()
/** What every surface is asked with. */
const asked = new Map<string, readonly [AskUserQuestionRequest, AskContext]>()
ctx.inject(['askSurfaces'], (inner) => {
  inner.askSurfaces.register({
    name: 'phone',
    claim: () => true,
    ask: (request, context) => new Promise((resolve) => {
      const { askId } = request as unknown as { askId: string }
      phones.set(askId, resolve)
      asked.set(askId, [request, context])
    }),
  })
})
const loaded = await ctx.plugin(terminal, JSON.parse(process.env['CONFIG'] ?? '{}'))
const turns = new Map<string, AbortController>()

const socket = createConnection(process.env['ORDERS']!)
writeFileSync(`${process.env['ORDERS']}.pid`, String(process.pid))
const report = (...args: Report) => socket.write(`${JSON.stringify(args)}\n`)

function ask(id: string, questions: AskUserQuestionItem[]): void {
  const turn = new AbortController()
  turns.set(id, turn)
  const request = { questions, signal: turn.signal, agent: { session: { id: 'demo' } }, askId: id }
  dispatch(ctx, request).then(answer => report('outcome', id, answer), error => report('outcome', id, error.code ?? String(error)))
}

function approve(id: string, detail: string, more: readonly AskUserQuestionOption[] = []): void {
  routeAsk(ctx.askSurfaces.list(), approval({ detail, options: [...OPTIONS, ...more] })).then(answer => report('outcome', id, answer), error => report('outcome', id, error.code ?? String(error)))
}

createInterface({ input: socket }).on('line', async (line) => {
  const order = JSON.parse(line) as Order
  switch (order[0]) {
    case 'ask': ask(order[1], order[2]); break
    case 'approve': approve(order[1], order[2]); break
    case 'approve-more': approve(order[1], order[2], WIDER); break
    case 'answer': phones.get(order[1])!(order[2]); break
    case 'abort': turns.get(order[1])!.abort(new Error('stop')); break
    case 'remind': ctx.askSurfaces.list().find(surface => surface.name === 'terminal')!.remind!(...asked.get(order[1])!); break
    case 'watched': report('done', `watched: ${ctx.askSurfaces.status().find(({ name }) => name === 'terminal')?.watched}`); break
    case 'until-watched': while (!ctx.askSurfaces.status().find(({ name }) => name === 'terminal')!.watched) await new Promise(resolve => setTimeout(resolve, 5)); break
    case 'say': process.stdout.write(order[1]); break
    case 'complain': process.stderr.write(order[1]); break
    case 'throw': setImmediate(() => { throw new Error('a crash') }); break
    case 'reject': void Promise.reject(new Error('a rejection')); break
    case 'exit': process.exit(7); break
    case 'unload': await loaded.dispose(); break
    case 'read-keys': process.stdin.on('keypress', () => {}); break
    case 'listen': process.on(order[1], () => report('done', order[1])); break
  }
  report('done', order[0])
})
// Without this end of it the program has nothing left to do.
socket.on('close', () => process.exit())
report('done', 'start')
