// The panel as a plugin, on streams that a test holds: when it is used, what it leaves behind, and what goes wrong.
import type { EventEmitter } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import * as terminal from '../../src/surfaces/terminal/index.ts'
import { boot, dispatch } from '../helpers/cordis.ts'
import { FakeInput, FakeOutput } from '../helpers/streams.ts'
import { choice, FakeSurface, says } from '../helpers/surface.ts'

const SIGNALS = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGCONT']
const listeners = (emitter: EventEmitter) => emitter.eventNames().filter(name => emitter.listenerCount(name) > 0)
const macrotask = () => new Promise(resolve => setImmediate(resolve))
/** Signals are heard for some macrotasks more: one may have come already. */
const macrotasks = async () => {
  for (let at = 0; at < 3; at++) await macrotask()
}

interface Options {
  readonly config?: unknown
  readonly env?: Record<string, string>
  readonly routing?: unknown
}

/** Everything but the plugin itself. */
async function prepare({ config = {}, env = {}, routing }: Options = {}) {
  const input = new FakeInput(), output = new FakeOutput()
  const onInterrupt = vi.fn<() => void>(), onSuspend = vi.fn<() => void>()
  const { ctx } = await boot(routing)
  const phone = new FakeSurface('phone', true)
  ctx.askSurfaces.register(phone)
  const { name, inject } = terminal
  const streams = { input: input as unknown as NodeJS.ReadableStream, output, onInterrupt, onSuspend, env: { LANG: 'en', ...env } }
  const load = () => ctx.plugin({ name, inject, apply: (inner: Context) => terminal.apply(inner, config, streams) })
  return {
    ctx, phone, input, output, load, onInterrupt, onSuspend,
    ask: (...questions: AskUserQuestionItem[]) => dispatch(ctx, { questions }),
    get shown() { return stripVTControlCharacters(output.written) },
    get names() { return ctx.askSurfaces.list().map(surface => surface.name) },
    /** Press keys once the panel listens. */
    async press(...keys: string[]) {
      await macrotask()
      await vi.advanceTimersByTimeAsync(400)
      for (const key of keys) input.emit('data', key)
    },
    /** Choose the second option. */
    async answers(answer: Promise<AskUserQuestionAnswer>) {
      await this.press('2', '\r')
      return answer
    },
    /** A question is answered elsewhere while the person is typing for it. */
    async loseWhileTyping() {
      const answer = dispatch(ctx, { questions: [database] })
      await this.press('o', 'a')
      phone.answer(says('Postgres'))
      await answer
    },
    answeredOnPhone(answer: Promise<AskUserQuestionAnswer> | undefined) {
      phone.answer(says('SQLite'))
      return answer
    },
    remind: (...[request, context]: Parameters<FakeSurface['ask']>) =>
      ctx.askSurfaces.list().find(one => one.name === 'terminal')!.remind!(request, context),
  }
}

async function start(options?: Options) {
  const t = await prepare(options)
  return Object.assign(t, { plugin: await t.load() })
}

const database = choice('db', ['Postgres', 'SQLite'])
const counts = () => SIGNALS.map(name => process.listenerCount(name))

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))
afterEach(async () => {
  vi.useRealTimers()
  await macrotasks()
})

describe('the mode', () => {
  it.each([
    ['auto', {}, true], ['auto', { TERM: 'dumb' }, false], ['panel', { TERM: 'dumb' }, true], ['line', {}, false],
  ] as const)('%s with %o', async (mode, env, panel) => {
    const t = await start({ config: { mode }, env })
    const answer = t.ask(database)
    expect(t.shown.includes('Esc cancel')).toBe(panel)
    t.phone.answer(says('SQLite'))
    await answer
    await t.plugin.dispose()
  })

  it('is none where no output is a terminal: nobody could read the question', async () => {
    const t = await prepare({ config: { mode: 'panel' } })
    t.output.isTTY = false
    await t.load()
    expect(t.names).toEqual(['phone'])
    expect(t.shown).toBe('Questions cannot be shown here: the output is not a terminal. They are answered elsewhere.\n')
  })

  it('that is none stops the load, with what it may be', async () => {
    const t = await prepare({ config: { mode: 'tui' } })
    await expect(t.load()).rejects.toThrow(/mode/)
    const other = await prepare({ config: { colour: true } })
    await expect(other.load()).rejects.toThrow('unknown key colour; it may be lang, mode')
  })
})

describe('the terminal', () => {
  it('is held while a panel is up, and given back after it, with nothing left behind', async () => {
    const before = counts(), t = await start()
    expect([t.input.isRaw, listeners(t.input), listeners(t.output)]).toEqual([false, [], []])
    const answer = t.ask(database)
    expect([t.input.isRaw, t.input.flowing, Object.hasOwn(t.output, 'write')]).toEqual([true, true, true])
    expect(await t.answers(answer)).toEqual(says('SQLite'))
    await macrotasks()
    expect([t.input.isRaw, t.input.flowing, Object.hasOwn(t.output, 'write')]).toEqual([false, false, false])
    expect([listeners(t.input), listeners(t.output)]).toEqual([[], []])
    expect(counts()).toEqual(before)
    expect(vi.getTimerCount()).toBe(0)
    await t.plugin.dispose()
  })

  it('is given back when the plugin is unloaded with questions open, which stay open elsewhere', async () => {
    const before = counts(), t = await start()
    const answers = [t.ask(database), t.ask(database)]
    await t.plugin.dispose()
    await macrotasks()
    expect([t.input.isRaw, listeners(t.input), listeners(t.output), t.names]).toEqual([false, [], [], ['phone']])
    expect(counts()).toEqual(before)
    // One line about the one that was shown; the other never was.
    const gone = 'No longer waiting for an answer here: db?'
    expect(t.shown.split(gone)).toHaveLength(2)
    expect(t.shown.slice(t.shown.indexOf(gone))).toBe(`${gone}\n`)
    expect(await t.answeredOnPhone(answers[1])).toEqual(says('SQLite'))
  })

  it('is given back when all questions go in one tick, also those that were never shown', async () => {
    const t = await start()
    const turn = new AbortController()
    const answers = [1, 2, 3].map(() => dispatch(t.ctx, { questions: [database], signal: turn.signal }))
    expect(t.input.isRaw).toBe(true)
    turn.abort()
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await macrotasks()
    expect([t.input.isRaw, listeners(t.input), listeners(t.output)]).toEqual([false, [], []])
  })

  it.each([['raw mode', (input: FakeInput) => input.setRawMode(true)], ['keypress listeners', (input: FakeInput) => input.on('keypress', () => {})]])(
    'that somebody else has by %s is left alone', async (_, take) => {
      const early = await prepare()
      take(early.input)
      await early.load()
      expect(early.names).toEqual(['phone'])
      expect(early.shown).toBe('Something else is reading this terminal; questions are answered elsewhere.\n')

      const late = await start()
      take(late.input)
      const answer = late.ask(database)
      await macrotask()
      expect(late.names).toEqual(['phone'])
      expect(late.shown).toBe('Something else is reading this terminal; questions are answered elsewhere.\n')
      expect(await late.answeredOnPhone(answer)).toEqual(says('SQLite'))
    })

  it('that is gone is not written to any more, and the surface leaves', async () => {
    for (const lose of [(t: Awaited<ReturnType<typeof start>>) => t.input.emit('end'), (t: Awaited<ReturnType<typeof start>>) => t.output.emit('error', new Error('EIO'))]) {
      const t = await start()
      const answer = t.ask(database)
      const { written } = t.output
      lose(t)
      await macrotask()
      expect([t.output.written, t.names, t.input.isRaw]).toEqual([written, ['phone'], false])
      expect(await t.answeredOnPhone(answer)).toEqual(says('SQLite'))
    }
  })

  it('whose write somebody else has wrapped meanwhile keeps their function', async () => {
    const t = await start()
    const answer = t.ask(database)
    const { write } = t.output
    const seen: unknown[] = []
    const theirs = function (this: unknown, ...args: unknown[]) {
      seen.push(args[0])
      return Reflect.apply(write, t.output, args) as boolean
    }
    t.output.write = theirs as typeof write
    t.phone.answer(says('SQLite'))
    await answer
    expect(t.output.write).toBe(theirs)
    t.output.written = ''
    t.output.write('later\n')
    expect(t.output.written).toBe('later\n')
  })
})

describe('a reminder', () => {
  const setUp = () => start({ routing: { surfaces: { terminal: { remindMs: 60_000, remindMax: 2 } } } })
  const bells = (t: Awaited<ReturnType<typeof start>>) => t.output.written.split('\u0007').length - 1

  it('rings the bell for each question that is shown or waits, so often as the policy says, and writes nothing else', async () => {
    const t = await setUp()
    const answers = [t.ask(database), t.ask(database)]
    await t.press()
    const { written } = t.output
    await vi.advanceTimersByTimeAsync(60_000)
    expect(t.output.written).toBe(`${written}\u0007\u0007`)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(t.output.written).toBe(`${written}${'\u0007'.repeat(4)}`)
    t.phone.answer(says('Postgres'))
    await answers[1]
  })

  it('does not come after the end', async () => {
    const t = await setUp()
    const answer = t.ask(database)
    await t.press('2', '\r')
    await answer
    await vi.advanceTimersByTimeAsync(600_000)
    expect(bells(t)).toBe(0)
  })

  it('is silent in quiet hours, which do not keep the question from the panel, and comes when they are over', async () => {
    vi.setSystemTime(new Date('2026-01-05T23:00:00Z'))
    const quiet = { from: '22:00', to: '23:30', timeZone: 'UTC', surfaces: ['terminal'] }
    const t = await start({ routing: { surfaces: { terminal: { remindMs: 60_000 } }, quiet } })
    void t.ask(database).catch(() => {})
    expect(t.shown).toContain('> ( ) 1. Postgres')
    await vi.advanceTimersByTimeAsync(29 * 60_000)
    expect(bells(t)).toBe(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bells(t)).toBe(1)
  })

  it('is not for a question that was never here, and not for one in quiet hours', async () => {
    const t = await setUp()
    void t.ask(database).catch(() => {})
    const [request, context] = t.phone.ask.mock.lastCall!
    t.remind({ ...request }, context)
    t.remind(request, { id: context.id, signal: context.signal, quiet: true })
    expect(bells(t)).toBe(0)
    t.remind(request, context)
    expect(bells(t)).toBe(1)
  })

  it('rings while the terminal is let go of, too', async () => {
    const t = await setUp()
    void t.ask(database).catch(() => {})
    t.onInterrupt.mockImplementation(() => {
        t.remind(...t.phone.ask.mock.lastCall!)
    })
    t.input.emit('data', '\u0003')
    expect(bells(t)).toBe(1)
  })
})

describe('a question', () => {
  it('that cannot be shown fails alone', async () => {
    const t = await start()
    const bad = t.ask({ id: 'bad', question: 7 as unknown as string })
    const good = t.ask(database)
    await macrotask()
    expect(t.shown).toContain('> ( ) 1. Postgres')
    expect(await t.answers(good)).toEqual(says('SQLite'))
    expect(t.ctx.askSurfaces.pending().map(({ participants }) => participants.filter(({ name }) => name !== 'host'))).toMatchObject([
      [{ name: 'phone', state: 'asked' }, { name: 'terminal', state: 'failed' }],
    ])
    bad.catch(() => {})
  })

  it('that was sent here but won elsewhere is said to be so', async () => {
    const t = await start()
    const answer = t.ask(database)
    await t.press()
    t.phone.answer(says('Postgres'))
    t.input.emit('data', '2\r')
    expect(await answer).toEqual(says('Postgres'))
    expect(t.shown).toContain('Sent: db? SQLite\nAnswered on phone: db? Postgres\n')
  })

  it('is not answered by what was typed ahead', async () => {
    const t = await start()
    const answer = t.ask(database)
    t.input.emit('data', '\r\r2\r')
    await t.press('1', '\r')
    expect(await answer).toEqual(says('Postgres'))
  })

  it('that comes after one that was answered elsewhere is not answered by what is still being typed', async () => {
    const t = await start()
    await t.loseWhileTyping()
    const second = t.ask(database)
    await macrotask()
    for (const key of ' word\r2\r') {
      await vi.advanceTimersByTimeAsync(150)
      t.input.emit('data', key)
    }
    // People stop to think in the middle of a sentence.
    await vi.advanceTimersByTimeAsync(900)
    for (const key of 'o more\r') t.input.emit('data', key)
    expect(t.ctx.askSurfaces.pending()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await t.answers(second)).toEqual(says('SQLite'))
  })

  it('that takes the place of one that was answered elsewhere listens after three seconds at the latest, and says what was not used', async () => {
    const t = await start()
    await t.loseWhileTyping()
    const second = t.ask(database)
    await macrotask()
    for (let at = 0; at < 30; at++) {
      expect(t.shown.includes('Not used: this is another question.')).toBe(at > 0)
      t.input.emit('data', 'x')
      await vi.advanceTimersByTimeAsync(100)
    }
    t.input.emit('data', '2\r')
    expect(await second).toEqual(says('SQLite'))
  })

  it('that comes some time after one that was answered elsewhere listens like any other', async () => {
    const t = await start()
    await t.loseWhileTyping()
    await vi.advanceTimersByTimeAsync(1000)
    const second = t.ask(database)
    await macrotask()
    for (let at = 0; at < 3; at++) {
      t.input.emit('data', 'x')
      await vi.advanceTimersByTimeAsync(100)
    }
    t.input.emit('data', '2\r')
    expect(await second).toEqual(says('SQLite'))
  })

  it('is not answered by an Enter that is held since the one before', async () => {
    const t = await start()
    const first = t.ask(database), second = t.ask(database)
    await t.press('\r')
    expect(await first).toEqual(says('Postgres'))
    await macrotask()
    for (let at = 0; at < 20; at++) {
      await vi.advanceTimersByTimeAsync(33)
      t.input.emit('data', '\r')
    }
    expect(t.ctx.askSurfaces.pending()).toHaveLength(1)
    expect(await t.answers(second)).toEqual(says('SQLite'))
  })

  it('that is answered elsewhere keeps what was typed for it on the screen, in full, and executes none of it', async () => {
    const t = await start()
    const answer = t.ask(database)
    await t.press('o', `${'word '.repeat(100)}end`, '\u001B[200~ line 2\nline 3 \u009B2J\u001B[201~')
    t.phone.answer(says('Postgres'))
    await answer
    expect(t.shown).toContain(`Answered on phone: db? Postgres\nYou had typed: ${'word '.repeat(100)}end line 2\nline 3 <U+009B>2J\n`)
  })

  it('that ends without an answer keeps it too, and each question of a batch its own', async () => {
    const t = await start()
    const colour: AskUserQuestionItem = { id: 'colour', question: 'What colour?' }
    const answer = t.ask(database, colour)
    await t.press('o', 'a', '\t', 'r')
    await t.plugin.dispose()
    expect(t.shown).toContain('No longer waiting for an answer here: db? / What colour?\nYou had typed for "db?": a\nYou had typed for "What colour?": r\n')
    t.phone.fail()
    await answer.catch(() => {})
  })

  it('that is lost because something else reads the terminal keeps it too', async () => {
    const t = await start()
    const answer = t.ask(database)
    await t.press('o', 'abc')
    t.input.on('keypress', () => {})
    t.input.emit('data', 'd')
    expect(t.shown).toContain('questions are answered elsewhere.\nYou had typed: abc\n')
    expect(await t.answeredOnPhone(answer)).toEqual(says('SQLite'))
  })

  it('for which nothing was typed leaves one line', async () => {
    const t = await start()
    const answer = t.ask(database)
    await t.press('2', ' ')
    t.phone.answer(says('Postgres'))
    await answer
    expect(t.shown.endsWith('Answered on phone: db? Postgres\n')).toBe(true)
  })

  it('is interrupted through its terminal, which is as it was before by then, and comes back if it is still open', async () => {
    const t = await start()
    const answer = t.ask(database)
    t.onInterrupt.mockImplementation(() => expect([t.input.isRaw, t.input.listenerCount('data')]).toEqual([false, 0]))
    t.input.emit('data', '\u0003')
    expect(t.onInterrupt).toHaveBeenCalledOnce()
    expect(await t.answers(answer)).toEqual(says('SQLite'))
  })
})
