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
    expect(originOf({})).toEqual({ agent: 'dsh', machine: hostname(), project: basename(process.cwd()) })
  })
})

describe('formatOrigin', () => {
  const origin = { agent: 'coder', machine: 'nas', project: 'shop' }

  it('is one line in each language', () => {
    expect(formatOrigin(origin, 'en')).toBe('coder on nas, project shop')
    expect(formatOrigin({ ...origin, session: 'Fix the tests' }, 'en')).toBe('coder on nas, project shop, session Fix the tests')
    expect(formatOrigin({ ...origin, session: '修复测试' }, 'zh')).toBe('nas 上的 coder，项目 shop，会话 修复测试')
  })

  it('shows control characters and line feeds', () => {
    expect(formatOrigin({ ...origin, project: 'a\nb', session: '\u001b[2J' }, 'en')).toBe('coder on nas, project a\u23ceb, session \u241b[2J')
  })
})
