// The real `dsh web` in one browser tab and the page in another, one agent's question on both: whichever answers, the
// card of the other goes.
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../src/reply/origin.ts'
import { chromiumPath, FLAGS } from '../browser/setup.ts'
import { POSTGRES, SQLITE } from './questions.ts'
import { Web } from './web.ts'

const path = chromiumPath()
if (path === undefined) {
  process.stderr.write('Skipped: dsh web and the page in a real browser. They need Chromium: apt-get install chromium, or CHROMIUM=<its path>.\n')
}

describe.skipIf(path === undefined)('dsh web and the page, each in a browser tab', () => {
  let web: Web
  let browser: Browser
  let ui: Page
  let page: Page
  let isFolded = true

  beforeAll(async () => {
    web = await Web.boot('- id: ask-web\n  disabled: false\n')
    browser = await chromium.launch({ executablePath: path!, args: FLAGS })
    const address = /dsh web: (http:\/\/\S+)/.exec(web.host.stdout + web.host.stderr)?.[1]
    const link = /ask-web: \D*(http:\/\/\S+#t=\S+)/.exec(web.host.stderr)?.[1]
    ui = await browser.newPage()
    page = await browser.newPage()
    await page.goto(link!)
    await ui.goto(address!)
    await ui.getByRole('button', { name: 'Continue' }).click()
  })

  afterAll(async () => {
    await browser?.close()
    await web?.close()
  })

  /** A question that both show; in dsh's UI its session is the one that waits. */
  async function ask() {
    const { call, sessionId } = await web.ask()
    await web.page.card(sessionId)
    const session = ui.getByText('Waiting for answer')
    if (isFolded) await ui.getByText('Ungrouped').click()
    isFolded = false
    // The words are for screen readers; the click goes to the dot in front of them.
    await session.click({ force: true })
    await ui.getByText('Which database?').waitFor()
    await page.locator('article:not([inert])').filter({ hasText: `session ${originOf({ agent: { session: { id: sessionId } } }).session}` }).waitFor()
    return call
  }

  it('the page answers: the card in dsh web goes; then dsh web answers, and the card on the page folds', async () => {
    const first = await ask()
    await page.getByText('SQLite').click()
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await web.heard(first)).toEqual(SQLITE)
    await ui.getByText('Which database?').waitFor({ state: 'detached' })
    await page.locator('.ended', { hasText: 'answered on this page' }).waitFor()

    const second = await ask()
    await ui.getByText('Postgres').click()
    await ui.getByRole('button', { name: 'Submit' }).click()
    expect(await web.heard(second)).toEqual(POSTGRES)
    await page.locator('.ended', { hasText: 'answered in dsh' }).waitFor()
    expect(await page.locator('article').count()).toBe(0)
    expect(web.host.alive, web.host.describe()).toBe(true)
  })
})
