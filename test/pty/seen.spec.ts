// The keyboard is a terminal, and the standard output is none: the question is where the person is, or nowhere.
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionItem } from '../../src/index.ts'
import { openDesk } from './desk.ts'
import { missing, TEST_MS } from './person.ts'

const database: AskUserQuestionItem = { id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }
const sqlite = { answers: [{ id: 'db', selected: ['SQLite'] }] }

const start = (shell: string, mode = 'auto') => {
  const desk = openDesk([80, 24], { shell: `${shell}; echo "status $?"; cat "$ORDERS.out" "$ORDERS.err"`, config: { mode }, env: { TERM_PROGRAM: 'vscode' } })
  return desk
}

vi.setConfig({ testTimeout: TEST_MS })

describe.skipIf(missing !== undefined).concurrent('with the standard output in a file', () => {
  it.each([
    ['standard error', '$ASKER > "$ORDERS.out"; : > "$ORDERS.err"'],
    ['the terminal itself', '$ASKER > "$ORDERS.out" 2> "$ORDERS.err"'],
  ])('the question is asked by %s, line by line', async (_, shell) => {
    const desk = start(shell), { person } = desk
    await desk.ask('first', database)
    await person.sees(/Which database\?[^]*words\.\n>$/)
    await person.readyToSend()
    person.press('2\r')
    expect(await desk.outcome('first')).toEqual(sqlite)
    await person.sees('Sent: Which database? SQLite')
    await desk.lastOrder('exit')
    await person.sees('status')
    // The files have nothing of it.
    expect(person.screen.split('status')[1]).not.toMatch(/database|SQLite/)
    expect(person.restored).toBe(true)
  })

  it('a panel that is wanted is on the terminal itself, and follows its size', async () => {
    const desk = start('$ASKER > "$ORDERS.out" 2> "$ORDERS.err"', 'panel'), { person } = desk
    await desk.ask('first', { ...database, detail: 'word '.repeat(30).trim() })
    await person.sees('> ( ) 1. Postgres')
    await person.ready()
    person.resize(40, 30)
    await person.sees(screen => screen.includes('  word word word word word word word\n') && screen.split('\n').every(line => line.length < 40))
    person.press('2\r')
    expect(await desk.outcome('first')).toEqual(sqlite)
    await person.sees('Sent: Which database? SQLite')
  })

  it.skipIf(process.platform !== 'linux')('nobody is asked by a process that has no terminal of its own, which says so', async () => {
    const desk = start('setsid --wait $ASKER > "$ORDERS.out" 2> "$ORDERS.err"'), { person } = desk
    await desk.ask('first', database)
    await desk.order('watched')
    await desk.done('watched: undefined')
    person.press('2\r')
    await desk.order('answer', 'first', sqlite)
    await desk.lastOrder('exit')
    await person.sees('Questions cannot be shown here: the output is not a terminal.')
    expect(person.screen).not.toContain('Which database?')
  })
})
