// npm run demo:agents, as a person starts it, and as CI does.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT, run } from '../cli/children.ts'
import { Scratch } from './helpers/scratch.ts'
import { KEY } from './helpers/terminal.ts'

const MAIN = join(ROOT, 'examples', 'demo-agents', 'main.ts')
const ANSWERED = '"Which database should the project use?"="SQLite"'

it('runs through on a pipe: the answer comes over the page', async () => {
  const scratch = new Scratch({})
  const { code, output } = await run(process.execPath, [MAIN], { cwd: ROOT, env: scratch.env, input: '2\n' })
  expect(output).toContain('A question was answered on: web')
  expect(output).toContain(`What the model was told:\n  Your questions have been answered: ${ANSWERED}`)
  expect([code, scratch.processes()]).toEqual([0, []])
})

it('gives a person Claude Code in this terminal, and the page', async () => {
  const scratch = new Scratch({})
  const terminal = scratch.open(process.execPath, [MAIN])
  await terminal.waitFor(/answer questions at http:\S+#t=/)
  await terminal.waitFor('Ctrl-C twice ends it.')
  terminal.press(KEY.enter)
  await terminal.waitFor('Enter to select')
  await terminal.enter(KEY.down, KEY.enter)
  await terminal.waitFor('TOLD: ')
  await terminal.enter('\u0003', '\u0003')
  await terminal.waitFor('What the model was told:')
  expect(await terminal.end()).toBe(0)
  expect(terminal.flat).toContain('A question was answered on: Claude Code')
  expect(terminal.flat).toContain(ANSWERED)
})
