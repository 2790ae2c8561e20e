// A `dsh web` that is running, with the bundles in it, a page open on it and a model behind it; and a question or an approval in
// it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { Browser, type Card, type Panel } from './browser.ts'
import { Home } from './home.ts'
import { Host } from './host.ts'
import { Model } from './model.ts'
import { DATABASE } from './questions.ts'

/** A question that everybody shows. */
export interface Shown {
  readonly sessionId: string
  /** The model's tool call. */
  readonly call: string
  /** The router's id of it. */
  readonly ask: string
  readonly card: Card
}

/** A file that an agent writes, for which it needs permission. */
export interface Write {
  readonly sessionId: string
  /** The model's tool call. */
  readonly call: string
  readonly file: string
  /** Whether the tool has run. */
  hasRun(): boolean
}

/** One that everybody shows who may permit it. */
export interface Gated extends Write {
  /** The router's id of it. */
  readonly ask: string
  readonly panel: Panel
}

/** The profile's row that makes writing a file need permission. */
export const GATE = '- id: ask-gate\n  disabled: false\n'

/** What the participant is called that dsh's web UI is. */
export const WEB_UI = 'host: ApiProxyService'

/** What the model is told when its person does not let it write. */
export const REJECTED = 'Error: the user rejected tool "write"'

export class Web {
  readonly home: Home
  readonly model: Model
  readonly host: Host
  readonly page: Browser

  private writes = 0

  private constructor(home: Home, model: Model, host: Host, page: Browser) {
    this.home = home
    this.model = model
    this.host = host
    this.page = page
  }

  /**
   * Resolves when everything is loaded and the surfaces are registered; leaves nothing behind when that fails.
   *
   * @param patch the person's own layer of the profile.
   * @param env what stands in the environment, beside the model.
   * @param place where the router's bundle is listed among those that bring UIs.
   */
  static async boot(patch?: string, env: Readonly<Record<string, string>> = {}, place: 'first' | 'last' = 'last'): Promise<Web> {
    const { router, bridge, probe } = inject('tarballs')
    const home = new Home()
    const model = await Model.listen()
    let host: Host | undefined
    try {
      // By itself, since dsh lists bundles as they are added.
      if (place === 'first') await home.plugin('web', 'add', router)
      await home.plugin('web', 'add', bridge, probe)
      if (place === 'last') await home.plugin('web', 'add', router)
      if (patch !== undefined) await home.patch('web', patch)
      host = new Host(home, ['web', '--no-open', '--port', '0'], { env: { ...model.env, ...env } })
      const page = await Browser.open(host)
      await host.report('registered')
      await host.report('booted')
      return new Web(home, model, host, page)
    } catch (error) {
      await host?.kill()
      await model.close()
      home.remove()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.host.kill()
    await this.model.close()
    this.home.remove()
  }

  /** Has an agent ask, in a new session or in one that is there; resolves with that session and the tool call. */
  async ask({ questions = [DATABASE], sessionId }: { questions?: typeof DATABASE[], sessionId?: string } = {}) {
    const call = this.model.willAsk(questions)
    return { sessionId: await this.prompt(sessionId), call }
  }

  private async prompt(there: string | undefined): Promise<string> {
    const sessionId = there ?? await this.page.newSession(this.home.cwd)
    await this.page.prompt(sessionId, 'Set the project up.')
    return sessionId
  }

  /** The same, and waits until the page and both surfaces show the question, as it was asked. */
  async shown(options: Parameters<Web['ask']>[0] = {}): Promise<Shown> {
    const { sessionId, call } = await this.ask(options)
    const desk = await this.host.asked('desk', sessionId)
    const phone = await this.host.asked('phone', sessionId)
    const card = await this.page.card(sessionId)
    const questions = options.questions ?? [DATABASE]
    expect(desk.questions).toEqual(questions)
    expect(phone.questions).toEqual(questions)
    expect(card.questions).toEqual(questions)
    expect(phone.ask).toBe(desk.ask)
    return { sessionId, call, card, ask: desk.ask }
  }

  /** Has an agent write a file, in a new session or in one that is there. */
  async write(sessionId?: string): Promise<Write> {
    const file = join(this.home.cwd, `written-${++this.writes}`)
    const call = this.model.willCall('write', { file_path: file, content: 'two\nlines' })
    return { sessionId: await this.prompt(sessionId), call, file, hasRun: () => existsSync(file) }
  }

  /** The same, and waits until the page and the desk show the approval, as the agent asked for it. */
  async gated(there?: string): Promise<Gated> {
    const write = await this.write(there), { sessionId, call, file } = write
    const desk = await this.host.asked('desk', sessionId)
    const panel = await this.page.panel(sessionId)
    const reason = 'it touches production'
    expect(panel).toMatchObject({ toolName: 'write', callId: call, reason })
    expect(desk.approval).toEqual({ toolName: 'write', reason })
    expect(desk.questions).toEqual([{
      id: 'approval',
      question: `Allow write?\n${reason}`,
      options: [{ id: 'allow', label: 'Allow once' }, { id: 'reject', label: 'Reject' }],
      detail: `\`${file}\`\n\n\`\`\`diff\n+two\n+lines\n\`\`\``,
    }])
    expect(write.hasRun()).toBe(false)
    return { ...write, ask: desk.ask, panel }
  }

  /** What the model is told as the result of its tool call. */
  told(call: string): Promise<string> {
    return this.host.until('the model to be told', () => this.model.told(call))
  }

  /** The same, for an answer. */
  async heard(call: string): Promise<unknown> {
    const result = await this.told(call)
    if (!result.startsWith('{')) throw new Error(`the model was told of no answer but "${result}"\n${this.host.describe()}`)
    return JSON.parse(result)
  }

  /** Whom an ask that is over told that it is; whatever was to be said has been by then. */
  async settled(ask: string) {
    expect((await this.host.list()).pending.map(({ id }) => id)).not.toContain(ask)
    return this.host.reported('settled', report => report.ask === ask).map(({ surface, by, answer }) => ({ surface, by, answer }))
  }
}
