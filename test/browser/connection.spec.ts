// A connection that breaks, lies or sleeps: said, tried again, recovered, and no draft lost.
import { expect, it } from 'vitest'
import { AGENT, CHECKS, DATABASE, NAME, ORIGIN } from '../helpers/web.ts'
import {
  answerField, boot, cards, choice, inBrowser, lines, notifying, open, openWithoutStreams, ownWords, person, poll, ready, send,
  start, startWith, told, Tunnel, usable,
} from './support.ts'

const LOST = 'No connection to the host. Trying again…'

inBrowser('the connection', () => {
  it('cut while a draft is written: it says so, keeps the draft, and what was asked meanwhile is there afterwards', async () => {
    const web = await boot()
    const tunnel = await Tunnel.to(web.url)
    const page = await open(tunnel.through(web.link))
    const answer = web.ask([DATABASE])
    await usable(cards(page))
    await page.getByText('Postgres').click()
    tunnel.cut()
    await page.getByText(LOST).waitFor()
    await ownWords(page).fill('whatever is there')
    await send(page).click()
    await page.getByText('No connection: your answer may not have arrived.').waitFor()
    expect(await ownWords(page).inputValue()).toBe('whatever is there')
    web.ask([CHECKS])
    tunnel.restore()
    await page.getByText('Connected again.').waitFor()
    await cards(page).nth(1).waitFor()
    expect(await choice(page, 'Postgres').isChecked()).toBe(true)
    await send(page).first().click()
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: [], custom: 'Postgres: whatever is there' }] })
  })

  it('an answer that was taken while its response was lost is not sent twice', async () => {
    const { page, answer } = await startWith([NAME])
    await page.route('**/answer', async route => {
      await route.fetch()
      await route.abort()
    })
    await answerField(page).fill('Router')
    await page.keyboard.press('Enter')
    expect(await answer).toEqual({ answers: [{ id: 'name', selected: [], custom: 'Router' }] })
    await lines(page).waitFor()
    expect(await cards(page).count()).toBe(0)
    expect(await page.locator('.lost textarea').count()).toBe(0)
  })

  it('a draft survives a reload', async () => {
    const { page } = await startWith([DATABASE, CHECKS])
    await page.getByText('SQLite').click()
    await page.getByText('Types').click()
    await ownWords(page).nth(1).fill('half a')
    await page.reload()
    await ready(page)
    expect(await choice(page, 'SQLite').isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'Types' }).isChecked()).toBe(true)
    expect(await ownWords(page).nth(1).inputValue()).toBe('half a')
    expect(await page.locator('.both').nth(1).textContent()).toBe('Your words go with the choice.')
  })

  it('the plugin restarts: an open page goes on, the question comes back with its draft, the history stays', async () => {
    const { web, page } = await start()
    const first = web.ask([NAME])
    await usable(cards(page))
    await answerField(page).fill('Router')
    await page.keyboard.press('Enter')
    await first
    await lines(page).waitFor()
    const answer = web.ask([DATABASE], {}, () => new Promise(() => {}))
    await usable(cards(page))
    await ownWords(page).fill('both')
    const streamed = page.waitForResponse('**/api/events')
    await web.fiber.restart()
    await streamed
    await ownWords(page).waitFor()
    expect(await ownWords(page).inputValue()).toBe('both')
    expect(await lines(page).allTextContents()).toEqual([expect.stringContaining('Router')])
    await usable(cards(page))
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: [], custom: 'both' }] })
  })

  it('a question that was lost sight of and comes back is open again, with its draft, and not over', async () => {
    const web = await boot()
    const page = await openWithoutStreams(web.link)
    web.ask([DATABASE], {}, () => new Promise(() => {}))
    await poll(page)
    await cards(page).waitFor()
    await ownWords(page).fill('both')
    const refresh = () => page.evaluate(() => dispatchEvent(new Event('online')))
    await page.route('**/api/asks', async route => {
      const response = await route.fetch()
      const { version, ...rest } = await response.json() as { version: number }
      await route.fulfill({ response, json: { ...rest, version: version + 1, open: [] } })
    }, { times: 1 })
    await refresh()
    await lines(page).getByText('no longer open').waitFor()
    await page.route('**/api/asks', async route => {
      const response = await route.fetch()
      const { version, ...rest } = await response.json() as { version: number }
      await route.fulfill({ response, json: { ...rest, version: version + 1 } })
    })
    await refresh()
    await cards(page).waitFor()
    expect(await ownWords(page).inputValue()).toBe('both')
    expect(await lines(page).count()).toBe(0)
  })

  it('where streams are held back it asks again and again', async () => {
    const web = await boot()
    const page = await openWithoutStreams(web.link)
    const answer = web.ask([NAME])
    await poll(page)
    await usable(cards(page))
    await answerField(page).fill('polled')
    await page.keyboard.press('Enter')
    await answer
    await lines(page).waitFor()
    expect(await lines(page).textContent()).toContain('polled')
  })

  it('a stream that falls silent for 30 s is given up: it asks instead, and streams again a minute later', async () => {
    const web = await boot()
    const page = await (await person()).newPage()
    await page.clock.install()
    const asked: string[] = []
    page.on('request', request => void asked.push(new URL(request.url()).pathname.replace('/api/', '')))
    const streamed = page.waitForResponse('**/api/events')
    await page.goto(web.link)
    await streamed
    await ready(page)
    const polls = () => asked.filter(path => path === 'asks').length
    // Stopped, so that a busy machine adds no time of its own.
    await page.clock.pauseAt(Date.now() + 4000)
    const before = polls()
    await page.clock.runFor(20_000)
    expect(polls()).toBe(before)
    await page.clock.resume()
    await page.clock.runFor(10_000)
    const polled = page.waitForRequest('**/api/asks')
    await page.clock.runFor(4000)
    await polled
    await expect.poll(async () => {
      await page.clock.runFor(5000)
      return asked.filter(path => path === 'events').length
    }, { timeout: 15_000 }).toBe(2)
    expect(polls()).toBeGreaterThan(before + 2)
  })

  it('a hidden tab polls; one that is shown again refreshes at once', async () => {
    const { web, page } = await start()
    const hide = (state: string) => page.evaluate(value => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
    const polled = page.waitForRequest('**/api/asks')
    await hide('hidden')
    await polled
    const streamed = page.waitForRequest('**/api/events')
    await hide('visible')
    await streamed
    web.ask([NAME])
    await cards(page).waitFor()
    expect(await cards(page).count()).toBe(1)
  })

  it('"Notify me" is offered, and tells of a question that comes while nobody looks', async () => {
    const { web, page } = await start(await notifying('default'))
    await page.getByRole('button', { name: 'Notify me' }).click()
    await page.getByText('You will be notified of new questions.').waitFor()
    web.ask([NAME], { agent: AGENT })
    await cards(page).waitFor()
    expect(await told(page)).toEqual(['You will be notified of new questions. 2', `New question from ${ORIGIN} 2`])
    expect(await page.getByRole('button', { name: 'Notify me' }).count()).toBe(0)
  })
})
