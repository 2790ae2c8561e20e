// Several pages and other places at once: what one answers folds everywhere, and what folded stays readable.
import { expect, it } from 'vitest'
import { register } from '../helpers/registry.ts'
import { AGENT, CHECKS, DATABASE, NAME, ORIGIN } from '../helpers/web.ts'
import {
  answerField, blankPage, boot, cards, choice, inBrowser, lines, open, openWithoutStreams, ownWords, person, poll, ready, send,
  start, startWith, usable,
} from './support.ts'

inBrowser('together', () => {
  it('two pages: one answers, the other folds, with what was answered and where', async () => {
    const web = await boot()
    const [one, other] = [await open(web.link), await open(web.link, await person())]
    const answer = web.ask([DATABASE])
    await usable(cards(one))
    await usable(cards(other))
    expect(await other.title()).toBe('(1) Questions')
    await one.getByText('SQLite').click()
    await one.getByRole('button', { name: 'Send' }).click()
    await answer
    for (const page of [one, other]) {
      await lines(page).waitFor()
      expect(await lines(page).textContent()).toContain('SQLite')
      expect(await page.title()).toBe('Questions')
    }
  })

  it('eight tabs of one browser: all show the question, any can answer, all fold', async () => {
    const web = await boot()
    const context = await person()
    await context.clock.install()
    const tabs = []
    for (let tab = 0; tab < 8; tab++) tabs.push(await open(web.link, context))
    const answer = web.ask([DATABASE])
    // Three of them have streams.
    await poll(context)
    for (const tab of tabs) await cards(tab).waitFor()
    await usable(cards(tabs[0]!))
    await tabs[0]!.getByText('Postgres').click()
    await send(tabs[0]!).click()
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['Postgres'] }] })
    await poll(context)
    for (const tab of tabs) await lines(tab).waitFor()
  })

  it('answered elsewhere: it says where and with what, and a draft that lost stays to copy, after a reload too', async () => {
    const web = await boot()
    const context = await person({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await open(web.link, context)
    const terminal = register(web.ctx, 'terminal')
    web.ask([DATABASE])
    await usable(cards(page))
    await ownWords(page).fill('neither of them')
    terminal.answer({ answers: [{ id: 'db', selected: ['SQLite'] }] })
    await lines(page).waitFor()
    expect(await lines(page).textContent()).toMatch(/SQLite.*answered on terminal/)
    expect(await page.evaluate(() => (document.activeElement as HTMLTextAreaElement).value)).toBe('neither of them')
    for (const look of ['at once', 'after a reload']) {
      expect(await page.getByLabel('You wrote this, but it was not sent:').inputValue(), look).toBe('neither of them')
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByText('Copied').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('neither of them')
      await page.reload()
      await ready(page)
    }
    expect(await send(page).count()).toBe(0)
  })

  it('aborted, and cancelled elsewhere: the card folds and says so', async () => {
    const { web, page } = await start()
    const turn = new AbortController()
    web.ask([DATABASE], { signal: turn.signal })
    await cards(page).waitFor()
    turn.abort()
    await lines(page).getByText('cancelled: the agent was stopped').waitFor()
    const no = Object.assign(new Error('no'), { name: 'UserQuestionError', code: 'ASK_CANCELLED' })
    web.ask([NAME], {}, () => new Promise((_resolve, reject) => void setTimeout(reject, 50, no)))
    await lines(page).getByText('cancelled in dsh').waitFor()
    expect(await cards(page).count()).toBe(0)
  })

  it('a page that comes late shows what is open and what was, in their order', async () => {
    const web = await boot()
    const terminal = register(web.ctx, 'terminal')
    web.ask([NAME])
    terminal.answer({ answers: [{ id: 'name', selected: [], custom: 'Router' }] })
    web.ask([DATABASE])
    web.ask([CHECKS])
    const page = await open(web.link)
    expect(await cards(page).locator('legend .text').allTextContents()).toEqual(['Which database?', 'Which checks?'])
    expect(await lines(page).textContent()).toContain('Router')
  })

  it('the last 50 stay readable, read-only, after a reload too', async () => {
    const web = await boot()
    const terminal = register(web.ctx, 'terminal')
    for (let turn = 1; turn <= 52; turn++) {
      const answer = web.ask([NAME])
      terminal.answer({ answers: [{ id: 'name', selected: [], custom: `name ${turn}` }] })
      await answer
    }
    const page = await open(web.link)
    await page.reload()
    await ready(page)
    expect(await lines(page).count()).toBe(50)
    expect(await lines(page).first().textContent()).toContain('name 52')
    await lines(page).first().click()
    expect(await page.locator('.ended [open] dd').textContent()).toBe('name 52')
    expect(await page.locator('.ended input, .ended button').count()).toBe(0)
  })

  it('a new card goes below, takes no focus, and does nothing at first', async () => {
    const { web, page } = await startWith([NAME])
    await answerField(page).pressSequentially('half')
    await page.evaluate(() => {
      // What a tap would hit the moment the card is there.
      new MutationObserver(() => {
        const card = document.querySelector<HTMLElement>('article:nth-of-type(2)')
        const { x, y } = card!.querySelector('input')!.getBoundingClientRect()
        document.body.dataset['hit'] = document.elementFromPoint(x + 5, y + 5)!.tagName
      }).observe(document.querySelector('.open')!, { childList: true })
    })
    web.ask([DATABASE], { agent: AGENT })
    await cards(page).nth(1).waitFor()
    expect(await page.evaluate(() => document.body.dataset['hit'])).not.toBe('INPUT')
    await page.keyboard.type(' a word')
    expect(await answerField(page).inputValue()).toBe('half a word')
    expect(await cards(page).locator('legend .text').allTextContents()).toEqual(['What is it called?', 'Which database?'])
    expect(await page.locator('.unseen').textContent()).toBe(`New question from ${ORIGIN}`)
    await usable(cards(page).nth(1))
    await choice(page, 'SQLite').click()
  })

  it('the link of one ask shows and answers that one, and is over when it is settled', async () => {
    const web = await boot()
    web.ask([NAME])
    const answer = web.ask([DATABASE])
    const page = await open(web.linkFor(web.id)!)
    expect(new URL(page.url()).hash).toBe('')
    expect(await cards(page).locator('legend .text').allTextContents()).toEqual(['Which database?'])
    await page.reload()
    await usable(cards(page))
    await page.getByText('SQLite').click()
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
    await page.getByText('The question behind this link has been settled.').waitFor()
    expect(await lines(page).textContent()).toContain('SQLite')
    // No other question will appear there.
    expect(await page.locator('.empty:visible').count()).toBe(0)
    await page.reload()
    await page.getByText('The question behind this link has been settled.').waitFor()
    expect(await lines(page).count()).toBe(0)
  })

  it('the link of one ask where streams are held back: the card folds though nobody may say how it ended', async () => {
    const web = await boot()
    const terminal = register(web.ctx, 'terminal')
    web.ask([NAME])
    const page = await openWithoutStreams(web.linkFor(web.id)!)
    await usable(cards(page))
    await answerField(page).fill('half a')
    terminal.answer({ answers: [{ id: 'name', selected: [], custom: 'Router' }] })
    await poll(page)
    await lines(page).getByText('no longer open').waitFor()
    expect(await page.locator('.lost textarea').inputValue()).toBe('half a')
    expect(await page.locator('body').innerText()).not.toContain('Router')
    expect(await cards(page).count()).toBe(0)
  })

  it('without a link, and with a wrong one, it says what to do; the link in the address bar mends it', async () => {
    const web = await boot()
    const page = await blankPage()
    await page.goto(`${web.url}#t=${'x'.repeat(43)}`)
    await page.getByText('This link is not valid').waitFor()
    await page.goto(web.link)
    await page.locator('.empty:visible').waitFor()
    expect(page.url()).toBe(web.url)
  })
})
