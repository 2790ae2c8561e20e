// /asks test: one question to each surface on its own, and what came of it.
import { describe, expect, it, vi } from 'vitest'
import { userQuestionError } from '../../src/index.ts'
import { cancelled, FakeSurface, says, stopCode } from '../helpers/surface.ts'
import { flush, pass, watch } from '../helpers/time.ts'
import { start } from './support.ts'

const title = (answered: number, all: number) => `${answered} of ${all} surfaces answered the test question (the host's own UI is not tested):`
const YES = says('Yes, I see it', 'test')

describe('/asks test', () => {
  it('asks every surface at once, each on its own, and says who answered after how long', async () => {
    const { add, agent, say, surfaces } = await start()
    const [desk, ntfy] = add('desk', 'ntfy')
    const result = watch(say('/asks test'))
    await flush()
    for (const one of [desk!, ntfy!]) {
      expect(one.request.questions).toEqual([{ id: 'test', question: 'Test: can you see this?', options: [{ label: 'Yes, I see it' }] }])
      expect(one.request.agent).toBe(agent)
    }
    expect(desk!.context.id).not.toBe(ntfy!.context.id)
    expect(surfaces.pending()).toEqual([])
    await pass(1200)
    desk!.answer(YES)
    await pass(3000)
    expect([result.state, stopCode(ntfy!.context.signal), ntfy!.settled.mock.calls]).toEqual(['open', undefined, []])
    ntfy!.answer(YES)
    await flush()
    expect(result.value).toEqual({ kind: 'success', text: `${title(2, 2)}\n- desk: answered after 1.2 s\n- ntfy: answered after 4.2 s` })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does so in Chinese', async () => {
    const { add, say } = await start({ lang: 'zh' })
    const [desk, ntfy, web] = add('desk', 'ntfy', 'web')
    add('silent')
    const result = watch(say('/asks test'))
    await flush()
    expect(desk!.request.questions).toEqual([{ id: 'test', question: '测试：你能看到这个问题吗？', options: [{ label: '能看到' }] }])
    await pass(2000)
    desk!.answer(says('能看到', 'test'))
    ntfy!.fail(cancelled())
    web!.fail()
    await pass(58_000)
    expect(result.value!.text).toBe('4 个界面中有 2 个回答了测试问题（不测试宿主自己的界面）：\n'
      + '- desk：2 秒后回答\n- ntfy：2 秒后拒绝\n- web：失败（web is broken）\n- silent：没有回答')
  })

  it('asks whatever policies, quiet hours and claims say, and whatever the presence is', async () => {
    const never = { home: false, away: false } as const
    const { say, surfaces } = await start({
      router: {
        surfaces: { late: { delayMs: 600_000 }, off: never },
        quiet: { from: '11:00', to: '13:00', timeZone: 'UTC', surfaces: ['quiet'] },
      },
    })
    const all = [
      new FakeSurface('late'), new FakeSurface('off'), new FakeSurface('quiet'), new FakeSurface('claims', true),
      Object.assign(new FakeSurface('own policy'), { defaultPolicy: { ...never, delayMs: 60_000 } }),
      Object.assign(new FakeSurface('unwatched'), { watched: () => false }),
    ]
    for (const one of all) surfaces.register(one)
    const result = say('/asks test')
    await flush()
    expect(all.filter(one => one.asked !== 1).map(({ name }) => name)).toEqual([])
    for (const one of all) one.answer(YES)
    expect((await result)!.text!.split('\n')[0]).toBe(title(6, 6))
  })

  it('ends after 60 s, and then the question is put away where nobody answered', async () => {
    const { say, add, surfaces } = await start()
    const [desk, hangs] = add('desk', 'hangs')
    const web = Object.assign(new FakeSurface('web'), { watched: () => false })
    surfaces.register(web)
    const result = watch(say('/asks test'))
    await flush()
    desk!.answer(YES)
    await pass(59_999)
    expect([result.state, hangs!.context.signal.aborted]).toEqual(['open', false])
    await pass(1)
    expect(result.value!.text).toBe(`${title(1, 3)}\n- desk: answered after 0 s\n- hangs: no answer\n- web: no answer (nobody looks there)`)
    for (const one of [hangs!, web]) {
      expect([stopCode(one.context.signal), stopCode(one.request.signal!)]).toEqual(['ASK_ABORTED', 'ASK_ABORTED'])
    }
  })

  it('gives every surface the whole time and one question, whatever its own policy says of timeouts and reminders', async () => {
    const { say, surfaces } = await start()
    const remind = vi.fn<() => void>()
    const impatient = Object.assign(new FakeSurface('impatient'), { defaultPolicy: { timeoutMs: 1000, remindMs: 1000 }, remind })
    surfaces.register(impatient)
    const result = say('/asks test')
    await pass(59_000)
    impatient.answer(YES)
    expect((await result)!.text).toBe(`${title(1, 1)}\n- impatient: answered after 59 s`)
    expect(remind).not.toHaveBeenCalled()
  })

  it('says who failed and why in a few words, and who declined', async () => {
    const { add, say } = await start()
    const throws = (error: unknown) => () => { throw error }
    const cases: [string, () => unknown, string][] = [
      ['declines', throws(cancelled()), 'declined after 0 s'],
      ['gone', throws(userQuestionError('SURFACE_GONE', 'the phone cannot be asked')), 'failed (SURFACE_GONE: the phone cannot be asked)'],
      ['coded', throws(Object.assign(new Error('no route to https://ntfy.example/topic'), { code: 'ENOTFOUND' })), 'failed (ENOTFOUND: no route to …)'],
      ['of a kind', throws(Object.assign(new TypeError('no'), { code: 'ERR_X' })), 'failed (TypeError ERR_X: no)'],
      ['coded alone', throws(Object.assign(new Error(''), { code: 'ENOTFOUND' })), 'failed (ENOTFOUND)'],
      ['plain', throws(new Error('no answer from https://ntfy.example/topic?auth=x, twice')), 'failed (no answer from … twice)'],
      ['several lines', throws(new Error('one\ntwo\u001b[2J')), 'failed (one⏎two␛[2J)'],
      ['long', throws(new Error('x '.repeat(500))), `failed (${'x '.repeat(59)}x…)`],
      ['without words', throws(new RangeError()), 'failed (RangeError)'],
      ['with anything', throws(undefined), 'failed (undefined)'],
      ['wrong', () => Promise.resolve({ answers: 'yes' }), 'failed (BAD_ANSWER: '],
      ['no promise', () => undefined, 'failed (BAD_ANSWER: '],
    ]
    const surfaces = add(...cases.map(([name]) => name))
    for (const [at, [, behave]] of cases.entries()) surfaces[at]!.ask.mockImplementation(behave as never)
    const lines = (await say('/asks test'))!.text!.split('\n').slice(1)
    expect(lines).toEqual(cases.map(([name, , line]) => expect.stringContaining(`- ${name}: ${line}`)))
  })

  it.each([
    ['a message with a token', new Error('no access for tk_abcdefghij0123456789xyz on a-topic'), 'no access for … on a-topic'],
    ['long words and long numbers', new Error('ERR_SOMETHING_VERY_LONG-AND-MORE 12345678901234567890'), 'ERR_SOMETHING_VERY_LONG-AND-MORE 12345678901234567890'],
    ['a UserQuestionError', userQuestionError('SURFACE_GONE', 'the bot https://api.example/bot123:ABC/send with AbC-1_23456789012345 is gone'), 'SURFACE_GONE: the bot … with … is gone'],
    ['one of these without a code', Object.assign(new Error('https://a.example/b?c'), { name: 'UserQuestionError' }), '…'],
    ['one of these without a message', userQuestionError('SURFACE_GONE', ' '), 'SURFACE_GONE'],
    ['the address of a topic', new Error('cannot publish to ntfy.sh/home-questions'), 'cannot publish to …'],
    ['credentials', new Error('no access for dsh:hunter2@nas.local'), 'no access for …'],
    ['a header', new Error('401 for Bearer hunter'), '401 for Bearer …'],
    ['base64', new Error('cannot read dGhpcyBpcyBh/IHNlY3JldCBv+ZiBvdXJz=='), 'cannot read …'],
    ['a name and a code that are none', Object.assign(new Error('no'), { name: 'tk_abcdefghij0123456789xyz', code: 'https://a.example/b' }), 'no'],
    ['a token that is cut', new Error(`${'x '.repeat(55)}tk_abcdefghij0123456789xyz`), `${'x '.repeat(55)}…`],
  ])('says nothing of addresses and tokens: %s', async (_what, error, reason) => {
    const { add, say } = await start()
    const [fails] = add('fails')
    fails!.ask.mockRejectedValue(error)
    expect((await say('/asks test'))!.text).toBe(`${title(0, 1)}\n- fails: failed (${reason})`)
  })

  it.each([
    ['en', 'message', '- bad: failed (an error that cannot be read)\n- ok: answered after 3 s'],
    ['zh', 'name', '- bad：失败（错误无法读取）\n- ok：3 秒后回答'],
    ['en', 'code', '- bad: failed (an error that cannot be read)\n- ok: answered after 3 s'],
  ] as const)('waits for the others although an error of one cannot be read: %s, %s', async (lang, member, lines) => {
    const { add, say } = await start({ lang })
    const [bad, ok] = add('bad', 'ok')
    const error = Object.defineProperty(new Error('x'), member, { get() { throw new Error('not to be read') } })
    bad!.ask.mockRejectedValue(error)
    const result = watch(say('/asks test'))
    await pass(3000)
    expect([result.state, stopCode(ok!.context.signal)]).toEqual(['open', undefined])
    ok!.answer(says(lang === 'en' ? 'Yes, I see it' : '能看到', 'test'))
    await flush()
    expect(result.value!.text!.split('\n').slice(1).join('\n')).toBe(lines)
  })

  it('is not hurt by a surface that cannot say how it stands', async () => {
    const { say, surfaces } = await start()
    let isBroken = false
    const broken = new FakeSurface('broken')
    Object.defineProperty(broken, 'watched', {
      get() {
        if (isBroken) throw new Error('not to be read')
        return () => true
      },
    })
    surfaces.register(broken)
    isBroken = true
    const result = watch(say('/asks test'))
    await flush()
    broken.fail()
    await flush()
    expect([result.state, vi.getTimerCount(), broken.asked]).toEqual(['resolved', 0, 1])
  })

  it('is as quiet as a question is, at each moment: where quiet hours hold, and while they do', async () => {
    const { add, say } = await start({
      router: { quiet: { from: '11:00', to: '12:01', timeZone: 'UTC', surfaces: ['ntfy'] } },
    })
    const [ntfy, desk] = add('ntfy', 'desk')
    const result = watch(say('/asks test'))
    await flush()
    const quiet = () => [ntfy!.context.quiet, desk!.context.quiet]
    expect(quiet()).toEqual([true, false])
    await pass(30_000)
    expect(quiet()).toEqual([true, false])
    vi.setSystemTime(Date.UTC(2026, 0, 5, 12, 1))
    expect(quiet()).toEqual([false, false])
    for (const one of [ntfy!, desk!]) one.answer(YES)
    await flush()
    expect(result.state).toBe('resolved')
  })

  it('leaves out a surface that another one takes out when it is asked whether it is watched', async () => {
    const { add, say, surfaces } = await start()
    const leaves = new FakeSurface('leaves')
    const leave = surfaces.register(leaves)
    const [stays] = add('stays')
    stays!.ask.mockResolvedValue(YES)
    surfaces.register(Object.assign(new FakeSurface('takes out'), { watched: () => { leave(); return false } }))
    const result = watch(say('/asks test'))
    await pass(60_000)
    expect(result.value!.text).toBe(`${title(1, 2)}\n- stays: answered after 0 s\n- takes out: no answer (nobody looks there)`)
    expect(leaves.asked).toBe(0)
  })

  it('counts the person\'s own words, a skip and a word in another case as well', async () => {
    const { add, say } = await start()
    const [words, skip] = add('words', 'skip')
    const result = say('/asks  TEST ')
    await flush()
    words!.answer({ answers: [{ id: 'test', selected: [], custom: 'barely' }] })
    skip!.answer({ answers: [{ id: 'test', selected: [] }] })
    expect((await result)!.text).toBe(`${title(2, 2)}\n- words: answered after 0 s\n- skip: answered after 0 s`)
  })

  it('is put away everywhere when the person stops waiting for it', async () => {
    const { add, plugin, say } = await start()
    const [desk, ntfy] = add('desk', 'ntfy')
    const effects = plugin.getEffects().length
    const person = new AbortController()
    const result = watch(say('/asks test', person.signal))
    await pass(5000)
    person.abort()
    await flush()
    expect(result.state).toBe('rejected')
    for (const one of [desk!, ntfy!]) expect(stopCode(one.context.signal)).toBe('ASK_ABORTED')
    expect(vi.getTimerCount()).toBe(0)
    expect(plugin.getEffects()).toHaveLength(effects)
  })

  it('leaves nothing behind, however often it is sent', async () => {
    const { add, plugin, say } = await start()
    const [desk] = add('desk')
    desk!.ask.mockResolvedValue(YES)
    const labels = () => JSON.stringify(plugin.getEffects())
    const before = labels()
    const person = new AbortController()
    const listening = vi.spyOn(person.signal, 'addEventListener'), leaving = vi.spyOn(person.signal, 'removeEventListener')
    for (let time = 0; time < 5; time++) await say('/asks test', person.signal)
    expect(leaving.mock.calls.length).toBe(listening.mock.calls.length)
    expect(labels()).toBe(before)
  })

  it.each([
    ['en', 'No surface is registered, so there is nothing to test.'],
    ['zh', '没有注册任何界面，无可测试。'],
  ] as const)('says so when there is no surface: %s', async (lang, message) => {
    const { say } = await start({ lang })
    expect(await say('/asks test')).toEqual({ kind: 'error', text: message })
  })
})
