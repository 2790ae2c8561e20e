// Approvals on the panel: what a person sees, which key decides, and that no other one does.
import { stripVTControlCharacters } from 'node:util'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { routeAsk } from '../../src/router/route-ask.ts'
import * as terminal from '../../src/surfaces/terminal/index.ts'
import { approval, chooses, OPTIONS, WIDER } from '../helpers/approval.ts'
import { boot } from '../helpers/cordis.ts'
import { FakeInput, FakeOutput } from '../helpers/streams.ts'
import { choice, FakeSurface, says } from '../helpers/surface.ts'

const macrotask = () => new Promise(resolve => setImmediate(resolve))
const ESC = '\u001B', PAGE_DOWN = `${ESC}[6~`, TAB = '\t', ENTER = '\r'
const paste = (text: string) => `${ESC}[200~${text}${ESC}[201~`

/** A phone that takes approvals too. */
class Phone extends FakeSurface {
  readonly approvals = true
}

interface Options {
  readonly lang?: 'en' | 'zh'
  readonly env?: Record<string, string>
  readonly rows?: number
  readonly request?: AskUserQuestionRequest
}

/** A panel with an approval that is on the screen. */
async function start({ lang = 'en', env = {}, rows = 24, request = approval() }: Options = {}) {
  const input = new FakeInput(), output = new FakeOutput()
  output.rows = rows
  const { ctx } = await boot(), phone = new Phone('phone', true)
  ctx.askSurfaces.register(phone)
  const { name, inject } = terminal, onInterrupt = vi.fn<() => void>()
  const streams = { input: input as unknown as NodeJS.ReadableStream, output, onInterrupt, onSuspend: vi.fn<() => void>(), env }
  const plugin = await ctx.plugin({ name, inject, apply: (inner: Context) => terminal.apply(inner, { lang }, streams) })
  loaded.push(plugin)
  let open = 0
  const ask = (one: AskUserQuestionRequest) => {
    open++
    const answer = routeAsk(ctx.askSurfaces.list(), one)
    answer.catch(() => {}).finally(() => open--)
    return answer
  }
  const answer = ask(request)
  await macrotask()
  return {
    phone, input, output, answer, ask, onInterrupt,
    get shown() { return stripVTControlCharacters(output.written) },
    get isOpen() { return open > 0 },
    /** Press keys, one chunk each, long after whatever was pressed before; then wait until the last one stands. */
    async press(...keys: string[]) {
      for (const key of keys) {
        vi.advanceTimersByTime(1500)
        await macrotask()
        input.emit('data', key)
      }
      await this.wait(1500)
    },
    async wait(ms: number) {
      vi.advanceTimersByTime(ms)
      await macrotask()
      await macrotask()
    },
    /** What has been drawn since the last look. */
    drawn() {
      const text = stripVTControlCharacters(output.written)
      output.written = ''
      return text
    },
  }
}

const loaded: { dispose(): Promise<unknown> }[] = []

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))
afterEach(async () => {
  for (const plugin of loaded.splice(0)) await plugin.dispose()
  vi.useRealTimers()
  for (let at = 0; at < 3; at++) await macrotask()
})

describe('an approval on the panel', () => {
  it.each([
    ['en', ['asks for permission:', '=== Permission ===', 'Allow bash?', 'It writes outside the project.', 'Nothing is chosen yet.', 'r reject  a allow once  Tab reject with words  Esc cancel (rejects)']],
    ['zh', ['请求权限：', '=== 权限请求 ===', '允许使用 bash 吗？', '它会写到项目之外。', '尚未选择。', 'r 拒绝  a 仅允许这一次  Tab 附言拒绝  Esc 取消（即拒绝）']],
  ] as const)('is told from a question by words and shape, without colour too: %s', async (lang, said) => {
    const t = await start({ lang, env: { NO_COLOR: '1' } })
    for (const one of said) expect(t.shown).toContain(one)
    // oxlint-disable-next-line no-control-regex
    expect(t.output.written).not.toMatch(/\u001B\[(?:\d+;)*3\d/)
    // No row of a question.
    for (const one of ['( )', '1. ', ' asks:', ' 提问：']) expect(t.shown).not.toContain(one)
  })

  it('quotes what the tool is to do, rejects first, and has nothing chosen', async () => {
    const t = await start()
    expect(t.shown).toMatch(/ {2}\| ```bash\r?\n {2}\| rm -rf build\r?\n {2}\| ```[^]*r {4}Reject\r?\n {2}a {4}Allow once\r?\n {2}Tab {2}Reject with words/)
    expect(t.shown).not.toMatch(/^>/m)
  })

  it('is allowed once by a', async () => {
    const t = await start()
    await t.press('a')
    expect(await t.answer).toEqual(chooses('allow'))
    expect(t.shown).toContain('Sent: Allow bash? Allowed once\n')
  })

  it('is rejected by r', async () => {
    const t = await start()
    await t.press('r')
    expect(await t.answer).toEqual(chooses('reject'))
    expect(t.shown).toContain('Sent: Allow bash? Rejected\n')
  })

  it('is rejected with words, which the screen says before they are sent', async () => {
    const t = await start()
    await t.press(TAB, 'a', 'sk first', `${ESC}[D`, 'X')
    expect(t.shown).toContain('Reject with these words:')
    expect(t.shown).toContain('Enter reject with these words  Esc leave text')
    await t.press(ENTER)
    expect(await t.answer).toEqual(chooses('reject', 'ask firsXt'))
    expect(t.shown).toContain('Sent: Allow bash? Rejected: ask firsXt\n')
  })

  it('takes digits as words, and pastes, where words are written', async () => {
    const t = await start()
    await t.press(TAB, '1', paste(' a\ra'), '2', ENTER)
    expect(await t.answer).toEqual(chooses('reject', '1 a\na2'))
  })

  it('sends no words that are blank, and says so', async () => {
    const t = await start()
    await t.press(TAB, ENTER, ' ', ENTER)
    expect(t.isOpen).toBe(true)
    expect(t.shown).toContain('Type your words first, or leave them with Esc.')
  })

  it('keeps words that were left: r sends them, and a allows nothing until they are erased', async () => {
    const t = await start()
    await t.press(TAB, 'no', ESC, 'a')
    expect(t.isOpen).toBe(true)
    expect(t.shown).toContain('Not decided: words only reject.')
    const other = await start()
    await other.press(TAB, 'no', ESC, 'r')
    expect(await other.answer).toEqual(chooses('reject', 'no'))
    await t.press(TAB, '\u0015', ESC, 'a')
    expect(await t.answer).toEqual(chooses('allow'))
  })

  it.each([
    ['Enter', [ENTER, ENTER]], ['digits', ['1', '2', '1', ENTER]], ['other letters', ['A', 'y', 'o', ' ', 'ａ', 'd']], ['words', ['allow', 'yes', 'a\r', '\ra', 'aa']],
    ['Ctrl and Alt with it', ['\u0001', `${ESC}a`, `${ESC}[97;5u`, `${ESC}[97;3u`, `${ESC}[97;1:3u`]], ['a paste', [paste('a'), paste('a\r'), 'a\na\n', paste('')]],
    ['what is not finished', [`${ESC}[200~a`, `${ESC}[`, `${ESC}]0;a\u0007`]], ['keys for something else', ['\u007F', `${ESC}[C`, '\u000C', '\u000F', `${ESC}[Z`]],
  ])('is not decided by %s', async (_, keys) => {
    const t = await start()
    await t.press(...keys)
    await t.wait(5000)
    expect(t.isOpen).toBe(true)
    await t.press('r')
    expect(await t.answer).toEqual(chooses('reject'))
  })

  it('says which keys decide, after one that does not', async () => {
    const t = await start()
    await t.press('1')
    expect(t.shown).toContain('Not decided: r rejects, a allows once.')
  })

  it('is not allowed by what is typed as it pops up', async () => {
    const t = await start()
    for (const gap of [0, 100, 100]) {
      await t.wait(gap)
      t.input.emit('data', 'a')
    }
    await t.wait(5000)
    expect(t.isOpen).toBe(true)
  })

  it.each([['at once', 0], ['as fast as people type', 90], ['slowly', 280]])('is not decided by a letter of a word that is typed: %s', async (_, gap) => {
    const t = await start()
    await t.wait(1500)
    for (const letter of 'a cat and a rat ran') {
      t.input.emit('data', letter)
      await t.wait(gap)
    }
    await t.wait(5000)
    expect(t.isOpen).toBe(true)
    expect(t.shown).toContain('Not decided: press the key alone, a second after other keys.')
  })

  it('counts a letter that somebody typed before as the start of a word for a second, whatever moves the page in between', async () => {
    const t = await start()
    await t.wait(1500)
    t.input.emit('data', 'c')
    await t.wait(700)
    t.input.emit('data', `${ESC}[A`)
    await t.wait(299)
    t.input.emit('data', 'a')
    await t.wait(5000)
    expect(t.isOpen).toBe(true)
    t.input.emit('data', `${ESC}[B`)
    t.input.emit('data', 'a')
    await t.wait(300)
    expect(await t.answer).toEqual(chooses('allow'))
  })

  it('is decided 300 ms after its key, unless another one follows', async () => {
    const t = await start()
    await t.wait(1500)
    t.input.emit('data', 'a')
    await t.wait(299)
    expect(t.isOpen).toBe(true)
    t.input.emit('data', ENTER)
    await t.wait(5000)
    expect(t.isOpen).toBe(true)
    await t.press('a')
    expect(await t.answer).toEqual(chooses('allow'))
  })

  it('is decided for nobody who cannot see it any longer: the terminal is let go of, or somebody else decides', async () => {
    const t = await start()
    await t.wait(1500)
    t.input.emit('data', 'a')
    t.input.emit('data', '\u0003')
    await t.wait(5000)
    expect(t.onInterrupt).toHaveBeenCalledOnce()
    expect(t.isOpen).toBe(true)
    t.input.emit('data', 'a')
    await t.phone.answer(chooses('reject'))
    await t.wait(5000)
    expect(await t.answer).toEqual(chooses('reject'))
    expect(t.shown).toContain('Answered on phone: Allow bash? Rejected\n')
  })

  it('is deaf again after the terminal was used for something else', async () => {
    const t = await start()
    await t.wait(1500)
    t.input.emit('data', '\u0003')
    await t.wait(60)
    await macrotask()
    t.input.emit('data', 'a')
    await t.wait(5000)
    expect(t.isOpen).toBe(true)
    await t.press('a')
    expect(await t.answer).toEqual(chooses('allow'))
  })

  it('is allowed only once its end was in view, and says so; it can be rejected at once', async () => {
    const long = () => start({ rows: 16, request: approval({ detail: Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n') }) })
    const t = await long()
    expect(t.shown).toContain('PgDn more  r reject  Tab reject with words')
    await t.press('a')
    expect(t.isOpen).toBe(true)
    expect(t.shown).toContain('Not decided: read to the end first (PgDn).')
    await t.press(PAGE_DOWN, 'a')
    expect(t.isOpen).toBe(true)
    await t.press(...Array.from({ length: 6 }, () => PAGE_DOWN), 'a')
    expect(await t.answer).toEqual(chooses('allow'))
    const other = await long()
    await other.press('r')
    expect(await other.answer).toEqual(chooses('reject'))
  })

  it.each([['End', [`${ESC}[F`]], ['the arrow', Array.from({ length: 40 }, () => `${ESC}[B`)], ['j', Array.from({ length: 40 }, () => 'j')]])('is scrolled by %s', async (_, keys) => {
    const t = await start({ rows: 12, request: approval({ detail: 'line\n'.repeat(30) }) })
    await t.press(...keys)
    t.drawn()
    await t.press(`${ESC}[A`, `${ESC}[H`, 'k')
    expect(t.drawn()).toContain('Allow bash?')
    await t.press(...keys, 'a')
    expect(await t.answer).toEqual(chooses('allow'))
  })

  it('says where it was cut', async () => {
    const t = await start({ request: approval({ detail: `${'x'.repeat(200_001)}` }) })
    await t.press(`${ESC}[F`)
    expect(t.shown).toContain('(Too long for a terminal: 1 more characters are not shown.)')
  })

  it('is cancelled by Esc and y, which rejects, and says so; a is no y', async () => {
    const t = await start()
    await t.press(ESC)
    expect(t.shown).toContain('Cancel for everyone? The tool is rejected. y/N')
    await t.press('a')
    expect(t.isOpen).toBe(true)
    await t.press(ESC, 'y')
    await expect(t.answer).rejects.toMatchObject({ code: 'ASK_CANCELLED' })
    expect(t.shown).toContain('Cancelled: Allow bash?\n')
  })

  it('lists its keys, and a only closes the list', async () => {
    const t = await start()
    await t.press('?')
    expect(t.shown).toContain('Keys for a permission')
    await t.press('a')
    expect(t.isOpen).toBe(true)
  })

  it('executes nothing that it says', async () => {
    const request = approval({ detail: 'a\u001B]0;owned\u0007\u009B2J\u202E' }, 'b\u001B[2J\nash')
    const t = await start({ request: { ...request, approval: { toolName: 'b\u001B[2J\nash', reason: '\u001B[3J' } } })
    expect(t.shown).toContain('Allow b␛[2J⏎ash?')
    for (const raw of ['\u0007', '\u009B', '\u202E', '\u001B[3J', '\u001B[2J']) expect(t.output.written).not.toContain(raw)
  })

  it('keeps the words that were typed for it when somebody else decides', async () => {
    const t = await start()
    await t.press(TAB, 'use npm')
    await t.phone.answer(chooses('allow'))
    await t.wait(0)
    expect(t.shown).toContain('Answered on phone: Allow bash? Allowed once\nYou had typed: use npm\n')
  })

  it('that takes the place of a question is not decided by what is still typed for that', async () => {
    const t = await start({ request: { questions: [choice('db', ['Postgres', 'SQLite'])] } })
    await t.press('o', 'b')
    await t.phone.answer(says('Postgres'))
    const second = t.ask(approval())
    await macrotask()
    for (const letter of 'anana a') {
      await t.wait(150)
      t.input.emit('data', letter)
    }
    await t.wait(5000)
    expect(t.isOpen).toBe(true)
    expect(t.shown).toContain('Not used: this is a request for permission.')
    await t.press('a')
    expect(await second).toEqual(chooses('allow'))
  })
})

describe('what permits more than this once, on the panel', () => {
  const DOWN = `${ESC}[B`, UP = `${ESC}[A`
  const wide = () => approval({ options: [...WIDER, ...OPTIONS] })

  it.each([
    ['en', 'a    Allow once', 'w    Allow more than this once: shows 2 more choices', 'w allow more', 'Allow for this session', 'Sent: Allow bash? Allowed: Allow for this session\n'],
    ['zh', 'a    仅允许这一次', 'w    允许得更多，不只这一次：查看另外 2 个选项', 'w 允许更多', '在本次会话中一直允许', '已发送：允许使用 bash 吗？已允许：在本次会话中一直允许\n'],
  ] as const)('stands behind what permits once, opens as a list, and is allowed by pointing at it and Enter: %s', async (lang, once, row, hint, label, sent) => {
    const t = await start({ lang, request: wide() })
    const order = ['r    ', once, row, 'Tab  '].map(one => t.shown.indexOf(one))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(Math.min(...order)).toBeGreaterThan(0)
    expect(t.shown).toContain(hint)
    expect(t.shown).not.toContain(label)
    await t.press('w')
    expect(t.drawn()).toContain(`  ${label}`)
    await t.press(DOWN)
    expect(t.drawn()).toContain(`> ${label}`)
    await t.press(ENTER)
    expect(await t.answer).toEqual(chooses('allow-session'))
    expect(t.shown).toContain(sent)
  })

  it('is pointed at by w and by the arrows, round and round', async () => {
    const t = await start({ request: wide() })
    await t.press('w', 'w', DOWN, DOWN, UP, ENTER)
    expect(await t.answer).toEqual(chooses('allow-always'))
    const other = await start({ request: wide() })
    await other.press('w', UP, ENTER)
    expect(await other.answer).toEqual(chooses('allow-always'))
  })

  it.each([
    ['Enter alone', [ENTER]], ['w and Enter, with nothing pointed at', ['w', ENTER, ENTER]], ['w and Enter at once', ['w\r', 'w', '\r\r']], ['pointing alone', ['w', DOWN]],
    ['Enter that comes with something', ['w', DOWN, `${DOWN}\r`, '\r\n', 'x']], ['digits and the letters of the others', ['w', DOWN, '1', 'w', DOWN, 'r', 'w', DOWN, 'a', 'w', DOWN, 'y', ' ']],
    ['a paste', ['w', DOWN, paste('\r'), paste('w')]], ['W, and words', ['W', 'allow-session', 'Allow for this session', ENTER]], ['leaving, and Enter', ['w', DOWN, ESC, ENTER, 'w', ENTER]],
    ['Ctrl-W and Alt-W', ['\u0017', `${ESC}w`, DOWN, ENTER]],
  ])('is not allowed by %s', async (_, keys) => {
    const t = await start({ request: wide() })
    await t.press(...keys)
    await t.wait(5000)
    expect(t.isOpen).toBe(true)
    await t.press(ESC)
    await t.press('n', 'r')
    expect(await t.answer).toEqual(chooses('reject'))
  })

  it('is not allowed by Enter that follows another key within a second, or is followed by one', async () => {
    const t = await start({ request: wide() })
    await t.press('w', DOWN)
    t.input.emit('data', 'w')
    await t.wait(900)
    t.input.emit('data', ENTER)
    await t.wait(5000)
    expect(t.isOpen).toBe(true)
    expect(t.shown).toContain('Not decided: press the key alone')
    await t.wait(1500)
    t.input.emit('data', ENTER)
    await t.wait(299)
    t.input.emit('data', 'x')
    await t.wait(5000)
    expect(t.isOpen).toBe(true)
    await t.press(ENTER)
    expect(await t.answer).toEqual(chooses('allow-always'))
  })

  it('is in reach only when all has been read and no words would be lost', async () => {
    const long = approval({ options: [...OPTIONS, ...WIDER], detail: 'line\n'.repeat(30) })
    const t = await start({ rows: 16, request: long })
    await t.press('w', DOWN, ENTER)
    expect(t.isOpen).toBe(true)
    expect(t.shown).toContain('Not decided: read to the end first (PgDn).')
    await t.press(`${ESC}[F`, TAB, 'no', ESC, 'w')
    expect(t.shown).toContain('Not decided: words only reject.')
    await t.press(DOWN, ENTER)
    expect(t.isOpen).toBe(true)
    await t.press(TAB, '\u0015', ESC, 'w', DOWN, ENTER)
    expect(await t.answer).toEqual(chooses('allow-session'))
  })

  it('shows every word of it before it is allowed, however long it is', async () => {
    const label = `Allow ${'every single one of these words '.repeat(60)}and this one`
    const t = await start({ rows: 12, request: approval({ options: [...OPTIONS, { id: 'long', label }, ...WIDER] }) })
    await t.press(`${ESC}[F`, 'w', DOWN)
    expect(t.drawn()).not.toContain('and this one')
    await t.press(ENTER)
    expect(t.isOpen).toBe(true)
    expect(t.drawn()).toContain('Not decided: read to the end first (PgDn).')
    let presses = 0
    for (; !t.drawn().includes('and this one'); presses++) await t.press(DOWN)
    expect(presses).toBeGreaterThan(10)
    await t.press(ENTER)
    expect(await t.answer).toEqual(chooses('long'))
  })

  it('is no key where there is nothing of the kind', async () => {
    const t = await start()
    expect(t.shown).not.toContain('Allow more')
    await t.press('w', DOWN, ENTER)
    expect(t.isOpen).toBe(true)
    expect(t.shown).toContain('Not decided: r rejects, a allows once.')
  })

  it('executes nothing that a label says', async () => {
    const t = await start({ request: approval({ options: [...OPTIONS, { id: 'x', label: 'a\u001B]0;owned\u0007\u202E\nb' }] }) })
    await t.press('w')
    expect(t.shown).toContain('  a␛]0;owned␇<U+202E>⏎b')
    for (const raw of ['\u0007', '\u202E']) expect(t.output.written).not.toContain(raw)
  })
})

describe('a plan on the panel', () => {
  it.each([
    ['en', ['has a plan to approve:', '=== Plan ===', 'Approve this plan?', '  | 1. Build', 'r    Reject', 'a    Approve', 'Reject with words: what to change', 'a approve'], 'Sent: Approve this plan? Approved\n'],
    ['zh', ['有一个计划等待批准：', '=== 计划 ===', '批准这个计划吗？', '  | 1. Build', 'r    拒绝', 'a    批准', '拒绝并附言：需要修改什么', 'a 批准'], '已发送：批准这个计划吗？已批准\n'],
  ] as const)('is called one: %s', async (lang, said, sent) => {
    const t = await start({ lang, request: approval({ detail: '1. Build', intent: { kind: 'plan-review', approve: 'Allow once' } }, 'ExitPlanMode') })
    for (const one of said) expect(t.shown).toContain(one)
    expect(t.shown).not.toMatch(/allow|允许|ExitPlanMode/i)
    await t.press('?')
    expect(t.drawn()).not.toMatch(/allow once|仅允许/i)
    await t.press(ESC, 'a')
    expect(await t.answer).toEqual(chooses('allow'))
    expect(t.shown).toContain(sent)
  })
})
