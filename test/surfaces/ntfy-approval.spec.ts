// Approvals on the phone: shown with two buttons, decided by them alone, and by a typed rejection. Time and the server are made up.
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionAnswer, AskUserQuestionRequest } from '../../src/index.ts'
import { allowed, approval, buttonsIn, codeIn, DETAIL, rejected } from '../ntfy/helpers/approval.ts'
import { WIDER } from '../helpers/approval.ts'
import { HOUR, type MemoryPush, question, useMemoryServer } from '../ntfy/helpers/memory.ts'
import { pass, watch } from '../helpers/time.ts'

type Server = ReturnType<typeof useMemoryServer>

const never = new AbortController().signal

/** Ask; it is on the phone then, unless the server is away. */
async function ask(server: Server, request: AskUserQuestionRequest = approval(), context: { quiet?: boolean, signal?: AbortSignal } = {}) {
  const asked = watch<AskUserQuestionAnswer>(server.phone.ask(request, { id: '1', signal: never, quiet: false, ...context }))
  await pass(1000)
  return { request, asked, push: server.pushes.at(-1)! }
}

/** The same approval with outcomes that permit more than this once. */
function wide(): AskUserQuestionRequest {
  const { questions: [asked], ...more } = approval()
  return { ...more, questions: [{ ...asked!, options: [...WIDER, ...asked!.options!] }] }
}

/** What somebody is told who has just sent something. */
const told = (server: Server) => server.pushes.filter(({ sequence_id: sequence }) => sequence.startsWith('notice-')).map(({ message }) => message)

describe('an approval', () => {
  const server = useMemoryServer()

  it('says that it is one, why, and what the tool is to do, and has two buttons, Reject first', async () => {
    const { push } = await ask(server)
    expect(push).toMatchObject({ title: 'Permission: Allow bash?', priority: 4, tags: ['closed_lock_with_key'] })
    expect(push.message).toMatch(/^It writes outside the project\.\n\n```sh\nrm -rf build\n```\n\nDecide with the buttons\. .+\nFrom dsh · /s)
    expect(push.actions?.map(({ label }) => label)).toEqual(['Reject', 'Allow once'])
  })

  it('is allowed by its button, and the card then says so', async () => {
    const { asked, push } = await ask(server)
    await server.hears(buttonsIn(push).allow)
    expect(asked.value).toEqual(allowed)
    expect(server.pushes.at(-1)).toMatchObject({ message: 'Allowed once, on the phone', priority: 2, title: push.title, sequence_id: push.sequence_id })
    expect(server.pushes.at(-1)!.actions).toBeUndefined()
  })

  it('is rejected by its button, and the card then says so', async () => {
    const { asked, push } = await ask(server)
    await server.hears(buttonsIn(push).reject)
    expect(asked.value).toEqual(rejected())
    expect(server.pushes.at(-1)).toMatchObject({ message: 'Rejected, on the phone', sequence_id: push.sequence_id })
  })

  it('is allowed by nothing that can be made of what the other button sends', async () => {
    const { asked, push } = await ask(server)
    const { reject, allow } = buttonsIn(push)
    const [, secret] = reject.split(' '), [, other] = allow.split(' ')
    expect(secret).not.toBe(other)
    for (const body of [`dsh-ask ${secret} 2`, `dsh-ask ${secret} 3`, `dsh-ask ${other} 1`, `dsh-ask ${secret} 02`, `dsh-ask ${secret}`]) await server.hears(body)
    expect(asked.state).toBe('open')
    await server.hears(reject)
    expect(asked.value).toEqual(rejected())
  })

  it.each([
    ['reject', undefined], ['Reject: use a copy, please', 'use a copy, please'], ['REJECT', undefined], ['ｒｅｊｅｃｔ　no', 'no'],
    ['拒绝', undefined], ['拒绝，因为太危险', '因为太危险'], ['拒绝太危险了', '太危险了'], ['reject\nfirst\nsecond', 'first\nsecond'],
  ])('is rejected by its code and %j', async (text, words) => {
    const { asked, push } = await ask(server)
    await server.hears(`${codeIn(push.message).toUpperCase()}: ${text}`)
    expect(asked.value).toEqual(rejected(words))
    const shown = words?.replaceAll('\n', '⏎')
    expect(server.pushes.at(-1)!.message).toBe(shown === undefined ? 'Rejected, on the phone' : `Rejected: ${shown}, on the phone`)
  })

  it.each(['allow', 'Allow once', 'a', 'r', '1', '2', 'yes', 'ok', 'reject', 'Reject', '允许', '', 'triggered', 'dsh-ask allow'])('is decided by no %j, and its sender is told of the buttons', async text => {
    const { asked, push } = await ask(server)
    const code = codeIn(push.message)
    await server.hears(text)
    expect(asked.state).toBe('open')
    expect(told(server)).toEqual([`Your reply decided nothing: a permission or a plan is decided with the buttons. To reject with words, send this and the words:\n${code} reject (Allow bash?)`])
  })

  it.each(['', 'allow', 'Allow once', 'allow reject', 'a', '1', '2', 'rejecting is wrong', 'reject? no', 'do not reject', '不拒绝', 'triggered', 'yes, do it'])('is decided by no %j after its code', async text => {
    const { asked, push } = await ask(server)
    await server.hears(`${codeIn(push.message)} ${text}`)
    expect(asked.state).toBe('open')
    expect(told(server)).toEqual([expect.stringMatching(/^Your reply decided nothing: /)])
  })

  it('is rejected by no words that were sent before it was shown, and by no code of another', async () => {
    await pass(60_000)
    const { asked, push } = await ask(server)
    const code = codeIn(push.message)
    server.streams.at(-1)!.raw(`${JSON.stringify({ id: 'old', time: Math.floor(Date.now() / 1000) - 30, event: 'message', topic: server.topic, message: `${code} reject` })}\n`)
    await server.hears(`${code === 'z4k' ? 'q2b' : 'z4k'} reject`)
    expect(asked.state).toBe('open')
    expect(told(server)).toEqual([expect.stringMatching(/^Your reply was sent before the question arrived/), expect.stringMatching(/^No open question has that code/)])
  })

  it('that is decided can be decided once only, and a late button is told what became of it', async () => {
    const { asked, push } = await ask(server)
    const { reject, allow } = buttonsIn(push), { length } = server.pushes
    await server.hears(reject)
    for (let count = 0; count < 3; count++) await server.hears(allow)
    expect(asked.value).toEqual(rejected())
    expect(server.pushes.slice(length).map(({ message }) => message)).toEqual(['Rejected, on the phone', 'Your reply came too late and was not used. Rejected, on the phone'])
    await server.hears(`${codeIn(push.message)} reject`)
    expect(server.pushes).toHaveLength(length + 2)
  })

  it('of an earlier process is opened by no button, which is logged', async () => {
    const { asked } = await ask(server)
    await server.hears(`dsh-ask ${'A'.repeat(22)} 2`)
    expect(asked.state).toBe('open')
    expect(server.warnings).toEqual(['a button reply without the secret of a question was dropped'])
  })

  it.each<[string, string, AskUserQuestionAnswer | undefined]>([
    ['Allowed once, in dsh (web)', 'host: web', { answers: [{ id: 'approval', selected: ['allow'] }] }],
    ['Allowed once, in dsh', 'host', { answers: [{ id: 'approval', selected: ['allow'] }] }],
    ['Rejected: use a copy, on terminal', 'terminal', { answers: [{ id: 'approval', selected: ['reject'], custom: 'use a copy' }] }],
    ['Rejected, on hosted', 'hosted', { answers: [{ id: 'approval', selected: ['reject'] }] }],
    ['Rejected, on web', 'web', undefined],
    ['Allowed: always, on web', 'web', { answers: [{ id: 'approval', selected: ['always'] }] }],
  ])('that is decided elsewhere says “%s”', async (outcome, by, answer) => {
    const { request, asked, push } = await ask(server)
    server.phone.settled(request, by, answer)
    await pass(10)
    expect(asked.error).toMatchObject({ code: 'ASK_SETTLED' })
    expect(server.pushes.at(-1)).toMatchObject({ message: outcome, sequence_id: push.sequence_id })
    await server.hears(buttonsIn(push).allow)
    expect(server.pushes.at(-1)!.message).toBe(`Your reply came too late and was not used. ${outcome}`)
  })

  it('that was allowed on the phone a moment after another place had decided shows what counts', async () => {
    const { request, push } = await ask(server)
    await server.hears(buttonsIn(push).allow)
    server.phone.settled(request, 'terminal', { answers: [{ id: 'approval', selected: ['reject'] }] })
    await pass(10)
    expect(server.pushes.at(-1)!.message).toBe('Rejected, on terminal')
  })

  it('that is withdrawn says so', async () => {
    const stop = new AbortController()
    const { asked, push } = await ask(server, approval(), { signal: stop.signal })
    stop.abort()
    await pass(10)
    expect(asked.state).toBe('rejected')
    expect(server.pushes.at(-1)).toMatchObject({ message: 'Cancelled', sequence_id: push.sequence_id })
  })

  it('is shown again by a reminder, with the same buttons', async () => {
    const { request, asked, push } = await ask(server)
    server.phone.remind(request)
    await pass(10)
    const again = server.pushes.at(-1)!
    expect(again).toMatchObject({ title: 'Still open: Permission: Allow bash?', tags: push.tags, actions: push.actions, message: push.message })
    await server.hears(buttonsIn(push).allow)
    expect(asked.value).toEqual(allowed)
    expect(server.pushes.at(-1)).toMatchObject({ message: 'Allowed once, on the phone', sequence_id: again.sequence_id })
  })

  it('makes no sound in quiet hours', async () => {
    expect((await ask(server, approval(), { quiet: true })).push).toMatchObject({ priority: 2, tags: ['closed_lock_with_key'] })
  })

  it('of an outage comes when the server is back, and its button allows', async () => {
    server.goDown()
    const { asked } = await ask(server)
    await pass(HOUR)
    expect(server.pushes).toEqual([])
    server.outage = undefined
    await pass(120_000)
    await server.hears(buttonsIn(server.pushes.at(-1)!).allow)
    expect(asked.value).toEqual(allowed)
  })

  it('with further options has buttons for the two that everybody knows', async () => {
    const request = approval()
    request.questions[0]!.options!.unshift({ id: 'always', label: 'Always' })
    const { asked, push } = await ask(server, request)
    expect(push.actions?.map(({ label }) => label)).toEqual(['Reject', 'Allow once'])
    await server.hears(`dsh-ask ${buttonsIn(push).allow.split(' ')[1]} 3`)
    expect(asked.state).toBe('open')
    await server.hears(buttonsIn(push).allow)
    expect(asked.value).toEqual(allowed)
  })
})

describe('an approval that permits more than this once elsewhere', () => {
  const server = useMemoryServer()
  const names = WIDER.flatMap(({ id, label }) => [id!, label])

  it('has the two buttons that everybody knows, and says nothing of the others', async () => {
    const { push } = await ask(server, wide())
    expect(push.actions?.map(({ label }) => label)).toEqual(['Reject', 'Allow once'])
    for (const name of names) expect(JSON.stringify(push)).not.toContain(name)
  })

  it.each(names)('is not allowed by %j, with its code or without, nor does that answer the question beside it', async (name) => {
    const { asked, push } = await ask(server, wide())
    const other = await ask(server, { questions: [question] })
    const { reject, allow } = buttonsIn(push), code = codeIn(push.message)
    for (const text of [name, name.toUpperCase(), `${code} ${name}`, `${code}: ${name}`, `${reject.slice(0, -1)}3`, `${allow.slice(0, -1)}3`, `${allow.slice(0, -1)}4`]) await server.hears(text)
    expect([asked.state, other.asked.state]).toEqual(['open', 'open'])
    await server.hears(`${code} reject ${name}`)
    expect(asked.value).toEqual(rejected(name))
  })

  it('that was decided elsewhere says what was allowed, and where', async () => {
    const { request } = await ask(server, { ...wide(), origin: { agent: 'Claude Code', machine: 'laptop', project: 'shop' } })
    server.phone.settled(request, 'Claude Code', { answers: [{ id: 'approval', selected: ['allow-session'] }] })
    await pass(10)
    expect(server.pushes.at(-1)!.message).toBe('Allowed: Allow for this session, in Claude Code')
  })
})

describe('a plan', () => {
  const server = useMemoryServer()

  it('is called one, is approved by its button, and what to change goes with a rejection', async () => {
    const planned = () => {
      const { questions: [asked], ...more } = approval('ExitPlanMode', '# Steps')
      return { ...more, questions: [{ ...asked!, intent: { kind: 'plan-review' as const, approve: 'Allow once' } }] }
    }
    const first = await ask(server, planned()), second = await ask(server, planned())
    expect(first.push).toMatchObject({ title: 'Plan: Approve this plan?', message: expect.stringContaining('# Steps\n\nDecide with the buttons.') as string })
    expect(first.push.actions?.map(({ label }) => label)).toEqual(['Reject', 'Approve'])
    await server.hears(buttonsIn(first.push).allow)
    expect(first.asked.value).toEqual(allowed)
    expect(server.pushes.at(-1)!.message).toBe('Approved, on the phone')
    for (const text of ['approve', 'Approve', '批准', `${codeIn(second.push.message)} approve`]) await server.hears(text)
    expect(second.asked.state).toBe('open')
    await server.hears(`${codeIn(second.push.message)} reject smaller steps`)
    expect(second.asked.value).toEqual(rejected('smaller steps'))
    expect(server.pushes.at(-1)!.message).toBe('Rejected: smaller steps, on the phone')
  })
})

describe('where it comes from', () => {
  const server = useMemoryServer()

  it('is in the title and in the text, harmlessly', async () => {
    const origin = { agent: 'Claude\u202e\nCode', machine: 'lap\u0007top', project: 'shop', session: 'Fix \u001b[2J' }
    const { push } = await ask(server, { questions: [question], origin })
    expect(push.title).toBe('Claude<U+202E>⏎Code: Question')
    expect(push.message).toMatch(/\nFrom Claude<U\+202E>⏎Code · lap␇top · shop · Fix ␛\[2J$/)
  })

  it('tells the asker\'s own dialog from a surface', async () => {
    const origin = { agent: 'Claude Code', machine: 'laptop', project: 'shop' }
    const first = await ask(server, { questions: [question], origin }), second = await ask(server, { questions: [question], origin })
    server.phone.settled(first.request, 'Claude Code', { answers: [{ id: 'q', selected: [], custom: 'blue' }] })
    server.phone.settled(second.request, 'Claude Code')
    await pass(10)
    expect(server.pushes.slice(-2).map(({ message }) => message)).toEqual(['Answered: blue, in Claude Code', 'Cancelled in Claude Code'])
  })
})

describe('an approval beside others', () => {
  const server = useMemoryServer()

  it('leaves what is typed without a code to the question, as if that were alone', async () => {
    const permission = await ask(server)
    const { asked } = await ask(server, { questions: [question] })
    await server.hears('Kraftwerk')
    expect(asked.value).toEqual({ answers: [{ id: 'q', selected: [], custom: 'Kraftwerk' }] })
    expect(permission.asked.state).toBe('open')
    expect(told(server)).toEqual([])
  })

  it.each(['reject', 'Reject, use a copy', 'allow', 'Allow once', '允许', '拒绝'])('keeps %j from being the answer to the question', async text => {
    const permission = await ask(server)
    const { asked } = await ask(server, { questions: [question] })
    await server.hears(text)
    expect([asked.state, permission.asked.state]).toEqual(['open', 'open'])
    expect(told(server)).toEqual([expect.stringMatching(/^Your reply decided nothing: /)])
  })

  it('leaves a question its own options, whatever they are called', async () => {
    const permission = await ask(server)
    const { asked } = await ask(server, { questions: [{ id: 'q', question: 'Which?', options: [{ label: 'Reject' }, { label: 'Allow once' }] }] })
    await server.hears('allow once')
    await server.hears('Allow once')
    expect(asked.value).toEqual({ answers: [{ id: 'q', selected: ['Allow once'] }] })
    expect(permission.asked.state).toBe('open')
  })

  it('is in no list of questions that a reply may have been for, and its code is its own', async () => {
    const permission = await ask(server)
    const first = await ask(server, { questions: [question] })
    await ask(server, { questions: [{ id: 'r', question: 'Which colour?' }] })
    await server.hears('blue')
    expect(told(server)).toEqual([expect.stringMatching(/does not say which question.*\n...: Which name\?\n...: Which colour\?$/s)])
    await server.hears(`${codeIn(permission.push.message)} reject blue`)
    expect(permission.asked.value).toEqual(rejected('blue'))
    expect(first.asked.state).toBe('open')
  })

  it('is told apart from a second one', async () => {
    const first = await ask(server), second = await ask(server, approval('edit', 'src/a.ts'))
    await server.hears('no')
    const [one, other] = [first, second].map(({ push }) => codeIn(push.message))
    expect(told(server)[0]!.split('\n').slice(1)).toEqual([`${one} reject (Allow bash?)`, `${other} reject (Allow edit?)`])
    await server.hears(buttonsIn(second.push).allow)
    expect([first.asked.state, second.asked.value]).toEqual(['open', allowed])
  })

  it('that was just decided does not make a reply to the question unsure', async () => {
    const permission = await ask(server)
    const { asked } = await ask(server, { questions: [question] })
    await server.hears(buttonsIn(permission.push).reject)
    await server.hears('Kraftwerk')
    expect(asked.value).toEqual({ answers: [{ id: 'q', selected: [], custom: 'Kraftwerk' }] })
  })
})

describe('an approval where only options count', () => {
  const server = useMemoryServer({ freeText: false })

  it('has nothing but its buttons', async () => {
    const { asked, push } = await ask(server)
    expect(push.message).toContain('\nDecide with the buttons.\n')
    const code = push.sequence_id.slice(4, 7)
    for (const text of ['reject', `${code} reject`, `${code} reject why`, `${code} 1`]) await server.hears(text)
    expect(asked.state).toBe('open')
    expect(told(server)).toEqual(Array.from({ length: 4 }, () => 'Your reply decided nothing: a permission or a plan is decided with the buttons.'))
    await server.hears(buttonsIn(push).allow)
    expect(asked.value).toEqual(allowed)
  })
})

describe('an approval on shared topics', () => {
  const server = useMemoryServer({ shared: true })

  it('takes its buttons and its code, and says so to whoever replies without one', async () => {
    const { asked, push } = await ask(server)
    await server.hears('no')
    expect(told(server)).toEqual([expect.stringMatching(/^Your reply decided nothing: /)])
    await server.hears(`${codeIn(push.message)} reject no`)
    expect(asked.value).toEqual(rejected('no'))
  })

  it('whose code another host shows too takes its buttons alone', async () => {
    const { asked, push } = await ask(server)
    const seen = (sequence: string) => server.streams.at(-1)!.raw(`${JSON.stringify({ id: `o${Math.random()}`.replace('.', ''), time: Math.floor(Date.now() / 1000), event: 'message', topic: server.topic, message: 'x', title: 'x', sequence_id: sequence })}\n`)
    const code = () => codeIn(server.pushes.findLast(({ sequence_id: sequence }) => sequence === push.sequence_id)!.message)
    // The code is changed ten times, then no more.
    for (let count = 0; count < 11; count++) {
      seen(`ask-${code()}-AAAAAAAAAAAA${count}`)
      await pass(10)
    }
    await server.hears(`${code()} reject`)
    expect(asked.state).toBe('open')
    await server.hears(buttonsIn(push).allow)
    expect(asked.value).toEqual(allowed)
  })
})

describe('an approval in Chinese', () => {
  const server = useMemoryServer({ lang: 'zh' })

  it('speaks Chinese', async () => {
    const { asked, push } = await ask(server)
    expect(push.title).toBe('权限请求：允许使用 bash 吗？')
    expect(push.message).toContain(`${DETAIL}\n\n请用按钮决定。要附言拒绝，请回复`)
    expect(push.actions?.map(({ label }) => label)).toEqual(['拒绝', '仅允许这一次'])
    await server.hears('仅允许这一次')
    expect(told(server)).toEqual([expect.stringMatching(/^这条回复没有决定任何事/)])
    await server.hears(`${codeIn(push.message)} 拒绝：请用副本`)
    expect(asked.value).toEqual(rejected('请用副本'))
    expect(server.pushes.at(-1)!.message).toBe('已拒绝：请用副本（在手机上）')
  })
})

describe('10,000 random and crafted replies', () => {
  const server = useMemoryServer()

  /** Made-up randomness, the same in each run. */
  function dice(seed: number) {
    let state = seed
    const next = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor(state / 65_536) % below
    }
    return { next, pick: <T>(from: readonly T[]): T => from[next(from.length)]! }
  }

  it('allow nothing: only the one button with its secret does', { timeout: 60_000 }, async () => {
    const { next, pick } = dice(11)
    const words = ['allow-session', 'Allow for this session', 'allow-always', 'Always allow `rm`', 'allow', 'Allow once', 'ALLOW', 'allow-once', 'allowed-once', '仅允许这一次', '允许', 'yes', 'y', 'a', '1', '2', '1,2', 'ok', 'reject', 'Reject', '拒绝', 'r', 'no', 'triggered', '', '{"selected":["allow"]}', 'approval', 'true', '👍']
    const gaps = [' ', ': ', '  ', '\n', '：', ', ', '\t', '']
    const random = () => String.fromCodePoint(...Array.from({ length: 1 + next(30) }, () => pick([32 + next(95), next(0x800), 0x4e00 + next(2000), 0x1f600 + next(60)])))
    const base64 = () => Array.from({ length: 22 }, () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[next(64)]).join('')
    let permission = await ask(server, wide()), decided = 0
    const settledBodies: string[] = []
    for (let count = 0; count < 10_000; count++) {
      const { reject, allow } = buttonsIn(permission.push), code = codeIn(permission.push.message)
      const [, denies = ''] = reject.split(' '), [, permits = ''] = allow.split(' ')
      const forged = () => pick([
        // Subscribers see both buttons. What else is made of what they send is no button.
        `dsh-ask ${denies} ${2 + next(9)}`, `dsh-ask ${base64()} ${1 + next(3)}`, `dsh-ask ${permits} ${pick([1, 3, 4, 20, 22])}`,
        `dsh-ask ${permits.slice(0, 21)}${pick(['A', 'Q', 'g', 'w']) === permits[21] ? '_' : '-'} 2`, `dsh-ask ${permits.toLowerCase()}! 2`,
        `dsh-ask ${permits}`, `dsh-ask  ${permits} 2`, `dsh-ask ${permits} 2 `, ` dsh-ask ${permits} 2`, `dsh-ask ${permits} 02`, `dsh-ask ${permits} 2 2`,
        `${permits} 2`, permits, `${code} ${allow}`, `${code} ${permits}`, `DSH-ASK ${permits} 2`, `dsh-ask ${denies}${permits} 2`, ...settledBodies.slice(-4),
      ])
      const reply = pick([
        () => pick(words), random, () => `${code}${pick(gaps)}${pick(words)}`, () => `${code}${pick(gaps)}${random()}`,
        () => `${pick(words)}${pick(gaps)}${pick(words)}`, () => `${code} ${pick(words)} ${pick(words)}`, forged, forged,
      ])()
      expect(reply).not.toBe(allow)
      server.says(reply)
      if (count % 20 < 19) continue
      await pass(10)
      if (permission.asked.state === 'open') continue
      decided++
      expect(permission.asked.value!.answers).toMatchObject([{ id: 'approval', selected: ['reject'] }])
      settledBodies.push(reject, allow)
      permission = { ...await ask(server, wide()), push: newest(server.pushes) }
    }
    // Each was rejected by words, and the last one can be allowed still.
    expect(decided).toBeGreaterThan(100)
    expect(permission.asked.state).toBe('open')
    await server.hears(buttonsIn(permission.push).allow)
    expect(permission.asked.value).toEqual(allowed)
  })

  /** The newest push with buttons. */
  function newest(pushes: readonly MemoryPush[]): MemoryPush {
    return pushes.findLast(({ actions }) => actions !== undefined)!
  }
})
