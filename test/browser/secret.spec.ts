// The page's secret: no other site can replace it, and nobody but the host that knows it ever gets it.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { DATABASE, NAME } from '../helpers/web.ts'
import { answerField, atEnd, boot, cards, choice, inBrowser, open, person, ready, send, usable } from './support.ts'

const DENIED = 'This link is not valid'
const FOREIGN = `#t=${'A'.repeat(43)}`

/** Somebody else's program on a port that was the host's; gives everything that it was sent. */
async function thief(url: string, answer: RequestListener) {
  const got: string[] = []
  const server = createServer((request, response) => {
    got.push(`${request.url} ${JSON.stringify(request.rawHeaders)}`)
    request.on('data', (chunk: Buffer) => got.push(chunk.toString()))
    response.setHeader('ask-host', 'ask-web')
    answer(request, response)
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(Number(new URL(url).port), '127.0.0.1', resolve))
  atEnd(() => { server.closeAllConnections(); server.close() })
  return got
}

const all = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

inBrowser('the secret', () => {
  it('that was proved is not replaced by one from another site, and the page goes on', async () => {
    const web = await boot()
    const page = await open(web.link, await person())
    const answer = web.ask([DATABASE], {}, () => new Promise(() => {}))
    await usable(cards(page))
    for (const foreign of [FOREIGN, '#g=ask-1.AAAAAAAAAAAAAAAAAAAAAA']) {
      await page.goto('about:blank')
      await page.goto(`${web.url}${foreign}`)
      await usable(cards(page))
      await page.goto(`${web.url}${foreign}`)
      await page.reload()
      await usable(cards(page))
      await page.evaluate(hash => { location.hash = hash }, foreign)
      await page.waitForResponse('**/api/hello')
    }
    expect(page.url()).toBe(web.url)
    await choice(page, 'SQLite').check()
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
  })

  it('is replaced by one that the host knows: a link to one question, and the page\'s own again', async () => {
    const web = await boot()
    const page = await open(web.link, await person())
    for (const questions of [[NAME], [DATABASE]]) web.ask(questions, {}, () => new Promise(() => {}))
    await expect.poll(() => cards(page).count()).toBe(2)
    await page.goto(web.linkFor(web.id)!)
    await expect.poll(() => cards(page).count()).toBe(1)
    await page.reload()
    await ready(page)
    expect(await cards(page).count()).toBe(1)
    await page.goto(web.link)
    await expect.poll(() => cards(page).count()).toBe(2)
  })

  it('in the link that nobody knows is sent to nobody and kept nowhere', async () => {
    const web = await boot()
    const page = await (await person()).newPage()
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname, request.headers()['ask-secret'] ?? ''))
    await page.goto(`${web.url}${FOREIGN}`)
    await page.getByText(DENIED).waitFor()
    expect(asked.filter(one => one.startsWith('/api/'))).toEqual(['/api/hello'])
    expect(asked.join()).not.toContain('AAAA')
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('AAAA')
  })

  it.each([
    ['claims to be it', () => '{"proof":"00","port":1}'],
    ['sends back what it was asked', (nonce: string) => JSON.stringify({ proof: nonce, port: 1 })],
    ['sends no JSON', () => 'x'],
  ])('goes to nobody who has the port when the host is gone: one that %s', async (_what, proof) => {
    const web = await boot()
    const link = web.link, { token, url } = web
    web.ask([NAME], {}, () => new Promise(() => {}))
    const page = await open(link, await person())
    await usable(cards(page))
    await answerField(page).fill('secret words')
    await web.fiber.dispose()
    const got = await thief(url, async (request, response) => {
      const { nonce = '' } = JSON.parse(await all(request) || '{}') as { nonce?: string }
      response.writeHead(200, { 'content-type': 'application/json' }).end(proof(nonce))
    })
    await expect.poll(() => got.some(one => one.startsWith('/api/hello')), { timeout: 20_000 }).toBe(true)
    await send(page).click()
    await page.locator('article .error').filter({ hasText: /./ }).waitFor()
    expect(got.filter(one => one.startsWith('/api/') && !one.startsWith('/api/hello'))).toEqual([])
    expect(got.join()).not.toContain(token)
    expect(got.join()).not.toContain('secret words')
  })

  it('goes to nobody who has its proof from the host, which now listens elsewhere', async () => {
    const token = 'k3vJ9-qLx_27RbTgYw8sZp'
    const first = await boot({ token })
    const page = await (await person()).newPage(), { url } = first
    // Between a proof and the request that it is for, nobody can tell that the host has gone.
    const streaming = page.waitForResponse('**/api/events')
    await page.goto(`${url}#t=${token}`)
    await streaming
    await first.close()
    const second = await boot({ token })
    expect(second.url).not.toBe(url)
    const got = await thief(url, async (request, response) => {
      const answer = await fetch(new URL(request.url!, second.url), { method: 'POST', headers: { 'content-type': 'application/json' }, body: await all(request) })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    await page.getByText(DENIED).waitFor()
    expect(got.join()).toContain('/api/hello')
    expect(got.join()).not.toContain(token)
  })
})
