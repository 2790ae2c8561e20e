// A tool that needs permission, in a real browser: what its card looks like and says, and that nothing permits but a press on the
// one button that was meant for it.
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../helpers/registry.ts'
import { timedOut } from '../helpers/timed.ts'
import { AGENT, approvalRequest, type BootedWeb, DATABASE, NAME, ORIGIN } from '../helpers/web.ts'
import { answerField, axeFinds, boot, cards, inBrowser, isWide, lines, notifying, open, person, ready, told, usable } from './support.ts'

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

/** A tool call in the session of its agent, as the host keeps it. */
const callOf = (args: object) => ({
  callId: 'c1', agent: { session: { ...AGENT.session, events: [{ type: 'tool/call', data: { callId: 'c1', arguments: JSON.stringify(args) } }] } },
})

const REMOVE = { ...callOf({ command: 'rm -rf "build"\necho *done*', workdir: '/srv/me/shop' }), displayReason: { en: 'It removes files.', zh: '它会删除文件。' } }

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

const allow = (page: Page) => button(page, 'Allow once')

const reject = (page: Page) => button(page, 'Reject')

const words = (page: Page): Locator => page.getByLabel('To go with Reject')

/** Wait until the buttons do what they are told: they do not at first. */
const pressable = (page: Page) => page.locator('article:not(.still) .choices:not(.still)').waitFor()

/** A page with an approval on it; `outcome` is what dsh gets. */
async function permission(more: object = REMOVE, context?: BrowserContext) {
  const web = await boot()
  const page = await open(web.link, context)
  const outcome = web.approve(more)
  await pressable(page)
  return { web, page, outcome }
}

/** The same, on a clock that stands still once the buttons can be pressed. */
async function stopped(context?: Promise<BrowserContext>) {
  const web = await boot()
  const page = await (await (context ?? person())).newPage()
  await page.clock.install()
  await page.goto(web.link)
  await ready(page)
  await page.clock.pauseAt(await page.evaluate(() => Date.now()) + 2000)
  return { web, page }
}

/** Whether nobody has decided yet. */
async function isOpen(web: BootedWeb): Promise<boolean> {
  await new Promise(resolve => void setTimeout(resolve, 50))
  return web.registry.pending().length === 1
}

const focused = (page: Page) => page.evaluate(() => document.activeElement!.textContent)

/** Where a finger or a mouse meets an element. */
async function middle(element: Locator): Promise<[x: number, y: number]> {
  const { x, y, width, height } = (await element.boundingBox())!
  return [x + width / 2, y + height / 2]
}

/** How many decisions the page sends from now on. */
function posts(page: Page): () => number {
  let count = 0
  page.on('request', request => {
    if (request.url().endsWith('/answer')) count++
  })
  return () => count
}

inBrowser('a permission', () => {
  it('cannot be mistaken for a question: another colour, another shape, and a word', async () => {
    const { web, page } = await permission()
    web.ask([DATABASE])
    await cards(page).nth(1).waitFor()
    const [one, other] = await cards(page).evaluateAll(all => all.map(card => {
      const { borderTopColor, borderTopWidth, borderTopLeftRadius } = getComputedStyle(card)
      return { borderTopColor, borderTopWidth, borderTopLeftRadius }
    }))
    for (const [what, looks] of Object.entries(one!)) expect(looks, what).not.toBe(other![what as keyof typeof one])
    expect(await page.locator('.kind').allTextContents()).toEqual(['Permission'])
    expect(await page.locator('.kind').isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Send' }).and(page.locator('article:not(.approval) *')).waitFor()
  })

  it.each([
    ['en-GB', ['Permission', 'Allow bash?', 'It removes files.', 'Reject', 'Allow once'], 'Permission needed:', /[\u4e00-\u9fff]/],
    ['zh-CN', ['权限请求', '允许使用 bash 吗？', '它会删除文件。', '拒绝', '仅允许这一次'], '需要你的许可：', /reject|allow|permission|removes/i],
  ] as const)('says which tool, why, and what it is to do, in the person\'s language: %s', async (locale, [kind, title, reason, no, yes], announced, foreign) => {
    const { page, outcome } = await permission(REMOVE, await person({ locale }))
    const card = page.getByRole('article', { name: `${kind} ${title}` })
    await card.getByRole('heading', { name: title, exact: true }).waitFor()
    expect(await card.locator('.reason').innerText()).toBe(reason)
    expect(await card.locator('pre').innerText()).toBe('rm -rf "build"\necho *done*')
    expect(await card.locator('.detail > p').innerText()).toBe('/srv/me/shop')
    expect(await card.getByRole('button').allInnerTexts()).toEqual([no, yes])
    expect(await card.innerText()).not.toMatch(foreign)
    expect(await page.getByRole('status').filter({ hasText: announced }).count()).toBe(1)
    await button(page, yes).click()
    expect(await outcome).toBe('allowed-once')
    await lines(page).waitFor()
    expect(await lines(page).innerText()).not.toMatch(foreign)
  })

  it('to a screen reader it is one article with a name, and each button says what it is about', async () => {
    const { page, outcome } = await permission()
    const card = page.getByRole('article', { name: `Permission Allow bash? Asked by ${ORIGIN}`, exact: true })
    await card.getByRole('button', { name: 'Reject', description: 'Allow bash?' } as never).waitFor()
    await card.getByRole('textbox', { name: 'To go with Reject: why, or what to do instead (optional)' }).waitFor()
    // A screen reader presses without a key and without a pointer.
    await allow(page).evaluate((element: HTMLElement) => element.click())
    expect(await outcome).toBe('allowed-once')
    await expect.poll(() => page.locator('.unseen').textContent()).toBe('Allowed once, decided on this page')
  })

  it('what is too long is cut, and it says so; what is long is folded', async () => {
    const { web, page } = await permission({ ...callOf({ command: `${'x'.repeat(30_000)} --end` }), reason: 'why\n'.repeat(4000) })
    await page.getByText('This is too long for the page').waitFor()
    expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(2)
    await page.getByRole('button', { name: 'Show all' }).nth(1).click()
    expect(await page.locator('.detail').innerText()).toMatch(/✂ \d+ characters[^]* --end/)
    expect(await isWide(page)).toBe(false)
    // A source of its own may give more than dsh's.
    const { questions, ...more } = approvalRequest(`\`\`\`\n${'y'.repeat(60_000)}\n\`\`\``)
    web.ask(questions, more)
    await cards(page).nth(1).getByText('This is too long for the page').waitFor()
  })

  it('is nothing but text, whatever the tool is called and does', async () => {
    const command = '<img src=x onerror=1>\n```\n\n# Allow?\n\n[Reject](javascript:1) \u202e'
    const { page } = await permission({ ...callOf({ command }), toolName: '<b>bash</b>\u202e', reason: '**safe** <script>1</script> [x](https://example.com)' })
    expect(await page.locator('main img, main script, main b, main strong, article a').count()).toBe(0)
    expect(await page.locator('pre').innerText()).toBe(command.replace('\u202e', '<U+202E>'))
    expect(await page.locator('h3').innerText()).toBe('Allow <b>bash</b><U+202E>?')
  })

  it('Reject stands first, nothing is chosen and nothing focused by itself, and Enter is no short cut', async () => {
    const { web, page, outcome } = await permission()
    const [no, yes] = [(await reject(page).boundingBox())!, (await allow(page).boundingBox())!]
    expect(no.x + no.width <= yes.x || no.y + no.height <= yes.y).toBe(true)
    expect(await page.locator(':checked, [aria-pressed=true], [autofocus], article form').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement!.tagName)).toBe('BODY')
    for (const key of ['Enter', 'Space', 'a', 'y', '1', 'Control+Enter']) await page.keyboard.press(key)
    await words(page).focus()
    for (const key of ['Enter', 'Control+Enter', 'Meta+Enter', 'Alt+a']) await page.keyboard.press(key)
    expect(await isOpen(web)).toBe(true)
    await page.keyboard.type('use trash')
    await page.keyboard.press('Enter')
    expect(await isOpen(web)).toBe(true)
    await reject(page).click()
    expect(await outcome).toBe('rejected')
  })

  it.each([['Allow once', 'allowed-once', 'Allowed once'], ['Reject', 'rejected', 'Rejected']] as const)('%s: by mouse, by a finger, by Enter and by the space bar', async (name, wanted, said) => {
    const web = await boot()
    const page = await open(web.link, await person(PHONE))
    let count = 0
    for (const way of ['mouse', 'finger', 'Enter', 'Space']) {
      const outcome = web.approve(REMOVE)
      await pressable(page)
      if (way === 'mouse') await button(page, name).click()
      else if (way === 'finger') {
        await button(page, name).scrollIntoViewIfNeeded()
        await page.touchscreen.tap(...await middle(button(page, name)))
      } else {
        for (let presses = 0; presses < 20 && await focused(page) !== name; presses++) await page.keyboard.press('Tab')
        await page.keyboard.press(way)
      }
      expect(await outcome, way).toBe(wanted)
      await lines(page).nth(count++).waitFor()
    }
    expect(await lines(page).allInnerTexts()).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(new RegExp(`^Permission: Allow bash\\?[^]*${said}[^]*decided on this page`)) as string))
  })

  it('a key that was held down before it came to the button decides nothing, nor does letting it go', async () => {
    const { web, page, outcome } = await permission()
    for (const key of ['Enter', ' ']) {
      for (const name of ['Reject', 'Allow once']) {
        await page.getByRole('heading', { name: 'Asked by' }).focus()
        await page.keyboard.down(key)
        for (let presses = 0; presses < 20 && await focused(page) !== name; presses++) await page.keyboard.press('Tab')
        for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down(key)
        await page.keyboard.up(key)
        expect(await isOpen(web), `${key} at ${name}`).toBe(true)
      }
    }
    // Some browsers press a button when the space bar is let go on it, wherever it went down.
    const isTaken = () => allow(page).evaluate(element => element.dispatchEvent(new KeyboardEvent('keyup', { key: ' ', bubbles: true, cancelable: true })))
    expect(await isTaken()).toBe(false)
    await page.keyboard.down(' ')
    for (const one of [reject(page), allow(page)]) await one.focus()
    expect(await isTaken()).toBe(false)
    await page.keyboard.up(' ')
    expect(await isOpen(web)).toBe(true)
    await allow(page).press('Space')
    expect(await outcome).toBe('allowed-once')
  })

  it('one press decides once: a key that stays down on Reject, and the card that follows it', async () => {
    const { web, page, outcome } = await permission()
    void web.approve(REMOVE)
    await cards(page).nth(1).waitFor()
    const count = posts(page)
    await reject(page).first().focus()
    for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter')
    expect(await outcome).toBe('rejected')
    await lines(page).waitFor()
    for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect([await isOpen(web), count()]).toEqual([true, 1])
    // The keyboard goes on to the next card, and to none of its buttons.
    expect(await page.evaluate(() => [document.activeElement!.tagName, document.activeElement!.closest('article') !== null])).toEqual(['H2', true])
  })

  it('what has just appeared takes no tap and no click for 600 ms; then one tap decides', async () => {
    const { web, page } = await stopped(person(PHONE))
    const outcome = web.approve()
    await cards(page).waitFor()
    await allow(page).scrollIntoViewIfNeeded()
    const at = await middle(allow(page))
    for (const later of [0, 300, 299]) {
      await page.clock.fastForward(later)
      for (let tap = 0; tap < 2; tap++) await page.touchscreen.tap(...at)
      await page.mouse.click(...at)
      expect(await isOpen(web), `${later}`).toBe(true)
    }
    await page.clock.fastForward(1)
    // The browser's own clock counts taps in a row, and the second of a double tap decides nothing.
    await new Promise(resolve => void setTimeout(resolve, 700))
    await page.touchscreen.tap(...at)
    expect(await outcome).toBe('allowed-once')
  })

  it('what was moved takes none either: by a card that goes, by words that grow above it, by a window that turns', async () => {
    const { web, page } = await stopped()
    const terminal = register(web.ctx, 'terminal')
    web.ask([DATABASE])
    web.ask([NAME])
    web.approve()
    await cards(page).nth(2).waitFor()
    await page.clock.fastForward(600)
    const top = async () => Math.round((await allow(page).boundingBox())!.y)
    for (const [what, move] of [
      ['a card that goes', () => terminal.answer({ answers: [{ id: 'db', selected: ['SQLite'] }] }, 0)],
      ['words that grow', () => answerField(page).fill('one\ntwo\nthree\nfour')],
      ['a narrower window', () => page.setViewportSize({ width: 330, height: 1400 })],
    ] as const) {
      await page.clock.fastForward(600)
      await pressable(page)
      const before = await top()
      await move()
      await expect.poll(top, { message: what }).not.toBe(before)
      await page.locator('.choices.still, .still .choices').waitFor()
      await page.clock.fastForward(599)
      await page.mouse.click(...await middle(allow(page)))
      await new Promise(resolve => void setTimeout(resolve, 50))
      expect(web.registry.pending(), what).toHaveLength(2)
    }
    await page.clock.fastForward(1)
    await page.mouse.click(...await middle(allow(page)))
    await expect.poll(() => web.registry.pending().length).toBe(1)
  })

  it('the second press of a double click or a double tap decides nothing', async () => {
    const { web, page, outcome } = await permission()
    await page.mouse.move(...await middle(allow(page)))
    for (const clickCount of [2, 3]) {
      await page.mouse.down({ clickCount })
      await page.mouse.up({ clickCount })
    }
    expect(await isOpen(web)).toBe(true)
    // A press that began elsewhere is none.
    await page.mouse.move(...await middle(page.locator('.kind')))
    await page.mouse.down()
    await page.mouse.move(...await middle(allow(page)))
    await page.mouse.up()
    expect(await isOpen(web)).toBe(true)
    const count = posts(page)
    await reject(page).dblclick()
    expect(await outcome).toBe('rejected')
    await lines(page).waitFor()
    expect(count()).toBe(1)
  })

  it('words stand beside Reject alone: with Allow nothing is sent, it says why, and the words stay', async () => {
    const { web, page, outcome } = await permission(REMOVE, await person(PHONE))
    const count = posts(page)
    await words(page).fill('only in /tmp')
    await pressable(page)
    await allow(page).tap()
    const alert = page.getByRole('alert').filter({ hasText: 'what you wrote goes with Reject only. To allow, clear the text first.' })
    await alert.waitFor()
    expect(await alert.evaluate(element => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
    expect([await words(page).inputValue(), await isOpen(web), count()]).toEqual(['only in /tmp', true, 0])
    await words(page).fill('')
    expect(await alert.count()).toBe(0)
    await words(page).fill('use trash')
    await reject(page).press('Enter')
    expect(await outcome).toBe('rejected')
    await lines(page).waitFor()
    expect(await lines(page).innerText()).toContain('Rejected: use trash')
    expect(await page.locator('.lost').count()).toBe(0)
  })

  it('words that are cleared no longer stand in the way, blank ones never do', async () => {
    const { page, outcome } = await permission()
    await words(page).fill('no')
    await allow(page).press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Nothing was sent' }).waitFor()
    await words(page).fill(' \n ')
    await allow(page).press('Enter')
    expect(await outcome).toBe('allowed-once')
    await lines(page).waitFor()
    expect(await page.locator('.lost').count()).toBe(0)
  })

  it('long words that come back after a reload are seen as a whole, in an approval and in a question', async () => {
    const { web, page } = await permission(REMOVE, await person())
    web.ask([NAME])
    await usable(cards(page).nth(1))
    const fields = [words(page), answerField(page)], long = 'one\ntwo\nthree\nfour\nfive\nsix'
    for (const field of fields) await field.fill(long)
    await page.reload()
    await ready(page)
    for (const field of fields) {
      expect(await field.inputValue()).toBe(long)
      expect(await field.evaluate(element => element.scrollHeight <= element.clientHeight)).toBe(true)
    }
    expect(await page.evaluate(() => document.activeElement!.tagName)).toBe('BODY')
  })
})

const LOOKS: [string, BrowserContextOptions][] = [
  ['light', { colorScheme: 'light' }],
  ['dark, 320 px', { ...PHONE, colorScheme: 'dark' }],
  ['Chinese, light, 320 px', { ...PHONE, colorScheme: 'light', locale: 'zh-CN' }],
  ['high contrast, dark', { colorScheme: 'dark', forcedColors: 'active' }],
  ['high contrast, light', { colorScheme: 'light', forcedColors: 'active' }],
]

inBrowser('how a permission looks', () => {
  it.each(LOOKS)('axe-core finds nothing, all fits, and what is pressed is large enough: %s', async (_name, options) => {
    const { web, page } = await permission({ ...REMOVE, reason: 'why\n'.repeat(20) }, await person({ ...options, bypassCSP: true }))
    await page.locator('textarea').fill('words')
    // The first one opens what is folded.
    for (let press = 0; press < 2; press++) await page.locator('.allow').press('Enter')
    await page.locator('.error').filter({ hasText: /./ }).waitFor()
    expect(await axeFinds(page)).toEqual([])
    expect(await isWide(page)).toBe(false)
    for (const one of await page.locator('.choices button').all()) expect((await one.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    await page.locator('.reject').press('Enter')
    await lines(page).waitFor()
    await lines(page).click()
    expect(await axeFinds(page)).toEqual([])
    expect(web.registry.pending()).toEqual([])
  })

  it.each(['light', 'dark'] as const)('in high contrast it still differs from a question, by its border and its bar: %s', async (colorScheme) => {
    const { web, page } = await permission(REMOVE, await person({ colorScheme, forcedColors: 'active' }))
    web.ask([DATABASE])
    await cards(page).nth(1).waitFor()
    const borders = await cards(page).evaluateAll(all => all.map(card => getComputedStyle(card).borderTopStyle))
    expect(borders).toEqual(['double', 'solid'])
    const sign = await page.locator('.kind').evaluate(element => {
      const { color, backgroundColor } = getComputedStyle(element, '::before')
      return { color, backgroundColor, bar: getComputedStyle(element).borderBottomStyle }
    })
    expect(sign.color).not.toBe(sign.backgroundColor)
    expect(sign.bar).toBe('double')
    // A button that waits looks different from one that can be pressed.
    const look = async () => (await allow(page).screenshot({ animations: 'disabled' })).toString('base64')
    await page.mouse.move(0, 0)
    const before = await look()
    await page.route('**/answer', () => new Promise(() => {}))
    await reject(page).press('Enter')
    await page.getByText('Sending…').waitFor()
    expect(await look()).not.toBe(before)
  })
})

inBrowser('a permission that somebody else, or nobody, decides', () => {
  it('answered elsewhere: the line says what was decided and where, is read out, and keeps what was being written', async () => {
    const web = await boot()
    const terminal = register(web.ctx, 'terminal')
    const page = await open(web.link)
    const outcome = web.approve(REMOVE)
    await pressable(page)
    await words(page).fill('use tra')
    await words(page).press('End')
    terminal.answer({ answers: [{ id: 'approval', selected: ['allow'] }] })
    expect(await outcome).toBe('allowed-once')
    await lines(page).waitFor()
    expect(await lines(page).innerText()).toMatch(/Permission: Allow bash\?[^]*Allowed once[^]*decided on terminal/)
    await expect.poll(() => page.locator('.unseen').textContent()).toBe('Allowed once, decided on terminal')
    await page.keyboard.type('sh')
    expect(await page.getByLabel('You wrote this, but it was not sent:').inputValue()).toBe('use trash')
    await button(page, 'OK').click()
    expect(await page.locator('.history .ended').count()).toBe(1)
  })

  it('a finger on its way to a card that is withdrawn presses nothing of the one that moves up', async () => {
    const { web, page } = await stopped()
    const terminal = register(web.ctx, 'terminal')
    for (let turn = 0; turn < 2; turn++) web.approve()
    await cards(page).nth(1).waitFor()
    await page.clock.fastForward(600)
    const at = await middle(allow(page).first())
    terminal.answer({ answers: [{ id: 'approval', selected: ['reject'] }] }, 0)
    await lines(page).waitFor()
    await button(page, 'OK').press('Enter')
    await page.mouse.click(...at)
    await page.clock.fastForward(599)
    await page.mouse.click(...at)
    expect(await isOpen(web)).toBe(true)
  })

  it('decided in dsh, or withdrawn with the turn: it says which', async () => {
    const web = await boot()
    const page = await open(web.link)
    let decide!: (outcome: string) => void
    const first = web.approve(REMOVE, () => new Promise(resolve => { decide = resolve }))
    await pressable(page)
    decide('rejected')
    expect(await first).toBe('rejected')
    await lines(page).getByText('decided in dsh').waitFor()
    const turn = new AbortController()
    const second = web.approve({ ...REMOVE, signal: turn.signal }, () => new Promise(() => {}))
    await pressable(page)
    turn.abort(new Error('stopped'))
    expect(await second).toBe('cancelled')
    await lines(page).getByText('cancelled: the agent was stopped').waitFor()
  })

  it('on another page: both show the same, and the one that comes too late is told', async () => {
    const web = await boot()
    const [page, other] = [await open(web.link, await person()), await open(web.link, await person())]
    const outcome = web.approve(REMOVE)
    for (const one of [page, other]) await pressable(one)
    // The other one does not hear of it yet.
    await other.route('**/answer', async route => {
      await reject(page).click()
      await outcome
      await route.continue()
    }, { times: 1 })
    await allow(other).click()
    expect(await outcome).toBe('rejected')
    await lines(other).waitFor()
    expect(await lines(other).innerText()).toMatch(/Rejected[^]*decided on another page/)
    await lines(page).getByText('decided on this page').waitFor()
  })

  it('the agent has gone on: the card says so, stays, and is answered late', async () => {
    const web = await boot()
    const replies: unknown[] = []
    web.ctx.provide('userQuestions' as never, { answer: (...reply: unknown[]) => replies.push(reply.at(-1)) > 0 } as never)
    const page = await open(web.link)
    const { questions, ...more } = approvalRequest(), turn = new AbortController()
    web.ask(questions, { ...more, agent: AGENT, signal: turn.signal, wait: { callId: 'c1', timed: true } } as never, () => new Promise(() => {}))
    await pressable(page)
    turn.abort(timedOut())
    await page.getByRole('status').filter({ hasText: 'The agent has gone on; your answer still reaches it.' }).waitFor()
    await page.reload()
    await page.getByText('The agent has gone on; your answer still reaches it.').waitFor()
    await pressable(page)
    await reject(page).click()
    await lines(page).waitFor()
    expect(await lines(page).innerText()).toMatch(/Rejected[^]*decided on this page/)
    expect(replies).toEqual([{ answers: [{ id: 'approval', selected: ['reject'] }] }])
  })

  it('is told of while nobody looks, without a word of what it is about', async () => {
    const web = await boot()
    const page = await open(web.link, await notifying('granted'))
    web.approve(REMOVE)
    await cards(page).waitFor()
    await expect.poll(() => told(page)).toEqual([`Permission needed: ${ORIGIN} 2`])
  })
})

inBrowser('a permission whose connection is lost', () => {
  it('a decision that did not arrive is said to have not, and is sent again only when it is made again', async () => {
    const { web, page, outcome } = await permission()
    const count = posts(page)
    await page.route('**/answer', route => route.abort(), { times: 1 })
    await allow(page).click()
    await page.getByRole('alert').filter({ hasText: 'Your decision did not arrive. Please decide again.' }).waitFor()
    await page.reload()
    await pressable(page)
    expect([await isOpen(web), count()]).toEqual([true, 1])
    await reject(page).click()
    expect(await outcome).toBe('rejected')
    expect(count()).toBe(2)
  })

  it('one that arrived, though nobody could say so, counts: once, and the line says so', async () => {
    const { page, outcome } = await permission()
    const count = posts(page)
    await page.route('**/answer', async route => {
      await route.fetch()
      await route.abort()
    })
    await allow(page).click()
    expect(await outcome).toBe('allowed-once')
    await lines(page).waitFor()
    expect(await lines(page).innerText()).toMatch(/Allowed once[^]*decided on this page/)
    expect(count()).toBe(1)
    expect(await cards(page).count()).toBe(0)
  })

  it('while one is on its way nothing else is sent: not the other one, nor the same again', async () => {
    const { page, outcome } = await permission()
    const count = posts(page)
    let arrive!: () => void
    const held = new Promise<void>(resolve => { arrive = resolve })
    await page.route('**/answer', async route => {
      await held
      await route.continue()
    })
    await words(page).fill('use trash')
    await reject(page).press('Enter')
    await page.getByText('Sending…').waitFor()
    for (const one of [allow(page), reject(page)]) {
      expect(await one.getAttribute('aria-disabled')).toBe('true')
      await one.press('Enter')
      await one.evaluate((element: HTMLElement) => element.click())
    }
    expect(await words(page).getAttribute('readonly')).toBe('')
    expect(await page.locator('.error').textContent()).toBe('')
    arrive()
    expect(await outcome).toBe('rejected')
    await lines(page).waitFor()
    expect(count()).toBe(1)
  })
})
