// A tool that needs permission, on a real pseudo-terminal: what is seen, the two keys that decide, and what does not.
import { describe, expect, it, vi } from 'vitest'
import { chooses } from '../helpers/approval.ts'
import { openDesk } from './desk.ts'
import { missing, TEST_MS } from './person.ts'

const UP = '\u001B[A', DOWN = '\u001B[B', END = '\u001B[F'
/** How long no other key may have come before one that decides, in milliseconds, and some more. */
const PAUSE_MS = 1050

vi.setConfig({ testTimeout: TEST_MS })

/** An approval that is on the screen; `press` presses keys that decide nothing, and waits until the panel has said so. */
async function start(detail = 'rm -rf build', before = '', order: 'approve' | 'approve-more' = 'approve') {
  const desk = openDesk([80, 24]), { person } = desk
  await desk.order('until-watched')
  person.press(before)
  await desk.order(order, 'bash', detail)
  await person.sees('asks for permission:\n=== Permission ===')
  return {
    person, outcome: () => desk.outcome('bash'), pause: () => person.readyToSend(PAUSE_MS),
    async press(keys: string, says: string) {
      person.press(keys)
      await person.sees(says)
      // Which only moves, and takes the remark away.
      person.press(UP)
      await person.sees(screen => !screen.includes('Not decided'))
      await person.readyToSend(PAUSE_MS)
    },
  }
}

describe.skipIf(missing !== undefined).concurrent('an approval', () => {
  it('shows the tool, why, what it is to do, and the keys; a allows', async () => {
    const { person, outcome, pause } = await start()
    await person.sees(/ {2}Allow bash\?\n {2}It writes outside the project\.\n {2}\| rm -rf build\n[^]*\n {2}r {4}Reject\n {2}a {4}Allow once\n {2}Tab {2}Reject with words/)
    await pause()
    person.press('a')
    expect(await outcome()).toEqual(chooses('allow'))
    await person.sees(/Sent: Allow bash\? Allowed once$/)
    expect(person.restored).toBe(true)
  })

  it('is rejected by r, and with words', async () => {
    const one = await start(), other = await start()
    await Promise.all([one.pause(), other.pause()])
    one.person.press('r')
    expect(await one.outcome()).toEqual(chooses('reject'))
    await one.person.sees(/Sent: Allow bash\? Rejected$/)
    other.person.press('\ta')
    await other.person.sees('Reject with these words:')
    other.person.press('sk first\r')
    expect(await other.outcome()).toEqual(chooses('reject', 'ask first'))
  })

  it('is decided by no digit, no Enter, no word and no paste, and hears a after all of them', async () => {
    const { person, outcome, pause, press } = await start()
    await pause()
    for (const keys of ['1', '2', '\r', ' ', 'y', 'A']) await press(keys, 'Not decided: r rejects, a allows once.')
    await press('aa', 'Not decided: press the key alone')
    await press('a\r', 'Not decided')
    for (const text of ['a', 'a\r', 'yes\ra\r']) await press(`\u001B[200~${text}\u001B[201~`, 'Not decided')
    // One that the terminal does not bracket.
    await press('a\ra\r', 'Not decided')
    person.press('a')
    expect(await outcome()).toEqual(chooses('allow'))
  })

  it('is allowed more than once by what is pointed at in the list that w opens, and Enter', async () => {
    const { person, outcome, pause, press } = await start(undefined, undefined, 'approve-more')
    await person.sees(/ {2}a {4}Allow once\n {2}w {4}Allow more than this once: shows 2 more choices\n {2}Tab/)
    await pause()
    await press('w\r', 'Not decided')
    person.press('w')
    await person.sees(/Allow more than this once:\n {2}Allow for this session\n {2}Always allow `rm`/)
    await press('\r', 'Not decided: nothing is pointed at.')
    person.press(DOWN)
    await person.sees('> Allow for this session')
    await pause()
    person.press('\r')
    expect(await outcome()).toEqual(chooses('allow-session'))
    await person.sees(/Sent: Allow bash\? Allowed: Allow for this session$/)
    expect(person.restored).toBe(true)
  })

  it('is not decided by what was typed before it was there, or as it pops up', async () => {
    const { person, outcome, pause } = await start(undefined, 'a\ra')
    person.press('a')
    await pause()
    expect(person.screen).toContain('=== Permission ===')
    person.press('r')
    expect(await outcome()).toEqual(chooses('reject'))
  })

  it('follows the size, and a does nothing until the end has been in view', async () => {
    const { person, outcome, pause, press } = await start(Array.from({ length: 8 }, (_, at) => `line ${at}`).join('\n'))
    await pause()
    person.resize(60, 12)
    await person.sees('PgDn more')
    await press('a', 'Not decided: read to the end first (PgDn).')
    person.press(END)
    await person.sees('Reject with words: why')
    person.press('a')
    expect(await outcome()).toEqual(chooses('allow'))
    await person.sees('Sent: Allow bash? Allowed once')
    expect(person.restored).toBe(true)
  })
})
