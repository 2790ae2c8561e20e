// Answering in a real browser: what is sent, what is not, and what the page says before.
import { expect, it } from 'vitest'
import { AGENT, CHECKS, DATABASE, NAME, ORIGIN } from '../helpers/web.ts'
import { answerField, cards, choice, inBrowser, lines, ownWords, person, send, start, startWith, usable } from './support.ts'

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

inBrowser('answering', () => {
  it('a choice: nothing is preselected, and the answer is the label', async () => {
    const { page, answer } = await startWith([DATABASE], { agent: AGENT })
    expect(await page.getByRole('heading', { name: `Asked by ${ORIGIN}`, exact: true }).count()).toBe(1)
    expect(await page.locator(':checked').count()).toBe(0)
    await choice(page, 'SQLite').click()
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
    await lines(page).getByText('SQLite').waitFor()
    expect(await cards(page).count()).toBe(0)
    expect(await lines(page).textContent()).toMatch(/^Storage.*answered on this page · .*\d/)
    await lines(page).click()
    await page.locator('.ended').getByText(`Asked by ${ORIGIN}`, { exact: true }).waitFor()
  })

  it('a batch: one Send, and what is left out is said and sent as skipped', async () => {
    const { page, answer } = await startWith([DATABASE, CHECKS, NAME], {}, await person(PHONE))
    expect(await send(page).count()).toBe(1)
    await page.getByText('Postgres').tap()
    await page.getByText('Types').tap()
    await page.getByText('Lint').tap()
    expect(await page.locator('.note').textContent()).toBe('One question has no answer; it is sent as skipped.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await send(page).tap()
    expect(await answer).toEqual({ answers: [
      { id: 'db', selected: ['Postgres'] }, { id: 'checks', selected: ['Types', 'Lint'] }, { id: 'name', selected: [] },
    ] })
  })

  it('own words: digits stay text, and Shift+Enter is a new line', async () => {
    const { page, answer } = await startWith([DATABASE])
    await ownWords(page).click()
    await page.keyboard.type('1')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('15:00')
    await page.keyboard.press('Enter')
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: [], custom: '1\n15:00' }] })
  })

  it('a choice and words are both sent, and it says so before, for one option as for several', async () => {
    const { web, page } = await start()
    // To dsh, words replace the choice of a single-select question, so it gets both as words.
    for (const [question, label, words, answered] of [
      [DATABASE, 'Postgres', 'for now', { selected: [], custom: 'Postgres: for now' }], [CHECKS, 'Lint', 'and spelling', { selected: ['Lint'], custom: 'and spelling' }],
    ] as const) {
      const answer = web.ask([question])
      await usable(cards(page))
      await page.getByText(label).click()
      const status = page.getByRole('status').filter({ hasText: 'Your words go with the choice.' })
      expect(await status.count()).toBe(0)
      await ownWords(page).fill(words)
      expect(await status.count()).toBe(1)
      await send(page).click()
      expect(await answer).toEqual({ answers: [{ id: question.id, ...answered }] })
      await lines(page).getByText(`${label}, ${words}`).waitFor()
      expect(await page.locator('.lost').count()).toBe(0)
    }
  })

  it('a choice is taken back as it was made: by a click, by Space, by a screen reader; a double click takes nothing back', async () => {
    const { page, answer } = await startWith([DATABASE, CHECKS])
    const [postgres, sqlite] = [choice(page, 'Postgres'), choice(page, 'SQLite')]
    const note = page.locator('.note')
    const skipped = 'One question has no answer; it is sent as skipped.'
    await page.getByRole('checkbox', { name: 'Lint' }).check()
    const WAYS = {
      'a click on it': () => postgres.click(),
      'a click on its label': () => page.getByText('Postgres').click(),
      'Space': () => postgres.press('Space'),
      // What the browser makes of a screen reader's "press".
      'a screen reader': () => postgres.evaluate((radio: HTMLInputElement) => radio.click()),
    }
    for (const [way, act] of Object.entries(WAYS)) {
      await act()
      expect([await postgres.isChecked(), await note.textContent()], way).toEqual([true, ''])
      await act()
      expect([await postgres.isChecked(), await note.textContent()], way).toEqual([false, skipped])
      expect(await page.getByRole('radio', { checked: true }).count(), way).toBe(0)
    }
    for (const control of [postgres, page.getByText('Postgres')]) {
      await control.dblclick()
      expect(await postgres.isChecked()).toBe(true)
      await postgres.press('Space')
      expect(await postgres.isChecked()).toBe(false)
    }
    await postgres.press('ArrowDown')
    expect(await sqlite.isChecked()).toBe(true)
    await page.keyboard.press('Space')
    expect(await sqlite.isChecked()).toBe(false)
    await ownWords(page).first().fill('neither')
    await page.reload()
    await usable(cards(page))
    expect(await page.locator(':checked').count()).toBe(1)
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: [], custom: 'neither' }, { id: 'checks', selected: ['Lint'] }] })
  })

  it('sends nothing while nothing is filled in', async () => {
    const { web, page } = await startWith([DATABASE])
    await send(page).click()
    expect(await page.getByRole('alert').textContent()).toBe('Nothing was sent: choose an option or write something first.')
    await ownWords(page).press('Enter')
    expect(web.registry.pending()).toHaveLength(1)
  })

  it('a click is a click: previews stand under their options from the start, and nothing moves from under the pointer', async () => {
    const { web, page } = await start()
    const preview = Array.from({ length: 6 }, (_, line) => `| line ${line} |`).join('\n')
    const options = [{ label: 'Wide', preview }, { label: 'Narrow', preview }, { label: 'None' }]
    for (const multiSelect of [true, false]) {
      const answer = web.ask([{ id: 'layout', question: 'Which layout?', multiSelect, options }])
      await usable(cards(page))
      expect(await page.locator('figure').evaluateAll(all => all.map(one => one.getBoundingClientRect().height > 100))).toEqual([true, true])
      const press = async (label: string) => {
        const name = page.getByText(label, { exact: true })
        const before = (await name.boundingBox())!
        await page.mouse.move(before.x + 5, before.y + 5)
        await page.mouse.down()
        expect(await name.boundingBox(), label).toEqual(before)
        await page.mouse.up()
        expect(await name.boundingBox(), label).toEqual(before)
      }
      await ownWords(page).focus()
      for (const label of ['Wide', 'Wide', 'Narrow']) await press(label)
      expect(await page.locator(':checked').count()).toBe(1)
      await press('None')
      await page.mouse.move(0, 0)
      await send(page).click()
      expect(await answer).toEqual({ answers: [{ id: 'layout', selected: multiSelect ? ['Narrow', 'None'] : ['None'] }] })
    }
  })

  it('long descriptions and previews fold; opening one chooses nothing and moves nothing above it', async () => {
    const { web, page } = await start(await person(PHONE))
    const long = 'All of it. '.repeat(100)
    const options = [{ label: 'Postgres', description: long }, { label: 'SQLite', description: 'one file', preview: 'line\n'.repeat(40) }]
    web.ask([{ ...DATABASE, options }])
    await usable(cards(page))
    const more = page.getByRole('button', { name: 'Show all' })
    expect(await more.count()).toBe(2)
    await page.getByRole('button', { name: 'Show all', description: 'Postgres' } as never).waitFor()
    const heights = () => page.locator('.description, .preview pre').evaluateAll(all => all.map(one => one.getBoundingClientRect().height))
    const [description, , preview] = await heights()
    const name = page.getByText('Postgres', { exact: true })
    const before = await name.evaluate(element => element.getBoundingClientRect().top + scrollY)
    await more.first().tap()
    await more.first().press('Enter')
    expect(await page.getByRole('button', { name: 'Show less' }).count()).toBe(2)
    const [open, , openPreview] = await heights()
    expect([open! > description! * 2, openPreview! > preview! * 2]).toEqual([true, true])
    expect(await name.evaluate(element => element.getBoundingClientRect().top + scrollY)).toBe(before)
    expect(await page.locator(':checked').count()).toBe(0)
  })

  it('a double tap answers once', async () => {
    const { web, page } = await start(await person(PHONE))
    const posts: string[] = []
    page.on('request', request => {
      if (request.url().endsWith('/answer')) posts.push(request.url())
    })
    const first = web.ask([DATABASE])
    await usable(cards(page))
    web.ask([NAME])
    await usable(cards(page).nth(1))
    await page.getByText('Postgres').tap()
    const { x, y, width, height } = (await send(page).first().boundingBox())!
    await page.touchscreen.tap(x + width / 2, y + height / 2)
    await page.touchscreen.tap(x + width / 2, y + height / 2)
    expect(await first).toEqual({ answers: [{ id: 'db', selected: ['Postgres'] }] })
    await lines(page).waitFor()
    expect(posts).toHaveLength(1)
    expect(web.registry.pending()).toHaveLength(1)
  })

  it('the Enter that ends a composition sends nothing; the next one does', async () => {
    const { web, page, answer } = await startWith([NAME])
    await answerField(page).focus()
    const session = await page.context().newCDPSession(page)
    await session.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 })
    await page.keyboard.press('Enter')
    await session.send('Input.insertText', { text: '你好' })
    expect(web.registry.pending()).toHaveLength(1)
    expect(await page.locator('.error').textContent()).toBe('')
    await answerField(page).fill('你好')
    await page.keyboard.press('Enter')
    expect(await answer).toEqual({ answers: [{ id: 'name', selected: [], custom: '你好' }] })
  })

  it('Enter in a batch goes to what is not answered yet, and sends only a batch that is', async () => {
    const { web, page, answer } = await startWith([NAME, { id: 'why', question: 'Why?' }])
    await answerField(page).first().fill('Router')
    await page.keyboard.press('Enter')
    expect(web.registry.pending()).toHaveLength(1)
    await page.keyboard.type('it races')
    await page.keyboard.press('Enter')
    expect(await answer).toEqual({ answers: [{ id: 'name', selected: [], custom: 'Router' }, { id: 'why', selected: [], custom: 'it races' }] })
  })

  it('labels arrive as they were asked, and two that look the same are told apart', async () => {
    const { web, page } = await start()
    const options = ['Yes, always', 'Nein, später 🙂', '部署？', ' — ', '<b>x</b>', 'a\u0007b', 'a\u202eb'].map(label => ({ label }))
    const answer = web.ask([{ id: 'odd', question: 'Größe?', multiSelect: true, options }])
    await usable(cards(page))
    for (const box of await page.getByRole('checkbox').all()) await box.click()
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'odd', selected: options.map(({ label }) => label) }] })
  })
})
