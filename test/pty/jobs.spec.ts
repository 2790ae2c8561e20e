// Job control, with a real shell: in the background nothing is read, drawn or changed, so that nothing stops the program; the
// question comes back with the foreground.
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionItem } from '../../src/index.ts'
import { openDesk } from './desk.ts'
import { missing, TEST_MS } from './person.ts'

const database: AskUserQuestionItem = { id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }
const postgres = { answers: [{ id: 'db', selected: ['Postgres'] }] }
const sqlite = { answers: [{ id: 'db', selected: ['SQLite'] }] }

/** A shell with the program as its job. */
async function start(command: '$ASKER' | '$ASKER &', mode: 'panel' | 'line' = 'panel') {
  const desk = openDesk([80, 24], { shell: '', config: { mode } }), { person } = desk
  person.press(`${command}\r`)
  await desk.done('start')
  const shell = async (line: string, seen: string | RegExp) => {
    person.press(`${line}\r`)
    await person.sees(seen)
  }
  return {
    desk, person, shell,
    /** The answer comes although the program is in the background, which the shell says too. */
    async answeredInBackground(id: string) {
      await desk.order('answer', id, postgres)
      expect(await desk.outcome(id)).toEqual(postgres)
      await shell('clear; jobs', 'Running')
      expect(person.screen).not.toContain('Which database?')
    },
  }
}

vi.setConfig({ testTimeout: TEST_MS })

describe.skipIf(missing !== undefined).concurrent('a job', () => {
  it.each(['panel', 'line'] as const)('started in the background asks nobody here, and takes the answer of somebody else; with the foreground, which comes without a signal, it asks: %s', async (mode) => {
    const { desk, person, shell, answeredInBackground } = await start('$ASKER &', mode)
    await desk.ask('first', database)
    await desk.order('watched')
    await desk.done('watched: false')
    await answeredInBackground('first')
    await desk.ask('second', database)
    await shell('clear; fg', 'Which database?')
    await person.sees(mode === 'panel' ? '> ( ) 1. Postgres' : /words\.\n>$/)
    await desk.order('watched')
    await desk.done('watched: true')
    await (mode === 'panel' ? person.ready() : person.readyToSend())
    person.press('2\r')
    expect(await desk.outcome('second')).toEqual(sqlite)
    await person.sees('Sent: Which database? SQLite')
  })

  it.each([
    ['Ctrl-Z', '\u001A'],
    ['an external SIGTSTP', 'SIGTSTP'],
    ['SIGSTOP, which nobody hears', 'SIGSTOP'],
  ] as const)('sent to the background by %s takes the answer of somebody else, and says so when it is back', async (_, way) => {
    const { desk, person, shell } = await start('$ASKER')
    const before = person.settings
    await desk.ask('first', database)
    await person.sees('> ( ) 1. Postgres')
    await person.ready()
    if (way === '\u001A') person.press(way)
    else desk.kill(way)
    await person.sees('Stopped')
    // The modes are put right before the stop, if there is a chance.
    const [until] = person.written.split('Stopped')
    expect(until!.lastIndexOf('\u001B[?25h') > until!.lastIndexOf('\u001B[?25l')).toBe(way !== 'SIGSTOP')
    await shell('clear; bg', '&')
    await desk.order('answer', 'first', postgres)
    expect(await desk.outcome('first')).toEqual(postgres)
    await shell('clear; jobs', 'Running')
    expect(person.screen).not.toContain('Answered')
    await shell('fg', 'Answered on phone: Which database? Postgres')
    await person.sees(() => person.restored && person.settings === before)
  })

  it.each(['panel', 'line'] as const)('that is back shows the question again, with what was typed: %s', async (mode) => {
    const { desk, person, shell } = await start('$ASKER', mode)
    await desk.ask('first', { id: 'db', question: 'Which database?' })
    await person.sees(/(Answer:|>) *$/m)
    await (mode === 'panel' ? person.ready() : person.readyToSend())
    person.press('abc')
    await person.sees(/(Answer: |> )abc/)
    desk.kill('SIGTSTP')
    await person.sees('Stopped')
    await shell('clear; bg', '&')
    await shell('clear; fg', /(Answer: |> )abc/)
    await person.sees('Which database?')
    await person.readyToSend()
    person.press('d\r')
    expect(await desk.outcome('first')).toEqual({ answers: [{ id: 'db', selected: [], custom: 'abcd' }] })
  })

  it('that has shown a question once ends in the background like any other', async () => {
    const { desk, person, shell } = await start('$ASKER')
    await desk.ask('first', database)
    await person.sees('> ( ) 1. Postgres')
    await person.ready()
    person.press('\u001A')
    await person.sees('Stopped')
    await shell('clear; bg', '&')
    await desk.lastOrder('exit')
    // By its process: of a job that has ended before, `wait` alone tells nothing.
    await shell('wait $!; echo "gave $?"', 'gave 7')
    expect(person.screen).not.toContain('Stopped')
  })
})
