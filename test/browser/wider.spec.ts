// What a source of its own asks for on the page: outcomes that permit more than this once, plans, what was folded, and who was
// quicker in the asker's own dialog.
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionOption, AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { WIDER } from '../helpers/approval.ts'
import { approvalRequest, type BootedWeb, DATABASE } from '../helpers/web.ts'
import { axeFinds, boot, cards, inBrowser, isWide, lines, open, person } from './support.ts'

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

const CLAUDE = { agent: 'Claude Code', machine: 'laptop', project: 'shop', session: 'Fix the tests' }

const LONG = `Allow ${'all of these words '.repeat(20)}from now on`

interface Asked {
  readonly detail?: string
  readonly wider?: readonly AskUserQuestionOption[]
  readonly more?: Partial<AskUserQuestionRequest>
  readonly dialog?: Promise<AskUserQuestionAnswer>
}

/** Ask for a permission as a source does. */
function ask(web: BootedWeb, { detail = '```sh\nrm -rf build\n```', wider = WIDER, more = {}, dialog }: Asked = {}) {
  const { questions: [question], ...rest } = approvalRequest(detail)
  const request = { ...rest, ...more, origin: CLAUDE, questions: [{ ...question!, options: [...wider, ...question!.options!] }] }
  const result = web.registry.ask(request, dialog && { dialog: { name: 'Claude Code', answer: dialog } })
  result.catch(() => {})
  return result
}

const pressable = (page: Page) => page.locator('article:not(.still) .choices:not(.still)').first().waitFor()

async function permission(asked: Asked = {}, context?: BrowserContext) {
  const web = await boot()
  const page = await open(web.link, context)
  const result = ask(web, asked)
  await pressable(page)
  return { web, page, result }
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

/** Whether nobody has decided yet. */
async function isOpen(web: BootedWeb): Promise<boolean> {
  await new Promise(resolve => void setTimeout(resolve, 50))
  return web.registry.pending().length === 1
}

const chosen = async (result: ReturnType<typeof ask>) => (await result).answer.answers[0]!.selected

inBrowser('what permits more than this once', () => {
  it.each([
    ['en-GB', ['Reject', 'Allow once', 'Allow for this session', 'Always allow `rm`'], 'Or allow more than this once:'],
    ['zh-CN', ['拒绝', '仅允许这一次', '在本次会话中一直允许', 'Always allow `rm`'], '或允许得更多，不只这一次：'],
  ] as const)('stands last, in a group of its own that says so, and looks like less: %s', async (locale, names, group) => {
    const { page } = await permission({}, await person({ locale }))
    expect(await page.locator('.choices button').allInnerTexts()).toEqual(names)
    expect(await page.getByRole('group', { name: group }).getByRole('button').allInnerTexts()).toEqual(names.slice(2))
    const boxes = await Promise.all((await page.locator('.choices button').all()).map(async one => (await one.boundingBox())!))
    for (const wide of boxes.slice(2)) expect(wide.y).toBeGreaterThan(Math.max(...boxes.slice(0, 2).map(({ y, height }) => y + height)))
    const [once, more] = await page.locator('.choices .allow, .choices .more').evaluateAll(all => all.map(element => {
      const { fontWeight, color, borderTopWidth } = getComputedStyle(element)
      return { fontWeight, color, borderTopWidth }
    }))
    for (const [what, looks] of Object.entries(once!)) expect(more![what as keyof typeof once], what).not.toBe(looks)
    expect(await page.getByRole('article').innerText()).toContain('Claude Code · laptop · shop · Fix the tests')
  })

  it.each(['mouse', 'finger', 'Enter', 'Space', 'screen reader'])('is allowed by its own button alone, by %s', async way => {
    const { page, result } = await permission({}, await person(PHONE))
    const wide = button(page, 'Allow for this session')
    if (way === 'mouse') await wide.click()
    else if (way === 'finger') await wide.tap()
    else if (way === 'screen reader') await wide.evaluate((element: HTMLElement) => element.click())
    else {
      for (let presses = 0; presses < 20 && await page.evaluate(() => document.activeElement!.textContent) !== 'Allow for this session'; presses++) await page.keyboard.press('Tab')
      await page.keyboard.press(way)
    }
    expect(await chosen(result)).toEqual(['allow-session'])
    await lines(page).waitFor()
    expect(await lines(page).innerText()).toMatch(/Permission: Allow bash\?[^]*Allowed: Allow for this session[^]*decided on this page/)
  })

  it('is chosen by nothing else: no key, nothing held down, no second press, no tap on what has just moved', async () => {
    const { web, page, result } = await permission()
    expect(await page.locator(':checked, [aria-pressed=true], [autofocus], article form').count()).toBe(0)
    for (const key of ['Enter', 'Space', 'w', 'a', '3', 'Control+Enter']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'Asked by' }).focus()
    await page.keyboard.down('Enter')
    await button(page, 'Allow for this session').focus()
    for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    const { x, y, width, height } = (await button(page, 'Allow for this session').boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    for (const clickCount of [2, 3]) {
      await page.mouse.down({ clickCount })
      await page.mouse.up({ clickCount })
    }
    expect(await isOpen(web)).toBe(true)
    await page.getByLabel('To go with Reject').fill('only here')
    await pressable(page)
    await button(page, 'Allow for this session').press('Enter')
    await page.getByRole('alert').filter({ hasText: 'what you wrote goes with Reject only' }).waitFor()
    expect(await isOpen(web)).toBe(true)
    await button(page, 'Reject').press('Enter')
    expect(await chosen(result)).toEqual(['reject'])
  })

  it.each<[string, BrowserContextOptions]>([
    ['light', { colorScheme: 'light' }], ['dark, 320 px', { ...PHONE, colorScheme: 'dark' }], ['high contrast', { forcedColors: 'active' }],
  ])('wraps however long it is, is large enough to press, and axe-core finds nothing: %s', async (_name, options) => {
    const { page } = await permission({ wider: [...WIDER, { id: 'long', label: LONG }, { id: 'hostile', label: '<b>x</b>\u202e\n[y](javascript:1)' }] }, await person({ ...options, bypassCSP: true }))
    expect(await axeFinds(page)).toEqual([])
    expect(await isWide(page)).toBe(false)
    const wide = button(page, LONG)
    expect(await wide.evaluate(element => element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight)).toBe(true)
    for (const one of await page.locator('.choices button').all()) expect((await one.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    expect(await page.locator('.more').last().innerText()).toBe('<b>x</b><U+202E>⏎[y](javascript:1)')
    expect(await page.locator('article b, article a').count()).toBe(0)
  })
})

inBrowser('a permission for what is folded', () => {
  const detail = `\`\`\`sh\n${Array.from({ length: 60 }, (_, at) => `echo ${at}`).join('\n')}\nrm -rf /\n\`\`\``

  it.each(['Allow once', 'Allow for this session'])('%s opens it first, says so, and is off the button; then it is allowed', async name => {
    const { web, page, result } = await permission({ detail }, await person(PHONE))
    expect(await page.locator('.detail.folded').count()).toBe(1)
    await button(page, name).focus()
    await page.keyboard.press('Enter')
    const told = page.getByText('Nothing was sent: some of this was folded. It is open now.')
    await told.waitFor()
    expect(await page.locator('.folded').count()).toBe(0)
    expect(await told.evaluate(element => element === document.activeElement && element.getBoundingClientRect().top >= 0 && element.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
    await page.keyboard.press('Enter')
    expect(await isOpen(web)).toBe(true)
    await pressable(page)
    await button(page, name).tap()
    expect(await chosen(result)).toEqual([name === 'Allow once' ? 'allow' : 'allow-session'])
  })

  it('a double tap only opens it, and whoever has opened it allows at once', async () => {
    const { web, page, result } = await permission({ detail })
    await button(page, 'Allow once').dblclick()
    expect(await isOpen(web)).toBe(true)
    await button(page, 'Show less').click()
    await button(page, 'Show all').click()
    await pressable(page)
    await button(page, 'Allow once').click()
    expect(await chosen(result)).toEqual(['allow'])
  })

  it('a reason counts too, and Reject needs nothing to be read', async () => {
    const approval = { toolName: 'bash', reason: 'why\n'.repeat(40) }
    const { web, page, result } = await permission({ detail, more: { approval } })
    await button(page, 'Show all').first().click()
    await pressable(page)
    await button(page, 'Allow once').press('Enter')
    expect(await isOpen(web)).toBe(true)
    expect(await page.locator('.folded').count()).toBe(0)
    await button(page, 'Show less').first().click()
    await pressable(page)
    await button(page, 'Reject').click()
    expect(await chosen(result)).toEqual(['reject'])
  })
})

inBrowser('a plan', () => {
  const plan = { detail: `# Steps\n\n${Array.from({ length: 60 }, (_, at) => `${at + 1}. Step **${at}**`).join('\n')}`, wider: [] }
  const asPlan = (web: BootedWeb) => {
    const { questions: [question], ...rest } = approvalRequest(plan.detail)
    return web.registry.ask({ ...rest, origin: CLAUDE, approval: { toolName: 'ExitPlanMode' }, questions: [{ ...question!, intent: { kind: 'plan-review', approve: 'Allow once' } }] })
  }

  it.each([
    ['en-GB', 'Plan Approve this plan? Asked by Claude Code · laptop · shop · Fix the tests', ['Reject', 'Approve'], 'To go with Reject: what to change (optional)', 'A plan to approve:', /Approved[^]*decided on this page/],
    ['zh-CN', '计划 批准这个计划吗？ 提问者：Claude Code · laptop · shop · Fix the tests', ['拒绝', '批准'], '随“拒绝”一起发送：需要修改什么（可不填）', '有计划等待批准：', /已批准[^]*已在本页面决定/],
  ] as const)('is called one, is open to be read, and is approved: %s', async (locale, name, names, words, told, ended) => {
    const web = await boot(), page = await open(web.link, await person({ locale }))
    const result = asPlan(web)
    await pressable(page)
    await page.getByRole('article', { name, exact: true }).waitFor()
    expect(await page.getByRole('status').filter({ hasText: told }).count()).toBe(1)
    expect(await page.locator('.choices button').allInnerTexts()).toEqual(names)
    expect(await page.locator('.folded, .unfold').count()).toBe(0)
    expect(await page.locator('.detail li strong').count()).toBe(60)
    await page.getByLabel(words).waitFor()
    await button(page, names[1]).click()
    expect((await result).answer.answers[0]!.selected).toEqual(['allow'])
    await lines(page).waitFor()
    expect(await lines(page).innerText()).toMatch(ended)
  })
})

inBrowser('the asker\'s own dialog', () => {
  it.each([
    ['en-GB', /Postgres[^]*answered in Claude Code/, /Allowed: Allow for this session[^]*decided in Claude Code/],
    ['zh-CN', /Postgres[^]*已在 Claude Code 中回答/, /已允许：在本次会话中一直允许[^]*已在 Claude Code 中决定/],
  ])('was quicker: the line says what, and that it was in there: %s', async (locale, question, decision) => {
    const web = await boot(), page = await open(web.link, await person({ locale }))
    const answers = [Promise.withResolvers<AskUserQuestionAnswer>(), Promise.withResolvers<AskUserQuestionAnswer>()]
    void web.registry.ask({ questions: [DATABASE], origin: CLAUDE }, { dialog: { name: 'Claude Code', answer: answers[0]!.promise } })
    void ask(web, { dialog: answers[1]!.promise })
    await cards(page).nth(1).waitFor()
    answers[0]!.resolve({ answers: [{ id: 'db', selected: ['Postgres'] }] })
    await lines(page).first().waitFor()
    expect(await lines(page).first().innerText()).toMatch(question)
    answers[1]!.resolve({ answers: [{ id: 'approval', selected: ['allow-session'] }] })
    await lines(page).nth(1).waitFor()
    expect(await lines(page).allInnerTexts()).toContainEqual(expect.stringMatching(decision))
  })
})
