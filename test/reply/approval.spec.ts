// An approval in the person's language, whatever the request says it is about.
import { describe, expect, it } from 'vitest'
import { answerApproval, approvalText, decisionText } from '../../src/reply/approval.ts'
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

  it('shows other options last, by their own labels, and none that has no name or says nothing', () => {
    const { questions: [question], ...more } = approvalRequest()
    const options = [{ id: 'always', label: 'Always' }, { label: 'nameless' }, { id: 'blank', label: ' ' }, { id: 'constructor', label: 'Build' }, ...question!.options!]
    const { choices } = approvalText({ ...more, questions: [{ ...question!, options }] }, 'en')!
    expect(choices.map(({ id, label }) => `${id}: ${label}`)).toEqual(['reject: Reject', 'allow: Allow once', 'always: Always', 'constructor: Build'])
    expect(approvalText({ ...more, questions: [{ id: 'x', question: 'Allow?', detail: '\n' }] }, 'en')).toMatchObject({ choices: [] })
  })
})

describe('approvalText of wider outcomes and of plans', () => {
  const labelled = (displayLabel: unknown, lang: 'en' | 'zh') => {
    const { questions: [question], ...more } = approvalRequest()
    const options = [{ id: 'session', label: 'For this session', displayLabel: displayLabel as never }, ...question!.options!]
    return approvalText({ ...more, questions: [{ ...question!, options }] }, lang)!.choices.at(-1)!.label
  }

  it('has a wider label in the language where there is one, else the asker\'s own', () => {
    const both = { en: 'For the session', zh: '在本次会话中' }
    expect([labelled(both, 'en'), labelled(both, 'zh')]).toEqual(['For the session', '在本次会话中'])
    for (const other of [undefined, null, 7, 'zh', [], {}, { zh: ' ' }, { zh: 7 }, { fr: 'Pour la session' }]) expect(labelled(other, 'zh')).toBe('For this session')
  })

  it('keeps our own words for what everybody knows, whatever the asker calls it', () => {
    const { questions: [question], ...more } = approvalRequest()
    const options = [{ id: 'reject', label: 'Sure', displayLabel: { en: 'Yes' } }, { id: 'allow', label: 'No', displayLabel: { en: 'No' } }]
    expect(approvalText({ ...more, questions: [{ ...question!, options }] }, 'en')!.choices.map(({ label }) => label)).toEqual(['Reject', 'Allow once'])
  })

  it.each([
    ['en', 'Plan', 'Approve this plan?', ['Reject', 'Approve'], 'Approved', 'Rejected: smaller steps'],
    ['zh', '计划', '批准这个计划吗？', ['拒绝', '批准'], '已批准', '已拒绝：smaller steps'],
  ] as const)('calls a plan one: %s', (lang, kind, title, labels, approved, rejected) => {
    const { questions: [question], ...more } = approvalRequest('# Plan')
    const request = { ...more, questions: [{ ...question!, intent: { kind: 'plan-review' as const, approve: 'Allow once' } }] }
    const text = approvalText(request, lang)!
    expect(text).toMatchObject({ kind, title, detail: '# Plan', isPlan: true })
    expect(text.choices.map(({ label }) => label)).toEqual(labels)
    expect(decisionText(text, answerApproval(request, 'allow'), lang)).toBe(approved)
    expect(decisionText(text, answerApproval(request, 'reject', 'smaller steps'), lang)).toBe(rejected)
  })

  it('says what was decided, and takes a withdrawal for a rejection', () => {
    const text = { choices: [{ id: 'session', label: 'for this session' }] }
    expect(decisionText(text, undefined, 'en')).toBe('Rejected')
    expect(decisionText(text, answerApproval(approvalRequest(), 'session'), 'zh')).toBe('已允许：for this session')
    expect(decisionText(text, answerApproval(approvalRequest(), 'unknown'), 'en')).toBe('Allowed: unknown')
    expect(decisionText({ ...text, isPlan: true }, answerApproval(approvalRequest(), 'session'), 'en')).toBe('Approved: for this session')
    expect(decisionText({ ...text, isPlan: true }, answerApproval(approvalRequest(), 'session'), 'zh')).toBe('已批准：for this session')
    expect(decisionText(text, { answers: [] }, 'en')).toBe('Rejected')
  })
})

it('answerApproval: the option by its id, and words that say something', () => {
  const request = approvalRequest()
  expect(answerApproval(request, 'allow')).toEqual({ answers: [{ id: 'approval', selected: ['allow'] }] })
  expect(answerApproval(request, 'reject', ' \n')).toEqual({ answers: [{ id: 'approval', selected: ['reject'] }] })
  expect(answerApproval(request, 'reject', 'use trash')).toEqual({ answers: [{ id: 'approval', selected: ['reject'], custom: 'use trash' }] })
})
