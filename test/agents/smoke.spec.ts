// The ground that the other tests on the real programs stand on: each asks, is answered on its own terminal, and tells its model.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnthropicMock } from './helpers/anthropic-mock.ts'
import { ClaudeHome } from './helpers/claude.ts'
import { CodexHome } from './helpers/codex.ts'
import { OpenAiMock } from './helpers/openai-mock.ts'
import { KEY, type Terminal } from './helpers/terminal.ts'

describe('Claude Code', () => {
  const model = new AnthropicMock()
  let home: ClaudeHome
  let terminal: Terminal

  beforeAll(async () => {
    await model.listen()
    home = new ClaudeHome(model)
    terminal = await home.start()
  })
  afterAll(() => model.close())

  it('asks, and its model reads the answer', async () => {
    await terminal.say('DO ask')
    await terminal.waitFor('Enter to select')
    await terminal.enter(KEY.enter)
    expect(await model.nextTold()).toBe('Your questions have been answered: "Which colour?"="Red". You can now continue with these answers in mind.')
    await terminal.waitFor('TOLD: Your questions')
  })

  it('wants permission for a command', async () => {
    await terminal.say('DO bash')
    await terminal.waitFor('Do you want to proceed?')
    await terminal.enter(KEY.enter)
    expect(await model.nextTold()).toBe('BASH_RAN')
  })

  it('runs one prompt without a terminal', async () => {
    const { code, stdout } = await home.print('Good morning')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Good morning')])
  })
})

describe('Codex', () => {
  const model = new OpenAiMock()
  let home: CodexHome
  let terminal: Terminal

  beforeAll(async () => {
    await model.listen()
    home = new CodexHome(model)
    terminal = await home.start()
  })
  afterAll(() => model.close())

  it('asks, and its model reads the answer', async () => {
    await terminal.say('DO ask')
    await terminal.waitFor('enter to submit answer')
    await terminal.enter(KEY.enter)
    expect(await model.nextTold()).toBe('{"answers":{"colour":{"answers":["Red (Recommended)"]}}}')
    await terminal.waitFor('TOLD: {"answers"')
  })

  it('wants permission for a command', async () => {
    await terminal.say('DO exec')
    await terminal.waitFor('Would you like to run')
    await terminal.enter(KEY.enter)
    expect(await model.nextTold()).toMatch(/"exit_code":0,.*EXEC_RAN/)
  })

  it('runs one prompt without a terminal', async () => {
    const { code, stdout } = await home.exec('DO ask')
    expect([code, stdout]).toEqual([0, expect.stringContaining('TOLD: {"answers":{}}')])
  })

  it('leaves nothing behind', async () => {
    await home.remove()
    expect(home.processes()).toEqual([])
  })
})
