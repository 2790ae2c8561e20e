// A `dsh web` that is running, with the bundles in it, a page open on it and a model behind it; and a question in it.
import { expect, inject } from 'vitest'
import { Browser, type Card } from './browser.ts'
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

export class Web {
  readonly home: Home
  readonly model: Model
  readonly host: Host
  readonly page: Browser

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
   */
  static async boot(patch?: string, env: Readonly<Record<string, string>> = {}): Promise<Web> {
    const { router, bridge, probe } = inject('tarballs')
    const home = new Home()
    const model = await Model.listen()
    let host: Host | undefined
    try {
      await home.plugin('web', 'add', bridge, probe)
      await home.plugin('web', 'add', router) // by itself, so that it is last
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
    const session = sessionId ?? await this.page.newSession(this.home.cwd)
    const call = this.model.willAsk(questions)
    await this.page.prompt(session, 'Set the project up.')
    return { sessionId: session, call }
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
