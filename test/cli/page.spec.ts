// The real `dsh web` in one browser tab and the page in another, one agent's question or approval on both: whichever answers, the
// card of the other goes.
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf } from '../../src/reply/origin.ts'
import { chromiumPath, FLAGS } from '../browser/setup.ts'
import { POSTGRES, SQLITE } from './questions.ts'
import { GATE, REJECTED, Web } from './web.ts'

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
    web = await Web.boot(`${GATE}- id: ask-web\n  disabled: false\n`)
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

  /** Goes to a session in dsh's UI, where it is one that waits, and waits until the page shows what it asks. */
  async function open(sessionId: string, status: string) {
    const session = ui.getByText(status).first()
    if (isFolded) await ui.getByText('Ungrouped').click()
    isFolded = false
    // The words are for screen readers; the click goes to the dot in front of them.
    await session.click({ force: true })
    const words = originOf({ agent: { session: { id: sessionId } } }).session!
    await page.locator('article:not([inert])').filter({ hasText: words }).waitFor()
  }

  /** A question that both show. */
  async function ask() {
    const { call, sessionId } = await web.ask()
    await web.page.card(sessionId)
    await open(sessionId, 'Waiting for answer')
    await ui.getByText('Which database?').waitFor()
    return call
  }

  /** An approval that both show. */
  async function write() {
    const one = await web.write()
    await web.page.panel(one.sessionId)
    await open(one.sessionId, 'Waiting for approval')
    await ui.getByRole('button', { name: 'Allow once' }).waitFor()
    return one
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

  it('the page allows: the tool runs, and the panel in dsh web goes; then dsh web rejects, and the card on the page goes', async () => {
    const first = await write()
    await page.getByRole('button', { name: 'Allow once' }).click()
    expect(await web.told(first.call)).toMatch(/Created file/)
    expect(first.hasRun()).toBe(true)
    await ui.getByRole('button', { name: 'Allow once' }).waitFor({ state: 'detached' })
    await page.locator('.ended', { hasText: /Allowed once\s*decided on this page/ }).waitFor()

    const second = await write()
    await ui.getByRole('button', { name: 'Reject' }).click()
    expect(await web.told(second.call)).toBe(REJECTED)
    await page.locator('.ended', { hasText: /Rejected\s*decided in dsh/ }).waitFor()
    expect(await page.locator('article').count()).toBe(0)
    expect(second.hasRun()).toBe(false)
    expect(web.host.alive, web.host.describe()).toBe(true)
  })
})
