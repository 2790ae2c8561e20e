// The phone in the real dsh: a task from the command line whose agent asks, or needs permission, answered on a phone, and dsh ends
// by itself.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { newTopic, replyTopicOf } from '../../src/surfaces/ntfy/topic.ts'
import { buttonsIn } from '../ntfy/helpers/approval.ts'
import { FakeNtfy } from '../ntfy/helpers/fake.ts'
import { Home } from './home.ts'
import { Host } from './host.ts'
import { Model } from './model.ts'
import { DATABASE, SQLITE } from './questions.ts'
import { GATE, REJECTED } from './web.ts'

describe('the phone in dsh', () => {
  const home = new Home()
  const topic = newTopic()
  let model: Model
  let fake: FakeNtfy
  let host: Host | undefined

  beforeAll(async () => {
    const { router, bridge, probe } = inject('tarballs')
    model = await Model.listen()
    fake = await FakeNtfy.start()
    await home.plugin('headless', 'add', router)
    await home.plugin('headless', 'add', bridge, probe)
  })

  afterEach(() => host?.kill())

  afterAll(async () => {
    await model?.close()
    await fake?.[Symbol.asyncDispose]()
    home.remove()
  })

  it('answers a task’s question, and keeps dsh from nothing afterwards', async () => {
    await home.patch('headless', `- insert:
    - id: tool-ask-user
      name: '@deepseek-ai/dsh-tool-ask-user'
- id: ask-router
  config: { surfaces: { ntfy: { delayMs: 0 } } }
- id: ask-ntfy
  disabled: false
  config: { lang: en, server: '${fake.url}', topic: ${topic} }
`)
    model.willAsk([DATABASE])
    host = new Host(home, ['--profile', 'headless', 'Set the project up.'], { env: model.env })
    const push = await fake.sees(({ actions }) => actions !== undefined)
    const at = push.actions!.findIndex(({ label }) => label.includes('SQLite'))
    fake.say(replyTopicOf(topic), push.actions![at]!.body)
    expect(await host.ended()).toBe(0)
    expect(host.stdout).toContain(`I was told: ${JSON.stringify(SQLITE)}`)
    await fake.sees(({ message }) => message === 'Answered: SQLite, on the phone')
    expect(fake.underWay).toBe(0)
  })

  it.each([
    ['reject', 'Rejected, on the phone'], ['allow', 'Allowed once, on the phone'],
  ] as const)('decides an approval by a button alone: %s', async (button, card) => {
    await home.patch('headless', `${GATE}- id: ask-router
  config: { surfaces: { ntfy: { delayMs: 0 } } }
- id: ask-ntfy
  disabled: false
  config: { approvals: true, lang: en, server: '${fake.url}', topic: ${topic} }
`)
    const file = join(home.cwd, button)
    model.willCall('write', { file_path: file, content: 'text' })
    host = new Host(home, ['--profile', 'headless', 'Set the project up.'], { env: model.env })
    const push = await fake.sees(({ actions, message }) => actions !== undefined && message.includes(file))
    fake.say(replyTopicOf(topic), 'allow')
    fake.say(replyTopicOf(topic), buttonsIn(push)[button])
    expect(await host.ended()).toBe(0)
    await fake.sees(({ message, sequence_id }) => message === card && sequence_id === push.sequence_id)
    expect(host.stdout).toMatch(button === 'allow' ? /Created file/ : REJECTED)
    expect([existsSync(file), fake.underWay]).toEqual([button === 'allow', 0])
  })

  it('stops the boot with a topic that can be guessed, naming the field and not the topic', async () => {
    await home.patch('headless', `- id: ask-ntfy
  disabled: false
  config: { topic: dsh-questions-of-mine }
`)
    host = new Host(home, ['--profile', 'headless', 'Set the project up.'], { env: model.env })
    expect(await host.ended()).not.toBe(0)
    expect(host.stderr + host.stdout).toMatch(/is guessable.*\(at topic\)/s)
    expect(host.stderr + host.stdout).not.toContain('questions-of-mine')
  })
})
