// The demo as a person starts it: no build before it, no terminal needed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const main = fileURLToPath(new URL('../examples/demo/main.ts', import.meta.url))

/** Start the demo and collect what it prints. */
function demo(...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => printed += chunk.toString())
  child.stderr.on('data', (chunk: Buffer) => printed += chunk.toString())
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  return {
    child,
    ended,
    get printed() { return printed },
    async until(text: string) {
      while (!printed.includes(text)) await Promise.race([once(child.stdout, 'data'), ended.then(() => { throw new Error(printed) })])
    },
  }
}

it('runs through on a pipe and ends with status 0', async () => {
  const run = demo()
  run.child.stdin.end('2\n1,3\nblue\n')
  expect((await run.ended)[0], run.printed).toBe(0)
  expect(run.printed).toContain('database: {"answers":[{"id":"db","selected":["SQLite"]}]}')
  expect(run.printed).toContain(
    'details: {"answers":[{"id":"checks","selected":["Tests","Linter"]},{"id":"colour","selected":[],"custom":"blue"}]}',
  )
  expect(run.printed).toContain('watcher | puts it away: answered on the terminal')
  expect(run.printed).toContain('The turn: completed. Questions still open: 0.')
})

it('puts the question away everywhere when the turn is interrupted', async () => {
  const run = demo()
  await run.until('Reply with a number')
  run.child.kill('SIGINT')
  expect((await run.ended)[0], run.printed).toBe(130)
  expect(run.printed).toContain('watcher | puts it away: aborted')
  expect(run.printed).toMatch(/^Cancelled: Which database should the project use\?$/m)
  expect(run.printed).toContain('The turn: aborted. Questions still open: 0.')
})

it('goes on waiting for the page when the input ends before the answer', async () => {
  const run = demo()
  run.child.stdin.end('2\n')
  await run.until('The terminal has no more input')
  const answered = await onPage(run.printed, [{ selected: [1] }, { selected: [], custom: 'green' }])
  expect(answered.status).toBe(200)
  expect((await run.ended)[0], run.printed).toBe(0)
  expect(run.printed).toContain('details: {"answers":[{"id":"checks","selected":["Type check"]},{"id":"colour","selected":[],"custom":"green"}]}')
})

it('shows the page\'s link, and the page and the terminal race each other', async () => {
  const run = demo()
  await run.until('Reply with a number')
  await onPage(run.printed, [{ selected: [1] }])
  await run.until('Answered on web: Which database should the project use? SQLite')
  await run.until('Reply with one or more numbers')
  run.child.stdin.end('1,3\nblue\n')
  expect((await run.ended)[0], run.printed).toBe(0)
  expect(run.printed).toContain('database: {"answers":[{"id":"db","selected":["SQLite"]}]}')
  expect(run.printed).toContain('watcher | puts it away: answered on the web')
  expect(run.printed).toContain('watcher | puts it away: answered on the terminal')
})

it.each([
  { args: [], url: /http:\/\/127\.0\.0\.1:\d+\/#t=/, isCode: false },
  { args: ['--lan'], url: /http:\/\/(?!127\.)\S+:\d+\/#t=/, isCode: true },
])('shows a QR code where a phone can open the link: $args', async ({ args, url, isCode }) => {
  const run = demo(...args)
  await run.until('Reply with a number')
  expect(run.printed).toMatch(url)
  expect(/█▀▀▀▀▀▀▀█/.test(run.printed)).toBe(isCode)
  run.child.kill('SIGINT')
  await run.ended
})

/** Answer the question that is open on the demo's page. */
async function onPage(printed: string, answers: unknown): Promise<Response> {
  const [, url, token] = /(http:\S+)#t=(\S+)/.exec(printed)!
  const headers = { 'content-type': 'application/json', 'authorization': `Bearer ${token}` }
  const { open } = await (await fetch(`${url}api/asks`, { headers })).json() as { open: { id: string }[] }
  return fetch(`${url}api/asks/${open[0]!.id}/answer`, { method: 'POST', headers, body: JSON.stringify({ answers }) })
}
