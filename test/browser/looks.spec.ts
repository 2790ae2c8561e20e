// What it looks like, to eyes and to a screen reader, and that nothing an agent writes is more than text.
import type { BrowserContextOptions } from 'playwright-core'
import { expect, it } from 'vitest'
import { register } from '../helpers/registry.ts'
import { AGENT, agentOf, CHECKS, DATABASE, NAME, ORIGIN } from '../helpers/web.ts'
import { axeFinds, boot, cards, inBrowser, isWide, lines, open, person, send, start, startWith, usable } from './support.ts'

const LOOKS: [string, BrowserContextOptions][] = [
  ['light, desktop', { colorScheme: 'light' }],
  ['dark, 320 px', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
  ['Chinese, dark, 320 px', { colorScheme: 'dark', locale: 'zh-CN', viewport: { width: 320, height: 640 } }],
]

inBrowser('looks', () => {
  it.each(LOOKS)('axe-core finds nothing: %s', async (_name, options) => {
    const web = await boot()
    // Past the page's policy, as only a debugger can be.
    const context = await person({ ...options, bypassCSP: true })
    const page = await open(web.link, context)
    expect(await axeFinds(page)).toEqual([])
    const terminal = register(web.ctx, 'terminal')
    web.ask([NAME])
    await usable(cards(page))
    await page.locator('textarea').fill('a draft')
    terminal.answer({ answers: [{ id: 'name', selected: [], custom: 'Router' }] })
    await lines(page).waitFor()
    const detail = '# Plan\n\n1. one\n2. `two`\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[link](https://example.com/)\n'
    web.ask([{ ...DATABASE, detail, options: [...DATABASE.options!, { label: 'None', preview: 'x' } as never] }, CHECKS, { ...NAME, detail: detail.repeat(9) }])
    await usable(cards(page))
    await page.getByRole('radio').last().click()
    await page.locator('textarea').first().fill('more')
    await lines(page).click()
    expect(await axeFinds(page)).toEqual([])
    expect(await isWide(page)).toBe(false)
  })

  it('dark and light follow the system', async () => {
    const { page } = await start()
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await back()).toBe('rgb(243, 244, 247)')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await back()).toBe('rgb(20, 22, 27)')
  })

  it('speaks Chinese to a Chinese browser, and to any where it is configured', async () => {
    for (const [config, locale] of [[{}, 'zh-CN'], [{ lang: 'zh' }, 'en-GB']] as const) {
      const web = await boot(config)
      const page = await open(web.link.replace(/#$/, ''), await person({ locale }))
      const answer = web.ask([DATABASE])
      await usable(cards(page))
      expect(await page.title()).toBe('(1) 问题')
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN')
      await page.getByText('Postgres').click()
      await page.getByRole('button', { name: '发送' }).click()
      await answer
      await lines(page).getByText('已在本页面回答').waitFor()
      expect(await page.locator('body').innerText()).not.toMatch(/send|answer/i)
    }
  })

  it('markup, scripts, right-to-left and long texts are inert and readable', async () => {
    const { web, page } = await start(await person({ viewport: { width: 320, height: 640 } }))
    const hostile = ['<img src=x onerror=1>', '</script><script>alert(1)</script>', 'שלום \u202e <b>', 'x'.repeat(5000), 'a\u001b[31mb']
    const answer = web.ask([{
      id: 'hostile',
      header: hostile[0]!,
      question: hostile.join('\n'),
      detail: `${hostile.join('\n\n')}\n\n![x](https://example.com/x.png) [y](javascript:alert(1)) <iframe src="https://example.com"></iframe>`,
      multiSelect: true,
      options: hostile.map(label => ({ label, description: label, preview: label })),
    }], { agent: agentOf(hostile[1]!) })
    await usable(cards(page))
    expect(await page.locator('main img, main script, main iframe, main b, main a[href^=javascript]').count()).toBe(0)
    expect(await isWide(page)).toBe(false)
    await page.getByRole('button', { name: 'Show all' }).first().click()
    expect(await isWide(page)).toBe(false)
    for (const text of ['<img src=x onerror=1>', '</script><script>alert(1)</script>', 'שלום <U+202E> <b>', 'a␛[31mb', hostile[3]!]) {
      expect(await page.locator('.detail').innerText(), text).toContain(text)
      expect(await page.getByRole('checkbox', { name: text, exact: true }).count(), text).toBe(1)
    }
    for (const box of await page.getByRole('checkbox').all()) await box.check()
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'hostile', selected: hostile }] })
    await lines(page).waitFor()
    await lines(page).click()
    expect(await isWide(page)).toBe(false)
    expect(await page.locator('main img, main script').count()).toBe(0)
  })

  it('right-to-left texts read right, line by line, wherever they stand', async () => {
    const web = await boot()
    const terminal = register(web.ctx, 'terminal')
    const page = await open(web.link)
    const hebrew = 'איזה מסד נתונים?'
    const mixed = `Which one?\n${hebrew}`
    web.ask([{ id: 'x', header: hebrew, question: `**${hebrew}**`, detail: `${hebrew}\n\n- ${hebrew}`, options: [{ label: hebrew, description: mixed, preview: mixed } as never] }])
    await usable(cards(page))
    await page.locator('textarea').fill(mixed)
    /** On which side of its own line's box each line of a text begins. */
    const sides = (selector: string) => page.locator(selector).evaluateAll(all => all.map(element => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      let last: Node = element
      while (text.nextNode()) last = text.currentNode
      range.selectNodeContents(last)
      const box = element.getBoundingClientRect()
      return Array.from(range.getClientRects()).filter(({ width }) => width > 0).map(({ left, right }) => left - box.left > box.right - right ? 'right' : 'left').at(-1)
    }))
    for (const selector of ['legend .text', '.option .label', '.option .description', '.preview pre', '.detail p', '.detail li']) {
      expect(await sides(selector), selector).toEqual(['right'])
    }
    expect(await page.locator('textarea').evaluate(element => getComputedStyle(element).unicodeBidi)).toBe('plaintext')
    terminal.answer({ answers: [{ id: 'x', selected: [hebrew] }] })
    await lines(page).click()
    expect(await sides('.ended dt .text')).toEqual(['right'])
  })

  it('Markdown in a question and in a description shows no marks; labels keep theirs, and a tap on a description chooses', async () => {
    const { web, page } = await start()
    const answer = web.ask([{
      id: 'db', question: 'Use **Postgres** for `src/**/*.ts`?',
      options: [{ label: '**Yes**', description: 'as in [the plan](https://example.com/plan)' }, { label: 'No', description: '*never*' }],
    }])
    await usable(cards(page))
    await page.getByRole('group', { name: 'Use Postgres for src/**/*.ts?' }).waitFor()
    expect(await page.locator('legend strong').textContent()).toBe('Postgres')
    expect(await page.locator('.description').allTextContents()).toEqual(['as in the plan (https://example.com/plan)', 'never'])
    await page.locator('.description').first().click()
    await send(page).click()
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['**Yes**'] }] })
    expect(await lines(page).locator('.name').textContent()).toBe('Use Postgres for src/**/*.ts?')
  })

  it('says what happens to those who do not see it: roles, names, live regions', async () => {
    const { page } = await startWith([DATABASE], { agent: AGENT })
    await page.getByRole('article', { name: `Asked by ${ORIGIN}`, exact: true }).getByRole('group', { name: 'Which database?' })
      .getByRole('radio', { name: 'Postgres', description: 'a server' } as never).waitFor()
    expect(await page.getByRole('status').filter({ hasText: `New question from ${ORIGIN}` }).count()).toBe(1)
  })
})
