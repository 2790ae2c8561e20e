// The switch for "away": it shows the host's word, follows it, and never pretends.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { AGENT, NAME, ORIGIN } from '../helpers/web.ts'
import { answerField, axeFinds, boot, cards, inBrowser, isWide, lines, notifying, open, person, start, told, Tunnel, usable } from './support.ts'

const HOME = 'You are at your desk: the settings for home apply.'
const AWAY = 'You are away: the settings for away apply.'

const away = (page: Page, name = 'Away') => page.getByRole('switch', { name, exact: true })
const isAway = async (page: Page) => await away(page).getAttribute('aria-checked') === 'true'

inBrowser('the switch', () => {
  it('shows where the person is, and sets it with the mouse and the keyboard; a second page follows', async () => {
    const web = await boot()
    const registry = web.registry
    const [one, other] = [await open(web.link), await open(web.link, await person())]
    expect(await isAway(one)).toBe(false)
    await one.getByText(HOME).waitFor()
    await away(one).click()
    for (const page of [one, other]) await page.getByText(AWAY).first().waitFor()
    expect([registry.presence, await isAway(one), await isAway(other)]).toEqual(['away', true, true])
    // Whoever did not do it, and does not see it, is told.
    expect(await other.locator('.unseen').textContent()).toBe(AWAY)
    expect(await one.locator('.unseen').textContent()).toBe('')
    await other.keyboard.press('Tab')
    while (!await away(other).evaluate(element => element === document.activeElement)) await other.keyboard.press('Tab')
    for (const [key, presence] of [['Space', 'home'], ['Enter', 'away']] as const) {
      await other.keyboard.press(key)
      await expect.poll(() => isAway(one)).toBe(presence === 'away')
      expect(registry.presence).toBe(presence)
      expect(await away(other).evaluate(element => element === document.activeElement)).toBe(true)
    }
  })

  it('follows a change from elsewhere, a reload and a router that was loaded anew', async () => {
    const { web, page } = await start()
    const registry = web.registry
    registry.presence = 'away'
    await expect.poll(() => isAway(page)).toBe(true)
    await page.reload()
    await page.getByText(AWAY).waitFor()
    expect(await isAway(page)).toBe(true)
    await web.router.restart()
    await expect.poll(() => isAway(page), { timeout: 10_000 }).toBe(false)
    await expect.poll(() => away(page).getAttribute('aria-disabled')).toBe('false')
    await away(page).click()
    await page.getByText(AWAY).first().waitFor()
    expect(web.registry.presence).toBe('away')
  })

  it('while a change is under way it says so, shows what holds, and takes no second one', async () => {
    const { page } = await start()
    const asked: string[] = []
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/presence', async route => {
      asked.push(route.request().postData() ?? '')
      await held
      await route.continue()
    })
    await away(page).click()
    await page.getByText('Switching…').waitFor()
    expect([await isAway(page), await away(page).getAttribute('aria-busy'), await away(page).getAttribute('aria-disabled')]).toEqual([false, 'true', 'true'])
    await away(page).click({ force: true })
    release()
    await page.getByText(AWAY).waitFor()
    expect(asked).toEqual(['{"presence":"away"}'])
    expect([await isAway(page), await away(page).getAttribute('aria-busy')]).toEqual([true, 'false'])
  })

  it.each([
    ['that fails', async (page: Page) => page.route('**/api/presence', route => route.abort())],
    ['that the host refuses', async (page: Page) => page.route('**/api/presence', route => route.fulfill({ status: 500, body: '{}' }))],
  ])('a change %s: it shows what holds and says that it failed, until it succeeds', async (_what, fail) => {
    const { web, page } = await start()
    await fail(page)
    await away(page).click()
    await page.getByRole('alert').filter({ hasText: 'The host did not confirm the change.' }).waitFor()
    expect([await isAway(page), web.registry.presence]).toEqual([false, 'home'])
    await page.unroute('**/api/presence')
    await away(page).click()
    await page.getByText(AWAY).waitFor()
    expect(await page.getByText('The host did not confirm the change.').count()).toBe(0)
  })

  it('a change that arrived while its response was lost is shown as it is', async () => {
    const { web, page } = await start()
    await page.route('**/api/presence', async route => {
      await route.fetch()
      await route.abort()
    })
    await away(page).click()
    await page.getByText(AWAY).first().waitFor()
    await expect.poll(() => away(page).getAttribute('aria-disabled')).toBe('false')
    expect([await isAway(page), web.registry.presence]).toEqual([true, 'away'])
  })

  it('without a connection it says that it only knows how it was, and changes nothing; afterwards it knows better', async () => {
    const web = await boot()
    const tunnel = await Tunnel.to(web.url)
    const page = await open(tunnel.through(web.link))
    tunnel.cut()
    await page.getByText('No connection: this is the last known state, and it cannot be changed now.').waitFor()
    expect(await away(page).getAttribute('aria-disabled')).toBe('true')
    await away(page).click({ force: true })
    web.registry.presence = 'away'
    tunnel.restore()
    await page.getByText(AWAY).first().waitFor()
    expect([await isAway(page), await away(page).getAttribute('aria-disabled')]).toEqual([true, 'false'])
  })

  it('whoever has the link of one question does not see it, nor whoever has a wrong one', async () => {
    const web = await boot()
    web.ask([NAME], {}, () => new Promise(() => {}))
    const page = await open(web.link)
    await away(page).waitFor()
    await page.goto(web.linkFor(web.id)!)
    await away(page).waitFor({ state: 'hidden' })
    await usable(cards(page))
    await page.goto(web.link)
    await away(page).waitFor()
    const stranger = await (await person()).newPage()
    await stranger.goto(`${web.url}#t=${'x'.repeat(43)}`)
    await stranger.getByText('This link is not valid').waitFor()
    expect(await away(stranger).count()).toBe(0)
  })

  it.each([
    ['light, desktop', {}, 'Away'],
    ['dark, 320 px', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }, 'Away'],
    ['Chinese, light, 320 px', { colorScheme: 'light', locale: 'zh-CN', viewport: { width: 320, height: 640 } }, '外出'],
  ] as const)('axe-core finds nothing, on, off, under way and without a connection: %s', async (_name, options, name) => {
    const web = await boot()
    const tunnel = await Tunnel.to(web.url)
    const page = await open(tunnel.through(web.link), await person({ ...options, bypassCSP: true }))
    const state = () => away(page, name).evaluate(element => ['checked', 'busy', 'disabled'].filter(one => element.getAttribute(`aria-${one}`) === 'true').join(' '))
    const look = async (wanted: string) => {
      await expect.poll(state, { timeout: 10_000 }).toBe(wanted)
      expect(await axeFinds(page)).toEqual([])
      expect(await isWide(page)).toBe(false)
    }
    await look('')
    await away(page, name).click()
    await look('checked')
    await page.route('**/api/presence', () => new Promise(() => {}))
    await away(page, name).click()
    await look('checked busy disabled')
    await page.reload()
    await page.unroute('**/api/presence')
    await look('checked')
    tunnel.cut()
    await look('checked disabled')
  })
})

inBrowser('reminders', () => {
  /** The page as a surface, and what it was asked with last. */
  function surfaceOf(web: Awaited<ReturnType<typeof boot>>) {
    const surface = web.registry.list()[0]!
    const seen: Parameters<typeof surface.ask>[] = []
    const { ask } = surface
    surface.ask = (...args) => {
      seen.push(args)
      return ask.apply(surface, args)
    }
    return { remind: () => surface.remind!(...seen.at(-1)!) }
  }

  it('are told again while nobody looks, and taken back when it is settled; nothing moves and a draft stays', async () => {
    const web = await boot()
    const { remind } = surfaceOf(web)
    const page = await open(web.link, await notifying('granted'))
    const answer = web.ask([NAME], { agent: AGENT })
    await usable(cards(page))
    await answerField(page).pressSequentially('half')
    const before = await page.locator('main').innerHTML()
    remind()
    await expect.poll(() => told(page)).toEqual([
      `New question from ${ORIGIN} 2`, `closed: New question from ${ORIGIN}`, `Still waiting for an answer: ${ORIGIN} 3`,
    ])
    expect(await page.locator('.unseen').textContent()).toBe(`Still waiting for an answer: ${ORIGIN}`)
    expect((await page.locator('main').innerHTML()).replace(/(class="unseen"[^>]*>)[^<]*/, '$1')).toBe(before.replace(/(class="unseen"[^>]*>)[^<]*/, '$1'))
    expect(await page.title()).toBe('(1) Questions')
    await page.keyboard.type(' a word')
    expect(await answerField(page).inputValue()).toBe('half a word')
    await page.keyboard.press('Enter')
    await answer
    await lines(page).waitFor()
    expect((await told(page)).at(-1)).toBe(`closed: Still waiting for an answer: ${ORIGIN}`)
  })

  it('are not told to somebody who looks at the page', async () => {
    const web = await boot()
    const { remind } = surfaceOf(web)
    const context = await notifying('granted')
    await context.addInitScript(() => { document.hasFocus = () => true })
    const page = await open(web.link, context)
    web.ask([NAME], { agent: AGENT })
    await cards(page).waitFor()
    remind()
    await expect.poll(() => page.locator('.unseen').textContent()).toBe(`Still waiting for an answer: ${ORIGIN}`)
    expect(await told(page)).toEqual([])
  })

  it('a quiet question is a card as always, and no notification; the reminder when the quiet is over is one', async () => {
    const quiet = { from: '00:00', to: '23:59', timeZone: 'UTC', surfaces: ['web'] }
    const web = await boot({}, { quiet })
    const { remind } = surfaceOf(web)
    const page = await open(web.link, await notifying('granted'))
    web.ask([NAME], { agent: AGENT })
    await usable(cards(page))
    expect(await page.title()).toBe('(1) Questions')
    remind()
    web.registry.presence = 'away'
    await page.getByText(AWAY).first().waitFor()
    expect(await told(page)).toEqual([])
    await web.router.update({})
    await expect.poll(() => told(page)).toEqual([`Still waiting for an answer: ${ORIGIN} 3`])
  })

  it('a hidden tab that notifies is told at once, and counts as somebody who is there; one that does not, does not', async () => {
    const web = await boot()
    const watched = () => web.registry.status()[0]!.watched
    const hide = (page: Page) => page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    const notifies = await open(web.link, await notifying('granted'))
    const streamed = notifies.waitForRequest('**/api/events')
    await hide(notifies)
    await streamed
    web.ask([NAME], { agent: AGENT })
    await expect.poll(() => told(notifies)).toEqual([`New question from ${ORIGIN} 2`])
    expect(watched()).toBe(true)
    await notifies.goto('about:blank')
    const plain = await open(web.link, await person())
    await hide(plain)
    await expect.poll(watched, { timeout: 10_000 }).toBe(false)
  })
})
