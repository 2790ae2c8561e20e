// Whatever a local program writes to the socket, and whatever a surface says: nothing is permitted but by the one choice that
// permits, and a message that is none is asked nobody.
import * as fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../../src/protocol/request.ts'
import { answerCall } from '../../../src/sources/mcp/call.ts'

const RUNS = 5000

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('allow', 'reject', 'approval', 'Allow once', 'AskUserQuestion', 'ExitPlanMode', 'ask_user_question', 'approve', 'behavior', 'updatedInput'))

const { tree: junk } = fc.letrec<{ tree: unknown }>(tie => ({
  tree: fc.oneof({ maxDepth: 3 }, text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(tie('tree'), { maxLength: 3 }), fc.dictionary(text, tie('tree'), { maxKeys: 3 })),
}))

/** Nearly a message: right but for what is replaced. */
const nearly = fc.tuple(fc.constantFrom('tool', 'input', 'cwd', 'client', 'session', 'input.tool_name', 'input.input', 'input.questions', 'input.questions.0.question'), junk, fc.boolean()).map(([path, value, isApproval]) => {
  const body = {
    tool: isApproval ? 'approve' : 'ask_user_question', cwd: '/home/me/shop', client: { name: 'a' }, session: 's',
    input: isApproval ? { tool_name: 'Bash', input: { command: 'true' } } : { questions: [{ id: 'a', question: 'b' }] },
  }
  const keys = path.split('.'), last = keys.pop()!
  const place = keys.reduce<unknown>((one, key) => Object(one)[key] as unknown, body)
  if (typeof place === 'object' && place !== null) Object.assign(place, { [last]: value })
  return body as unknown
})

it('malformed messages are asked nobody, with one line each', async () => {
  await fc.assert(fc.asyncProperty(fc.oneof(junk, nearly), async (body) => {
    const ask = vi.fn<(request: AskUserQuestionRequest) => Promise<never>>(() => Promise.reject(new Error('asked'))), warn = vi.fn<(message: string) => void>()
    const reply = await answerCall(body, new AbortController().signal, { askSurfaces: { ask }, warn })
    expect(reply).toEqual({ error: expect.stringMatching(/^The user was not asked: /) as string })
    expect(warn.mock.calls).toHaveLength(1)
    for (const [{ questions }] of ask.mock.calls) expect(questions.length).toBeGreaterThan(0)
  }), { numRuns: RUNS })
}, 60_000)

const answer = fc.record({ answers: fc.array(fc.record({ id: fc.oneof(fc.constant('approval'), text), selected: fc.array(fc.oneof(fc.constant('allow'), text), { maxLength: 2 }), custom: text }, { requiredKeys: ['id', 'selected'] }), { maxLength: 2 }) })

it('a permission is given by the choice of `allow` alone', async () => {
  let allowed = 0
  await fc.assert(fc.asyncProperty(fc.constantFrom('Bash', 'ExitPlanMode'), fc.dictionary(text, fc.jsonValue()), answer, async (tool_name, input, said) => {
    const ask = () => Promise.resolve({ answer: said as AskUserQuestionAnswer, by: 'page' })
    const reply = await answerCall({ tool: 'approve', cwd: '/', input: { tool_name, input } }, new AbortController().signal, { askSurfaces: { ask }, warn: () => {} })
    const [item, ...more] = said.answers, isAllowed = (reply as { output?: { behavior?: string } }).output?.behavior === 'allow'
    allowed += Number(isAllowed)
    expect(isAllowed).toBe(item?.id === 'approval' && item.selected.length === 1 && item.selected[0] === 'allow' && item.custom === undefined && more.length === 0)
  }), { numRuns: RUNS })
  expect(allowed).toBeGreaterThan(0)
}, 60_000)
