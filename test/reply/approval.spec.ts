// An approval in the person's language, whatever the request says it is about.
import { describe, expect, it } from 'vitest'
import { answerApproval, approvalText } from '../../src/reply/approval.ts'
import { approvalRequest, DATABASE } from '../helpers/web.ts'

/** An approval about something of any type. */
const about = (approval: unknown) => approvalRequest(undefined, { approval: approval as never })

describe('approvalText', () => {
  it('has the tool, the reason and the labels in the language, the rejection first; `undefined` for a question', () => {
    expect(approvalText(approvalRequest(), 'zh')).toEqual({
      kind: '权限请求', title: '允许使用 bash 吗？', reason: '它会删除文件。', detail: '```sh\nrm -rf build\n```',
      choices: [{ id: 'reject', label: '拒绝' }, { id: 'allow', label: '仅允许这一次' }],
    })
    expect(approvalText({ questions: [DATABASE] }, 'en')).toBeUndefined()
    expect(approvalText({ kind: 'approval', questions: [] }, 'en')).toBeUndefined()
  })

  it.each([
    ['the language itself', { reason: 'why', displayReason: { en: 'English', zh: '中文' } }, '中文'],
    ['the asker\'s own words', { reason: 'why', displayReason: { en: 'English' } }, 'why'],
    ['English', { displayReason: { en: 'English' } }, 'English'],
    ['nothing', {}, undefined],
    ['nothing that is blank', { reason: ' \n', displayReason: { en: '\t', zh: '' } }, undefined],
  ])('takes the reason where there is one: %s', (_what, approval, wanted) => {
    expect(approvalText(about({ toolName: 'bash', ...approval }), 'zh')!.reason).toBe(wanted)
  })

  it.each([
    [null], ['text'], [7], [true], [[]], [['a', 'b']], [{ zh: 7 }], [{ zh: null }], [{ zh: {} }], [{ zh: ['中文'] }], [{ zh: ' ' }], [{ zh: Symbol('x') }], [() => '中文'],
  ])('a malformed displayReason is none: the reason stands, and nothing throws: %j', (displayReason) => {
    expect(approvalText(about({ toolName: 'bash', reason: 'why', displayReason }), 'zh')!.reason).toBe('why')
    expect(approvalText(about({ toolName: 'bash', displayReason }), 'zh')).not.toHaveProperty('reason')
  })

  it.each([[undefined], [null], ['bash'], [{}], [{ toolName: ' ' }], [{ toolName: Symbol('bash') }], [{ toolName: {}, reason: 7 }]])('without a tool it has the question\'s own text: %j', (approval) => {
    expect(approvalText(about(approval), 'en')).toMatchObject({ kind: 'Permission', title: 'Allow bash?\nIt removes files.' })
  })

  it('shows other options by their own labels', () => {
    const { questions: [question], ...more } = approvalRequest()
    const options = [{ id: 'always', label: 'Always' }, { label: 'nameless' }, ...question!.options!]
    const { choices } = approvalText({ ...more, questions: [{ ...question!, options }] }, 'en')!
    expect(choices.map(({ id, label }) => `${id}: ${label}`)).toEqual(['reject: Reject', 'always: Always', ': nameless', 'allow: Allow once'])
    expect(approvalText({ ...more, questions: [{ id: 'x', question: 'Allow?', detail: '\n' }] }, 'en')).toMatchObject({ choices: [] })
  })
})

it('answerApproval: the option by its id, and words that say something', () => {
  const request = approvalRequest()
  expect(answerApproval(request, 'allow')).toEqual({ answers: [{ id: 'approval', selected: ['allow'] }] })
  expect(answerApproval(request, 'reject', ' \n')).toEqual({ answers: [{ id: 'approval', selected: ['reject'] }] })
  expect(answerApproval(request, 'reject', 'use trash')).toEqual({ answers: [{ id: 'approval', selected: ['reject'], custom: 'use trash' }] })
})
