// How fast the page is, beside the least that could do the same: a bare node:http server with the same kind of stream.
//
//   node bench/web.ts        an answer: from its POST to the surface's `ask()` resolved, and to the agent's, through router
//                            and cordis; a card: from the agent's `ask()` to its element in the page
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Page } from 'playwright-core'
import { chromiumPath, FLAGS } from '../test/browser/setup.ts'
import { bootWeb, DATABASE } from '../test/helpers/web.ts'

const WARM_UP = 300, ANSWERS = 2000, CARDS = 300, CARDS_WARM_UP = 50
const TARGET = 1.5

interface Row {
  readonly what: string
  readonly ours: readonly number[]
  readonly bare: readonly number[]
}

const agent = new Agent({ keepAlive: true })

/** Send JSON over a connection that is kept; resolves when the response has been read. */
function post(url: string, token: string, body: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json', 'authorization': `Bearer ${token}` } },
      response => void response.on('end', resolve).resume()).on('error', reject).end(JSON.stringify(body))
  })
}

/** Read a stream and do nothing with it, as an open page would. */
function listen(url: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers: { 'content-type': 'application/json', 'authorization': `Bearer ${token}` } },
      response => void response.once('data', () => resolve()).resume()).on('error', reject).end('{"browser":"bench"}')
  })
}

/** The least: lines over a stream, a POST that is echoed to whoever waits for it, and a page that shows each line. */
async function bareServer() {
  const streams = new Set<ServerResponse>()
  let resolve: (value: unknown) => void = () => {}
  const PAGE = `<!doctype html><main></main><script type="module">
    const { body } = await fetch('api/events', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let rest = '';;) {
      const { value, done } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\\n')
      rest = lines.pop()
      for (const line of lines) {
        const { card } = JSON.parse(line)
        if (!card) continue
        const article = document.createElement('article')
        article.textContent = card.questions[0].question
        document.querySelector('main').append(article)
      }
    }</script>`
  const read = (message: IncomingMessage) => new Promise<unknown>(done => {
    let text = ''
    message.setEncoding('utf8').on('data', chunk => { text += chunk }).on('end', () => done(JSON.parse(text)))
  })
  const server = createServer(async (message, response) => {
    if (message.method === 'GET') return void response.setHeader('content-type', 'text/html').end(PAGE)
    const body = await read(message)
    if (message.url !== '/api/events') {
      resolve(body)
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    }
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"type":"snapshot"}\n')
    streams.add(response)
    response.once('close', () => streams.delete(response))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    say(value: unknown): void {
      for (const stream of streams) stream.write(`${JSON.stringify(value)}\n`)
    },
    ask(questions: readonly unknown[]): Promise<unknown> {
      this.say({ type: 'opened', card: { questions } })
      return new Promise(answered => { resolve = answered })
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const web = await bootWeb()
/** Behind the page stands a host that shows the question too, as dsh does. */
const ask = () => web.ask([DATABASE], {}, () => new Promise(() => {}))
const bare = await bareServer()

async function answers(): Promise<Row[]> {
  await listen(`${web.url}api/events`, web.token)
  await listen(`${bare.url}api/events`, '')
  const body = { answers: [{ selected: [1] }] }
  let atSurface = 0
  const [surface] = web.ctx.get('askSurfaces')!.list()
  const show = surface!.ask.bind(surface)
  surface!.ask = (...args) => show(...args).finally(() => { atSurface = performance.now() })
  const ours: number[] = [], through: number[] = [], theirs: number[] = []
  const one = async (asked: Promise<unknown>, url: string, token: string) => {
    const start = performance.now()
    const responded = post(url, token, body)
    await asked
    const end = performance.now()
    await responded
    return { start, ms: end - start }
  }
  for (let turn = -WARM_UP; turn < ANSWERS; turn++) {
    const asked = ask()
    const { start, ms } = await one(asked, `${web.url}api/asks/${web.id}/answer`, web.token)
    const its = await one(bare.ask([DATABASE]), `${bare.url}api/answer`, web.token)
    if (turn < 0) continue
    ours.push(atSurface - start)
    through.push(ms)
    theirs.push(its.ms)
  }
  surface!.ask = show
  return [
    { what: 'answer: POST -> the page\'s ask() resolved', ours, bare: theirs },
    { what: 'answer: POST -> the agent\'s ask() resolved', ours: through, bare: theirs },
  ]
}

/** When a page has its next `article`, in milliseconds since the epoch. */
async function watch(page: Page): Promise<() => Promise<number>> {
  let seen: (at: number) => void = () => {}
  await page.exposeFunction('seen', (at: number) => seen(at))
  await page.evaluate(`new MutationObserver(records => {
    for (const { addedNodes } of records) for (const node of addedNodes) if (node.tagName === 'ARTICLE') seen(performance.timeOrigin + performance.now())
  }).observe(document.querySelector('main'), { childList: true, subtree: true })`)
  return () => new Promise(resolve => { seen = resolve })
}

async function cards(executablePath: string): Promise<Row> {
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  const [mine, its] = [await (await browser.newContext()).newPage(), await (await browser.newContext()).newPage()]
  await mine.goto(web.link)
  await its.goto(bare.url)
  await mine.locator('.empty:visible').waitFor({ state: 'attached' })
  const [ours, theirs]: [number[], number[]] = [[], []]
  const [nextOfOurs, nextOfTheirs] = [await watch(mine), await watch(its)]
  const now = () => performance.timeOrigin + performance.now()
  const idle = 'new Promise(resolve => requestAnimationFrame(() => requestIdleCallback(resolve)))'
  for (let turn = -CARDS_WARM_UP; turn < CARDS; turn++) {
    // What the last turn left to paint is not this turn's.
    await mine.evaluate(idle)
    await its.evaluate(idle)
    const shown = nextOfOurs()
    const start = now()
    const asked = ask()
    const inOurs = await shown - start
    await post(`${web.url}api/asks/${web.id}/answer`, web.token, { answers: [{ selected: [0] }] })
    await asked
    const appeared = nextOfTheirs()
    const started = now()
    const echoed = bare.ask([DATABASE])
    const inTheirs = await appeared - started
    await post(`${bare.url}api/answer`, '', {})
    await echoed
    if (turn < 0) continue
    ours.push(inOurs)
    theirs.push(inTheirs)
  }
  await browser.close()
  return { what: 'card: ask() -> in the page', ours, bare: theirs }
}

function print(rows: readonly Row[]): void {
  const at = (values: readonly number[], share: number) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!
  const cells = rows.flatMap(({ what, ours, bare: theirs }) => ([['median', 0.5], ['p99', 0.99]] as const).map(([name, share]) => {
    const ratio = at(ours, share) / at(theirs, share)
    return [what, name, at(ours, share).toFixed(3), at(theirs, share).toFixed(3), ratio.toFixed(2), ratio <= TARGET ? 'yes' : 'no', String(ours.length)]
  }))
  const table = [['', '', 'page ms', 'bare ms', 'ratio', `<= ${TARGET}`, 'runs'], ...cells]
  const widths = table[0]!.map((_cell, column) => Math.max(...table.map(row => row[column]!.length)))
  for (const row of table) console.log(row.map((cell, column) => column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)).join('  '))
}

const path = chromiumPath()
const rows = await answers()
if (path === undefined) console.log('Skipped: the time to a card in the page. It needs Chromium: apt-get install chromium, or CHROMIUM=<its path>.')
else rows.push(await cards(path))
print(rows)
bare.close()
agent.destroy()
await web.close()
