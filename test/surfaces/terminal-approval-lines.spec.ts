// Approvals line by line, on a pipe and where lines are typed: what is printed, which line decides, and that no other one does.
import { PassThrough } from 'node:stream'
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { routeAsk } from '../../src/router/route-ask.ts'
import * as terminal from '../../src/surfaces/terminal/index.ts'
import { approval, chooses, OPTIONS, WIDER } from '../helpers/approval.ts'
import { boot } from '../helpers/cordis.ts'
import { FakeInput, FakeOutput } from '../helpers/streams.ts'
import { macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

const HOW_TO = 'Type a to allow once, r to reject, or r and your words.'

/** An approval in the line mode; `before` is on its way before it is asked. */
async function start(on: 'pipe' | 'terminal', { lang = 'en', before = '', request = approval() }: { lang?: 'en' | 'zh', before?: string, request?: AskUserQuestionRequest } = {}) {
  const pipe = new PassThrough(), keys = new FakeInput(), output = new FakeOutput()
  const { ctx } = await boot()
  const input = (on === 'pipe' ? pipe : keys) as unknown as NodeJS.ReadableStream
  const { name, inject } = terminal, streams = { input, output, onInterrupt: vi.fn<() => void>(), onSuspend: vi.fn<() => void>(), env: {} }
  await ctx.plugin({ name, inject, apply: (inner: Context) => terminal.apply(inner, { lang, mode: 'line' }, streams) })
  const give = async (chunk: string) => {
    if (on === 'pipe') pipe.write(chunk)
    else keys.emit('data', chunk)
    for (let at = 0; at < 12; at++) await macrotask()
  }
  if (before) await give(before)
  const answer = watch(routeAsk(ctx.askSurfaces.list(), request))
  for (let at = 0; at < 12; at++) await macrotask()
  return {
    answer,
    give,
    /** Give these, each long after the one before. */
    async gives(...chunks: string[]) {
      for (const chunk of chunks) {
        await pass(1000)
        await give(chunk)
      }
    },
    /** What has been printed since the last look. */
    said() {
      const { written } = output
      output.written = ''
      return written
    },
  }
}

describe('an approval on a pipe', () => {
  it('says what it is, with what the tool is to do marked, and how to answer', async () => {
    const t = await start('pipe')
    expect(t.said()).toMatch(/asks for permission:\n=== Permission ===\nAllow bash\?\n {2}It writes outside the project\.\n {2}\| ```bash\n {2}\| rm -rf build\n {2}\| ```\n {2}r {2}Reject\n {2}a {2}Allow once\n/)
  })

  it.each([
    ['a', ['a\n'], chooses('allow'), 'Sent: Allow bash? Allowed once\n'],
    ['a with the line end of Windows', ['a\r\n'], chooses('allow'), 'Sent: Allow bash? Allowed once\n'],
    ['r', ['r\n'], chooses('reject'), 'Sent: Allow bash? Rejected\n'],
    ['r and words', ['r ask a colleague\n'], chooses('reject', 'ask a colleague'), 'Sent: Allow bash? Rejected: ask a colleague\n'],
    ['a, in two pieces', ['a', '\n'], chooses('allow'), 'Allowed once\n'],
  ])('is decided by %s', async (_, chunks, answer, said) => {
    const t = await start('pipe')
    await t.gives(...chunks)
    expect(t.answer.value).toEqual(answer)
    expect(t.said()).toContain(said)
  })

  it.each(['A', 'ａ', ' a', 'a ', 'aa', 'allow', 'Allow once', 'yes', 'y', '1', '2', '', 'ok', 'R', 'reject', 'rm', '\u001B[200~a\u001B[201~', 'a\u0000'])('is not decided by %j, and says how to; the next line still is', async (line) => {
    const t = await start('pipe')
    t.said()
    await t.gives(`${line}\n`)
    expect(t.answer.state).toBe('open')
    expect(t.said()).toBe(`Nothing was decided. ${HOW_TO}\n`)
    await t.gives('a\n')
    expect(t.answer.value).toEqual(chooses('allow'))
  })

  it.each(['a\na\n', 'x\na\n', 'a\nx'])('is not allowed by %j, which came all at once', async (chunk) => {
    const t = await start('pipe')
    await t.gives(chunk)
    expect(t.answer.state).toBe('open')
  })

  it.each(['a\n', 'a', 'r\n'])('is not decided by %j from before it; a fresh line decides', async (before) => {
    const t = await start('pipe', { before })
    await t.gives('\n')
    expect(t.answer.state).toBe('open')
    expect(t.said()).toContain('was begun too early')
    await t.gives('a\r\n')
    expect(t.answer.value).toEqual(chooses('allow'))
  })

  it('is not decided by a line that comes as it is printed', async () => {
    const t = await start('pipe')
    await pass(290)
    await t.give('a\n')
    await pass(5000)
    expect(t.answer.state).toBe('open')
    await t.give('a\n')
    expect(t.answer.value).toEqual(chooses('allow'))
  })

  it('offers nothing that permits more than this once, and takes no line for it', async () => {
    const t = await start('pipe', { request: approval({ options: [...WIDER, ...OPTIONS] }) })
    expect(t.said()).toContain(`\n  r  Reject\n  a  Allow once\n${HOW_TO}\n`)
    await t.gives(...['w', 'w\n', '3', 'allow-session', 'Allow for this session', 'Always allow `rm`'].map(line => `${line}\n`))
    expect(t.answer.state).toBe('open')
    await t.gives('a\n')
    expect(t.answer.value).toEqual(chooses('allow'))
  })

  it('is not allowed once where only more is to be had', async () => {
    const t = await start('pipe', { request: approval({ options: [...WIDER, OPTIONS[1]!] }) })
    await t.gives('a\n')
    expect(t.answer.state).toBe('open')
    await t.gives('r\n')
    expect(t.answer.value).toEqual(chooses('reject'))
  })

  it.each([
    ['en', 'has a plan to approve:\n=== Plan ===\nApprove this plan?\n', '  | 1. Build\n  r  Reject\n  a  Approve\nType a to approve, r to reject, or r and what to change.\n', 'Sent: Approve this plan? Rejected: smaller steps\n'],
    ['zh', '有一个计划等待批准：\n=== 计划 ===\n批准这个计划吗？\n', '  | 1. Build\n  r  拒绝\n  a  批准\n输入 a 批准，输入 r 拒绝，或输入 r 和需要修改的内容。\n', '已发送：批准这个计划吗？已拒绝：smaller steps\n'],
  ] as const)('a plan is called one: %s', async (lang, first, last, sent) => {
    const t = await start('pipe', { lang, request: approval({ detail: '1. Build', intent: { kind: 'plan-review', approve: 'Allow once' } }) })
    const shown = t.said()
    expect(shown).toContain(first)
    expect(shown).toContain(last)
    await t.gives('r smaller steps\n')
    expect(t.said()).toContain(sent)
  })

  it('is said in Chinese', async () => {
    const t = await start('pipe', { lang: 'zh' })
    await t.gives('1\n', 'a\n')
    expect(t.said()).toMatch(/没有作出决定。 ?输入 a 仅允许这一次，输入 r 拒绝，或输入 r 和你的话。\n[^]*已允许一次\n/)
  })
})

describe('an approval where lines are typed', () => {
  it('is allowed by a and Enter, pressed one after the other', async () => {
    const t = await start('terminal')
    await t.gives('a', '\r')
    expect(t.answer.value).toEqual(chooses('allow'))
  })

  it.each([['a\r'], ['\u001B[200~a\u001B[201~', '\r'], ['\u001B[200~a\r\u001B[201~', '\r']])('is not allowed by %j, which no fingers do', async (...chunks) => {
    const t = await start('terminal')
    await t.gives(...chunks)
    expect(t.answer.state).toBe('open')
    expect(t.said()).toContain(`That line came all at once, so it allowed nothing: type a, then Enter. ${HOW_TO}\n`)
    await t.gives('a', '\r')
    expect(t.answer.value).toEqual(chooses('allow'))
  })

  it('is not decided by a line that was begun as it was printed, however late it is sent', async () => {
    const t = await start('terminal')
    await t.give('a')
    await t.gives('\r')
    expect(t.answer.state).toBe('open')
    await t.gives('r', ' ', 'no', '\r')
    expect(t.answer.value).toEqual(chooses('reject', 'no'))
  })
})
