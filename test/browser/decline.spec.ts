// "Not now": asked once, by mouse, finger and keyboard, and never by accident.
import { expect, it } from 'vitest'
import { CHECKS, DATABASE, NAME } from '../helpers/web.ts'
import { axeFinds, boot, cards, inBrowser, isWide, lines, open, ownWords, person, ready, start, startWith, usable } from './support.ts'

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

inBrowser('not now', () => {
  it('asks once, then skips every question; the line says so here and on another page', async () => {
    const web = await boot()
    const [page, other] = [await open(web.link), await open(web.link, await person())]
    const answer = web.ask([DATABASE, CHECKS])
    await usable(cards(page))
    await page.getByRole('button', { name: 'Not now' }).click()
    const asked = page.getByRole('group', { name: 'Let the agent go on without an answer?' })
    await asked.waitFor()
    expect(web.registry.pending()).toHaveLength(1)
    await asked.getByRole('button', { name: 'Back' }).click()
    expect(await asked.count()).toBe(0)
    await page.getByRole('button', { name: 'Not now' }).click()
    await asked.getByRole('button', { name: 'Go on without' }).click()
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: [] }, { id: 'checks', selected: [] }] })
    await lines(page).getByText('skipped on this page').waitFor()
    await lines(other).getByText('skipped on another page').waitFor()
  })

  it('by the keyboard alone; Escape goes back, and Enter that is held down confirms nothing', async () => {
    const { web, page, answer } = await startWith([NAME])
    const notNow = page.getByRole('button', { name: 'Not now' })
    const focused = () => page.evaluate(() => document.activeElement!.textContent)
    await page.getByRole('button', { name: 'Send' }).focus()
    await page.keyboard.press('Tab')
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect(web.registry.pending()).toHaveLength(1)
    if (await notNow.isVisible()) await page.keyboard.press('Enter')
    expect(await focused()).toBe('Back')
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('Not now')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await answer).toEqual({ answers: [{ id: 'name', selected: [] }] })
  })

  it('a double tap confirms nothing, and what was written stays to copy', async () => {
    const web = await boot()
    const page = await (await person({ ...PHONE, bypassCSP: true })).newPage()
    await page.clock.install()
    await page.goto(web.link)
    await ready(page)
    web.ask([DATABASE])
    await usable(cards(page))
    await page.clock.pauseAt(await page.evaluate(() => Date.now()) + 2000)
    await ownWords(page).fill('neither')
    const notNow = page.getByRole('button', { name: 'Not now' })
    await notNow.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await notNow.boundingBox())!
    expect(height).toBeGreaterThanOrEqual(44)
    for (let tap = 0; tap < 2; tap++) await page.touchscreen.tap(x + width / 2, y + height / 2)
    expect(web.registry.pending()).toHaveLength(1)
    expect(await page.locator('.confirmation:visible').count()).toBe(1)
    await page.clock.fastForward(600)
    // axe-core waits on the clock.
    await page.clock.resume()
    expect(await axeFinds(page)).toEqual([])
    expect(await isWide(page)).toBe(false)
    for (const button of await page.locator('.confirmation button').all()) expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    await page.getByRole('button', { name: 'Go on without' }).tap()
    await lines(page).waitFor()
    expect(await page.getByLabel('You wrote this, but it was not sent:').inputValue()).toBe('neither')
  })

  it('that did not arrive is said, and can be said again', async () => {
    const { web, page } = await start()
    const answer = web.ask([NAME])
    await usable(cards(page))
    await page.route('**/answer', route => route.fulfill({ status: 500, body: '{}', headers: { 'ask-web': '1' } }), { times: 1 })
    for (let turn = 0; turn < 2; turn++) {
      await page.getByRole('button', { name: 'Not now' }).click()
      await page.getByRole('button', { name: 'Go on without' }).click()
      if (turn === 0) await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
    }
    expect(await answer).toEqual({ answers: [{ id: 'name', selected: [] }] })
  })
})
