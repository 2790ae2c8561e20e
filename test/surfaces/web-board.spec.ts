// The board: what is open on the page, how it ended, and in which order that is told.
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Board } from '../../src/surfaces/web/board.ts'
import type { Change } from '../../src/surfaces/web/wire.ts'
import { AGENT, askOn, changesOf, CHECKS, DATABASE, NAME } from '../helpers/web.ts'

let board: Board

beforeEach(() => {
  board = new Board()
})

const ask = (...args: Parameters<typeof askOn> extends [Board, ...infer Rest] ? Rest : never) => askOn(board, ...args)

const pick = (...selected: number[]) => ({ answers: [{ selected }] })

describe('Board', () => {
  it('answers with the labels themselves, and keeps what was answered', async () => {
    const { answer } = ask('a')
    const result = await board.answer('a', pick(1))
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
    expect(result).toMatchObject({ accepted: true, ended: { id: 'a', kind: 'answered', questions: [{ question: 'Which database?', selected: ['SQLite'] }] } })
    expect(result!.ended.by).toBeUndefined()
    expect(board.snapshot()).toMatchObject({ open: [], ended: [{ id: 'a' }] })
  })

  it('takes one answer: a second one at the same time, and one that comes later, get what was answered', async () => {
    const { answer } = ask('a')
    const [first, second] = await Promise.all([board.answer('a', pick(0)), board.answer('a', pick(1))])
    expect(first!.accepted).toBe(true)
    expect(second).toEqual({ accepted: false, ended: first!.ended })
    expect(await board.answer('a', pick(1))).toEqual({ accepted: false, ended: first!.ended })
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['Postgres'] }] })
    expect(await board.answer('unknown', pick(0))).toBeUndefined()
  })

  it('an answer that loses in the same tick is not said to have won', async () => {
    const { request } = ask('a')
    const result = board.answer('a', pick(0))
    board.settled(request, 'terminal', { answers: [{ id: 'db', selected: ['SQLite'] }] })
    expect(await result).toMatchObject({ accepted: false, ended: { kind: 'answered', by: 'terminal', questions: [{ selected: ['SQLite'] }] } })
  })

  it.each([
    ['one for each question', [DATABASE, NAME], pick(0), /^bad answer: answers: /],
    ['an option that is there', [DATABASE], pick(2), /^bad answer: answers\.0\.selected: /],
    ['one option where one is asked for', [DATABASE], pick(0, 1), /^bad answer: selected: /],
    ['something', [DATABASE, NAME], { answers: [{ selected: [] }, { selected: [], custom: ' \n' }] }, /^bad answer: answers: say nothing/],
  ])('an answer must be %s; else the ask stays open', async (_what, questions, body, message) => {
    ask('a', questions)
    await expect(board.answer('a', body)).rejects.toMatchObject({ code: 'BAD_ANSWER', message: expect.stringMatching(message) as string })
    expect(board.has('a')).toBe(true)
  })

  it('keeps choice and words together, and matches questions that share an id by their order', async () => {
    const { answer } = ask('a', [CHECKS, { ...CHECKS, question: 'And then?' }, DATABASE])
    await board.answer('a', { answers: [{ selected: [2, 0], custom: 'all' }, { selected: [1] }, { selected: [1], custom: 'for now' }] })
    expect(await answer).toEqual({ answers: [
      { id: 'checks', selected: ['Lint', 'Tests'], custom: 'all' }, { id: 'checks', selected: ['Types'] }, { id: 'db', selected: ['SQLite'], custom: 'for now' },
    ] })
  })

  it('an abort puts the question away', async () => {
    const { answer, stop } = ask('a')
    stop('ASK_ABORTED')
    await expect(answer).rejects.toMatchObject({ code: 'ASK_SETTLED' })
    expect(board.snapshot()).toMatchObject({ open: [], ended: [{ id: 'a', kind: 'aborted' }] })
  })

  it('taken out by an unload: the ask is not over, and comes back', async () => {
    const { answer, stop } = ask('a')
    stop('SURFACE_GONE')
    await expect(answer).rejects.toMatchObject({ code: 'SURFACE_GONE' })
    expect(board.snapshot()).toMatchObject({ open: [], ended: [] })
    ask('a')
    expect(board.snapshot().open).toHaveLength(1)
  })

  it('refuses what it cannot show: no question, or an ask that is over already', async () => {
    await expect(ask('a', []).answer).rejects.toMatchObject({ code: 'BAD_ANSWER' })
    await expect(board.ask({ questions: [NAME] }, { id: 'b', signal: AbortSignal.abort(new Error('over')), quiet: false })).rejects.toThrow('over')
    await expect(ask('c', [{ ...NAME, options: [null as never] }]).answer).rejects.toThrow(TypeError)
    expect(board.hasOpen).toBe(false)
  })

  it('what is very long is shown cut, which is said, and is answered in full', async () => {
    const long = 'x'.repeat(60_000), options = Array.from({ length: 1000 }, (_, at) => ({ label: `${at} ${at === 0 ? long : ''}`, description: 'd' }))
    const { answer } = ask('a', [{ id: 'q', question: 'Which?', header: 'h', detail: long, options }, NAME])
    const [first, second] = board.snapshot().open[0]!.questions
    expect(first).toMatchObject({ cut: true, detail: long.slice(0, 50_000), header: 'h' })
    expect([first!.options.length, first!.options[0]!.label.length]).toEqual([200, 10_000])
    expect(second!.cut).toBeUndefined()
    await board.answer('a', { answers: [{ selected: [0] }, { selected: [] }] })
    expect(await answer).toMatchObject({ answers: [{ selected: [options[0]!.label] }, {}] })
  })

  it('what would be too much for every reader is refused with a sentence; control characters do not make more of it', async () => {
    const detail = '\u009b'.repeat(50_000)
    ask('a', [{ ...NAME, detail }])
    expect(board.snapshot().open[0]!.questions[0]).toMatchObject({ cut: true, detail: '<U+009B>'.repeat(6250) })
    await expect(ask('b', Array.from({ length: 6 }, () => ({ ...NAME, detail }))).answer).rejects.toThrow('the page shows no request of more than 256000 characters, and this one has 300')
  })

  it('one snapshot has at most so many questions, and so much of them: the others wait, which is said, and come when there is room', async () => {
    const changes = changesOf(board)
    const all = Array.from({ length: 103 }, (_, at) => ask(`a${at}`, [NAME]))
    expect(board.snapshot().open.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, at) => `a${at}`))
    expect(board.snapshot()).toMatchObject({ waiting: 3 })
    expect(board.snapshot('a102')).toMatchObject({ open: [{ id: 'a102' }] })
    board.remind(all[102]!.request, all[102]!.context)
    expect(changes.slice(100)).toMatchObject([{ type: 'waiting', waiting: 1 }, { type: 'waiting', waiting: 2 }, { type: 'waiting', waiting: 3 }])
    board.settled(all[101]!.request, 'x')
    board.settled(all[5]!.request, 'x')
    expect(changes.slice(103)).toMatchObject([
      { type: 'ended', ended: { id: 'a101' } }, { type: 'waiting', waiting: 2 }, { type: 'ended', ended: { id: 'a5' } }, { type: 'opened', card: { id: 'a100' } },
      { type: 'waiting', waiting: 1 },
    ])
    expect(await board.answer('a102', { answers: [{ selected: [], custom: 'x' }] })).toMatchObject({ accepted: true })
    expect(board.snapshot()).not.toHaveProperty('waiting')
  })

  it.each([
    ['references', `${'[x] '.repeat(9000)}\n\n[x]: https://example.com/${'y'.repeat(10_000)}`], ['strong', '__a__'.repeat(10_000)], ['lists', '- '.repeat(25_000)],
    ['letters and an @', `${'x'.repeat(49_000)}@`],
  ])('a snapshot is as long as what was asked, whatever the Markdown: %s', (_what, detail) => {
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) ask(id, Array.from({ length: 4 }, () => ({ ...NAME, detail })))
    const { open, waiting } = board.snapshot()
    expect(open[0]!.questions[0]!.detail).toBe(detail.slice(0, 50_000))
    expect(JSON.stringify(open).length).toBeLessThan(1_010_000)
    expect(open.length + waiting!).toBe(8)
  })

  it('what has ended has a bound too; the last one stays', async () => {
    const custom = 'y'.repeat(60_000)
    for (let turn = 0; turn < 8; turn++) {
      ask(`a${turn}`, [NAME])
      await board.answer(`a${turn}`, { answers: [{ selected: [], custom }] })
    }
    expect(board.snapshot().ended.map(({ id }) => id)).toEqual(['a7', 'a6', 'a5', 'a4'])
  })

  it('tells every change once, in order, numbered after the snapshot; the last 50 that ended stay', async () => {
    const before = board.snapshot()
    const changes: Change[] = []
    const end = board.watch(change => changes.push(change))
    for (let turn = 0; turn < 52; turn++) {
      const { request } = ask(`ask-${turn}`)
      board.settled(request, 'terminal')
    }
    end()
    ask('unseen')
    expect(changes.map(({ version }) => version)).toEqual(Array.from({ length: 104 }, (_, at) => before.version + 1 + at))
    expect(changes.slice(0, 2).map(({ type }) => type)).toEqual(['opened', 'ended'])
    const { ended, open } = board.snapshot()
    expect(ended.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `ask-${51 - at}`))
    expect(ended[0]).toMatchObject({ kind: 'cancelled', by: 'terminal' })
    expect(open).toHaveLength(1)
    expect(board.snapshot('ask-51')).toMatchObject({ open: [], ended: [] })
  })

  it('a quiet question is marked; a reminder numbers itself, ends the quiet, and is told once; a snapshot knows it', () => {
    const changes = changesOf(board)
    const { request, context } = ask('a', [NAME], true)
    expect(board.snapshot().open).toMatchObject([{ quiet: true, reminders: 0 }])
    board.remind(request, context)
    expect(changes).toHaveLength(1)
    board.remind(request, { ...context, quiet: false })
    board.remind(request, { ...context, quiet: false })
    const { version } = board.snapshot()
    expect(changes.slice(1)).toEqual([
      { type: 'reminded', version: version - 1, id: 'a', reminders: 1 }, { type: 'reminded', version, id: 'a', reminders: 2 },
    ])
    expect(board.snapshot().open).toMatchObject([{ quiet: false, reminders: 2 }])
    expect(board.snapshot().ended).toEqual([])
  })

  it('reminds of nothing that is over, that was answered a moment ago, or that it never showed', async () => {
    const over = ask('a'), answered = ask('b')
    const sent = board.answer('b', pick(0))
    board.settled(over.request, 'terminal')
    const changes = changesOf(board)
    for (const { request, context } of [over, answered]) board.remind(request, context)
    board.remind({ questions: [NAME] }, { ...over.context, id: 'c' })
    expect(changes).toEqual([])
    await sent
  })

  it('knows where the person is, tells a change once, and nothing of it to whoever may see one ask', () => {
    const changes = changesOf(board)
    expect(board.snapshot().whereabouts).toEqual({ presence: 'home', version: 0 })
    board.setPresence('home')
    board.setPresence('away')
    board.setPresence('away')
    expect(changes).toEqual([{ type: 'presence', presence: 'away', version: 1 }])
    expect(board.snapshot()).toMatchObject({ version: 1, whereabouts: { presence: 'away', version: 1 } })
    expect(board.snapshot('a').whereabouts).toBeUndefined()
  })

  it('tells who asks and where, in one line without control characters, and nothing else of the agent; also when it is over', async () => {
    const header = { cwd: '/srv/me/a\nb', agentPreset: 'co\u001b[2Jder' }
    const request = { questions: [NAME], agent: { session: { ...AGENT.session, title: 'one\ttwo', header }, secret: 'x' } }
    board.ask(request, { id: 'a', signal: new AbortController().signal, quiet: false }).catch(() => {})
    const origin = { agent: 'co␛[2Jder', machine: hostname(), project: 'a⏎b', session: 'one two' }
    expect(board.snapshot().open[0]!.origin).toEqual(origin)
    board.settled(request, 'terminal')
    expect(board.snapshot().ended[0]!.origin).toEqual(origin)
    ask('b', [NAME])
    expect(board.snapshot().open[0]!.origin).toEqual({ agent: 'dsh', machine: hostname(), project: basename(process.cwd()) })
  })
})
