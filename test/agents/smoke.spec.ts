// The ground that the other tests on the real programs stand on: each asks, is answered on its own terminal, and tells its model.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnthropicMock } from './helpers/anthropic-mock.ts'
import { ClaudeHome } from './helpers/claude.ts'
import { KEY, type Terminal } from './helpers/terminal.ts'

describe('Claude Code', () => {
  const model = new AnthropicMock()
  let terminal: Terminal

  beforeAll(async () => {
    await model.listen()
    terminal = await new ClaudeHome(model).start()
  })
  afterAll(() => model.close())

  it('asks, and its model reads the answer', async () => {
    await terminal.say('DO ask')
    await terminal.waitFor('Which colour?')
    terminal.press(KEY.enter)
    expect(await model.nextTold()).toBe('Your questions have been answered: "Which colour?"="Red". You can now continue with these answers in mind.')
  })
})
