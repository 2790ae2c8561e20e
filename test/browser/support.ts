// What the browser specs share: a page on a booted web surface, and a connection to it that can be cut.
import { createRequire } from 'node:module'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { type BootedWeb, bootWeb } from '../helpers/web.ts'

let browser: Browser
/** What undoes what a test has made, the last first; knows whether the test failed. */
const closing: ((failed: boolean) => unknown)[] = []

/** Pages of one browser that tests use one after the other: making a page takes longer than most tests. */
const idle: Page[] = []
let shared: Person | undefined

/** A suite in the browser; skipped where there is none. */
export function inBrowser(what: string, body: () => void): void {
  const endpoint = inject('browser')
  describe.skipIf(endpoint === '')(`the page in a browser: ${what}`, () => {
    beforeAll(async () => {
      browser = await chromium.connect(endpoint)
    })
    afterEach(async ({ task }) => {
      for (const close of closing.splice(0).toReversed()) await close(task.result?.state === 'fail')
    })
    afterAll(async () => {
      shared = undefined
      idle.length = 0
      await browser.close()
    })
    body()
  })
}

/** Boot the web surface for one test, and the router under a configuration of its own. */
export async function boot(...configs: Parameters<typeof bootWeb>): Promise<BootedWeb> {
  const web = await bootWeb(...configs)
  closing.push(web.close)
  return web
}

/** Undo something when the test is over. */
export const atEnd = (close: () => unknown) => void closing.push(close)

interface Person {
  readonly context: BrowserContext
  /** What no page may do: ask anybody but the host, or throw. */
  readonly misdeeds: string[]
}

async function newPerson(options: BrowserContextOptions = {}): Promise<Person> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, locale: 'en-GB', ...options })
  const misdeeds: string[] = []
  context.on('request', request => {
    if (!/^(about:|http:\/\/(127\.0\.0\.1|localhost):)/.test(request.url())) misdeeds.push(request.url())
  })
  context.on('weberror', error => void misdeeds.push(String(error.error())))
  return { context, misdeeds }
}

/** A person's browser: what it stores is its own. */
export async function person(options?: BrowserContextOptions): Promise<BrowserContext> {
  const { context, misdeeds } = await newPerson(options)
  closing.push(async () => {
    await context.close()
    expect(misdeeds).toEqual([])
  })
  return context
}

/** An empty page without anything special. Other tests have used it; each test's page has an origin of its own. */
export async function blankPage(): Promise<Page> {
  const { context, misdeeds } = shared ??= await newPerson()
  const page = idle.pop() ?? await context.newPage()
  closing.push(async failed => {
    // A test that ran into its time limit may still be using it.
    if (failed) return page.close()
    page.removeAllListeners('request')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto('about:blank')
    idle.push(page)
    expect(misdeeds.splice(0)).toEqual([])
  })
  return page
}

/** Open the page, and wait until it shows what there is. */
export async function open(link: string, context?: BrowserContext): Promise<Page> {
  const page = await (context?.newPage() ?? blankPage())
  await page.goto(link)
  await ready(page)
  return page
}

/** A booted web surface, and its page. */
export async function start(context?: BrowserContext) {
  const web = await boot()
  return { web, page: await open(web.link, context) }
}

/** The same, with a question that a person can answer; `answer` is what the agent gets. */
export async function startWith(questions: AskUserQuestionItem[], request?: Partial<AskUserQuestionRequest>, context?: BrowserContext) {
  const { web, page } = await start(context)
  const answer = web.ask(questions, request)
  await usable(cards(page))
  return { web, page, answer }
}

export const ready = (page: Page) => page.locator('.empty:visible, .card, .ended').first().waitFor()

export const choice = (page: Page, name: string): Locator => page.getByRole('radio', { name })

export const ownWords = (page: Page): Locator => page.getByLabel('Or in your own words')

/** The field of a question without options. */
export const answerField = (page: Page): Locator => page.getByLabel('Your answer')

export const send = (page: Page): Locator => page.getByRole('button', { name: 'Send' })

/** The open cards. */
export const cards = (page: Page): Locator => page.locator('article')

/** The lines of what has ended. */
export const lines = (page: Page): Locator => page.locator('.ended summary')

/** Wait until a card does what it is told: it does not at first. */
export const usable = (card: Locator) => card.and(card.page().locator('article:not([inert])')).waitFor()

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe-core finds, best practices too, in a page of a browser with `bypassCSP`: no other runs its script. */
export async function axeFinds(page: Page): Promise<string[]> {
  if (!await page.evaluate(() => 'axe' in window)) await page.addScriptTag({ path: AXE })
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: { id: string, nodes: { html: string }[] }[] }> } }
    const result = await axe.run({ resultTypes: ['violations'] })
    return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}

/** A browser that can notify and that nobody looks at; its pages keep what they were told, see {@link told}. */
export async function notifying(permission: 'default' | 'granted'): Promise<BrowserContext> {
  const context = await person()
  await context.addInitScript(given => {
    const told: string[] = []
    class FakeNotification extends EventTarget {
      static permission = given
      static requestPermission = () => Promise.resolve(FakeNotification.permission = 'granted')
      readonly #title: string
      constructor(title: string, { tag }: { tag: string }) {
        super()
        this.#title = title
        told.push(`${title} ${tag.split(':').length}`)
      }

      close() {
        told.push(`closed: ${this.#title}`)
      }
    }
    Object.assign(window, { Notification: FakeNotification, told })
    document.hasFocus = () => false
  }, permission)
  return context
}

/** Each notification's title with the number of parts of its tag, and each that was closed. */
export const told = (page: Page) => page.evaluate(() => (window as unknown as { told: string[] }).told)

/** A page to which no stream gets through: it has to poll, see {@link poll}. */
export async function openWithoutStreams(link: string): Promise<Page> {
  const page = await (await person()).newPage()
  await page.clock.install()
  await page.route('**/api/events', () => new Promise(() => {}))
  await page.goto(link)
  await ready(page)
  return page
}

/** Let the time until the next poll pass, on a clock that was installed before the page was opened. */
export const poll = ({ clock }: Pick<Page, 'clock'>) => clock.fastForward(3000)

/** Whether the page has to be scrolled sideways. */
export const isWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)

/** The way to a port, which can be cut. */
export class Tunnel {
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  #isCut = false

  private constructor(port: number) {
    this.#port = port
    this.#server = createServer(near => {
      if (this.#isCut) return void near.destroy()
      const far = connect(this.#port, '127.0.0.1')
      for (const [one, other] of [[near, far], [far, near]] as const) {
        this.#sockets.add(one)
        one.on('error', () => {}).on('close', () => {
          this.#sockets.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
    })
  }

  static async to(url: string): Promise<Tunnel> {
    const tunnel = new Tunnel(Number(new URL(url).port))
    await new Promise<void>(resolve => void tunnel.#server.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      tunnel.cut()
      tunnel.#server.close()
    })
    return tunnel
  }

  /** A link that goes this way. */
  through(link: string): string {
    const url = new URL(link)
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  restore(): void {
    this.#isCut = false
  }
}
