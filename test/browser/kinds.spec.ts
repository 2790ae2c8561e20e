// Each kind of question by each kind of input: a mouse, a keyboard alone, a finger at 320 px.
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHECKS, DATABASE, NAME } from '../helpers/web.ts'
import { answerField, boot, cards, choice, inBrowser, open, person, send, usable } from './support.ts'

/** A way to operate the page. */
interface Input {
  choose(control: Locator): Promise<void>
  write(field: Locator, text: string): Promise<void>
  submit(page: Page): Promise<void>
}


/** Go to a control with Tab, and inside a radio group with the arrows, as there is no other way without a mouse. */
async function go(control: Locator): Promise<void> {
  const page = control.page()
  const isThere = () => control.evaluate(element => element === document.activeElement)
  const isRadio = await control.evaluate(element => element instanceof HTMLInputElement && element.type === 'radio')
  for (let presses = 0; presses < 40 && !await isThere(); presses++) {
    const inGroup = isRadio && await page.evaluate(() => document.activeElement instanceof HTMLInputElement && document.activeElement.type === 'radio')
    await page.keyboard.press(inGroup ? 'ArrowDown' : 'Tab')
  }
  expect(await isThere()).toBe(true)
}

const INPUTS: Record<string, Input> = {
  mouse: {
    choose: control => control.click(),
    async write(field, text) {
      await field.click()
      await field.pressSequentially(text)
    },
    submit: page => send(page).click(),
  },
  keyboard: {
    async choose(control) {
      await go(control)
      if (!await control.isChecked()) await control.press('Space')
    },
    async write(field, text) {
      await go(field)
      await field.page().keyboard.type(text)
    },
    async submit(page) {
      await go(send(page))
      await page.keyboard.press('Enter')
    },
  },
  touch: {
    choose: control => control.tap(),
    async write(field, text) {
      await field.tap()
      await field.pressSequentially(text)
    },
    submit: page => send(page).tap(),
  },
}

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

inBrowser('every kind of question', () => {
  it.each(['mouse', 'keyboard', 'touch'])('by %s', async (how) => {
    const { choose, write, submit } = INPUTS[how]!
    const web = await boot()
    const page = await open(web.link, how === 'touch' ? await person(PHONE) : undefined)
    const ask = async (...questions: Parameters<typeof web.ask>[0]) => {
      const answer = web.ask(questions)
      await usable(cards(page))
      return { answer }
    }

    const single = await ask(DATABASE)
    await choose(choice(page, 'SQLite'))
    await submit(page)
    expect((await single.answer).answers).toEqual([{ id: 'db', selected: ['SQLite'] }])

    const multi = await ask(CHECKS)
    await choose(page.getByRole('checkbox', { name: 'Tests' }))
    await choose(page.getByRole('checkbox', { name: 'Lint' }))
    await submit(page)
    expect((await multi.answer).answers).toEqual([{ id: 'checks', selected: ['Tests', 'Lint'] }])

    const words = await ask(NAME)
    await write(answerField(page), 'Router')
    await submit(page)
    expect((await words.answer).answers).toEqual([{ id: 'name', selected: [], custom: 'Router' }])

    const batch = await ask(DATABASE, CHECKS, NAME)
    await choose(choice(page, 'Postgres'))
    await choose(page.getByRole('checkbox', { name: 'Types' }))
    await write(answerField(page), 'Race')
    await submit(page)
    expect((await batch.answer).answers).toEqual([
      { id: 'db', selected: ['Postgres'] }, { id: 'checks', selected: ['Types'] }, { id: 'name', selected: [], custom: 'Race' },
    ])
  })
})
