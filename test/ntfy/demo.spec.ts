// The demo as a person starts it, answered from the phone alone: the real dsh host in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'
import { codeOf, patience, Person } from './helpers/person.ts'
import { skipped, useServer } from './helpers/server.ts'

const main = join(import.meta.dirname, '../../examples/demo/main.ts')

describe.skipIf(skipped)('the demo with a phone', { timeout: 60_000 }, () => {
  const server = useServer()

  it('shows how to subscribe, asks on the phone, and ends by itself', async () => {
    const topic = newTopic()
    const person = await Person.with(server.url, topic)
    const child = spawn(process.execPath, [main, '--ntfy', `${server.url}/${topic}`], { env: { ...process.env, LC_ALL: 'en_US.UTF-8' } })
    onTestFinished(() => void child.kill())
    const output = text(child.stdout)
    const exit = once(child, 'exit')
    const reply = async (question: string, words: string) => {
      const push = await person.asked(question)
      // ntfy counts in seconds. Within the one in which the question came, a reply may have been there before it, and nobody types so fast.
      await vi.waitUntil(() => Date.now() >= (push.time + 1) * 1000, patience)
      await person.types(`${codeOf(push)} ${words}`)
    }
    const first = await person.asked('Which database should the project use?')
    expect(first.title).toBe('dsh: Storage')
    expect(first.message).toMatch(/\nFrom dsh · .+ · demo$/)
    await person.tap(first, 0)
    // With their codes: without, so soon after another question, they would not be sure.
    await reply('What should run before each commit?', '1,3')
    await reply('Which colour should the logo have?', 'blue')
    await person.sees(({ message }) => message === 'Answered: Tests, Linter / blue, on the phone')
    expect(await exit).toEqual([0, null])
    const said = await output
    expect(said).toContain(`topic ${topic} on ${server.url}`)
    expect(said).toContain('█')
    expect(said).toContain('database: {"answers":[{"id":"db","selected":["Postgres"]}]}')
    expect(said).toContain('details: {"answers":[{"id":"checks","selected":["Tests","Linter"]},{"id":"colour","selected":[],"custom":"blue"}]}')
    person.leave()
  })

  it.concurrent.each([
    ['x/short', /topic is too short to be secret.*for example \S+/],
    ['no-topic', /--ntfy must be <server>\/<topic>/],
  ])('with %s it says what is wrong and asks nothing', async (argument, problem) => {
    const child = spawn(process.execPath, [main, '--ntfy', argument])
    const said = text(child.stderr)
    expect(await once(child, 'exit')).toEqual([2, null])
    expect(await said).toMatch(problem)
  })
})
