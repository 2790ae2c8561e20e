// Approvals on the page: what a reader gets of one, and that nothing permits but the one answer that says just that.
import { Agent, request as httpRequest } from 'node:http'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Board } from '../../src/surfaces/web/board.ts'
import { OPTIONS, WIDER } from '../helpers/approval.ts'
import { approvalRequest, askOn, type BootedWeb, bootWeb, changesOf, DATABASE } from '../helpers/web.ts'

const ALLOWED = { answers: [{ id: 'approval', selected: ['allow'] }] }

const WIDE_OPTIONS = [...WIDER, ...OPTIONS]

/** Open an approval on a board. */
function approvalOn(board: Board, id = 'a', more: Parameters<typeof approvalRequest>[1] = {}) {
  const { questions, ...rest } = approvalRequest(undefined, more)
  return askOn(board, id, questions, false, rest)
}

describe('a board that is asked for a permission', () => {
  let board: Board

  beforeEach(() => {
    board = new Board()
  })

  it('tells readers the word, the title and the reason in both languages, the rejection first, and what the tool is to do', () => {
    approvalOn(board)
    const [card] = board.snapshot().open
    expect(card!.approval).toEqual({
      en: { kind: 'Permission', title: 'Allow bash?', reason: 'It removes files.', choices: [{ id: 'reject', label: 'Reject' }, { id: 'allow', label: 'Allow once' }] },
      zh: { kind: '权限请求', title: '允许使用 bash 吗？', reason: '它会删除文件。', choices: [{ id: 'reject', label: '拒绝' }, { id: 'allow', label: '仅允许这一次' }] },
    })
    expect(card!.questions).toMatchObject([{ detail: '```sh\nrm -rf build\n```', long: false }])
    askOn(board, 'b')
    expect(board.snapshot().open[1]).not.toHaveProperty('approval')
  })

  it('shows what is hidden in a tool\'s name or reason, cuts what is very long, and says so', () => {
    approvalOn(board, 'a', { approval: { toolName: 'bash\n\u202eonce', reason: `\u001b${'x'.repeat(20_000)}` } })
    const { en } = board.snapshot().open[0]!.approval!
    expect(en).toMatchObject({ title: 'Allow bash⏎<U+202E>once?', cut: true })
    expect(en.reason).toMatch(/^␛x{9999}$/)
  })

  it('allows by the id of the option that does, and keeps what was decided', async () => {
    const { answer } = approvalOn(board)
    expect(await board.answer('a', { option: 'allow' })).toMatchObject({ accepted: true, ended: {
      kind: 'answered', questions: [{ selected: ['allow'] }],
      approval: { en: { kind: 'Permission', title: 'Allow bash?', choice: { label: 'Allow once' } }, zh: { choice: { label: '仅允许这一次' } } },
    } })
    expect(await answer).toEqual(ALLOWED)
  })

  it('rejects with words or without', async () => {
    const first = approvalOn(board, 'a'), second = approvalOn(board, 'b'), third = approvalOn(board, 'c')
    expect(await board.answer('a', { option: 'reject', custom: 'use trash' })).toMatchObject({ ended: { questions: [{ selected: ['reject'], custom: 'use trash' }] } })
    await board.answer('b', { option: 'reject' })
    await board.answer('c', { option: 'reject', custom: ' \n' })
    expect(await first.answer).toEqual({ answers: [{ id: 'approval', selected: ['reject'], custom: 'use trash' }] })
    for (const { answer } of [second, third]) expect(await answer).toEqual({ answers: [{ id: 'approval', selected: ['reject'] }] })
  })

  it.each([
    ['an answer to questions', { answers: [{ selected: [0] }] }],
    ['"not now"', { decline: true }],
    ['a label', { option: 'Allow once' }],
    ['an id with a space', { option: 'allow ' }],
    ['no option that is there', { option: 'always' }],
    ['an empty option', { option: '' }],
    ['words beside the permission', { option: 'allow', custom: 'but only in /srv' }],
    ['blank words beside the permission', { option: 'allow', custom: '' }],
  ] as const)('%s decides nothing: it is refused with a sentence, and the approval stays open', async (_what, body) => {
    approvalOn(board)
    await expect(board.answer('a', body as never)).rejects.toMatchObject({ code: 'BAD_ANSWER', message: expect.stringMatching(/^bad answer: (option|custom): /) as string })
    expect(board.has('a')).toBe(true)
    expect(await board.answer('a', { option: 'reject' })).toMatchObject({ accepted: true })
  })

  it('offers what permits more last, in the language where there is one, and only with every word of it', async () => {
    const { questions: [question], ...more } = approvalRequest()
    const options = [{ id: 'endless', label: 'x'.repeat(10_001) }, { id: 'hidden', label: 'a\nb', displayLabel: { zh: '\u001b'.repeat(10_001) } }, ...WIDE_OPTIONS]
    askOn(board, 'a', [{ ...question!, options }], false, more)
    const { en, zh } = board.snapshot().open[0]!.approval!
    expect(en.choices.map(({ label }) => label)).toEqual(['Reject', 'Allow once', 'a⏎b', 'Allow for this session', 'Always allow `rm`'])
    expect(zh.choices.map(({ label }) => label)).toEqual(['拒绝', '仅允许这一次', '在本次会话中一直允许', 'Always allow `rm`'])
    // Nothing permits that somebody may not have seen.
    for (const option of ['endless', 'hidden', 'Allow for this session', 'allow-session ']) await expect(board.answer('a', { option })).rejects.toThrow('bad answer: option: ')
    await expect(board.answer('a', { option: 'allow-session', custom: 'but' })).rejects.toThrow('bad answer: custom: ')
    expect(await board.answer('a', { option: 'allow-session' })).toMatchObject({ accepted: true, ended: {
      approval: { en: { choice: { id: 'allow-session', label: 'Allow for this session' } }, zh: { choice: { label: '在本次会话中一直允许' } } },
    } })
  })

  it('tells a plan from a permission, open and ended', async () => {
    const { questions: [question], ...more } = approvalRequest('# Plan')
    askOn(board, 'a', [{ ...question!, intent: { kind: 'plan-review', approve: 'Allow once' } }], false, more)
    expect(board.snapshot().open[0]!.approval).toMatchObject({ en: { kind: 'Plan', title: 'Approve this plan?', isPlan: true }, zh: { isPlan: true } })
    expect(await board.answer('a', { option: 'allow' })).toMatchObject({ ended: { approval: { en: { isPlan: true, choice: { label: 'Approve' } } } } })
  })

  it('takes no choice of an approval for an answer to a question', async () => {
    askOn(board, 'a', [{ ...DATABASE, options: [{ id: 'allow', label: 'allow' }] }])
    await expect(board.answer('a', { option: 'allow' })).rejects.toThrow('bad answer: option: is for approvals')
    expect(board.has('a')).toBe(true)
  })

  it('takes one decision; a doubled and a late one get what was decided', async () => {
    const { answer } = approvalOn(board)
    const [first, second] = await Promise.all([board.answer('a', { option: 'reject' }), board.answer('a', { option: 'allow' })])
    expect(first!.accepted).toBe(true)
    expect(second).toEqual({ accepted: false, ended: first!.ended })
    expect(await board.answer('a', { option: 'allow' })).toEqual(second)
    expect(await answer).toMatchObject({ answers: [{ selected: ['reject'] }] })
  })

  it.each([
    ['terminal', { by: 'terminal' }], ['host', { by: 'host' }], ['host: web', { by: 'host', plugin: 'web' }], ['host: a\nb', { by: 'host', plugin: 'a⏎b' }],
    ['hostess', { by: 'hostess' }],
  ])('says who decided elsewhere: %s', (by, wanted) => {
    const { request } = approvalOn(board)
    board.settled(request, by, { answers: [{ id: 'approval', selected: ['allow'] }] })
    const [ended] = board.snapshot().ended
    expect({ by: ended!.by, ...ended!.plugin !== undefined && { plugin: ended!.plugin } }).toEqual(wanted)
    expect(ended!.approval!.en.choice).toEqual({ id: 'allow', label: 'Allow once' })
  })

  it('says that it was in the asker\'s own dialog, and where it comes from, harmlessly', () => {
    const agent = 'Claude\u202e <b>\n', origin = { agent, machine: 'lap\u0007top', project: '<i>', session: '\u001b[2J' }
    const { request } = approvalOn(board, 'a', { origin })
    expect(board.snapshot().open[0]!.origin).toEqual({ agent: 'Claude<U+202E> <b>⏎', machine: 'lap␇top', project: '<i>', session: '␛[2J' })
    board.settled(request, agent, ALLOWED)
    expect(board.snapshot().ended).toMatchObject([{ by: 'Claude<U+202E> <b>⏎', isAsker: true }])
  })

  it('one that a person cancelled elsewhere was not decided', () => {
    const { request } = approvalOn(board)
    board.settled(request, 'terminal')
    expect(board.snapshot().ended).toMatchObject([{ kind: 'cancelled', by: 'terminal' }])
    expect(board.snapshot().ended[0]!.approval!.en).toEqual({ kind: 'Permission', title: 'Allow bash?' })
  })
})

describe('a board that is told that the agent has gone on', () => {
  it('says so to whoever reads the card, then or later, once, and of nothing that is over; the answer still counts', async () => {
    const board = new Board(), changes = changesOf(board)
    const { request, context, answer } = askOn(board, 'a')
    expect(board.snapshot().open[0]).not.toHaveProperty('late')
    for (let turn = 0; turn < 2; turn++) board.late(request, context)
    expect(changes.slice(1)).toEqual([{ type: 'late', version: 2, id: 'a' }])
    expect(board.snapshot().open).toMatchObject([{ id: 'a', late: true }])
    board.late({ questions: [DATABASE] }, context)
    await board.answer('a', { answers: [{ selected: [0] }] })
    expect(await answer).toMatchObject({ answers: [{ selected: ['Postgres'] }] })
    board.late(request, context)
    expect(changes.map(({ type }) => type)).toEqual(['opened', 'late', 'ended'])
  })

  it('and whom the host then tells of an end without an answer: somebody was quicker, nobody has cancelled it', () => {
    const board = new Board()
    const late = askOn(board, 'a'), other = askOn(board, 'b')
    board.late(late.request, late.context)
    for (const { request } of [late, other]) board.settled(request, 'host')
    const ended = board.snapshot().ended.map(({ id, kind, by }) => [id, kind, by])
    expect(ended.toSorted()).toEqual([['a', 'outrun', undefined], ['b', 'cancelled', 'host']])
  })

  it('before it shows the question: the card says so from the start', () => {
    const board = new Board()
    board.ask({ questions: [DATABASE] }, { id: 'a', signal: new AbortController().signal, quiet: false, late: true }).catch(() => {})
    expect(board.snapshot().open).toMatchObject([{ id: 'a', late: true }])
  })
})

describe('approvals by HTTP', () => {
  let page: BootedWeb

  beforeEach(async () => {
    page = await bootWeb()
  })
  afterEach(() => page.close())

  const decide = (body: unknown, headers: Record<string, string> = {}) => page.api(`asks/${page.id}/answer`, body, headers)

  it.each([['allow', 'allowed-once'], ['reject', 'rejected']])('%s gives dsh %s, while its own UI still shows the approval', async (option, outcome) => {
    const given = page.approve({}, () => new Promise(() => {}))
    expect((await decide({ option })).status).toBe(200)
    expect(await given).toBe(outcome)
  })

  it('what decides nothing is refused with a sentence, and the page is still in the ask', async () => {
    const given = page.approve()
    const refused = await decide({ answers: [{ selected: [0] }] })
    expect([refused.status, await refused.json()]).toEqual([422, { error: 'bad-answer', message: 'bad answer: option: must be the id of exactly one option of the approval' }])
    expect(page.registry.pending()).toMatchObject([{ kind: 'approval', participants: [{ name: 'web', state: 'asked' }] }])
    await decide({ option: 'allow' })
    expect(await given).toBe('allowed-once')
  })

  it.each([
    ['a byte order mark before it', '\ufeff{"option":"allow"}'],
    ['what denies before what allows', '{"option":"reject","option":"allow"}'],
    ['what allows before what denies', '{"option":"allow","option":"reject"}'],
    ['the same twice', '{"option":"allow","option":"allow"}'],
    ['a key that is written in another way', '{"option":"reject","\\u006fption":"allow"}'],
    ['a key twice in what means nothing', '{"option":"allow","custom":{"a":1,"a":2}}'],
  ])('%s: nobody knows what is meant, so it is refused', async (_what, body) => {
    void page.approve()
    const headers = { 'content-type': 'application/json', 'authorization': `Bearer ${page.token}` }
    const refused = await fetch(`${page.url}api/asks/${page.id}/answer`, { method: 'POST', body, headers })
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'not-json' }])
    expect(page.registry.pending()).toMatchObject([{ participants: [{ name: 'web', state: 'asked' }] }])
  })

  it('words are words, with quotes, colons and braces too', async () => {
    const given = page.approve()
    const custom = '{"option":"allow","option":"allow"} \\": "'
    expect((await decide({ option: 'reject', custom })).status).toBe(200)
    expect(await given).toBe('rejected')
    expect((await page.snapshot()).ended).toMatchObject([{ questions: [{ selected: ['reject'], custom }] }])
  })

  it('the link of one approval decides that one alone, and a stranger none', async () => {
    const first = page.approve()
    const grant = page.linkFor(page.id)!.split('#g=')[1]!, authorization = `Bearer ${grant}`
    const { id } = page.registry.pending()[0]!
    void page.approve()
    expect((await decide({ option: 'allow' }, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await decide({ option: 'allow' }, { authorization })).status).toBe(403)
    expect((await decide({ option: 'allow' }, { origin: 'https://evil.example' })).status).toBe(403)
    expect(page.registry.pending()).toHaveLength(2)
    expect((await page.api(`asks/${id}/answer`, { option: 'allow' }, { authorization })).status).toBe(200)
    expect(await first).toBe('allowed-once')
    expect((await page.api(`asks/${id}/answer`, { option: 'allow' }, { authorization })).status).toBe(410)
    expect(page.registry.pending()).toHaveLength(1)
  })

  it('a replayed permission decides no other approval', async () => {
    const first = page.approve(), { id } = page
    await decide({ option: 'allow' })
    expect(await first).toBe('allowed-once')
    void page.approve()
    expect((await page.api(`asks/${id}/answer`, { option: 'allow' })).status).toBe(409)
    expect(page.registry.pending()).toHaveLength(1)
  })

  it('of 10,000 random and crafted answers none permits that is not exactly the one that a button sends', { timeout: 120_000 }, async () => {
    const outcomes: string[] = [], { questions: [question], ...more } = approvalRequest()
    // What is not shown is no button: its label is too long.
    const options = [...WIDE_OPTIONS, { id: 'always', label: 'x'.repeat(10_001) }]
    const next = () => void page.registry.ask({ ...more, questions: [{ ...question!, options }] }).then(({ answer }) => outcomes.push(answer.answers[0]!.selected.join()), () => {})
    next()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 }), { port } = new URL(page.url)
    const post = (body: string) => new Promise<number>((resolve, reject) => {
      const request = httpRequest({
        agent, port, host: '127.0.0.1', method: 'POST', path: `/api/asks/${page.id}/answer`,
        headers: { 'content-type': 'application/json', 'authorization': `Bearer ${page.token}` },
      }, response => void response.resume().on('end', () => resolve(response.statusCode!)))
      request.on('error', reject).end(body)
    })
    const seen = { 'allow': 0, 'allow-session': 0, 'allow-always': 0, 'reject': 0, 'refused': 0 }, decided = () => Object.values(seen).reduce((sum, count) => sum + count, -seen.refused)
    const wrong: string[] = []
    for (const body of fc.sample(bodies, { numRuns: 10_000, seed: 11 })) {
      const said = meaningOf(body) ?? 'refused', status = await post(body)
      seen[said]++
      if (said === 'refused' ? status < 400 || status >= 500 : status !== 200) wrong.push(`${status} ${body}`)
      if (status !== 200) continue
      await vi.waitFor(() => outcomes.length === decided() || Promise.reject(new Error('not decided yet')))
      if (outcomes.at(-1) !== said) wrong.push(`${outcomes.at(-1)} ${body}`)
      next()
    }
    expect(wrong).toEqual([])
    agent.destroy()
    for (const id of ['allow', 'allow-session', 'allow-always'] as const) expect(outcomes.filter(outcome => outcome === id)).toHaveLength(seen[id])
    expect(page.registry.pending()).toHaveLength(1)
    expect(Object.values(seen).every(count => count > 20), JSON.stringify(seen)).toBe(true)
  })
})

/** What a body says, read apart from the code under test: its keys are exactly these, and its words stand beside a rejection only. */
function meaningOf(body: string): 'allow' | 'allow-session' | 'allow-always' | 'reject' | undefined {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch { return undefined /* no JSON */ }
  const text = JSON.stringify(value)
  for (const id of ['allow', 'allow-session', 'allow-always'] as const) if (text === `{"option":"${id}"}`) return id
  const { option, custom, ...more } = Object(value) as Record<string, unknown>
  const isRejection = !Array.isArray(value) && option === 'reject' && (custom === undefined || typeof custom === 'string') && Object.keys(more).length === 0
  return isRejection ? 'reject' : undefined
}

const word = fc.constantFrom('allow-session', 'allow-always', 'allow-Session', 'Allow for this session', 'allow', 'reject', 'Allow once', 'Reject', 'Allow', 'ALLOW', ' allow', 'allow\n', 'allow\u200b', 'ａllow', 'yes', '0', '', 'always', 'allowed-once', '__proto__')
const loose = fc.oneof(word, fc.string(), fc.jsonValue(), fc.constantFrom(0, 1, true, null, ['allow'], { id: 'allow' }, { toString: 'allow' }, ['allow', 'allow'], ['allow', 'reject']))
const key = fc.constantFrom('option', 'option', 'custom', 'answers', 'decline', 'selected', 'id', 'outcome', 'choice', 'Option', 'option ', 'options', 'allow', '__proto__', 'constructor')
const item = fc.record({ id: fc.constant('approval'), selected: fc.array(fc.oneof(word, fc.nat(3))), custom: word }, { requiredKeys: [] })
const object = fc.oneof(
  fc.record({ option: word, custom: word }, { requiredKeys: ['option'] }),
  fc.record({ answers: fc.oneof(fc.array(item, { maxLength: 3 }), loose), decline: fc.constantFrom(true, false, 'allow'), option: word }, { requiredKeys: [] }),
  fc.record({ option: loose, custom: loose }, { requiredKeys: [] }),
  fc.array(fc.tuple(key, loose), { maxLength: 3 }).map(entries => Object.fromEntries(entries)),
)
/** Bodies: objects that come close, anything that is JSON, and texts that are cut or wrapped. */
const bodies = fc.oneof(
  { weight: 6, arbitrary: object.map(value => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.constantFrom('{"option":"allow"}', '{"option":"allow-session"}', '{"option":"allow-always"}') },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.tuple(object, fc.nat(40)).map(([value, length]) => JSON.stringify(value).slice(0, length)) },
  { weight: 1, arbitrary: object.map(value => JSON.stringify([value])) },
  { weight: 1, arbitrary: fc.constantFrom('allow', '"allow"', '\ufeff{"option":"allow"}', '{"option":"allow"}{"option":"allow"}', '{"option":"allow",}', 'option=allow', '{option:"allow"}', '{"__proto__":{"option":"allow"}}', '{"option":"allow","__proto__":{}}') },
)
