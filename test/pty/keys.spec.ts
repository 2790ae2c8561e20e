// Every key and every kind of question, on a real pseudo-terminal.
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionItem } from '../../src/index.ts'
import { type Desk, openDesk, SIZES } from './desk.ts'
import { missing, TEST_MS } from './person.ts'

const database: AskUserQuestionItem = { id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }, { label: 'None' }] }
const checks: AskUserQuestionItem = { id: 'checks', header: 'Checks', question: 'Which checks?', multiSelect: true, options: [{ label: 'Tests' }, { label: 'Types' }, { label: 'Lint' }] }
const colour: AskUserQuestionItem = { id: 'colour', header: 'Colour', question: 'What colour?' }

const UP = '\u001B[A', DOWN = '\u001B[B', RIGHT = '\u001B[C', LEFT = '\u001B[D', BACKTAB = '\u001B[Z', ESC = '\u001B'
const PAGE_DOWN = '\u001B[6~', PAGE_UP = '\u001B[5~'

vi.setConfig({ testTimeout: TEST_MS })

interface Tools {
  readonly desk: Desk
  readonly person: Desk['person']
  readonly columns: number
  /** Ask, and wait until the person can answer. */
  ask(...questions: AskUserQuestionItem[]): Promise<string>
  /** Wait until the panel, below what is said of those before it, is so. */
  sees(seen: string | RegExp): Promise<void>
  type(...steps: (readonly [keys: string, seen: string | RegExp])[]): Promise<void>
  /** Wait for the review, and read it down to its end. */
  readReview(): Promise<void>
  /** Press the keys that end a question, and wait for its outcome. */
  sends(keys: string, id: string): ReturnType<Desk['outcome']>
}

let count = 0

function toolsOf(desk: Desk, columns: number): Tools {
  const { person } = desk
  const sees = (seen: string | RegExp) => person.sees((screen) => {
    const panel = screen.slice(screen.lastIndexOf(' asks:'))
    return screen.includes(' asks:') && (typeof seen === 'string' ? panel.includes(seen) : seen.test(panel))
  })
  return {
    desk, person, columns, sees,
    async ask(...questions) {
      const id = `ask-${count++}`
      await desk.ask(id, ...questions)
      await person.sees(' asks:')
      await person.ready()
      return id
    },
    async type(...steps) {
      for (const [keys, seen] of steps) {
        person.press(keys)
        await sees(seen)
      }
    },
    async readReview() {
      await sees('>Review')
      for (let at = 0; at < 10; at++) person.press(PAGE_DOWN)
      await sees('> Submit')
    },
    sends(keys, id) {
      person.press(keys)
      return desk.outcome(id)
    },
  }
}

const one = (id: string, selected: string[], custom?: string) => ({ answers: [custom === undefined ? { id, selected } : { id, selected, custom }] })

describe.skipIf(missing !== undefined)(`keys at ${SIZES.map(([columns, rows]) => `${columns}x${rows}`).join(', ')}`, () => {
  let tools: Tools[] = []
  /** The same on every terminal, side by side. */
  const each = (test: (tools: Tools) => Promise<void>) => async () => void await Promise.all(tools.map(test))

  beforeAll(() => {
    tools = SIZES.map(size => toolsOf(openDesk(size), size[0]))
  })

  it('a lone single-select: arrows, j and k, digits, Enter', each(async ({ person, ask, type, sends }) => {
    const id = await ask(database)
    await type(
      [DOWN, '> ( ) 2. SQLite'], ['j', '> ( ) 3. None'], ['k', '> ( ) 2. SQLite'], [UP, '> ( ) 1. Postgres'],
      ['3', '> ( ) 3. None'], ['1', '> ( ) 1. Postgres'], [DOWN, '> ( ) 2. SQLite'], [' ', '> (*) 2. SQLite'], ['9', '> (*) 2. SQLite'],
    )
    expect(await sends('\r', id)).toEqual(one('db', ['SQLite']))
    await person.sees(/Sent: Which database\? SQLite$/)
  }))

  it('a multi-select: Space toggles, Enter goes to the review, which sends', each(async ({ ask, type, sends }) => {
    const id = await ask(checks)
    await type(
      [' ', '> [x] 1. Tests'], [' ', '> [ ] 1. Tests'], ['3 ', '> [x] 3. Lint'], ['1 ', '> [x] 1. Tests'],
      ['\r', '> Submit'], [UP, '> 1. Checks'], ['\r', '> [x] 1. Tests'], ['2 ', '> [x] 2. Types'], ['\r', '> Submit'],
    )
    expect(await sends('\r', id)).toEqual(one('checks', ['Tests', 'Types', 'Lint']))
  }))

  it('a batch: Tab and Shift-Tab, left and right, the bar, the review, a skip', each(async ({ ask, sees, type, readReview, sends }) => {
    const id = await ask(database, checks, colour)
    await type(
      ['\t', '> [ ] 1. Tests'], [BACKTAB, '> ( ) 1. Postgres'], [RIGHT, '> [ ] 1. Tests'], [LEFT, '> ( ) 1. Postgres'],
      ['\r', /2\/3.*\[x\]/], ['\t', '> Answer:'], ['\t', '(no answer)'],
    )
    await readReview()
    await sees('skipped.')
    await type([BACKTAB, '> Answer:'], ['red', '> Answer: red'], ['\r', 'red'])
    await readReview()
    expect(await sends('\r', id)).toEqual({ answers: [{ id: 'db', selected: ['Postgres'] }, { id: 'checks', selected: [] }, { id: 'colour', selected: [], custom: 'red' }] })
  }))

  it('own words: `o`, digits and letters are text, Esc leaves, typing comes back', each(async ({ ask, type, sends }) => {
    const id = await ask(database)
    await type(['o', '> ( ) Other:'], ['15:00?', '> (*) Other: 15:00?'], [ESC, 'Esc cancel'], ['j2', 'Other: 15:00?j2'], ['\u007F', /Other: 15:00\?j$/m])
    expect(await sends('\r', id)).toEqual(one('db', [], '15:00?j'))
  }))

  it('typing on "Other" enters text; a choice beside words is shown before it is sent', each(async ({ ask, type, readReview, sends }) => {
    const id = await ask(database)
    await type([UP + DOWN.repeat(3), '> ( ) Other:'], ['k', '> (*) Other: k'], [UP, '> ( ) 3. None'], ['\r', 'go with the choice'])
    await readReview()
    // As dsh takes a choice and words.
    expect(await sends('\r', id)).toEqual(one('db', [], 'None: k'))
  }))

  it('editing: left, right, Home, End, Backspace, Delete, Ctrl-U, Ctrl-W', each(async ({ ask, type, sends }) => {
    const id = await ask(colour)
    await type(
      ['one two', 'Answer: one two'], [LEFT.repeat(3) + 'x', 'Answer: one xtwo'], ['\u001B[Hy', 'Answer: yone xtwo'], ['\u001B[3~', 'Answer: yne xtwo'],
      ['\u001B[Fz', 'Answer: yne xtwoz'], [LEFT + RIGHT + '\u007F', 'Answer: yne xtwo'], ['\u0017', /Answer: yne\s*$/m], ['\u0015', /Answer:\s*$/m], ['ok', 'Answer: ok'],
    )
    expect(await sends('\r', id)).toEqual(one('colour', [], 'ok'))
  }))

  it('UTF-8 byte by byte, wide characters, an emoji and a combining mark', each(async ({ person, ask, type, sends }) => {
    const id = await ask(colour)
    for (const byte of Buffer.from('部署é')) person.press(Buffer.from([byte]))
    await person.sees('Answer: 部署é')
    // The caret stands behind the cells that the characters take.
    await person.sees(() => person.cursor[0] === '> Answer: '.length + 5)
    await type(['e\u0301', 'Answer: 部署ée\u0301'], ['👍', '👍'], ['\u007F\u007F', /Answer: 部署é$/m])
    expect(await sends('\r', id)).toEqual(one('colour', [], '部署é'))
  }))

  it('a paste of many lines is text and sends nothing', each(async ({ ask, type, sends }) => {
    const id = await ask(database)
    await type(['\u001B[200~one\rtwo\r\nthree\r\u001B[201~', 'three'], ['!', '!'])
    expect(await sends('\u007F\r', id)).toEqual(one('db', [], 'one\ntwo\nthree\n'))
  }))

  it('so is one that the terminal does not bracket', each(async ({ ask, type, sends }) => {
    const id = await ask(colour)
    await type(['one\rtwo', 'two'])
    expect(await sends('\r', id)).toEqual(one('colour', [], 'one\ntwo'))
  }))

  it('a question in own words alone is not sent blank', each(async ({ ask, type, sends }) => {
    const id = await ask(colour)
    await type(['\r', 'Nothing to send yet'], ['a', 'Answer: a'])
    expect(await sends('\r', id)).toEqual(one('colour', [], 'a'))
  }))

  it('Esc asks before it cancels, and only y cancels', each(async ({ desk, person, ask, type }) => {
    const id = await ask(database)
    await type([ESC, 'Cancel for everyone? y/N'], ['n', 'Esc cancel'], [ESC, 'y/N'], ['\r', 'Esc cancel'], [ESC, 'y/N'])
    person.press('y')
    expect(await desk.outcome(id)).toBe('ASK_CANCELLED')
    await person.sees(/Cancelled: Which database\?$/)
  }))

  it('a held Esc cancels nothing', each(async ({ person, ask, sees, sends }) => {
    const id = await ask(database)
    person.press(ESC.repeat(31))
    await sees('y/N')
    person.press(ESC)
    await sees('Esc cancel')
    expect(await sends('2\r', id)).toEqual(one('db', ['SQLite']))
  }))

  it('`?` shows the keys, Ctrl-L draws again', each(async ({ ask, type, sends }) => {
    const id = await ask(database)
    await type(['?', 'Up Down j k'], [PAGE_DOWN.repeat(5), 'Ctrl-Z'], ['x', '> ( ) 1. Postgres'], ['\u000C', '> ( ) 1. Postgres'])
    expect(await sends('\r', id)).toEqual(one('db', ['Postgres']))
  }))

  it('keys pressed before a panel could be read do nothing', each(async ({ desk, person, sees, sends }) => {
    const id = `ask-${count++}`
    person.press('3\r2\r')
    await desk.ask(id, database)
    await sees('> ( ) 1. Postgres')
    await person.ready()
    expect(await sends('3\r', id)).toEqual(one('db', ['None']))
  }))

  it('50 options: a number of two digits, the end of the list', each(async ({ ask, type, sends }) => {
    const id = await ask({ id: 'many', question: 'Which?', options: Array.from({ length: 50 }, (_, at) => ({ label: `option ${at + 1}` })) })
    await type(['4', '> ( )  4. option 4'], ['2', '> ( ) 42. option 42'], ['7', '> ( )  7. option 7'], [`${DOWN.repeat(43)}`, '> ( ) 50. option 50'])
    expect(await sends('\r', id)).toEqual(one('many', ['option 50']))
  }))

  it('20 questions: the bar shows where one is, all can be reached', each(async ({ desk, person, ask, sees, readReview }) => {
    const id = await ask(...Array.from({ length: 20 }, (_, at) => ({ id: `q${at}`, question: `Question ${at + 1}?`, options: [{ label: `yes ${at + 1}` }, { label: 'no' }] })))
    for (let at = 1; at <= 20; at++) {
      await sees(`> ( ) 1. yes ${at}`)
      await sees(`${at}/20`)
      person.press('\r')
    }
    await readReview()
    person.press('\r')
    const { answers } = await desk.outcome(id) as { answers: { selected: string[] }[] }
    expect(answers.map(({ selected }) => selected[0])).toEqual(Array.from({ length: 20 }, (_, at) => `yes ${at + 1}`))
  }))

  it('descriptions of 400 characters and a long detail can be read in full, with arrows alone', each(async ({ person, ask, type, sends }) => {
    const words = (from: string, length: number) => Array.from({ length }, (_, at) => `${from}${at}`)
    const detail = words('d', 80), first = words('f', 80), second = words('s', 80)
    const id = await ask({
      id: 'long', question: 'Which of these?', detail: detail.join(' '),
      options: [{ label: 'First', description: first.join(' ') }, { label: 'Second', description: second.join(' ') }],
    })
    const seen = new Set<string>()
    const read = () => {
      for (const word of person.screen.split(/\s+/)) seen.add(word)
    }
    for (let at = 0; at < 200 && !person.screen.includes('> ( ) Other'); at++) {
      read()
      const before = person.screen
      person.press(DOWN)
      await person.sees(screen => screen !== before)
    }
    read()
    expect([...detail, ...first, ...second].filter(word => !seen.has(word))).toEqual([])
    // Scrolled away from what has the focus, Enter shows that first instead of choosing it unseen.
    await type(['\u001B[H', '> ( ) 1. First'], [PAGE_UP.repeat(40), 'Which of these?'], [PAGE_DOWN.repeat(40), 'Other:'])
    if (!person.screen.includes('1. First')) await type(['\r', '> ( ) 1. First'])
    expect(await sends('\r', id)).toEqual(one('long', ['First']))
  }))

  it('a description of 2,000 characters folds, and Ctrl-O opens it; what stays names a question of 2,000 characters in full', each(async ({ person, ask, sees, type, sends }) => {
    const words = Array.from({ length: 400 }, (_, at) => `w${at}`).join(' ')
    const id = await ask({ id: 'long', question: `${words}?`, options: [{ label: 'First', description: words }] })
    await sees(/more lines: Ctrl-O[^]*> \( \) 1\. First/)
    await type(['\u000F', 'Ctrl-O fold'], [PAGE_DOWN.repeat(60), 'w399'], ['\u000F', 'Ctrl-O open'])
    expect(await sends('\r', id)).toEqual(one('long', ['First']))
    await person.sees(scrolled => scrolled.replaceAll('\n', '').endsWith(`w398 w399? First`), 'scrolled')
    expect(person.flat).toContain(`Sent: ${words}? First`)
  }))

  it('digits on "Other" jump to an option until they are more than its number', each(async ({ ask, type, sends }) => {
    const id = await ask(database)
    await type(['\u001B[F', '> ( ) Other:'], ['2', '> ( ) 2. SQLite'], ['\u001B[F1', '> ( ) 1. Postgres'], [':30', '> (*) Other: 1:30'], ['\u0015', '> ( ) Other:'], ['3', '> ( ) 3. None'])
    expect(await sends('\r', id)).toEqual(one('db', ['None']))
  }))

  it('a preview is beside the options or under them', each(async ({ person, columns, ask, sees, type, sends }) => {
    const id = await ask({
      id: 'layout', question: 'Which layout?',
      options: [{ label: 'Left', preview: 'PREVIEW-L\n  indented' }, { label: 'Right', preview: 'PREVIEW-R' }] as AskUserQuestionItem['options'] & object,
    })
    await sees(columns >= 100 ? /1\. Left .*\| PREVIEW-L/ : /1\. Left\n.*\| PREVIEW-L\n.*\|\s+indented/)
    await type(['j', 'PREVIEW-R'])
    expect(person.screen).not.toContain('PREVIEW-L')
    expect(await sends('\r', id)).toEqual(one('layout', ['Right']))
  }))
})
