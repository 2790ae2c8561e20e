// Who asks and where: what is read of a request, and in which words it is told.
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { formatOrigin } from '../../src/reply/format.ts'
import { originOf } from '../../src/reply/origin.ts'

function requestOf(session: unknown): AskUserQuestionRequest {
  return { questions: [], agent: { session } as NonNullable<AskUserQuestionRequest['agent']> }
}

describe('originOf', () => {
  it('reads the preset, the folder and the title of the session', () => {
    const session = { id: 'session-40250cb5-91c8', title: 'Fix the tests', header: { cwd: '/srv/shop', agentPreset: 'coder' } }
    expect(originOf(requestOf(session))).toEqual({ agent: 'coder', machine: hostname(), project: 'shop', session: 'Fix the tests' })
  })

  it.each([['session-40250cb5-91c8-45d8-be03-d14b107259b2', '40250cb5'], ['s1', 's1']])('without a title names the session %s by the beginning of its id', (id, session) => {
    expect(originOf(requestOf({ id }))).toMatchObject({ agent: 'dsh', session })
  })

  it.each([undefined, null, {}, { id: ' ', title: 1, header: { cwd: '', agentPreset: {} } }])('without anything to read it is dsh in this process: %j', (session) => {
    expect(originOf(requestOf(session))).toEqual({ agent: 'dsh', machine: hostname(), project: basename(process.cwd()) })
    expect(originOf({ origin: undefined })).toEqual({ agent: 'dsh', machine: hostname(), project: basename(process.cwd()) })
  })
})

it('originOf takes a source at its word, whoever the agent is', () => {
  const origin = { agent: 'Claude Code', machine: 'laptop', project: 'shop' }
  expect(originOf({ ...requestOf({ id: 's1', title: 'Other' }), origin })).toEqual(origin)
})

describe('formatOrigin', () => {
  const origin = { agent: 'coder', machine: 'nas', project: 'shop' }

  it('is one line, the same in each language', () => {
    expect(formatOrigin(origin)).toBe('coder · nas · shop')
    expect(formatOrigin({ ...origin, session: '修复测试' })).toBe('coder · nas · shop · 修复测试')
  })

  it('shows control characters and line feeds', () => {
    expect(formatOrigin({ agent: 'a\u202eb', machine: 'n\u0007', project: 'a\nb', session: '\u001b[2J' })).toBe('a<U+202E>b · n\u2407 · a\u23ceb · \u241b[2J')
  })
})
