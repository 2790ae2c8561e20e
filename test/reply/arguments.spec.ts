// A tool call's arguments as the person who permits it reads them: all of them, and nothing that pretends to be anything else.
import * as fc from 'fast-check'
import { lexer } from 'marked'
import { describe, expect, it } from 'vitest'
import { argumentsText, MAX_DETAIL } from '../../src/reply/arguments.ts'

/** The description of arguments as a model writes them. */
const described = (args: unknown) => argumentsText(JSON.stringify(args))!

/** The same, line by line. */
const lines = (args: unknown) => described(args).split('\n')

describe('a command', () => {
  it('stands alone in a code block, its folder above it, and the other arguments below', () => {
    expect(lines({ command: 'rm -rf build\nls', workdir: '/srv/shop', sandbox_permissions: 'workspace-write' })).toEqual([
      '`/srv/shop`', '', '```', 'rm -rf build', 'ls', '```', '', '```json', '{', '  "sandbox_permissions": "workspace-write"', '}', '```',
    ])
  })

  it.each(['command', 'cmd'])('is found as "%s"', (key) => {
    expect(lines({ [key]: 'ls' })).toEqual(['```', 'ls', '```'])
  })

  it('of several words shows where each begins and ends', () => {
    expect(lines({ command: ['rm', '-rf', 'a b', 'it\'s', ''] })).toEqual(['```', 'rm -rf \'a b\' \'it\'\\\'\'s\' \'\'', '```'])
  })

  it.each([{ command: '' }, { command: ['ls', 1] }, { command: [] }, { command: 5 }, { workdir: '/srv' }])('that is none is JSON: %j', (args) => {
    expect(described(args)).toBe(`\`\`\`json\n${JSON.stringify(args, null, 2)}\n\`\`\``)
  })

  it('keeps a folder that could be mistaken for something else in the JSON', () => {
    for (const workdir of ['/a`b', '/a\u2028b', ' /a', '', `/${'a'.repeat(400)}`]) {
      expect(described({ command: 'ls', workdir })).toBe(`\`\`\`\nls\n\`\`\`\n\n\`\`\`json\n${JSON.stringify({ workdir }, null, 2)}\n\`\`\``)
    }
  })
})

describe('the change of a file', () => {
  it('shows what goes and what comes', () => {
    expect(lines({ file_path: '/a.ts', old_string: 'a\nb', new_string: 'c', replace_all: true })).toEqual([
      '`/a.ts`', '', '```diff', '-a', '-b', '+c', '```', '', '```json', '{', '  "replace_all": true', '}', '```',
    ])
    expect(lines({ file_path: '/a.ts', old_string: 'a', new_string: '' })).toEqual(['`/a.ts`', '', '```diff', '-a', '```'])
  })

  it('shows what is written', () => {
    expect(lines({ file_path: '/a.ts', content: 'a\r\nb' })).toEqual(['`/a.ts`', '', '```diff', '+a', '+b', '```'])
    // The end of the last line is no line, unless it is what changes.
    expect(lines({ file_path: '/a.ts', content: 'a\n' })).toEqual(['`/a.ts`', '', '```diff', '+a', '```'])
    expect(lines({ file_path: '/a.ts', content: 'a\n\n' })).toEqual(['`/a.ts`', '', '```diff', '+a', '+', '```'])
    expect(lines({ file_path: '/a.ts', old_string: 'a\n', new_string: 'b\n' })).toEqual(['`/a.ts`', '', '```diff', '-a', '+b', '```'])
    expect(lines({ file_path: '/a.ts', old_string: 'a', new_string: 'a\n' })).toEqual(['`/a.ts`', '', '```diff', '-a', '+a', '+', '```'])
  })

  it('by dsh\'s other editor shows its own command among the rest', () => {
    expect(lines({ command: 'insert', path: '/a.ts', insert_line: 3, new_str: 'x' })).toEqual([
      '`/a.ts`', '', '```diff', '+x', '```', '', '```json', '{', '  "command": "insert",', '  "insert_line": 3', '}', '```',
    ])
    expect(described({ command: 'create', path: '/a.ts', file_text: 'x' })).toContain('`/a.ts`\n\n```diff\n+x\n```')
  })

  it.each([
    { file_path: '/a.ts', content: '' }, { file_path: '/a`.ts', content: 'x' }, { path: '/a.ts', pattern: 'x' }, { content: 'x' }, { file_path: '/a.ts', content: 5 },
  ])('that is none is JSON: %j', (args) => {
    expect(described(args)).toBe(`\`\`\`json\n${JSON.stringify(args, null, 2)}\n\`\`\``)
  })
})

describe('other arguments', () => {
  it('of several lines stand in a block of their own', () => {
    expect(lines({ code: 'a\nb', limit: 5 })).toEqual(['`code`', '', '```', 'a', 'b', '```', '', '```json', '{', '  "limit": 5', '}', '```'])
  })

  it('of many lines each are all there', () => {
    const text = described(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`key${at}`, `line\n${at}`])))
    for (let at = 0; at < 30; at++) expect(text).toMatch(new RegExp(`key${at}\\b`))
  })

  it.each([['[1,"a"]', '[\n  1,\n  "a"\n]'], ['"x"', '"x"'], ['null', 'null'], ['{}', '{}']])('that are no record are JSON: %s', (given, shown) => {
    expect(argumentsText(given)).toBe(`\`\`\`json\n${shown}\n\`\`\``)
  })

  it.each(['{"command": "ls"', 'ls', '{"a":1} trailing'])('that are no JSON are shown as they are: %s', (given) => {
    expect(argumentsText(given)).toBe(`\`\`\`\n${given}\n\`\`\``)
  })

  it.each(['', undefined])('that are not there are not described', (given) => {
    expect(argumentsText(given)).toBeUndefined()
  })

  it('that came as a record are described like JSON', () => {
    expect(argumentsText({ command: 'ls' })).toBe('```\nls\n```')
  })

  it('are those that the tool gets, where a name comes twice', () => {
    expect(argumentsText('{"command":"ls","command":"rm -rf /"}')).toBe('```\nrm -rf /\n```')
  })
})

describe('what is too long', () => {
  it('is cut in the middle, and how much is said outside of the blocks', () => {
    const text = described({ command: `first\n${'x\n'.repeat(30_000)}rm -rf /` })
    const [, before, cut, after] = /^```\n(first\n[^]*)\n```\n\n✂ (\d+) characters\n\n```\n([^]*\nrm -rf \/)\n```$/.exec(text)!
    expect(before!.length + Number(cut) + after!.length).toBe('first\n'.length + 60_000 + 'rm -rf /'.length)
    expect(text.length).toBeLessThanOrEqual(MAX_DETAIL)
    expect(text.length).toBeGreaterThan(MAX_DETAIL * 0.9)
  })

  it('of one line shows both ends, and its second part looks like no other change', () => {
    const text = described({ file_path: '/a', content: `BEGIN${'-'.repeat(50_000)}END` })
    expect(text).toMatch(/^`\/a`\n\n```diff\n\+BEGIN-+\n```\n\n✂ \d+ characters\n\n```diff\n…-+END\n```$/)
  })

  it('does not take the room of what is short', () => {
    const text = described({ command: 'ls\n'.repeat(20_000), workdir: '/srv', sandbox_permissions: 'danger-full-access' })
    expect(text).toContain('{\n  "sandbox_permissions": "danger-full-access"\n}')
    expect(text).toContain('`/srv`')
  })

  it('is never cut within a character', () => {
    for (const padding of ['', 'x']) expect(described({ command: padding + '🦈'.repeat(20_000) })).not.toMatch(/\p{Cs}/u)
  })

  it('or too deep is shown as the model wrote it', () => {
    const given = `{"a":${'['.repeat(300)}${']'.repeat(300)},"command":"ls"}`
    expect(argumentsText(given)).toBe(`\`\`\`\n${given}\n\`\`\``)
    expect(argumentsText('['.repeat(400_000) + ']'.repeat(400_000))!.length).toBeLessThanOrEqual(MAX_DETAIL)
    expect(argumentsText(`"${'x'.repeat(2_000_000)}"`)).toMatch(/^```\n"x+\n```\n\n✂ \d+ characters\n\n```\n…x+"\n```$/)
  })
})

describe('a value that is no JSON', () => {
  it('is written all the same, and what is missing is seen', () => {
    const cyclic: Record<string, unknown> = { name: 'a' }
    cyclic['self'] = cyclic
    expect(argumentsText(cyclic)).toContain('…')
    expect(argumentsText({ id: 10n, call() {}, symbol: Symbol('x') })).toBe('```json\n{\n  "id": "10n",\n  "call": "(function)",\n  "symbol": "(symbol)"\n}\n```')
    // oxlint-disable-next-line unicorn/no-new-array -- a list of holes
    expect(argumentsText(new Array(4_000_000_000))).toMatch(/… \+3999980000"\n\]\n```$/)
  })
})

/** Text that tries to get out of where it stands. */
const wild = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(fc.constantFrom('`', '```', '~~~', '\n', '\r', '# Allowed', '✂ 5 characters', ' ', '    ', '<b>', '[a](b)', '-', '+', '\\', '*'), { maxLength: 12 }).map(parts => parts.join('')),
  fc.tuple(fc.constantFrom('`', 'x\n', '``` \n', '🦈'), fc.integer({ min: 1, max: 12_000 })).map(([text, times]) => text.repeat(times)),
)

const NAMES = ['command', 'cmd', 'workdir', 'cwd', 'file_path', 'path', 'old_string', 'new_string', 'new_str', 'content', 'file_text', 'code', '__proto__', 'a`b', 'toJSON']

const argument = fc.oneof(wild, fc.array(wild, { maxLength: 3 }), fc.jsonValue())

const records = fc.array(fc.tuple(fc.constantFrom(...NAMES), argument), { maxLength: 6 }).map(entries => Object.fromEntries(entries))

// Each of thousands of descriptions is read by another's parser.
describe('no argument', { timeout: 60_000 }, () => {
  it('gets out of its block, whatever it is', () => {
    fc.assert(fc.property(fc.oneof(records.map(one => JSON.stringify(one)), wild), (given) => {
      const text = argumentsText(given)
      if (text === undefined) return
      expect(text.length).toBeLessThanOrEqual(MAX_DETAIL)
      // Another's reading of Markdown: code, and between it only names and how much was cut.
      const others = lexer(text).filter(({ type, raw }) => !['code', 'space'].includes(type) && !/^(`[^`\n\r]+`|✂ \d+ characters)$/.test(raw.trim()))
      expect(others).toEqual([])
    }), { numRuns: 1000 })
  })

  it('is left out', () => {
    const short = fc.string({ maxLength: 30 })
    fc.assert(fc.property(fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(short, fc.array(short, { minLength: 2, maxLength: 2 }).map(all => all.join('\n')))), (args) => {
      const text = described(args)
      for (const value of Object.values(args)) {
        const isWhole = value.split('\n').every(line => text.includes(line)), isEscaped = text.includes(JSON.stringify(value).slice(1, -1))
        expect(isWhole || isEscaped, `${JSON.stringify(value)} in\n${text}`).toBe(true)
      }
    }), { numRuns: 3000 })
  })

  it('makes it throw that can be read, and none makes it long', () => {
    fc.assert(fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true }), (given) => {
      expect((argumentsText(given) ?? '').length).toBeLessThanOrEqual(MAX_DETAIL)
    }), { numRuns: 3000 })
  })
})
