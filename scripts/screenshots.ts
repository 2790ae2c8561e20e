// The pictures of the page in docs/: its main states, on a phone and on a desktop, light and dark, English and Chinese.
//
//   node scripts/screenshots.ts        needs Chromium, as the tests in the browser do, and a font with Chinese characters,
//                                      such as Debian's fonts-wqy-microhei
import { mkdirSync } from 'node:fs'
import { type BrowserContextOptions, chromium } from 'playwright-core'
import { chromiumPath, FLAGS } from '../test/browser/setup.ts'
import { register } from '../test/helpers/registry.ts'
import { bootWeb } from '../test/helpers/web.ts'

const DATABASE = {
  id: 'db',
  header: 'Storage',
  question: 'Which database should the project use?',
  detail: 'The service writes about **40 rows a second** from two processes. See `docs/load.md`.',
  options: [
    { label: 'Postgres', description: 'A server of its own; many writers at once.', preview: 'postgres://localhost:5432/app' },
    { label: 'SQLite', description: 'One file beside the program; one writer at a time.' },
  ],
}
const BATCH = [
  {
    id: 'checks', header: 'Checks', question: 'What should run before each commit?', multiSelect: true,
    options: [{ label: 'Tests' }, { label: 'Type check' }, { label: 'Linter' }],
  },
  { id: 'colour', question: 'Which colour should the logo have?' },
]
const CHINESE = {
  id: 'deploy',
  header: '部署',
  question: '新版本应该部署到哪里？',
  options: [{ label: '测试环境', description: '只有团队成员可以访问。' }, { label: '生产环境', description: '所有用户都会看到。' }],
}

const path = chromiumPath()
if (path === undefined) throw new Error('no Chromium: apt-get install chromium, or CHROMIUM=<its path>')
mkdirSync('docs', { recursive: true })
const browser = await chromium.launch({ executablePath: path, args: FLAGS })

const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }

/** One picture: a page of its own on a host of its own. */
async function picture(name: string, options: BrowserContextOptions, show: (scene: Awaited<ReturnType<typeof stage>>) => Promise<void>) {
  const scene = await stage(options)
  await show(scene)
  await scene.page.screenshot({ path: `docs/${name}.png`, fullPage: true, animations: 'disabled' })
  await scene.page.context().close()
  await scene.web.close()
  console.log(`docs/${name}.png`)
}

async function stage(options: BrowserContextOptions) {
  const web = await bootWeb()
  const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage()
  await page.goto(web.link)
  await page.locator('.empty:visible').waitFor()
  const agent = { session: { id: 'shop-backend', title: 'Choose the storage', header: { cwd: '/srv/shop', agentPreset: 'coder' } } }
  return {
    web,
    page,
    agent,
    async ask(questions: Parameters<typeof web.ask>[0]) {
      web.ask(questions, { agent })
      await page.locator('article:last-of-type:not(.still)').waitFor()
    },
  }
}

await picture('page-question', phone, async ({ page, ask }) => {
  await ask([DATABASE])
  await page.getByText('Postgres', { exact: true }).tap()
})

await picture('page-batch', { ...phone, colorScheme: 'dark' }, async ({ page, ask }) => {
  await ask(BATCH)
  await page.getByText('Tests').tap()
  await page.getByText('Linter').tap()
  await page.getByLabel('Or in your own words').fill('and a spell check')
})

await picture('page-elsewhere', { viewport: { width: 800, height: 560 } }, async ({ web, page, ask }) => {
  const terminal = register(web.ctx, 'terminal')
  await ask([BATCH[1]!])
  terminal.answer({ answers: [{ id: 'colour', selected: [], custom: 'blue' }] })
  await page.locator('.ended').waitFor()
  await ask([DATABASE])
  await page.getByLabel('Or in your own words').fill('whatever is there already')
  terminal.answer({ answers: [{ id: 'db', selected: ['SQLite'] }] })
  await page.locator('.lost').waitFor()
  await ask([BATCH[0]!])
})

await picture('page-zh', { ...phone, locale: 'zh-CN' }, async ({ page, ask }) => {
  await ask([CHINESE])
  await page.getByText('测试环境').tap()
  await page.getByLabel('或用自己的话回答').fill('先到测试环境，明天再上线')
})

await picture('page-approval', { ...phone, viewport: { width: 360, height: 560 } }, async ({ web, page, agent }) => {
  const call = { callId: 'c1', arguments: JSON.stringify({ command: 'rm -rf build\nnpm run build', workdir: '/srv/shop' }) }
  const session = { ...agent.session, events: [{ type: 'tool/call', data: call }] }
  void web.approve({ callId: 'c1', agent: { session }, reason: 'The build folder is outside of what the agent may write.' })
  await page.locator('article:not(.still) .choices:not(.still)').waitFor()
})

await browser.close()
