// The set-ups of examples/profile, each as a person copies it: in a real profile, with the phone's topic in the environment.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { newTopic, replyTopicOf } from '../../src/surfaces/ntfy/topic.ts'
import { FakeNtfy } from '../ntfy/helpers/fake.ts'
import { Home } from './home.ts'
import { Host } from './host.ts'
import { Model } from './model.ts'
import { DATABASE, SQLITE } from './questions.ts'
import { Web } from './web.ts'

const example = (name: string) => readFile(join(import.meta.dirname, '../../examples/profile', name), 'utf8')

describe('the examples of profiles', () => {
  let topic: string
  let fake: FakeNtfy
  let env: Record<string, string>

  beforeEach(async () => {
    topic = newTopic()
    fake = await FakeNtfy.start()
    env = { DSH_ASK_NTFY_SERVER: fake.url, DSH_ASK_NTFY_TOPIC: topic, LC_ALL: 'C.UTF-8' }
  })

  afterEach(() => fake[Symbol.asyncDispose]())

  /** Taps the button of an option as soon as the question is on the phone. */
  const tap = async (words: string) => {
    const push = await fake.sees(({ actions }) => actions !== undefined)
    fake.say(replyTopicOf(topic), push.actions!.find(({ label }) => label.includes(words))!.body)
  }

  it('server and phone: a task asks, the phone has the question at once and answers it', async () => {
    const { router, bridge } = inject('tarballs')
    const home = new Home(), model = await Model.listen()
    let host: Host | undefined
    try {
      await home.plugin('headless', 'add', router)
      await home.plugin('headless', 'add', bridge)
      await home.patch('headless', await example('server-and-phone.yml'))
      model.willAsk([DATABASE])
      host = new Host(home, ['--profile', 'headless', 'Set the project up.'], { env: { ...model.env, ...env } })
      await tap('SQLite')
      expect(await host.ended()).toBe(0)
      expect(host.stdout).toContain(`I was told: ${JSON.stringify(SQLITE)}`)
      expect(host.stderr).toBe('')
    } finally {
      await host?.kill()
      await model.close()
      home.remove()
    }
  })

  it('desk and phone: the desk has the question, and the phone as soon as the person says /away', async () => {
    const web = await Web.boot(await example('desk-and-phone.yml'), env)
    try {
      const { sessionId, call } = await web.shown()
      const { text } = await web.page.command(sessionId, '/asks')
      expect(text).toMatch(/^You are home\. 1 question is open\./)
      expect(text).toMatch(/waiting: ntfy \(asked in \d+ s\)/)
      expect(await web.page.command(sessionId, '/away')).toMatchObject({ kind: 'success' })
      await tap('SQLite')
      expect(await web.heard(call)).toEqual(SQLITE)
    } finally {
      await web.close()
    }
  })
})
