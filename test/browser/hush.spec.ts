// "Quiet for an hour": what it shows, on every page, and who does not get it.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { NAME } from '../helpers/web.ts'
import { axeFinds, boot, cards, inBrowser, isWide, open, person, Tunnel, usable } from './support.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

inBrowser('quiet for an hour', () => {
  it('is said until when, on every page, by finger and keyboard; it ends by a button, too', async () => {
    const web = await boot()
    const phone = await person({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, bypassCSP: true })
    const [page, other] = [await open(web.link, phone), await open(web.link, await person())]
    expect((await button(page, 'Quiet for an hour').boundingBox())!.height).toBeGreaterThanOrEqual(44)
    await button(page, 'Quiet for an hour').tap()
    await button(other, 'End quiet').waitFor()
    const until = new Date(web.registry.hushedUntil!)
    const words = `Quiet until ${new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(until)}`
    for (const one of [page, other]) expect(await one.locator('.hush .holds').textContent()).toBe(words)
    expect(await other.locator('.unseen').textContent()).toBe(words)
    expect(await axeFinds(page)).toEqual([])
    expect(await isWide(page)).toBe(false)
    await other.reload()
    await button(other, 'End quiet').focus()
    await expect.poll(() => button(other, 'End quiet').getAttribute('aria-disabled')).toBe('false')
    await other.keyboard.press('Enter')
    await button(page, 'Quiet for an hour').waitFor()
    expect(await page.locator('.unseen').textContent()).toBe('No longer quiet.')
    expect(web.registry.hushedUntil).toBeUndefined()
  })

  it('says when it was not confirmed, and changes nothing without a connection', async () => {
    const web = await boot()
    const tunnel = await Tunnel.to(web.url)
    const page = await open(tunnel.through(web.link))
    await page.route('**/api/hush', route => route.abort(), { times: 1 })
    await button(page, 'Quiet for an hour').click()
    await page.getByRole('alert').filter({ hasText: 'The host did not confirm the change.' }).waitFor()
    tunnel.cut()
    await expect.poll(() => button(page, 'Quiet for an hour').getAttribute('aria-disabled'), { timeout: 10_000 }).toBe('true')
    await button(page, 'Quiet for an hour').click({ force: true })
    expect(web.registry.hushedUntil).toBeUndefined()
  })

  it('whoever has the link of one question does not see it', async () => {
    const web = await boot()
    web.ask([NAME], {}, () => new Promise(() => {}))
    const page = await open(web.linkFor(web.id)!)
    await usable(cards(page))
    expect(await button(page, 'Quiet for an hour').count()).toBe(0)
  })
})
