// High contrast, where the system takes every colour and background: each state still looks different from the others.
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHECKS, DATABASE } from '../helpers/web.ts'
import { axeFinds, boot, cards, choice, inBrowser, open, person, send, Tunnel, usable } from './support.ts'

/** How an element looks, as a picture. */
const look = async (element: Locator) => (await element.screenshot({ animations: 'disabled' })).toString('base64')

/** The colours of the switch: the track's border, its inside, and the thumb. */
const colours = (page: Page) => page.locator('.track').evaluate(track => {
  const { borderTopColor, backgroundColor } = getComputedStyle(track)
  return { border: borderTopColor, inside: backgroundColor, thumb: getComputedStyle(track, '::before').backgroundColor }
})

inBrowser('high contrast', () => {
  it.each(['light', 'dark'] as const)('the switch: off, on, under way and without a connection differ, and the thumb is seen: %s', async (colorScheme) => {
    const web = await boot()
    const tunnel = await Tunnel.to(web.url)
    const page = await open(tunnel.through(web.link), await person({ forcedColors: 'active', colorScheme }))
    const away = page.getByRole('switch', { name: 'Away' })
    const seen: string[] = []
    const note = async () => {
      await page.mouse.move(0, 0)
      const { border, inside, thumb } = await colours(page)
      expect(thumb).not.toBe(inside)
      expect(border).not.toBe(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      seen.push(await look(page.locator('.track')))
    }
    await note()
    await away.click()
    await page.getByText('You are away').first().waitFor()
    await note()
    tunnel.cut()
    await expect.poll(() => away.getAttribute('aria-disabled'), { timeout: 10_000 }).toBe('true')
    await note()
    expect(new Set(seen).size).toBe(3)
  })

  it('a chosen option, a button that waits, a folded text and the words above the cards', async () => {
    const web = await boot()
    const page = await open(web.link, await person({ forcedColors: 'active', bypassCSP: true }))
    web.ask([{ ...DATABASE, detail: 'one\n\n'.repeat(30) }, CHECKS])
    await usable(cards(page))
    const option = page.locator('.option').first()
    const width = () => option.evaluate(element => getComputedStyle(element).borderTopWidth)
    const before = [await look(option), await look(send(page)), await width()]
    await choice(page, 'Postgres').click()
    await page.mouse.move(0, 0)
    await send(page).focus()
    await page.route('**/answer', () => new Promise(() => {}))
    expect(await width()).not.toBe(before[2])
    expect(await look(option)).not.toBe(before[0])
    await send(page).click()
    await page.getByText('Sending…').waitFor()
    expect(await look(page.locator('.send'))).not.toBe(before[1])
    expect(await page.locator('.detail').evaluate(element => getComputedStyle(element).borderBlockEndStyle)).toBe('dashed')
    expect(await axeFinds(page)).toEqual([])
  })
})
