// In a real tmux: what the panel leaves in the scrollback, which is nothing.
import { execFileSync } from 'node:child_process'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionItem } from '../../src/index.ts'
import { Desk } from './desk.ts'
import { missing as missingPty, TEST_MS } from './person.ts'

const socket = `dsh-ask-router-${process.pid}`
const tmux = (...args: string[]) => execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

const missing = missingPty ?? (() => {
  try {
    tmux('-V')
    return undefined
  } catch {
    return 'skipped: the tests in tmux (apt-get install tmux)'
  }
})()
if (missing !== undefined) process.stderr.write(`${missing}\n`)

const database: AskUserQuestionItem = { id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }

vi.setConfig({ testTimeout: TEST_MS })
let desk: Desk | undefined
afterAll(() => {
  if (!desk) return
  desk.close()
  try {
    tmux('kill-server')
  } catch {
    // It has ended with its only window.
  }
})

describe.skipIf(missing !== undefined)('in tmux', () => {
  it('a panel on the first row leaves no copy in the scrollback when something is written, and none when it goes', async () => {
    desk = new Desk([80, 24], { shell: `tmux -L ${socket} -f /dev/null new-session 'clear; $ASKER'`, env: { TMUX: '' } })
    const { person } = desk, all = () => tmux('capture-pane', '-p', '-S', '-')
    await desk.ask('first', database)
    await person.sees('> ( ) 1. Postgres')
    expect(all().split('\n')[0]).toContain(' asks:')
    for (let at = 0; at < 30; at++) await desk.order('say', `line ${at}\n`)
    await person.sees(/line 29\n.* asks:/)
    await person.sees('> ( ) 1. Postgres')
    expect(all().match(/Which database\?/g)).toHaveLength(1)
    await desk.order('answer', 'first', { answers: [{ id: 'db', selected: ['SQLite'] }] })
    await person.sees('Answered on phone: Which database? SQLite')
    expect(all().split('\n').filter(line => line !== '')).toEqual([...Array.from({ length: 30 }, (_, at) => `line ${at}`), 'Answered on phone: Which database? SQLite'])
  })
})
