// What happens elsewhere while a panel is up: answers, aborts, other questions, other output, another size.
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionItem } from '../../src/index.ts'
import { wrap } from '../../src/surfaces/terminal/measure.ts'
import { openDesk, SIZES } from './desk.ts'
import { missing, TEST_MS } from './person.ts'

const database: AskUserQuestionItem = { id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }
const colour: AskUserQuestionItem = { id: 'colour', question: 'What colour?' }
const red = { answers: [{ id: 'colour', selected: [], custom: 'red' }] }

vi.setConfig({ testTimeout: TEST_MS })

/** A desk with two questions, whose person is in the middle of answering the first; `before` was written before it. */
async function openTyping(size: Parameters<typeof openDesk>[0], before: string) {
  const desk = openDesk(size), { person } = desk
  await desk.order('say', before)
  await desk.ask('first', colour)
  await desk.ask('second', database)
  await person.sees('1 more question waits')
  await person.ready()
  person.press('green and')
  await person.sees('Answer: green and')
  return desk
}

describe.skipIf(missing !== undefined).concurrent('meanwhile', () => {
  it.each(SIZES)('somebody answers elsewhere in the middle of typing, at %ix%i', async (...size) => {
    const desk = await openTyping(size, 'before\n'), { person } = desk
    // Whoever types on is not heard by the next question.
    const typing = setInterval(() => person.press('x'), 20)
    await desk.order('answer', 'first', red)
    await person.sees('Answered on phone: What colour? red')
    await person.sees('> ( ) 1. Postgres')
    clearInterval(typing)
    expect(person.screen.split(' asks:')[1]).not.toContain('green')
    await person.ready(1100)
    person.press('2\r')
    expect(await desk.outcome('first')).toEqual(red)
    expect(await desk.outcome('second')).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
    await person.sees('Sent: Which database? SQLite')
    expect(person.flat).toMatch(/^beforeAnswered on phone: What colour\? redYou had typed: green andx*Sent: Which database\? SQLite$/)
    expect(person.restored).toBe(true)
  })

  it('a turn is aborted: the panel goes, one line says so', async () => {
    const desk = openDesk([80, 24]), { person } = desk
    await desk.ask('first', database)
    await person.sees('> ( ) 1. Postgres')
    await desk.order('abort', 'first')
    expect(await desk.outcome('first')).toBe('ASK_ABORTED')
    await person.sees(screen => screen === 'Cancelled: Which database?')
    expect(person.restored).toBe(true)
  })

  it('a question that waits goes away without a word, and the count with it', async () => {
    const desk = openDesk([80, 24]), { person } = desk
    await desk.ask('first', database)
    await desk.ask('second', colour)
    await desk.ask('third', colour)
    await person.sees('2 more questions wait')
    await desk.order('answer', 'second', red)
    await person.sees('1 more question waits')
    await desk.order('abort', 'third')
    await person.sees(screen => !screen.includes('more question'))
    expect(person.scrolled).not.toContain('Answered')
  })

  it.each(SIZES)('output of this process stands above the panel, in full and in order, at %ix%i', async (...size) => {
    const desk = openDesk(size), { person } = desk
    await desk.order('say', 'unfinished')
    await desk.ask('first', database)
    await person.sees('> ( ) 1. Postgres')
    await desk.order('say', '\nline 1\nline')
    await desk.order('complain', ' 2, in ')
    await desk.order('say', 'three pieces\n')
    await desk.order('say', Array.from({ length: 70 }, (_, at) => `row ${at}`).join('\n'))
    await desk.order('say', ' and its end\nprogress 10%')
    await desk.order('say', '\rprogress 99%')
    await person.sees(/progress 99%\n.* asks:/)
    await person.sees('> ( ) 1. Postgres')
    await person.ready()
    person.press('j\r')
    await person.sees('Sent: Which database? SQLite')
    await desk.order('say', 'after\n')
    await person.sees(/after$/)
    const rows = Array.from({ length: 69 }, (_, at) => `row ${at}`)
    expect(person.scrolled.split('\n').map(line => line.trimEnd()).filter(line => line !== '')).toEqual([
      'unfinished', 'line 1', 'line 2, in three pieces', ...rows, 'row 69 and its end', 'progress 99%Sent: Which database? SQLite', 'after',
    ])
  })

  it('a long unfinished line, wrapped by the terminal, is gone on with', async () => {
    const desk = openDesk([40, 12]), { person } = desk
    await desk.ask('first', database)
    await person.sees('> ( ) 1. Postgres')
    for (let at = 0; at < 12; at++) await desk.order('say', `token${at} `)
    await person.sees(/ken11\s*\n.* asks:/)
    await desk.order('abort', 'first')
    await person.sees('Cancelled: Which database?')
    const tokens = Array.from({ length: 12 }, (_, at) => `token${at} `).join('')
    expect(person.flat).toBe(`${tokens}Cancelled: Which database?`)
  })

  it('the terminal is resized, with the focus on an option and in the middle of typing', async () => {
    // The terminal of these tests is xterm.js, as VS Code's is.
    const desk = openDesk([80, 24], { env: { TERM_PROGRAM: 'vscode' } }), { person } = desk
    const detail = 'A detail that is long enough to be broken in another way on every terminal that this test makes of it.'
    await desk.order('say', 'before\n')
    await desk.ask('first', { ...database, detail })
    await person.sees('> ( ) 1. Postgres')
    await person.ready()
    const whole = (columns: number) => (screen: string) => /^before\n.* asks:/.test(screen) && screen.match(/ asks:/g)?.length === 1
      && screen.includes(`  ${wrap(detail, columns - 3).join('\n  ')}\n`) && screen.includes('Other:')
      && screen.split('\n').every(line => line.length < columns)
    const sizes: [number, number][] = [[40, 24], [120, 40], [30, 20], [80, 24]]
    for (const size of sizes) {
      person.resize(...size)
      await person.sees(whole(size[0]))
    }
    person.press('owords')
    await person.sees('Other: words')
    for (const size of sizes) {
      person.resize(...size)
      await person.sees(whole(size[0]))
      await person.sees(() => person.cursor[0] === '> (*) Other: words'.length)
    }
    person.press('!\r')
    expect(await desk.outcome('first')).toEqual({ answers: [{ id: 'db', selected: [], custom: 'words!' }] })
    await person.sees(screen => screen === 'before\nSent: Which database? words!')
  })

  it('a reminder rings the bell; the panel, the cursor and what is being typed stay', async () => {
    const desk = await openTyping([80, 24], 'unfinished'), { person } = desk
    const { scrolled, cursor, written } = person
    await desk.order('remind', 'first')
    await desk.order('remind', 'second')
    await person.sees(() => person.written.length > written.length + 1)
    expect(person.written.slice(written.length)).toBe('\u0007\u0007')
    expect([person.scrolled, person.cursor]).toEqual([scrolled, cursor])
    person.press(' blue\r')
    expect(await desk.outcome('first')).toEqual({ answers: [{ id: 'colour', selected: [], custom: 'green and blue' }] })
    await person.sees('> ( ) 1. Postgres')
    await desk.order('answer', 'second', { answers: [{ id: 'db', selected: ['SQLite'] }] })
    await person.sees('Answered on phone: Which database? SQLite')
    const { length } = person.written
    await desk.order('remind', 'second')
    await desk.order('say', 'after')
    await person.sees('after')
    expect(person.written.slice(length)).not.toContain('\u0007')
  })

  it('a reminder in the line mode rings, and says what is open unless a line is being typed', async () => {
    const desk = openDesk([40, 12], { config: { mode: 'line' } }), { person } = desk
    await desk.ask('first', { ...colour, question: 'What colour is to be used for the front door?\nAny will do.' })
    await person.sees(/words\.\n>$/)
    await desk.order('remind', 'first')
    await person.sees(/words\.\nStill open: What colour is to be used f…\n>$/)
    person.press('green')
    await person.sees('> green')
    const { length } = person.written
    await desk.order('remind', 'first')
    await person.sees(() => person.written.length > length)
    expect(person.written.slice(length)).toBe('\u0007')
    person.press(' one')
    await person.sees(/\n> green one$/)
  })

  it('a reminder of a question that waits in the line mode only rings: no words of it stand above the prompt of another', async () => {
    const desk = openDesk([60, 16], { config: { mode: 'line' } }), { person } = desk
    await desk.ask('first', { ...database, question: 'Which tests?' })
    await desk.ask('second', { ...database, question: 'Drop the production database?' })
    await person.sees(/1 more question waits/)
    const { screen } = person, { length } = person.written
    await desk.order('remind', 'second')
    await person.sees(() => person.written.length > length)
    expect(person.written.slice(length)).toBe('\u0007')
    expect(person.screen).toBe(screen)
  })

  it('the plugin is unloaded: the panel goes, the question stays open elsewhere', async () => {
    const desk = openDesk([80, 24]), { person } = desk
    await desk.ask('first', database)
    await person.sees('> ( ) 1. Postgres')
    await desk.order('unload')
    await person.sees(screen => screen === 'No longer waiting for an answer here: Which database?')
    expect(person.restored).toBe(true)
    await desk.order('answer', 'first', { answers: [{ id: 'db', selected: ['SQLite'] }] })
    expect(await desk.outcome('first')).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
  })

  it('another part of the program reads keys: the surface takes itself out with a sentence', async () => {
    const desk = openDesk([80, 24]), { person } = desk
    await desk.ask('first', database)
    await person.sees('> ( ) 1. Postgres')
    await desk.order('read-keys')
    person.press('2\r')
    await person.sees('questions are answered elsewhere')
    expect(person.restored).toBe(true)
    await desk.order('answer', 'first', { answers: [{ id: 'db', selected: ['SQLite'] }] })
    expect(await desk.outcome('first')).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
  })

  it('speaks Chinese', async () => {
    const desk = openDesk([40, 12], { config: { lang: 'zh' } }), { person } = desk
    await desk.ask('first', database)
    await person.sees('其他：')
    await person.ready()
    person.press('\r')
    expect(await desk.outcome('first')).toEqual({ answers: [{ id: 'db', selected: ['Postgres'] }] })
    await person.sees('已发送：Which database? Postgres')
  })
})
