// No question ends the host: thousands that cannot be shown fail alone, at once or when their turn comes, while others are
// open and can be answered.
import { PassThrough } from 'node:stream'
import type { Context } from '@deepseek-ai/cordis'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import * as terminal from '../../src/surfaces/terminal/index.ts'
import { boot } from '../helpers/cordis.ts'

const COUNT = 5000

vi.setConfig({ testTimeout: 60_000 })

const trap = new Proxy({}, { get() { throw new Error('no') }, ownKeys() { throw new Error('no') } })
const thrower = (name: string) => Object.defineProperty({}, name, { enumerable: true, get() { throw new Error('no') } })
const junk = fc.oneof(fc.constantFrom<unknown>(null, undefined, 0, true, Symbol('x'), trap, () => 1, [null], [[]], NaN), fc.string(), fc.dictionary(fc.string(), fc.string()))
const good = { id: 'a', question: 'Which?' }

/** One that no surface can show, with its fault anywhere. */
const malformed: fc.Arbitrary<unknown> = fc.oneof(
  junk.map(questions => ({ questions })),
  fc.array(junk, { minLength: 1, maxLength: 3 }).map(questions => ({ questions: [good, ...questions] })),
  fc.constantFrom('id', 'question').chain(name => junk.filter(value => typeof value !== 'string').map(value => ({ questions: [{ ...good, [name]: value }] }))),
  fc.constantFrom('detail', 'header').chain(name => junk.filter(value => typeof value !== 'string' && value != null).map(value => ({ questions: [{ ...good, [name]: value }] }))),
  junk.filter(value => value != null).map(options => ({ questions: [{ ...good, options: [{ label: 'x' }, { label: 'y', description: 'z' }, options] }] })),
  fc.constant({ questions: trap }), fc.constant({ questions: [trap] }), fc.constant({ questions: [{ ...good, options: [trap] }] }),
  fc.constantFrom('questions', 'agent', 'signal').map(name => Object.defineProperties({ questions: [good] }, Object.getOwnPropertyDescriptors(thrower(name)))),
  // What is wrong is seen only when its turn comes.
  fc.constant({ questions: [good], agent: thrower('session') }), fc.constant({ questions: [good], agent: trap }),
)

const thrown: unknown[] = []
const onThrown = (error: unknown) => void thrown.push(error)
beforeEach(() => {
  process.on('unhandledRejection', onThrown)
  process.on('uncaughtException', onThrown)
})
afterEach(() => {
  process.off('unhandledRejection', onThrown)
  process.off('uncaughtException', onThrown)
  vi.useRealTimers()
})

const settle = async () => {
  for (let at = 0; at < 20; at++) await new Promise(resolve => setImmediate(resolve))
}

it.each([['the panel', 'panel', true], ['the line mode on a terminal', 'line', true], ['the line mode on a pipe', 'line', false]] as const)(
  `${COUNT} malformed requests fail alone: %s`, async (_, mode, isTTY) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const input = Object.assign(new PassThrough(), { isTTY, setRawMode() {} }), output = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 24 })
    output.resume()
    const { ctx } = await boot()
    const { name, inject } = terminal
    await ctx.plugin({ name, inject, apply: (inner: Context) => terminal.apply(inner, { mode }, { input, output, onInterrupt() {}, onSuspend() {}, env: { LANG: 'en' } }) })
    const [surface] = ctx.askSurfaces.list()
    const ask = (request: unknown) => surface!.ask(request as AskUserQuestionRequest, { id: 'ask', signal: new AbortController().signal, quiet: false })
    const type = async (keys: string) => {
      await settle()
      vi.advanceTimersByTime(1000)
      input.write(keys)
      await settle()
    }
    const end = isTTY ? '\r' : '\n'

    const first = ask({ questions: [{ id: 'first', question: 'First?' }] })
    const bad = fc.sample(malformed, { numRuns: COUNT, seed: 10 }).map(request => ask(request).then(() => 'answered', () => 'failed'))
    const last = ask({ questions: [{ id: 'last', question: 'Last?' }] })
    await type(`one${end}`)
    expect(await first).toEqual({ answers: [{ id: 'first', selected: [], custom: 'one' }] })
    expect(new Set(await Promise.all(bad))).toEqual(new Set(['failed']))
    await type(`two${end}`)
    expect(await last).toEqual({ answers: [{ id: 'last', selected: [], custom: 'two' }] })
    expect(thrown.splice(0)).toEqual([])
  })
