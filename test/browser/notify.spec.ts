// A notification that cannot be shown reaches nobody, so a hidden page that has only the permission counts for nobody.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { NAME } from '../helpers/web.ts'
import { boot, cards, inBrowser, notifying, open, told } from './support.ts'

const hide = (page: Page) => page.evaluate(() => {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
})

/** What every notification from now on does instead of being shown. */
const instead = (page: Page, event: 'error' | 'throw') => page.evaluate(name => {
  document.documentElement.dataset['notifications'] = name
}, event)

inBrowser('notifications that are not shown', () => {
  it.each(['error', 'throw'] as const)('%s: the hidden page that could notify counts no longer, and a waiting phone is asked', async (event) => {
    const web = await boot()
    const watched = () => web.registry.status()[0]!.watched
    const page = await open(web.link, await notifying('granted'))
    const streamed = page.waitForRequest('**/api/events')
    await hide(page)
    await streamed
    expect(watched()).toBe(true)
    await instead(page, event)
    web.ask([NAME])
    await cards(page).waitFor()
    await expect.poll(watched, { timeout: 10_000 }).toBe(false)
  })

  it('a permission alone counts for nobody; the first notification that is shown does', async () => {
    const web = await boot()
    const watched = () => web.registry.status()[0]!.watched
    const context = await notifying('granted')
    await context.addInitScript(() => void (location.protocol === 'http:' && localStorage.removeItem('ask-web:/:notifies')))
    const page = await open(web.link, context)
    await hide(page)
    await expect.poll(watched, { timeout: 10_000 }).toBe(false)
    await page.getByRole('button', { name: 'Notify me' }).waitFor()
    web.ask([NAME])
    await expect.poll(() => told(page), { timeout: 15_000 }).toHaveLength(1)
    await expect.poll(watched).toBe(true)
  })

  it.each(['error', 'throw'] as const)('asked for, and %s: it says that this browser cannot', async (event) => {
    const web = await boot()
    const page = await open(web.link, await notifying('default'))
    await instead(page, event)
    await page.getByRole('button', { name: 'Notify me' }).click()
    await expect.poll(() => page.locator('.notify').textContent()).toBe('This browser cannot notify you.')
  })
})
