// The page behind a proxy with a login: the login's own refusals are told from the host's, and nothing filled in is lost.
import { expect, it } from 'vitest'
import { DATABASE, NAME } from '../helpers/web.ts'
import { LoginProxy, type Mode } from './login-proxy.ts'
import { answerField, atEnd, blankPage, boot, cards, inBrowser, open, ownWords, person, ready, send, usable } from './support.ts'

const BLOCKED = 'Something in front of the host refused this page.'
const LOST = 'No connection to the host.'

async function front(mode: Mode) {
  const web = await boot()
  const proxy = new LoginProxy(web.url, mode)
  await proxy.start()
  atEnd(() => proxy.close())
  return { web, proxy, link: proxy.through(web.link) }
}

inBrowser('behind a login', () => {
  it('by cookie: works once logged in; when the login runs out it says so, keeps the draft over a new login, and sends', async () => {
    const { web, proxy, link } = await front('cookie')
    const page = await (await person()).newPage()
    await page.goto(proxy.through(web.url))
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.goto(link)
    await ready(page)
    const answer = web.ask([DATABASE])
    await usable(cards(page))
    await page.getByText('SQLite').click()
    await ownWords(page).fill('for now')
    proxy.logOut()
    await page.getByText(BLOCKED).waitFor()
    await send(page).click()
    await expect.poll(() => page.locator('article .error').textContent()).toContain(BLOCKED)
    expect(await ownWords(page).inputValue()).toBe('for now')
    await page.reload()
    await page.getByRole('button', { name: 'Log in' }).click()
    await usable(cards(page))
    expect(await ownWords(page).inputValue()).toBe('for now')
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: [], custom: 'SQLite: for now' }] })
  })

  it('by Basic auth: its credentials go along, ours beside them; a password that is no longer taken is not our link', async () => {
    const { web, proxy, link } = await front('basic')
    const page = await (await person({ httpCredentials: { ...proxy.credentials } })).newPage()
    await page.goto(link)
    await ready(page)
    const answer = web.ask([NAME])
    await usable(cards(page))
    await answerField(page).fill('Router')
    proxy.credentials.password = 'changed'
    proxy.logOut()
    await page.getByText(BLOCKED).waitFor()
    proxy.credentials.password = 'pw'
    await page.getByText('Connected again.').waitFor()
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'name', selected: [], custom: 'Router' }] })
    expect([...proxy.authorizations].filter(one => one !== undefined && !one.startsWith('Basic '))).toEqual([])
  })

  it('each way to refuse is understood, and what is only down is no login', async () => {
    const { proxy, link } = await front('open')
    // Without any credentials the browser asks the person, and waits for them.
    const page = await open(link, await person({ httpCredentials: { username: 'me', password: 'wrong' } }))
    const banner = page.locator('.banner')
    for (const [mode, said] of [['forbidden', BLOCKED], ['page', BLOCKED], ['down', LOST], ['basic', BLOCKED], ['cookie', BLOCKED]] as const) {
      proxy.mode = mode
      proxy.logOut()
      await expect.poll(() => banner.textContent(), { timeout: 20_000, message: mode }).toContain(said)
      proxy.mode = 'open'
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await expect.poll(() => banner.textContent(), { timeout: 20_000, message: mode }).toBe('Connected again.')
    }
  })

  it('a link that was never proved is not lost in the login', async () => {
    const { proxy, link } = await front('open')
    const page = await blankPage()
    await page.route('**/api/hello', route => route.fulfill({ status: 302, headers: { location: '/login' } }))
    await page.goto(link)
    await page.getByText(BLOCKED).waitFor()
    await page.unroute('**/api/hello')
    await page.goto(proxy.through('http://127.0.0.1/'))
    await page.getByText('No open questions.').waitFor()
    expect(await page.locator('.banner').textContent()).toBe('')
  })
})
