// The line terminal as a plugin: on a pipe, and on a TTY as far as node:readline goes without one.
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { formatOrigin } from '../../src/reply/format.ts'
import { originOf } from '../../src/reply/origin.ts'
import * as terminal from '../../src/surfaces/terminal/index.ts'
import { boot, dispatch, load as loadSurface } from '../helpers/cordis.ts'
import { agentOf, cancelled, choice, FakeSurface, says } from '../helpers/surface.ts'

const database = choice('db', ['Postgres', 'SQLite'], { question: 'Which database?' })
const checks = choice('checks', ['A', 'B', 'C'], { question: 'Which checks?', multiSelect: true })
const colour: AskUserQuestionItem = { id: 'colour', question: 'Which colour?' }

const inWords = (custom: string) => ({ answers: [{ id: 'colour', selected: [], custom }] })
/** Above the first question of a request. */
const ASKS = `\n${formatOrigin(originOf({}))} asks:\n`
const TOO_EARLY = 'That line was started before the question appeared, so it was not sent. Please answer again.'

/** Let everything happen that needs no time: one line is delivered per macrotask. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
}

interface Options {
  /** Whether lines are typed. */
  readonly tty?: boolean
  readonly lang?: 'en' | 'zh'
  readonly config?: unknown
  readonly output?: { isTTY?: boolean, columns?: number }
  /** Questions that are on the screen, long enough to be answered. */
  readonly asks?: AskUserQuestionItem[]
}

async function load({ tty = false, lang = 'en', config, output: look }: Options = {}) {
  const input = Object.assign(new PassThrough(), { isTTY: tty })
  const output = Object.assign(new PassThrough(), { isTTY: tty }, look)
  let written = ''
  output.on('data', (chunk: Buffer) => written += chunk.toString())
  const onInterrupt = vi.fn<() => void>(), onSuspend = vi.fn<() => void>()
  const { ctx, fiber } = await boot(config)
  const { name, inject } = terminal
  const plugin = await ctx.plugin({ name, inject, apply: (inner: Context) => terminal.apply(inner, { lang, mode: 'line' }, { input, output, onInterrupt, onSuspend }) })
  /** What has been printed since the last look. */
  async function said(): Promise<string> {
    await settle()
    const text = written
    written = ''
    return text
  }
  return {
    ctx, router: fiber, plugin, input, output, onInterrupt, onSuspend, said,
    get names() { return ctx.askSurfaces.list().map(surface => surface.name) },
    ask: (questions: AskUserQuestionItem[], extra: Partial<AskUserQuestionRequest> = {}) => dispatch(ctx, { questions, ...extra }),
    /** Ask, and let the question be on the screen long enough to be answered. Its answer is in an array, to be awaited later. */
    async shown(...questions: AskUserQuestionItem[]) {
      const answer = dispatch(ctx, { questions })
      answer.catch(() => {})
      await settle()
      vi.advanceTimersByTime(1000)
      return [answer] as const
    },
    async types(text: string) {
      input.write(text)
      await settle()
    },
    /** Reply when there has been time to read. */
    replies(line: string, answer: Promise<AskUserQuestionAnswer>) {
      vi.advanceTimersByTime(1000)
      input.write(line)
      return answer
    },
  }
}

async function start(options: Options = {}) {
  const t = await load(options)
  const [answer] = options.asks ? await t.shown(...options.asks) : []
  return Object.assign(t, { answer: answer! })
}

/** The same with a phone that can answer too. */
async function startWithPhone(options: Options = {}) {
  const t = await load(options), phone = new FakeSurface('phone', true)
  await loadSurface(t.ctx, phone)
  const [answer] = options.asks ? await t.shown(...options.asks) : []
  return Object.assign(t, {
    phone,
    answer: answer!,
    async answeredElsewhere(ask: Promise<unknown>, given: AskUserQuestionAnswer) {
      phone.answer(given)
      await ask
    },
  })
}

const rejections: unknown[] = []
const onRejection = (error: unknown) => rejections.push(error)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  process.on('unhandledRejection', onRejection)
})
afterEach(async () => {
  await settle()
  vi.useRealTimers()
  process.off('unhandledRejection', onRejection)
  expect(rejections.splice(0)).toEqual([])
})

describe('the line terminal on a pipe', () => {
  it('says who asks, prints the question and answers with a line', async () => {
    const t = await start({ asks: [database] })
    expect(await t.said()).toBe(`${ASKS}Which database?\n  1. Postgres\n  2. SQLite\nReply with a number, or with your own words.\n`)
    expect(await t.replies('2\n', t.answer)).toEqual(says('SQLite'))
    expect(await t.said()).toBe('Sent: Which database? SQLite\n')
  })

  it.each([['en', '· build␛[2 asks:\nWhich colour?'], ['zh', '· build␛[2 提问：\nWhich colour?']] as const)('says which session asks: %s', async (lang, line) => {
    const t = await start({ lang })
    const answer = t.ask([colour], { agent: agentOf('build\x1b[2J') })
    expect(await t.said()).toContain(line)
    await t.types('blue\n')
    await answer
  })

  it('goes through a batch question by question, and sends it whole', async () => {
    const t = await start()
    const answer = t.ask([checks, colour])
    await t.types('1,3\n')
    expect(await t.said()).toMatch(/\(1 of 2\) Which checks\?[^]*[^:]\n\n\(2 of 2\) Which colour\?/)
    expect(t.ctx.askSurfaces.pending()).toHaveLength(1)
    expect(await t.replies('blue\n', answer)).toEqual({ answers: [{ id: 'checks', selected: ['A', 'C'] }, { id: 'colour', selected: [], custom: 'blue' }] })
  })

  it('keeps lines that come before their question, and a last line without an end', async () => {
    const t = await start()
    t.input.end('2\r\n1,3\nblue')
    expect(await t.ask([database])).toEqual(says('SQLite'))
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
    expect(await answer).toEqual(inWords('größer 部署 🙂'))
  })

  it('sends nothing for a blank line, and says so', async () => {
    const t = await start()
    const answer = t.ask([database])
    await t.types('  \n')
    expect(await t.said()).toContain('Nothing was sent. Reply with a number, or with your own words.\n')
    expect(t.ctx.askSurfaces.pending()[0]!.participants[0]!.state).toBe('asked')
    expect(await t.replies('1\n', answer)).toEqual(says('Postgres'))
  })

  it.each([
    ['en', 'Nothing was chosen: "2" is a label, "3" only a position in the list. Write the labels, with commas between them.'],
    ['zh', '没有选择任何选项：“2”是选项的名称，“3”只能是序号。请写选项的名称，用逗号分隔。'],
  ] as const)('chooses nothing when a line mixes labels and positions, and says so: %s', async (lang, why) => {
    const t = await start({ lang, asks: [choice('n', ['1', '2', '4', '8'], { question: 'How many?', multiSelect: true })] })
    await t.said()
    await t.types('2,3\n')
    expect(await t.said()).toBe(`${why}\n`)
    expect(await t.replies('2，4\n', t.answer)).toEqual({ answers: [{ id: 'n', selected: ['2', '4'] }] })
  })

  it('gives a second question its turn when the first is answered', async () => {
    const t = await start({ asks: [database] })
    const [second] = await t.shown(colour)
    expect(await t.said()).not.toContain('Which colour?')
    await t.types('1\n')
    await t.answer
    expect(await t.said()).toContain('Which colour?')
    expect(await t.replies('red\n', second)).toEqual(inWords('red'))
  })

  it('says how many questions wait', async () => {
    const t = await start()
    for (let at = 0; at < 3; at++) await t.shown(colour)
    expect(await t.said()).toContain('(1 more question waits.)\n(2 more questions wait.)\n')
  })

  it('puts a question away in one line when it is answered elsewhere, and shows the next', async () => {
    const t = await startWithPhone()
    const first = t.ask([database])
    t.phone.answer(says('Postgres'))
    const second = t.ask([colour])
    await first
    const [, after] = (await t.said()).split('(1 more question waits.)\n')
    expect(after!.startsWith(`Answered on phone: Which database? Postgres\n${ASKS}Which colour?`)).toBe(true)
    await t.types('red\n')
    await second
  })

  it('does not let half a line for a question that is gone answer the next', async () => {
    const t = await startWithPhone({ asks: [database] })
    await t.types('my own wo')
    await t.answeredElsewhere(t.answer, says('Postgres'))
    const [second] = await t.shown(colour)
    expect(await t.replies('rds\nred\n', second)).toEqual(inWords('red'))
  })

  it('forgets a question that is answered elsewhere while it waits, without a word', async () => {
    const t = await startWithPhone({ asks: [database] })
    const [second] = await t.shown(colour)
    await t.said()
    await t.answeredElsewhere(second, inWords('red'))
    expect(await t.said()).toBe('')
    await t.types('1\n')
    await t.answer
    expect(await t.said()).toBe('Sent: Which database? Postgres\n')
  })

  it('says "Cancelled" when the turn is aborted (case 12)', async () => {
    const t = await start()
    const controller = new AbortController()
    const answer = t.ask([database], { signal: controller.signal })
    await t.said()
    controller.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    expect(await t.said()).toBe('Cancelled: Which database?\n')
    expect(t.ctx.askSurfaces.pending()).toEqual([])
  })

  it('says who cancelled', async () => {
    const t = await startWithPhone({ asks: [database] })
    t.phone.fail(cancelled())
    await expect(t.answer).rejects.toMatchObject({ code: 'ASK_CANCELLED' })
    expect(await t.said()).toContain('Cancelled on phone: Which database?\n')
  })

  it('is heard after its time is over, while the question is open', async () => {
    const t = await start({ config: { surfaces: { terminal: { timeoutMs: 0 } } } })
    const answer = t.ask([database])
    await vi.waitFor(() => expect(t.ctx.askSurfaces.pending()[0]!.participants[0]!.state).toBe('timed-out'))
    expect(await t.said()).toMatch(/own words\.\n$/)
    expect(await t.replies('2\n', answer)).toEqual(says('SQLite'))
  })

  it('says when somebody else was quicker than a line that was sent', async () => {
    const t = await startWithPhone({ asks: [database] })
    // The phone's answer is decided on before the terminal's, which is given in the same macrotask.
    const delivered = new Promise<void>(resolve => t.input.once('data', () => setImmediate(resolve)))
    t.phone.answer(says('Postgres'))
    t.input.write('2\n')
    await delivered
    expect(await t.answer).toEqual(says('Postgres'))
    expect(await t.said()).toMatch(/Answered on phone: Which database\? Postgres\n$/)
  })

  it('goes out when its input ends, and leaves the question to others', async () => {
    const t = await startWithPhone({ asks: [database] })
    t.input.end()
    expect(await t.said()).toContain('The terminal has no more input; questions are answered elsewhere.\n')
    expect(t.names).toEqual(['phone'])
    t.phone.answer(says('SQLite'))
    expect(await t.answer).toEqual(says('SQLite'))
  })

  it('fails with a clear error when nobody else is there', async () => {
    const t = await start()
    t.input.end('1,3\n')
    await expect(t.ask([checks, colour])).rejects.toMatchObject({ name: 'UserQuestionError', code: 'SURFACE_GONE', message: 'the terminal is gone' })
  })

  it('goes out when nobody reads what it prints', async () => {
    const t = await start({ asks: [colour] })
    t.output.destroy(new Error('EPIPE'))
    await expect(t.answer).rejects.toMatchObject({ code: 'SURFACE_GONE' })
    expect(t.names).toEqual([])
  })

  it.each([
    ['the input has ended', '1\n', ['Postgres']],
    ['lines were read ahead', '1\n2\n', ['Postgres', 'SQLite']],
  ])('goes on after a restart where it was: %s', async (_, text, labels) => {
    const t = await start()
    t.input.end(text)
    for (const label of labels) {
      expect(await t.ask([database])).toEqual(says(label))
      await t.plugin.restart()
    }
    await expect(t.ask([database])).rejects.toMatchObject({ code: 'SURFACE_GONE' })
  })

  it('executes nothing that a question says', async () => {
    const t = await start({ lang: 'zh', asks: [choice('db', ['\x9b2J<img src=x onerror=1>'], { question: 'a\x1b]0;owned\x07b' })] })
    const asked = await t.said()
    expect(asked).toContain('回复编号，或用自己的话回答。')
    expect(await t.replies('1\n', t.answer)).toEqual(says('\x9b2J<img src=x onerror=1>'))
    expect((asked + await t.said()).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it('shows nothing and answers nothing for a request without questions', async () => {
    const t = await start()
    await expect(t.ask([])).rejects.toMatchObject({ code: 'BAD_ANSWER' })
    expect(await t.said()).toBe('')
  })

  const bad: AskUserQuestionItem = { id: 'bad', question: 'What?', options: [{ label: 7 as unknown as string }] }
  it.each([['alone', [bad]], ['with another of its batch', [colour, bad]]])('fails a question that cannot be shown %s, and shows the next', async (_, questions) => {
    const t = await start({ asks: questions })
    const [second] = await t.shown(database)
    await t.types('1\n')
    await expect(t.answer).rejects.toThrow(TypeError)
    expect(await second).toEqual(says('Postgres'))
  })

  it('leaves nothing when it is unloaded with questions open', async () => {
    const t = await startWithPhone()
    for (const question of [database, colour]) await t.shown(question)
    await t.said()
    await t.plugin.dispose()
    expect(await t.said()).toBe('No longer waiting for an answer here: Which database?\n')
    for (const event of ['data', 'end', 'close', 'error']) expect(t.input.listenerCount(event)).toBe(0)
    expect(t.input.isPaused()).toBe(true)
    expect(t.ctx.askSurfaces.list()).toEqual([t.phone])
    expect(t.plugin.getEffects()).toEqual([])
  })

  it('puts all its questions away when the router goes, and shows none of them again', async () => {
    const t = await start()
    for (const question of [database, colour]) await t.shown(question)
    await t.said()
    await t.router.dispose()
    expect(await t.said()).toBe('Cancelled: Which database?\n')
  })
})

describe('the line terminal on a TTY', () => {
  it('edits a line and sends it', async () => {
    const t = await start({ tty: true, asks: [colour] })
    expect(await t.replies('rex\x7fd\r', t.answer)).toEqual(inWords('red'))
  })

  it('does not take a line that was typed before the question was there', async () => {
    const t = await start({ tty: true })
    const answer = t.ask([colour])
    await t.types('make test\r')
    expect(await t.said()).toContain(TOO_EARLY)
    expect(await t.replies('red\r', answer)).toEqual(inWords('red'))
  })

  it('takes no draft over to the next question (case 19)', async () => {
    const t = await startWithPhone({ tty: true, asks: [database] })
    await t.types('my own wo')
    await t.answeredElsewhere(t.answer, says('Postgres'))
    const [second] = await t.shown(colour)
    vi.advanceTimersByTime(2000)
    expect(await t.replies('red\r', second)).toEqual(inWords('red'))
    expect(stripVTControlCharacters(await t.said())).toContain('my own wo\nAnswered on phone: Which database? Postgres\n')
  })

  it('waits for a pause before it takes a line after one that was cut off', async () => {
    const t = await startWithPhone({ tty: true, asks: [colour] })
    await t.types('use the sec')
    await t.answeredElsewhere(t.answer, inWords('red'))
    const [second] = await t.shown(colour)
    t.input.write('ond one')
    vi.advanceTimersByTime(5000)
    await t.types(' please\r')
    expect(await t.said()).toContain(TOO_EARLY)
    expect(await t.replies('blue\r', second)).toEqual(inWords('blue'))
  })

  it('takes no line that was typed ahead for the next question of a batch', async () => {
    const t = await start({ tty: true, asks: [colour, database] })
    await t.types('red\r')
    await t.types('1\r')
    expect(await t.said()).toContain(TOO_EARLY)
    vi.advanceTimersByTime(1000)
    await t.types('2\r')
    expect((await t.answer).answers[1]!.selected).toEqual(['SQLite'])
  })

  it.each([['Ctrl-C', '\x03', 'onInterrupt'], ['Ctrl-Z', '\x1a', 'onSuspend']] as const)('hands %s on, and can still be answered if the question stays', async (_, key, handler) => {
    const t = await start({ tty: true, asks: [colour] })
    await t.types(`dra${key}`)
    expect(t[handler]).toHaveBeenCalledTimes(1)
    expect(await t.replies('red\r', t.answer)).toEqual(inWords('red'))
  })

  it.each<[string, (input: PassThrough) => void]>([
    ['when its terminal goes away', input => void input.destroy(new Error('EIO'))],
    ['on Ctrl-D', input => void input.write('\x04')],
  ])('goes out %s', async (_, end) => {
    const t = await start({ tty: true, asks: [colour] })
    end(t.input)
    await expect(t.answer).rejects.toMatchObject({ code: 'SURFACE_GONE' })
    expect(t.names).toEqual([])
  })

  it.each([['bracketed', '\x1b[200~one\r\ntwo\rthree\n\x1b[201~'], ['not bracketed', 'one\rtwo\rthree\r']])('keeps a paste of three lines as one text, which is sent by Enter: %s', async (_, paste) => {
    const t = await start({ tty: true, asks: [colour] })
    await t.types(paste)
    expect(await t.said()).toContain('> \x1b[3Gone⏎two⏎three')
    await t.types('!')
    expect(await t.replies('\r', t.answer)).toEqual(inWords('one\ntwo\nthree!'))
    // In the next line it is a character like any other.
    const [second] = await t.shown(colour)
    expect(await t.replies('a⏎b\r', second)).toEqual(inWords('a⏎b'))
  })

  it('shows what a paste would execute or reorder, and sends what it has shown', async () => {
    const t = await start({ tty: true, asks: [colour] })
    await t.said()
    await t.types('\x1b[200~a\x9b2Jb\u202Ec\x1b[2Kd\x07\x1b[201~')
    const echoed = await t.said()
    for (const raw of ['\x9b', '\u202E', '\x07', '\x1b[2K']) expect(echoed).not.toContain(raw)
    expect(echoed).toContain('a<U+009B>2Jb<U+202E>c␛[2Kd␇')
    expect(await t.replies('\r', t.answer)).toEqual(inWords('a<U+009B>2Jb<U+202E>c␛[2Kd␇'))
  })

  it.each([['en', 'Too long for one line: the last 10000 characters of the paste were left out.'], ['zh', '一行放不下：粘贴内容的最后 10000 个字符没有放入。']] as const)(
    'says what of a paste had no room: %s', async (lang, said) => {
      const t = await start({ tty: true, lang, asks: [colour] })
      await t.types(`\x1b[200~${'x'.repeat(30_000)}\x1b[201~`)
      expect(await t.said()).toContain(said)
      const { answers } = await t.replies('\r', t.answer)
      expect(answers[0]!.custom).toHaveLength(20_000)
    })

  it('takes keys as kitty and xterm report them, and nothing for reports that are no keys', async () => {
    const t = await start({ tty: true, asks: [colour] })
    for (const report of ['\x1b[M !!', '\x1b[<0;1;1M', '\x1b[I', '\x1b[?62;c', '\x1b]11;rgb:0/0/0\x07', '\x1bP>|XTerm(390)\x1b\\', '\x1b[12;40R', '\x1b[27u']) {
      for (const byte of report) t.input.write(byte)
    }
    await t.types('rex\x1b[127ud')
    expect(await t.replies('\x1b[13u', t.answer)).toEqual(inWords('red'))
    await t.shown(colour)
    await t.types('\x1b[99;5u')
    expect(t.onInterrupt).toHaveBeenCalledOnce()
  })

  it('reads only while a question is open', async () => {
    const t = await start({ tty: true })
    expect(t.input.listenerCount('data')).toBe(0)
    const [answer] = await t.shown(colour)
    expect(t.input.listenerCount('data')).toBe(1)
    await t.types('red\r')
    await answer
    expect([t.input.isPaused(), t.input.listenerCount('data'), t.input.listenerCount('keypress')]).toEqual([true, 0, 0])
  })
})

describe('a reminder', () => {
  const isTTY = { isTTY: true }

  /** What is printed when the question asked last is reminded of. */
  async function reminded(t: Awaited<ReturnType<typeof startWithPhone>>, isQuiet = false): Promise<string> {
    await t.said()
    const [request, { id, signal }] = t.phone.ask.mock.lastCall!
    t.ctx.askSurfaces.list().find(({ name }) => name === 'terminal')!.remind!(request, { id, signal, quiet: isQuiet })
    return t.said()
  }

  it.each([['is shown', [database]], ['waits', [database, colour]]])('of a question that %s prints nothing on a pipe', async (_, questions) => {
    const t = await startWithPhone()
    for (const question of questions) await t.shown(question)
    expect(await reminded(t)).toBe('')
  })

  it('rings on a terminal, and says in one line what is open: the question of a batch that is on, its first line, as wide as there is room', async () => {
    const t = await startWithPhone({ output: { ...isTTY, columns: 30 }, asks: [database, { ...colour, question: 'Which \u001b[2J colour do you like best?\nSay!' }] })
    await t.types('1\n')
    expect(await reminded(t)).toBe('\u0007Still open: Which ␛[2J colour…\n')
    expect(await reminded(t, true)).toBe('')
  })

  it('keeps the line that is being typed, in the language of the terminal', async () => {
    const t = await startWithPhone({ tty: true, lang: 'zh', output: isTTY, asks: [colour] })
    expect(await reminded(t)).toContain('\u0007\r仍在等待回答：Which colour?\n')
    await t.types('re')
    expect(await reminded(t)).toBe('\u0007')
  })

  it.each([true, false])('of a question that waits only rings: its words above another\'s prompt would be taken for what is answered there (cases 19 and 20; lines typed: %s)', async (tty) => {
    const t = await startWithPhone({ tty, output: isTTY, asks: [database] })
    const [second] = await t.shown({ ...colour, question: 'Drop the production database?' })
    expect(await reminded(t)).toBe('\u0007')
    expect(await t.replies('2\n', t.answer)).toEqual(says('SQLite'))
    // Now it is the one on the screen.
    expect(await reminded(t)).toContain('Still open: Drop the production database?\n')
    await t.answeredElsewhere(second, inWords('no'))
  })

  it('is for none that is over', async () => {
    const t = await startWithPhone({ output: isTTY, asks: [database] })
    const [answer] = await t.shown(colour)
    await t.answeredElsewhere(answer, inWords('red'))
    expect(await reminded(t)).toBe('')
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
