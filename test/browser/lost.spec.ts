// Losing a race, and being told that one's own answer was sent: where the card was, in words, with nothing lost.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../helpers/registry.ts'
import { CHECKS, DATABASE, NAME } from '../helpers/web.ts'
import { answerField, boot, cards, choice, inBrowser, lines, open, ownWords, person, ready, send, start, startWith, usable } from './support.ts'

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
const TALL = { ...DATABASE, question: `Which database?${'\nand so on'.repeat(80)}` }

/** What stands between the heading and the earlier ones, from above. */
const shown = (page: Page) => page.locator('.open > *').evaluateAll(all => all.map(one => one.className.split(' ')[0]))

const isOnScreen = (page: Page, selector: string) => page.locator(selector).evaluate(element => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
})

/** A page with a terminal beside it, and three questions on a clock that stands still. */
async function race(context = person()) {
  const web = await boot()
  const page = await (await context).newPage()
  await page.clock.install()
  await page.goto(web.link)
  await ready(page)
  const terminal = register(web.ctx, 'terminal')
  const answers = [web.ask([NAME]), web.ask([DATABASE]), web.ask([CHECKS])]
  await cards(page).nth(2).waitFor()
  await page.clock.pauseAt(await page.evaluate(() => Date.now()) + 2000)
  return { web, page, terminal, answers }
}

inBrowser('losing a race', () => {
  it('the folded line stays where the card was until it is acknowledged', async () => {
    const { page, terminal } = await race()
    terminal.answer({ answers: [{ id: 'db', selected: ['SQLite'] }] }, 1)
    await lines(page).waitFor()
    expect(await shown(page)).toEqual(['card', 'ended', 'card'])
    expect(await lines(page).textContent()).toMatch(/SQLite.*answered on terminal/)
    expect(await page.locator('.history:visible').count()).toBe(0)
    await page.getByRole('button', { name: 'OK' }).press('Enter')
    expect(await shown(page)).toEqual(['card', 'card'])
    expect(await page.locator('.history .ended').textContent()).toMatch(/SQLite.*answered on terminal/)
    // The keyboard goes on to the next card.
    expect(await page.evaluate(() => document.activeElement!.closest('article')!.querySelector('legend')!.textContent)).toBe('Which checks?')
    // Acknowledging has moved it.
    const { x, y } = (await page.getByRole('checkbox', { name: 'Lint' }).boundingBox())!
    for (const [later, checked] of [[599, false], [1, true]] as const) {
      await page.clock.fastForward(later)
      await page.mouse.click(x + 5, y + 5)
      expect(await page.getByRole('checkbox', { name: 'Lint' }).isChecked()).toBe(checked)
    }
    await page.reload()
    await ready(page)
    expect(await shown(page)).toEqual(['card', 'card'])
  })

  it('or until the page is left; on a page that nobody looks at it does not stand in the way at all', async () => {
    const { page, terminal } = await race()
    const hide = () => page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    terminal.answer({ answers: [{ id: 'db', selected: ['SQLite'] }] }, 1)
    await lines(page).waitFor()
    await hide()
    expect(await shown(page)).toEqual(['card', 'card'])
    terminal.answer({ answers: [{ id: 'name', selected: [], custom: 'Router' }] }, 0)
    await page.clock.fastForward(10_000)
    await lines(page).nth(1).waitFor()
    expect(await shown(page)).toEqual(['card'])
  })

  it('keys that were being typed go on in the kept text, at the same place, and send nothing', async () => {
    const { web, page, terminal } = await race()
    await ownWords(page).first().click()
    await page.keyboard.type('neither, ever')
    for (let back = 0; back < 6; back++) await page.keyboard.press('ArrowLeft')
    terminal.answer({ answers: [{ id: 'db', selected: ['SQLite'] }] }, 1)
    await lines(page).waitFor()
    await page.keyboard.type(' of them')
    await page.keyboard.press('Enter')
    const kept = page.getByLabel('You wrote this, but it was not sent:')
    expect(await kept.inputValue()).toBe('neither of them\n, ever')
    expect(web.registry.pending()).toHaveLength(2)
    await page.clock.fastForward(600)
    await page.getByRole('button', { name: 'OK' }).click()
    for (const look of ['acknowledged', 'after a reload']) {
      expect(await kept.inputValue(), look).toBe('neither of them\n, ever')
      expect(await kept.getAttribute('readonly'), look).toBe('')
      await page.reload()
      await ready(page)
    }
  })

  it('in a batch the caret stays in its words; where nothing was written yet, what comes is kept all the same', async () => {
    const { web, page } = await start()
    const terminal = register(web.ctx, 'terminal')
    web.ask([DATABASE, CHECKS, NAME])
    web.ask([NAME])
    await usable(cards(page).nth(1))
    await page.getByText('Postgres').click()
    await page.getByText('Lint').click()
    await ownWords(page).nth(1).fill('and more')
    await ownWords(page).nth(1).press('Home')
    await page.keyboard.type('docs ')
    terminal.answer({ answers: [{ id: 'db', selected: ['SQLite'] }, { id: 'checks', selected: ['Types'] }, { id: 'name', selected: [] }] }, 0)
    await lines(page).waitFor()
    await page.keyboard.type('now ')
    const kept = page.getByLabel('You wrote this, but it was not sent:')
    expect(await kept.inputValue()).toBe('Postgres\nLint, docs now and more')
    await answerField(page).focus()
    terminal.answer({ answers: [{ id: 'name', selected: [], custom: 'Router' }] }, 1)
    await lines(page).nth(1).waitFor()
    await page.keyboard.type('late')
    expect(await kept.nth(1).inputValue()).toBe('late')
  })

  it('keys that choose do nothing any more: no other card gets them', async () => {
    const { page, terminal } = await race()
    await choice(page, 'Postgres').focus()
    terminal.answer({ answers: [{ id: 'db', selected: ['SQLite'] }] }, 1)
    await lines(page).waitFor()
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    expect(await page.evaluate(() => document.activeElement!.tagName)).toBe('SUMMARY')
    expect(await page.locator(':checked').count()).toBe(0)
    expect(await shown(page)).toEqual(['card', 'ended', 'card'])
  })

  it('what moved takes no tap for 600 ms, wherever it was moved from; then it does', async () => {
    const { web, page, terminal } = await race(person(PHONE))
    const tap = async (name: string) => {
      const { x, y } = (await page.getByRole('checkbox', { name }).boundingBox())!
      await page.touchscreen.tap(x + 5, y + 5)
    }
    const chosen = () => page.locator(':checked').count()
    terminal.answer({ answers: [{ id: 'db', selected: ['SQLite'] }] }, 1)
    await lines(page).waitFor()
    await page.getByRole('checkbox', { name: 'Lint' }).scrollIntoViewIfNeeded()
    await page.clock.fastForward(599)
    await tap('Lint')
    expect(await chosen()).toBe(0)
    // It is no hindrance to keys and to a screen reader.
    await page.getByRole('checkbox', { name: 'Types' }).press('Space')
    expect(await chosen()).toBe(1)
    await page.clock.fastForward(1)
    await tap('Lint')
    expect(await chosen()).toBe(2)
    // A line that a new card moves, too.
    await page.getByRole('button', { name: 'OK' }).tap()
    const line = page.locator('.history summary')
    await page.clock.fastForward(600)
    web.ask([NAME])
    await cards(page).nth(2).waitFor()
    await line.scrollIntoViewIfNeeded()
    const { x, y } = (await line.boundingBox())!
    await page.touchscreen.tap(x + 5, y + 5)
    expect(await page.locator('.ended [open]').count()).toBe(0)
  })

  it('a page that nobody touches does not fill up: of the lines that nobody was busy with, three stay', async () => {
    const { web, page } = await start()
    const terminal = register(web.ctx, 'terminal')
    web.ask([CHECKS])
    for (let turn = 0; turn < 5; turn++) {
      web.ask([NAME])
      await cards(page).nth(1).waitFor()
      if (turn === 0) await answerField(page).fill('mine')
      terminal.answer({ answers: [{ id: 'name', selected: [], custom: `name ${turn}` }] })
      await lines(page).nth(turn).waitFor()
    }
    expect(await shown(page)).toEqual(['card', 'ended', 'ended', 'ended', 'ended'])
    expect(await page.locator('.history .ended').allTextContents()).toEqual([expect.stringContaining('name 1')])
  })
})

inBrowser('sent', () => {
  it('a tall empty card: Send says what is missing where it is seen, and moves nothing away', async () => {
    const { page } = await startWith([TALL], {}, await person(PHONE))
    for (const way of ['a tap', 'Enter'] as const) {
      if (way === 'a tap') await send(page).tap()
      else await ownWords(page).press('Enter')
      await page.getByRole('alert').filter({ hasText: 'Nothing was sent' }).waitFor()
      expect(await isOnScreen(page, '.error'), way).toBe(true)
    }
    expect(await page.evaluate(() => document.activeElement!.tagName)).toBe('TEXTAREA')
  })

  it('with other cards open the line that confirms it is seen where the card was, and the keyboard goes on below', async () => {
    const { web, page } = await startWith([TALL], {}, await person(PHONE))
    web.ask([NAME])
    web.ask([CHECKS])
    await usable(cards(page).nth(2))
    await page.getByText('SQLite').tap()
    await send(page).first().tap()
    await lines(page).waitFor()
    expect(await shown(page)).toEqual(['ended', 'card', 'card'])
    expect(await lines(page).textContent()).toMatch(/SQLite.*answered on this page/)
    expect(await isOnScreen(page, '.ended summary')).toBe(true)
    expect(await page.locator('.unseen').textContent()).toBe('answered on this page')
    expect(await page.evaluate(() => document.activeElement!.closest('article')!.querySelector('legend')!.textContent)).toBe('What is it called?')
    expect(await page.getByRole('button', { name: 'OK' }).count()).toBe(0)
    // The next one takes its place.
    await answerField(page).fill('Router')
    await answerField(page).press('Enter')
    await lines(page).nth(1).waitFor()
    expect(await shown(page)).toEqual(['ended', 'card'])
  })

  it('"on this page" stands on the one that answered, after a reload too; every other one says "on another page"', async () => {
    const web = await boot()
    const context = await person()
    const [one, tab, other] = [await open(web.link, context), await open(web.link, context), await open(web.link, await person())]
    const words = 'it\u0007 races\r\nand wins'
    for (const questions of [[DATABASE], [NAME]]) {
      const answer = web.ask(questions)
      await usable(cards(one))
      if (questions[0] === NAME) await answerField(one).fill(words)
      else await one.getByText('SQLite').click()
      await send(one).click()
      await answer
    }
    for (const look of ['at once', 'after a reload']) {
      for (const [page, where] of [[one, 'answered on this page'], [tab, 'answered on another page'], [other, 'answered on another page']] as const) {
        await lines(page).nth(1).waitFor()
        for (const line of await lines(page).allTextContents()) expect(line, look).toContain(where)
        expect(await page.locator('.lost').count(), look).toBe(0)
        await page.reload()
        await ready(page)
      }
    }
  })

  it('a browser that is offline says nothing of a host on its own machine, and nothing stale of one that is back', async () => {
    const { page } = await start(await person())
    const banner = page.locator('.banner')
    const snapshot = page.waitForResponse('**/api/asks')
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    await snapshot
    await expect.poll(() => banner.textContent()).toBe('')
    await page.context().setOffline(true)
    await page.getByText('No connection to the host. Trying again…').waitFor()
    await page.context().setOffline(false)
    await page.getByText('Connected again.').waitFor()
    expect(await banner.textContent()).toBe('Connected again.')
  })

  it('a failure whose connection is back says so: no "No connection" remains', async () => {
    const { page, answer } = await startWith([NAME])
    await page.route('**/answer', route => route.abort(), { times: 1 })
    await answerField(page).fill('Router')
    await page.keyboard.press('Enter')
    await page.getByText('Your answer did not arrive. It is kept here; send it again.').waitFor()
    expect(await page.locator('body').innerText()).not.toContain('No connection')
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'name', selected: [], custom: 'Router' }] })
  })
})
