// Every way out of the process gives the terminal back: `stty` after it says what it said before.
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionItem } from '../../src/index.ts'
import { openDesk } from './desk.ts'
import { missing, TEST_MS } from './person.ts'

const database: AskUserQuestionItem = { id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }
const AROUND = 'stty -g > "$ORDERS.before"; $ASKER; echo "status $?"; stty -g | cmp - "$ORDERS.before" && echo "same terminal"'

const start = async (shell: string) => {
  const desk = openDesk([80, 24], { shell })
  if (shell === '') desk.person.press('$ASKER\r')
  await desk.ask('first', database)
  await desk.person.sees('> ( ) 1. Postgres')
  return desk
}

vi.setConfig({ testTimeout: TEST_MS })

describe.skipIf(missing !== undefined).concurrent('the terminal is given back', () => {
  it.each([
    ['an exit', ['exit'], 7],
    ['a crash', ['throw'], 1],
    ['an unhandled rejection', ['reject'], 1],
  ] as const)('on %s', async (_, order, status) => {
    const desk = await start(AROUND)
    await desk.lastOrder(...order)
    await desk.person.sees('same terminal')
    expect(desk.person.screen).toContain(`status ${status}`)
    expect(desk.person.screen).not.toContain('Postgres')
    expect(desk.person.restored).toBe(true)
  })

  it.each([['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]] as const)('on %s', async (signal, status) => {
    const desk = await start(AROUND)
    desk.kill(signal)
    await desk.person.sees('same terminal')
    expect(desk.person.screen).toContain(`status ${status}`)
    expect(desk.person.restored).toBe(true)
  })

  it('on Ctrl-C, also in the first moments of a panel and in the middle of typing', async () => {
    for (const before of ['', 'oabc']) {
      const desk = await start(AROUND)
      if (before) {
        await desk.person.ready()
        desk.person.press(before)
        await desk.person.sees('Other: abc')
      }
      desk.person.press('\u0003')
      await desk.person.sees('same terminal')
      expect(desk.person.screen).toContain('status 130')
      expect(desk.person.restored).toBe(true)
    }
  })

  it('an interrupt that somebody handles leaves the question open, and the panel comes back', async () => {
    const desk = await start(AROUND)
    await desk.order('listen', 'SIGINT')
    desk.person.press('\u0003')
    await desk.done('SIGINT')
    await desk.person.sees('> ( ) 1. Postgres')
    await desk.person.ready()
    desk.person.press('2\r')
    expect(await desk.outcome('first')).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
    await desk.person.sees('Sent: Which database? SQLite')
  })

  it('on Ctrl-Z, and taken again when the job goes on', async () => {
    const desk = await start('')
    await desk.person.ready()
    desk.person.press('oabc')
    await desk.person.sees('Other: abc')
    desk.person.press('\u001A')
    await desk.person.sees(/Stopped/)
    // oxlint-disable-next-line no-control-regex
    expect(desk.person.written).toMatch(/\u001B\[\?2004l\u001B\[\?25h[^]*Stopped/)
    desk.person.press('stty -a | grep -o -- "-*icanon"\r')
    await desk.person.sees(/^icanon/m)
    desk.person.press('fg\r')
    await desk.person.sees('Other: abc')
    desk.person.press('d')
    await desk.person.sees('Other: abcd')
    desk.person.press('\r')
    expect(await desk.outcome('first')).toEqual({ answers: [{ id: 'db', selected: [], custom: 'abcd' }] })
    await desk.person.sees('Sent: Which database? abcd')
  })
})
