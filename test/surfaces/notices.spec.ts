// The lines that stay in a terminal when a question has ended.
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { newForm, reduceForm } from '../../src/reply/form.ts'
import { cancelNotice, draftNotice, goneNotice, sentNotice, settledNotice } from '../../src/surfaces/terminal/notices.ts'

const database: AskUserQuestionItem = { id: 'db', header: 'Database', question: 'Which database for the service?', options: [{ label: 'SQLite' }] }
const name: AskUserQuestionItem = { id: 'name', question: 'Name the service' }
const both = [database, name], answer = { answers: [{ id: 'db', selected: ['SQLite'] }, { id: 'name', selected: [], custom: 'blue' }] }

describe('a notice', () => {
  it('names the question in its own words, not only its header', () => {
    expect(sentNotice({ questions: [database] }, { answers: [answer.answers[0]!] }, 'en')).toBe('Sent: Which database for the service? SQLite')
    expect(settledNotice({ questions: both }, 'phone', answer, false, 'en')).toBe('Answered on phone: Which database for the service? SQLite / Name the service: blue')
    expect(settledNotice({ questions: [database] }, 'phone', undefined, false, 'en')).toBe('Cancelled on phone: Which database for the service?')
    expect(cancelNotice({ questions: both }, 'en')).toBe('Cancelled: Which database for the service? / Name the service')
    expect(goneNotice({ questions: [name] }, 'en')).toBe('No longer waiting for an answer here: Name the service')
  })

  it('does so in Chinese', () => {
    const [one, two] = [{ ...database, question: '服务用哪个数据库？' }, { ...name, question: '服务的名字' }]
    expect(sentNotice({ questions: [one, two] }, answer, 'zh')).toBe('已发送：服务用哪个数据库？SQLite / 服务的名字：blue')
    expect(settledNotice({ questions: [one] }, 'phone', undefined, false, 'zh')).toBe('已在 phone 上取消：服务用哪个数据库？')
    expect(settledNotice({ questions: [one] }, 'host', undefined, false, 'zh')).toBe('已在 dsh 中取消：服务用哪个数据库？')
  })

  it('calls the host by its name', () => {
    expect(settledNotice({ questions: [name] }, 'host', { answers: [{ id: 'name', selected: [] }] }, false, 'en')).toBe('Answered in dsh: Name the service: nothing')
  })

  it.each([
    ['host', 'en', 'Answered in dsh: Name the service: blue'],
    ['host: web', 'en', 'Answered in dsh (web): Name the service: blue'],
    ['host: web', 'zh', '已在 dsh（web）中回答：Name the service：blue'],
    ['hostess', 'en', 'Answered on hostess: Name the service: blue'],
  ] as const)('tells each UI of the host from a surface: %s in %s', (by, lang, notice) => {
    expect(settledNotice({ questions: [name] }, by, { answers: [{ id: 'name', selected: [], custom: 'blue' }] }, false, lang)).toBe(notice)
  })

  it('says where it was answered in the asker\'s own dialog, harmlessly', () => {
    const asked = (agent: string) => ({ questions: [name], origin: { agent, machine: 'laptop', project: 'shop' } })
    const blue = { answers: [{ id: 'name', selected: [], custom: 'blue' }] }
    expect(settledNotice(asked('Claude Code'), 'Claude Code', blue, false, 'en')).toBe('Answered in Claude Code: Name the service: blue')
    expect(settledNotice(asked('Claude Code'), 'Claude Code', undefined, false, 'zh')).toBe('已在 Claude Code 中取消：Name the service')
    expect(settledNotice(asked('a\u001B[2J\u202E\nb'), 'a\u001B[2J\u202E\nb', blue, false, 'en')).toBe('Answered in a␛[2J<U+202E>⏎b: Name the service: blue')
    expect(settledNotice(asked('Claude Code'), 'phone', blue, false, 'en')).toBe('Answered on phone: Name the service: blue')
  })

  it('does not call it cancelled where the host had an answer already from before, as it says once the agent has gone on', () => {
    expect(settledNotice({ questions: [name] }, 'host', undefined, true, 'en')).toBe('Somebody else\'s answer was first: Name the service')
    expect(settledNotice({ questions: [name] }, 'host', undefined, true, 'zh')).toBe('别人的回答先到了：Name the service')
    expect(settledNotice({ questions: [name] }, 'phone', undefined, true, 'en')).toBe('Cancelled on phone: Name the service')
    expect(settledNotice({ questions: [name] }, 'host', undefined, false, 'en')).toBe('Cancelled in dsh: Name the service')
  })

  it('says what was skipped, however little the answer says', () => {
    expect(settledNotice({ questions: both }, 'phone', { answers: [] }, false, 'en')).toBe('Answered on phone: Which database for the service? nothing / Name the service: nothing')
  })

  it('is one line that executes nothing, and nothing of it is cut', () => {
    const long = { ...name, question: `${'word '.repeat(400)}\n\u001B[2J?` }
    expect(sentNotice({ questions: [long] }, { answers: [{ id: 'name', selected: [], custom: 'a\nb' }] }, 'en')).toBe(`Sent: ${'word '.repeat(400)}⏎␛[2J? a⏎b`)
  })
})

describe('a notice of an approval', () => {
  const options = [{ id: 'allow', label: 'Allow once' }, { id: 'reject', label: 'Reject' }, { id: 'always', label: 'Always' }]
  const bash = { kind: 'approval' as const, approval: { toolName: 'bash' }, questions: [{ id: 'approval', question: 'Allow bash?\nwhy', options }] }
  const chose = (selected: string, custom?: string) => ({ answers: [{ id: 'approval', selected: [selected], ...custom !== undefined && { custom } }] })

  it('says what was decided', () => {
    expect(sentNotice(bash, chose('allow'), 'en')).toBe('Sent: Allow bash? Allowed once')
    expect(settledNotice(bash, 'phone', chose('reject'), false, 'en')).toBe('Answered on phone: Allow bash? Rejected')
    expect(settledNotice(bash, 'host: web', chose('allow'), false, 'en')).toBe('Answered in dsh (web): Allow bash? Allowed once')
    expect(sentNotice(bash, chose('always'), 'en')).toBe('Sent: Allow bash? Allowed: Always')
  })

  it('has the words of a rejection', () => {
    expect(sentNotice(bash, chose('reject', 'use npm\u001B[2J\ninstead'), 'en')).toBe('Sent: Allow bash? Rejected: use npm␛[2J⏎instead')
    expect(settledNotice(bash, 'page', chose('reject', '请用 npm'), false, 'zh')).toBe('已在 page 上回答：允许使用 bash 吗？已拒绝：请用 npm')
  })

  it('of a wider outcome says which, in the language of the terminal, and where: in the asker\'s own dialog too', () => {
    const origin = { agent: 'Claude Code', machine: 'laptop', project: 'shop' }
    const wide = { ...bash, origin, questions: [{ ...bash.questions[0]!, options: [...options, { id: 'session', label: 'For this session\u001B[2J', displayLabel: { zh: '在本次会话中' } }] }] }
    expect(settledNotice(wide, 'Claude Code', chose('session'), false, 'en')).toBe('Answered in Claude Code: Allow bash? Allowed: For this session␛[2J')
    expect(settledNotice(wide, 'Claude Code', chose('session'), false, 'zh')).toBe('已在 Claude Code 中回答：允许使用 bash 吗？已允许：在本次会话中')
    expect(settledNotice({ ...bash, origin: { ...origin, agent: 'Codex' } }, 'Claude Code', chose('allow'), false, 'en')).toBe('Answered on Claude Code: Allow bash? Allowed once')
  })

  it('of a plan says that it was approved', () => {
    const plan = { ...bash, questions: [{ ...bash.questions[0]!, intent: { kind: 'plan-review' as const, approve: 'Allow once' } }] }
    expect(sentNotice(plan, chose('allow'), 'en')).toBe('Sent: Approve this plan? Approved')
    expect(sentNotice(plan, chose('reject', 'smaller steps'), 'zh')).toBe('已发送：批准这个计划吗？已拒绝：smaller steps')
  })

  it('names it in one line where nothing was decided', () => {
    expect(cancelNotice(bash, 'zh')).toBe('已取消：允许使用 bash 吗？')
    expect(settledNotice(bash, 'phone', undefined, false, 'en')).toBe('Cancelled on phone: Allow bash?')
  })
})

describe('a draft', () => {
  const typed = (questions: readonly AskUserQuestionItem[], words: string) => reduceForm(newForm(questions), { type: 'type', words })

  it('is told in full, as several lines where it has several', () => {
    expect(draftNotice(typed([name], 'a\n\u001Bb'), 'en')).toBe('You had typed: a\n␛b')
    expect(draftNotice(typed([name], '蓝色'), 'zh')).toBe('你已输入但没有发送：蓝色')
  })

  it('of one question among several says which', () => {
    expect(draftNotice(typed(both, 'mine'), 'en')).toBe('You had typed for "Which database for the service?": mine')
    expect(draftNotice(typed(both, '我的'), 'zh')).toBe('你为“Which database for the service?”输入但没有发送：我的')
  })

  it('is none where nothing was typed', () => {
    expect(draftNotice(typed(both, '  '), 'en')).toBeUndefined()
  })
})
