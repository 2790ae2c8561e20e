// Questions -> plain numbered text (src/reply/format.ts), and what makes text harmless (src/reply/visible.ts).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAnswer, formatMixed, formatQuestion, howToAnswer } from '../../src/reply/format.ts'
import { langOf } from '../../src/reply/lang.ts'
import { visible, visibleLine } from '../../src/reply/visible.ts'

const database = {
  id: 'db',
  header: 'Storage',
  question: 'Which database?',
  detail: 'It is for one year.\nThen we look again.',
  options: [{ label: 'Postgres', description: 'A server.\nBacked up.' }, { label: 'SQLite' }],
}

describe('formatMixed', () => {
  it('names a part of each kind, on one short line, in both languages', () => {
    const mixed = { mixed: { label: `4\n${'x'.repeat(60)}`, position: '３' } }
    const label = `4⏎${'x'.repeat(37)}…`
    expect(formatMixed(mixed, 'en')).toBe(`Nothing was chosen: "${label}" is a label, "３" only a position in the list. Write the labels, with commas between them.`)
    expect(formatMixed(mixed, 'zh')).toBe(`没有选择任何选项：“${label}”是选项的名称，“３”只能是序号。请写选项的名称，用逗号分隔。`)
  })
})

describe('formatQuestion', () => {
  it('gives header, question, detail, numbered options with descriptions, and how to answer', () => {
    expect(formatQuestion(database, 'en')).toBe([
      '[Storage] Which database?',
      '  It is for one year.',
      '  Then we look again.',
      '  1. Postgres',
      '     A server.',
      '     Backed up.',
      '  2. SQLite',
      'Reply with a number, or with your own words.',
    ].join('\n'))
  })

  it('speaks Chinese around the words of the asker', () => {
    expect(formatQuestion({ id: 'q', question: '部署？', options: [{ label: '是' }], multiSelect: true }, 'zh')).toBe([
      '部署？',
      '  1. 是',
      '回复一个或多个编号（1、3），或用自己的话回答。',
    ].join('\n'))
  })

  it('leaves out what is blank', () => {
    const question = { id: 'q', question: 'Colour?', header: ' ', detail: '\n', options: [] }
    expect(formatQuestion(question, 'en')).toBe('Colour?\nReply with your own words.')
  })

  it('aligns the numbers of many options', () => {
    const options = Array.from({ length: 10 }, (_, at) => ({ label: `L${at}` }))
    const lines = formatQuestion({ id: 'q', question: 'Which?', options }, 'en').split('\n')
    expect(lines[1]).toBe('   1. L0')
    expect(lines[10]).toBe('  10. L9')
  })

  it('shows a label of two lines on one, so that it cannot pretend to be another option', () => {
    const question = { id: 'q', question: 'Sure?', options: [{ label: 'Yes\n  2. No' }, { label: 'No' }] }
    expect(formatQuestion(question, 'en').split('\n').slice(1, 3)).toEqual(['  1. Yes⏎  2. No', '  2. No'])
  })
})

describe('one question of a batch', () => {
  it('has its place in front', () => {
    expect(formatQuestion(database, 'en', { index: 1, total: 2 })).toContain('(1 of 2) [Storage] Which database?')
    expect(formatQuestion({ id: 'd', question: '大小？' }, 'zh', { index: 2, total: 2 })).toContain('(第 2 题，共 2 题) 大小？')
  })
})

describe('howToAnswer', () => {
  it('says what fits the question', () => {
    expect(howToAnswer({ id: 'q', question: '?' }, 'zh')).toBe('请用自己的话回答。')
    expect(howToAnswer(database, 'zh')).toBe('回复编号，或用自己的话回答。')
    expect(howToAnswer({ ...database, multiSelect: true }, 'en')).toBe('Reply with one or more numbers (1,3), or with your own words.')
  })
})

describe('formatAnswer', () => {
  it('is one line of what was chosen and said', () => {
    const answer = { answers: [{ id: 'a', selected: ['A', 'B'], custom: 'and\nmore' }, { id: 'b', selected: [] }, { id: 'c', selected: [], custom: 'blue' }] }
    expect(formatAnswer(answer, 'en')).toBe('A, B, and⏎more / nothing / blue')
    expect(formatAnswer(answer, 'zh')).toBe('A、B、and⏎more / 未作选择 / blue')
  })
})

describe('visible text', () => {
  it.each([
    { name: 'an escape sequence', text: '\x1b[2Jgone', shown: '␛[2Jgone' },
    { name: 'a bell and a backspace', text: 'a\x07\x08', shown: 'a␇␈' },
    { name: 'a NUL and a DEL', text: '\0\x7f', shown: '␀␡' },
    { name: 'a C1 control', text: '\x9b31m', shown: '<U+009B>31m' },
    { name: 'a carriage return that would overwrite the line', text: 'rm -rf\rls', shown: 'rm -rf␍ls' },
    { name: 'a bidirectional override', text: 'a\u202eb\u2066c', shown: 'a<U+202E>b<U+2066>c' },
    { name: 'a line separator', text: 'a\u2028b', shown: 'a<U+2028>b' },
    { name: 'line ends and tabs', text: 'a\r\nb\n\tc', shown: 'a\nb\n\tc' },
    { name: 'words of any language, emoji and markup', text: 'Nein, später 🙂 部署？ 👩‍💻 <img src=x>', shown: 'Nein, später 🙂 部署？ 👩‍💻 <img src=x>' },
  ])('$name', ({ text, shown }) => {
    expect(visible(text)).toBe(shown)
  })

  it('has one line where there is room for one', () => {
    expect(visibleLine('a\r\nb\n\tc\x1b')).toBe('a⏎b⏎ c␛')
  })

  it('never holds a control character, whatever a question says', () => {
    const text = fc.string({ unit: fc.oneof(fc.constantFrom('\x1b', '\r', '\x9b', '\u202e', '\n', '\x07'), fc.string({ minLength: 1, maxLength: 1, unit: 'binary' })) })
    const anyQuestion = fc.record({
      id: text, question: text, header: text, detail: text,
      options: fc.array(fc.record({ label: text, description: text })), multiSelect: fc.boolean(),
    })
    fc.assert(fc.property(anyQuestion, fc.constantFrom('en' as const, 'zh' as const), (question, lang) => {
      expect(formatQuestion(question, lang, { index: 1, total: 2 }).replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    }))
  })
})

describe('the language', () => {
  it('is what the configuration says, else what the environment says', () => {
    expect(langOf('zh', { LANG: 'en_GB.UTF-8' })).toBe('zh')
    expect(langOf('auto', { LANG: 'zh_CN.UTF-8' })).toBe('zh')
    expect(langOf('auto', { LC_ALL: 'zh-TW', LANG: 'de_DE' })).toBe('zh')
    expect(langOf('auto', { LC_ALL: '', LC_MESSAGES: 'en_US', LANG: 'zh_CN' })).toBe('en')
    expect(langOf('auto', { LANG: 'zhx' })).toBe('en')
    expect(['en', 'zh']).toContain(langOf('auto', {}))
    expect(['en', 'zh']).toContain(langOf('auto'))
  })
})
