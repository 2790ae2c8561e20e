// The line terminal as a plugin: on a pipe, and on a TTY as far as node:readline goes without one.
import { PassThrough } from 'node:stream'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../src/protocol/request.ts'
import * as terminal from '../../src/surfaces/terminal/index.ts'
import { boot, dispatch, load } from '../helpers/cordis.ts'
import { cancelled, FakeSurface, says } from '../helpers/surface.ts'

const database: AskUserQuestionItem = { id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }
const checks: AskUserQuestionItem = { id: 'checks', question: 'Which checks?', options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }], multiSelect: true }
const colour: AskUserQuestionItem = { id: 'colour', question: 'Which colour?' }

/** Let everything happen that needs no time: one line is delivered per macrotask. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
}

async function start({ tty = false, lang = 'en', config }: { tty?: boolean, lang?: 'en' | 'zh', config?: unknown } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY: tty })
  const output = new PassThrough()
  let written = ''
  output.on('data', (chunk: Buffer) => written += chunk.toString())
  const onInterrupt = vi.fn<() => void>()
  const onSuspend = vi.fn<() => void>()
  const { ctx, fiber } = await boot(config)
  const { name, inject } = terminal
  const plugin = await ctx.plugin({ name, inject, apply: (inner: Context) => terminal.apply(inner, { lang }, { input, output, onInterrupt, onSuspend }) })
  return {
    ctx, router: fiber, plugin, input, output, onInterrupt, onSuspend,
    get written() { return written },
    /** What was written since the last look. */
    look() {
      const text = written
      written = ''
      return text
    },
    ask: (questions: AskUserQuestionItem[], extra: Partial<AskUserQuestionRequest> = {}) => dispatch(ctx, { questions, ...extra }),
  }
}

const rejections: unknown[] = []
const onRejection = (error: unknown) => rejections.push(error)
beforeEach(() => void process.on('unhandledRejection', onRejection))
afterEach(async () => {
  await settle()
  process.off('unhandledRejection', onRejection)
  expect(rejections.splice(0)).toEqual([])
})

describe('the line terminal on a pipe', () => {
  it('prints the question and answers with a line', async () => {
    const t = await start()
    const answer = t.ask([database])
    await settle()
    expect(t.look()).toBe('\nWhich database?\n  1. Postgres\n  2. SQLite\nReply with a number, or with your own words.\n')
    t.input.write('2\n')
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
    expect(t.look()).toBe('Sent: SQLite\n')
  })

  it('says which session asks', async () => {
    const t = await start()
    const answer = t.ask([colour], { agent: { session: { id: 'build\x1b[2J' } } })
    await settle()
    expect(t.written).toContain('build␛[2J asks:\nWhich colour?')
    t.input.write('blue\n')
    await answer
  })

  it('goes through a batch question by question, and sends it whole', async () => {
    const t = await start()
    const answer = t.ask([checks, colour])
    t.input.write('1,3\n')
    await settle()
    expect(t.written).toContain('(1 of 2) Which checks?')
    expect(t.written).toContain('(2 of 2) Which colour?')
    expect(t.ctx.askSurfaces.pending()).toHaveLength(1)
    t.input.write('blue\n')
    expect(await answer).toEqual({ answers: [{ id: 'checks', selected: ['A', 'C'] }, { id: 'colour', selected: [], custom: 'blue' }] })
  })

  it('keeps lines that come before their question, and a last line without an end', async () => {
    const t = await start()
    t.input.end('2\r\n1,3\nblue')
    expect(await t.ask([database])).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
    const { answers } = await t.ask([checks, colour])
    expect(answers.map(({ selected, custom }) => custom ?? selected)).toEqual([['A', 'C'], 'blue'])
  })

  it('puts text together that arrives byte by byte', async () => {
    const t = await start()
    const answer = t.ask([colour])
    for (const byte of Buffer.from('größer 部署 🙂\n')) {
      t.input.write(Buffer.of(byte))
      await settle()
    }
    expect((await answer).answers[0]!.custom).toBe('größer 部署 🙂')
  })

  it('sends nothing for a blank line, and says so', async () => {
    const t = await start()
    const answer = t.ask([database])
    t.input.write('  \n')
    await settle()
    expect(t.written).toContain('Nothing was sent. Reply with a number, or with your own words.\n')
    expect(t.ctx.askSurfaces.pending()[0]!.participants[0]!.state).toBe('asked')
    t.input.write('1\n')
    expect((await answer).answers[0]!.selected).toEqual(['Postgres'])
  })

  it('gives a second question its turn when the first is answered', async () => {
    const t = await start()
    const first = t.ask([database])
    const second = t.ask([colour])
    await settle()
    expect(t.look()).not.toContain('Which colour?')
    t.input.write('1\n')
    await first
    await settle()
    expect(t.look()).toContain('Which colour?')
    t.input.write('red\n')
    expect((await second).answers[0]!.custom).toBe('red')
  })

  it('says how many questions wait', async () => {
    const t = await start()
    const controller = new AbortController()
    const asks = [1, 2, 3].map(() => t.ask([colour], { signal: controller.signal }))
    await settle()
    expect(t.written).toContain('(1 more question waits.)\n(2 more questions wait.)\n')
    controller.abort()
    await Promise.allSettled(asks)
  })

  it('puts a question away in one line when it is answered elsewhere, and shows the next', async () => {
    const t = await start()
    const phone = new FakeSurface('phone', true)
    await load(t.ctx, phone)
    const first = t.ask([database])
    phone.answer(says('Postgres'))
    const second = t.ask([colour])
    await first
    await settle()
    const [, after] = t.look().split('(1 more question waits.)\n')
    expect(after).toMatch(/^Answered on phone: Postgres\n\nWhich colour\?/)
    t.input.write('red\n')
    await second
  })

  it('does not let half a line for a question that is gone answer the next', async () => {
    const t = await start()
    const phone = new FakeSurface('phone', true)
    await load(t.ctx, phone)
    const first = t.ask([database])
    await settle()
    t.input.write('my own wo')
    await settle()
    phone.answer(says('Postgres'))
    await first
    const second = t.ask([colour])
    await settle()
    t.input.write('rds\nred\n')
    expect((await second).answers[0]!.custom).toBe('red')
  })

  it('forgets a question that is answered elsewhere while it waits, without a word', async () => {
    const t = await start()
    const phone = new FakeSurface('phone', true)
    await load(t.ctx, phone)
    const first = t.ask([database])
    const second = t.ask([colour])
    await settle()
    t.look()
    phone.answer({ answers: [{ id: 'colour', selected: [], custom: 'red' }] })
    await second
    await settle()
    expect(t.look()).toBe('')
    t.input.write('1\n')
    await first
    await settle()
    expect(t.look()).toBe('Sent: Postgres\n')
  })

  it('says "Cancelled" when the turn is aborted (case 12)', async () => {
    const t = await start()
    const controller = new AbortController()
    const answer = t.ask([database], { signal: controller.signal })
    await settle()
    t.look()
    controller.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    await settle()
    expect(t.look()).toBe('Cancelled\n')
    expect(t.ctx.askSurfaces.pending()).toEqual([])
  })

  it('says who cancelled', async () => {
    const t = await start()
    const phone = new FakeSurface('phone', true)
    await load(t.ctx, phone)
    const answer = t.ask([database])
    await settle()
    phone.fail(cancelled())
    await expect(answer).rejects.toMatchObject({ code: 'ASK_CANCELLED' })
    expect(t.written).toContain('Cancelled on phone\n')
  })

  it('says when its time is over', async () => {
    const t = await start({ config: { surfaces: { terminal: { timeoutMs: 0 } } } })
    const answer = t.ask([database])
    await expect(answer).rejects.toMatchObject({ code: 'SURFACE_TIMEOUT' })
    expect(t.written).toContain('No longer waiting for an answer here\n')
  })

  it('says when somebody else was quicker than a line that was sent', async () => {
    const t = await start()
    const phone = new FakeSurface('phone', true)
    await load(t.ctx, phone)
    const answer = t.ask([database])
    await settle()
    // The phone's answer is decided on before the terminal's, which is given in the same macrotask.
    const delivered = new Promise<void>(resolve => t.input.once('data', () => setImmediate(resolve)))
    phone.answer(says('Postgres'))
    t.input.write('2\n')
    await delivered
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['Postgres'] }] })
    await settle()
    expect(t.written).toContain('Answered on phone: Postgres\n')
    expect(t.written.trimEnd().endsWith('Answered on phone: Postgres')).toBe(true)
  })

  it('goes out when its input ends, and leaves the question to others', async () => {
    const t = await start()
    const phone = new FakeSurface('phone', true)
    await load(t.ctx, phone)
    const answer = t.ask([database])
    await settle()
    t.input.end()
    await settle()
    expect(t.written).toContain('The terminal has no more input; questions are answered elsewhere.\n')
    expect(t.ctx.askSurfaces.list().map(({ name }) => name)).toEqual(['phone'])
    phone.answer(says('SQLite'))
    expect((await answer).answers[0]!.selected).toEqual(['SQLite'])
  })

  it('fails with a clear error when nobody else is there', async () => {
    const t = await start()
    t.input.end('1,3\n')
    const answer = t.ask([checks, colour])
    await expect(answer).rejects.toMatchObject({ name: 'UserQuestionError', code: 'SURFACE_GONE', message: 'the terminal is gone' })
  })

  it('goes out when nobody reads what it prints', async () => {
    const t = await start()
    const answer = t.ask([colour])
    await settle()
    t.output.destroy(new Error('EPIPE'))
    await expect(answer).rejects.toMatchObject({ code: 'SURFACE_GONE' })
    expect(t.ctx.askSurfaces.list()).toEqual([])
  })

  it.each([
    ['the input has ended', ['1\n'], [{ id: 'db', selected: ['Postgres'] }]],
    ['lines were read ahead', ['1\n2\n'], [{ id: 'db', selected: ['Postgres'] }, { id: 'db', selected: ['SQLite'] }]],
  ])('goes on after a restart where it was: %s', async (_, chunks, items) => {
    const t = await start()
    for (const chunk of chunks) t.input.write(chunk)
    t.input.end()
    for (const item of items) {
      expect(await t.ask([database])).toEqual({ answers: [item] })
      await t.plugin.restart()
    }
    await expect(t.ask([database])).rejects.toMatchObject({ code: 'SURFACE_GONE' })
  })

  it('executes nothing that a question says', async () => {
    const t = await start({ lang: 'zh' })
    const answer = t.ask([{ id: 'q', question: 'a\x1b]0;owned\x07b', options: [{ label: '\x9b2J<img src=x onerror=1>' }] }])
    await settle()
    expect(t.written.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    t.input.write('1\n')
    expect((await answer).answers[0]!.selected).toEqual(['\x9b2J<img src=x onerror=1>'])
    expect(t.written.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect(t.written).toContain('回复编号，或用自己的话回答。')
  })

  it('shows nothing and answers nothing for a request without questions', async () => {
    const t = await start()
    await expect(t.ask([])).rejects.toMatchObject({ code: 'BAD_ANSWER' })
    expect(t.written).toBe('')
  })

  it('leaves nothing when it is unloaded with questions open', async () => {
    const t = await start()
    const phone = new FakeSurface('phone', true)
    await load(t.ctx, phone)
    const asks = [t.ask([database]), t.ask([colour])]
    await settle()
    t.look()
    await t.plugin.dispose()
    await settle()
    expect(t.look()).toBe('No longer waiting for an answer here\n')
    for (const event of ['data', 'end', 'close', 'error']) expect(t.input.listenerCount(event)).toBe(0)
    expect(t.input.isPaused()).toBe(true)
    expect(t.ctx.askSurfaces.list()).toEqual([phone])
    expect(t.plugin.getEffects()).toEqual([])
    await t.router.dispose()
    await Promise.allSettled(asks)
  })

  it('puts all its questions away when the router goes, and shows none of them again', async () => {
    const t = await start()
    const asks = [t.ask([database]), t.ask([colour])]
    await settle()
    t.look()
    await t.router.dispose()
    await Promise.allSettled(asks)
    await settle()
    expect(t.look()).toBe('Cancelled\n')
  })
})

describe('the line terminal on a TTY', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())
  /** Let the question be on the screen for a while. */
  const later = async () => {
    await settle()
    vi.advanceTimersByTime(1000)
  }

  it('edits a line and sends it', async () => {
    const t = await start({ tty: true })
    const answer = t.ask([colour])
    await later()
    t.input.write('rex\x7fd\r')
    expect((await answer).answers[0]!.custom).toBe('red')
  })

  it('does not take a line that was typed before the question was there', async () => {
    const t = await start({ tty: true })
    const answer = t.ask([colour])
    t.input.write('make test\r')
    await settle()
    expect(t.written).toContain('That line was begun before the question was here, so it was not sent. Please answer again.')
    await later()
    t.input.write('red\r')
    expect((await answer).answers[0]!.custom).toBe('red')
  })

  it('takes no draft over to the next question (case 19)', async () => {
    const t = await start({ tty: true })
    const phone = new FakeSurface('phone', true)
    await load(t.ctx, phone)
    const first = t.ask([database])
    await settle()
    t.input.write('my own wo')
    await settle()
    phone.answer(says('Postgres'))
    await first
    const second = t.ask([colour])
    await settle()
    await later()
    vi.advanceTimersByTime(2000)
    t.input.write('red\r')
    expect((await second).answers[0]!.custom).toBe('red')
    expect(t.written).toContain('my own wo\nAnswered on phone: Postgres\n')
  })

  it('waits for a pause before it takes a line after one that was cut off', async () => {
    const t = await start({ tty: true })
    const phone = new FakeSurface('phone', true)
    await load(t.ctx, phone)
    const first = t.ask([colour])
    await settle()
    t.input.write('use the sec')
    await settle()
    phone.answer({ answers: [{ id: 'colour', selected: [], custom: 'red' }] })
    await first
    const second = t.ask([colour])
    await later()
    t.input.write('ond one')
    vi.advanceTimersByTime(5000)
    t.input.write(' please\r')
    await settle()
    expect(t.written).toContain('That line was begun before the question was here')
    await later()
    t.input.write('blue\r')
    expect((await second).answers[0]!.custom).toBe('blue')
  })

  it('hands Ctrl-C on, and can still be answered if the question stays', async () => {
    const t = await start({ tty: true })
    const answer = t.ask([colour])
    await settle()
    t.input.write('dra\x03')
    await settle()
    expect(t.onInterrupt).toHaveBeenCalledTimes(1)
    await later()
    t.input.write('red\r')
    expect((await answer).answers[0]!.custom).toBe('red')
  })

  it('takes no line that was typed ahead for the next question of a batch', async () => {
    const t = await start({ tty: true })
    const answer = t.ask([colour, database])
    await later()
    t.input.write('red\r1\r')
    await settle()
    expect(t.written).toContain('That line was begun before the question was here')
    await later()
    t.input.write('2\r')
    expect((await answer).answers[1]!.selected).toEqual(['SQLite'])
  })

  it('hands Ctrl-Z on, and asks again when the process goes on', async () => {
    const t = await start({ tty: true })
    const answer = t.ask([colour])
    await settle()
    t.input.write('dra\x1a')
    await settle()
    expect(t.onSuspend).toHaveBeenCalledTimes(1)
    await later()
    t.input.write('red\r')
    expect((await answer).answers[0]!.custom).toBe('red')
  })

  it('goes out when its terminal goes away', async () => {
    const t = await start({ tty: true })
    const answer = t.ask([colour])
    await settle()
    t.input.destroy(new Error('EIO'))
    await expect(answer).rejects.toMatchObject({ code: 'SURFACE_GONE' })
    expect(t.ctx.askSurfaces.list()).toEqual([])
  })

  it('goes out on Ctrl-D', async () => {
    const t = await start({ tty: true })
    const answer = t.ask([colour])
    await settle()
    t.input.write('\x04')
    await expect(answer).rejects.toMatchObject({ code: 'SURFACE_GONE' })
    expect(t.ctx.askSurfaces.list()).toEqual([])
  })

  it('reads only while a question is open', async () => {
    const t = await start({ tty: true })
    expect(t.input.listenerCount('keypress')).toBe(0)
    const answer = t.ask([colour])
    await settle()
    expect(t.input.listenerCount('keypress')).toBeGreaterThan(0)
    await later()
    t.input.write('red\r')
    await answer
    await settle()
    expect(t.input.isPaused()).toBe(true)
    expect(t.input.listenerCount('keypress')).toBe(0)
  })
})

describe('a reminder', () => {
  const remind = (t: Awaited<ReturnType<typeof start>>, phone: FakeSurface, more: object = {}) => {
    const [request, { id, signal, quiet }] = phone.ask.mock.lastCall!
    t.ctx.askSurfaces.list().find(({ name }) => name === 'terminal')!.remind!(request, { id, signal, quiet, ...more })
  }

  const setUp = async (options: Parameters<typeof start>[0] & { outputIsTty?: boolean }) => {
    const t = await start(options)
    Object.assign(t.output, { isTTY: options.outputIsTty })
    const phone = new FakeSurface('phone', true)
    await load(t.ctx, phone)
    return { t, phone }
  }

  it('prints nothing on a pipe', async () => {
    const { t, phone } = await setUp({})
    void t.ask([database]).catch(() => {})
    await settle()
    t.look()
    remind(t, phone)
    await settle()
    expect(t.look()).toBe('')
  })

  it('rings on a terminal, and says in one line what is open: the question of a batch that is on, its first line, as wide as there is room', async () => {
    const { t, phone } = await setUp({ outputIsTty: true })
    Object.assign(t.output, { columns: 30 })
    void t.ask([database, { ...colour, question: 'Which \u001b[2J colour do you like best?\nSay!' }]).catch(() => {})
    t.input.write('1\n')
    await settle()
    t.look()
    remind(t, phone)
    await settle()
    expect(t.look()).toBe('\u0007Still open: Which ␛[2J colour…\n')
    remind(t, phone, { quiet: true })
    await settle()
    expect(t.look()).toBe('')
  })

  it('keeps the line that is being typed, in the language of the terminal', async () => {
    const { t, phone } = await setUp({ tty: true, lang: 'zh' })
    Object.assign(t.output, { isTTY: true })
    void t.ask([colour]).catch(() => {})
    await settle()
    t.look()
    remind(t, phone)
    await settle()
    expect(t.look()).toContain('\u0007\r等待回答：Which colour?\n')
    t.input.write('re')
    await settle()
    t.look()
    remind(t, phone)
    await settle()
    expect(t.look()).toBe('\u0007')
  })

  it.each([true, false])('of a question that waits only rings: its words above another\'s prompt would be taken for what is answered there (cases 19 and 20; lines typed: %s)', async (tty) => {
    const { t, phone } = await setUp({ tty, outputIsTty: true })
    const first = t.ask([database])
    const second = t.ask([{ ...colour, question: 'Drop the production database?' }])
    await settle()
    t.look()
    remind(t, phone)
    await settle()
    expect(t.look()).toBe('\u0007')
    if (tty) await new Promise(resolve => setTimeout(resolve, 350))
    t.input.write('2\n')
    expect(await first).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
    await settle()
    t.look()
    // Now it is the one on the screen.
    remind(t, phone)
    await settle()
    expect(t.look()).toContain('Still open: Drop the production database?\n')
    phone.answer({ answers: [{ id: 'colour', selected: [], custom: 'no' }] })
    await second
  })

  it('of a question that waits prints nothing on a pipe', async () => {
    const { t, phone } = await setUp({})
    void t.ask([database]).catch(() => {})
    void t.ask([colour]).catch(() => {})
    await settle()
    t.look()
    remind(t, phone)
    await settle()
    expect(t.look()).toBe('')
  })

  it('is for none that is over', async () => {
    const { t, phone } = await setUp({ outputIsTty: true })
    void t.ask([database]).catch(() => {})
    const answer = t.ask([colour])
    await settle()
    phone.answer({ answers: [{ id: 'colour', selected: [], custom: 'red' }] })
    await answer
    await settle()
    t.look()
    remind(t, phone)
    await settle()
    expect(t.look()).toBe('')
  })
})

describe('its configuration', () => {
  it('is optional, strict and says what is wrong', async () => {
    const { ctx } = await boot()
    await expect(ctx.plugin(terminal, { lang: 'de' })).rejects.toThrow(/Invalid option: expected one of "auto"\|"en"\|"zh" \(at lang\)/)
    await expect(ctx.plugin(terminal, { colour: true })).rejects.toThrow('unknown key colour; it may be lang')
    expect(terminal.Config.parse(undefined)).toEqual({ lang: 'auto', mode: 'auto' })
  })
})
