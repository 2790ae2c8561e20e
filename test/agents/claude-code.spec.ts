// The real Claude Code and our source: whoever is first has answered, on a surface or in the native dialog, and its model reads just
// that. Every text is what the model was told, word for word.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as plugin from '../../src/sources/claude-code/index.ts'
import { isServed } from '../../src/sources/local/server.ts'
import { until } from '../cli/wait.ts'
import { chooses } from '../helpers/approval.ts'
import { AnthropicMock } from './helpers/anthropic-mock.ts'
import { ClaudeHome } from './helpers/claude.ts'
import { builtHook, openDesk, type Page } from './helpers/desk.ts'
import { KEY, type Terminal } from './helpers/terminal.ts'

/** On the screen while a dialog is open, of whatever kind. */
const DIALOG = 'Esc to cancel'

const PLAN_DIALOG = 'Would you like to proceed?'

const READ = 'Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.'

const TURNED_DOWN = '[is_error] The user doesn\'t want to proceed with this tool use. The tool use was rejected'

const STOP = `${TURNED_DOWN} (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.`

const said = (words: string) => `${TURNED_DOWN} (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n${words}`

/** A home whose settings have our hook, for a desk with this state folder. */
function connected(model: AnthropicMock) {
  const home = new ClaudeHome(model), folder = join(home.folder, 'desk'), hook = builtHook('claude-code', home.folder)
  writeFileSync(home.settings, JSON.stringify({
    hooks: { PermissionRequest: [{ hooks: [{ type: 'command', command: process.execPath, args: [hook, folder], timeout: 86_400 }] }] },
  }))
  return { home, folder }
}

const model = new AnthropicMock()
let home: ClaudeHome, folder: string, page: Page

beforeAll(async () => {
  await model.listen();
  ({ home, folder } = connected(model));
  ({ page } = await openDesk(plugin, { folder }))
  await until('the desk', () => isServed(join(folder, 'claude-code.sock')))
})
afterAll(() => model.close())

/** Have it ask, on the surface and in its own dialog. */
async function ask(terminal: Terminal, script: string, dialog = DIALOG) {
  await terminal.say(`DO ${script}`)
  const asked = await page.nextAsked()
  await terminal.waitFor(dialog)
  await settled()
  return asked
}

/** Dialogs and their fields take keys only a moment after they are drawn. */
const settled = () => new Promise(resolve => setTimeout(resolve, 700))

/** Type into a field of a dialog, key by key: what comes together counts as pasted. */
async function spell(terminal: Terminal, words: string): Promise<void> {
  await settled()
  for (const end of words.split('').keys()) {
    terminal.press(words[end]!)
    await terminal.waitFor(words.slice(0, end + 1))
  }
}

describe('Claude Code, which asks before it acts,', () => {
  let terminal: Terminal

  beforeAll(async () => {
    terminal = await home.start()
  })

  describe('is answered on a surface first:', () => {
    it('a question', async () => {
      const asked = await ask(terminal, 'ask')
      expect(asked.context.origin).toEqual({ agent: 'Claude Code', machine: hostname(), project: basename(home.project), session: expect.stringMatching(/^[\da-f]{8}$/) as string })
      asked.answer('Blue')
      expect(await model.nextTold()).toBe('Your questions have been answered: "Which colour?"="Blue". You can now continue with these answers in mind.')
      await terminal.waitForNo(DIALOG)
    })

    it('several questions, with a choice, several choices with a comma in one, and a choice with words', async () => {
      const asked = await ask(terminal, 'several')
      expect(asked.request.questions.map(({ header, detail }) => [header, detail])).toEqual([
        ['Colour', undefined], ['Fruits', undefined],
        ['Layout', '```\nWide\n```\n\n```\n+------+\n| wide |\n+------+\n```\n\n```\nTall\n```\n\n```\n+-+\n|T|\n+-+\n```'],
      ])
      asked.answer('Red', { selected: ['Apple', 'Fig, dried'] }, { selected: ['Tall'], custom: 'but not too tall' })
      expect(await model.nextTold()).toBe(`The user answered: "Which colour?"="Red", "Which fruits?"="Apple, Fig, dried", "Which layout?"="Tall" notes: but not too tall. ${READ}`)
    })

    it('own words, and a question that was skipped', async () => {
      (await ask(terminal, 'several')).answer({ selected: [], custom: 'green, of course' }, { selected: [], custom: 'figs, fresh' })
      expect(await model.nextTold()).toBe(`The user answered: "Which colour?"="green, of course", "Which fruits?"="figs, fresh". ${READ}`)
    })

    it('nothing but skipped questions', async () => {
      (await ask(terminal, 'several')).answer()
      expect(await model.nextTold()).toBe('The user did not answer the questions.')
    })

    it('a choice of several with words', async () => {
      (await ask(terminal, 'multi')).answer({ selected: ['Pear'], custom: 'two of them' })
      expect(await model.nextTold()).toBe(`The user answered: "Which fruits?"="Pear" notes: two of them. ${READ}`)
    })

    it('a permission, allowed', async () => {
      const asked = await ask(terminal, 'bash')
      expect(asked.request.questions[0]).toMatchObject({ question: 'Allow Bash?\nMake a file', detail: '```\ntouch made_by_bash && echo BASH_RAN\n```' })
      asked.answer('allow')
      expect(await model.nextTold()).toBe('BASH_RAN')
      expect(existsSync(join(home.project, 'made_by_bash'))).toBe(true)
    })

    it('a permission, rejected with words and without', async () => {
      (await ask(terminal, 'write')).answer({ selected: ['reject'], custom: 'Use make instead.\nPlease.' })
      expect(await model.nextTold()).toBe('[is_error] Use make instead.\nPlease.');
      (await ask(terminal, 'write')).answer('reject')
      expect(await model.nextTold()).toBe(`${TURNED_DOWN}.`)
      expect(existsSync(join(home.project, 'made_by_write.txt'))).toBe(false)
    })
  })

  describe('is answered in its own dialog first:', () => {
    it('a question', async () => {
      const asked = await ask(terminal, 'ask')
      terminal.press(KEY.enter)
      const ending = await asked.ended
      expect(ending).toEqual({ by: 'Claude Code', answer: { answers: [{ id: 'q1', selected: ['Red'] }] } })
      expect(await model.nextTold()).toBe('Your questions have been answered: "Which colour?"="Red". You can now continue with these answers in mind.')
    })

    it('own words', async () => {
      const asked = await ask(terminal, 'ask')
      terminal.press('3')
      await terminal.waitFor(/❯ 3\./)
      await spell(terminal, 'purple')
      terminal.press(KEY.enter)
      expect(await asked.ended).toEqual({ by: 'Claude Code', answer: { answers: [{ id: 'q1', selected: [], custom: 'purple' }] } })
      expect(await model.nextTold()).toBe(`The user answered: "Which colour?"="purple". ${READ}`)
    })

    it('several choices', async () => {
      const asked = await ask(terminal, 'multi')
      terminal.press('1')
      await terminal.waitFor(/1\. \[✔\]/)
      terminal.press('3')
      await terminal.waitFor(/3\. \[✔\]/)
      terminal.press(KEY.right)
      await terminal.waitFor('Submit answers')
      terminal.press(KEY.enter)
      expect(await asked.ended).toEqual({ by: 'Claude Code', answer: { answers: [{ id: 'q1', selected: ['Apple', 'Fig, dried'] }] } })
      expect(await model.nextTold()).toMatch(/"Which fruits\?"="Apple, "?Fig, dried"?"/)
    })

    it('a choice with notes', async () => {
      const asked = await ask(terminal, 'preview')
      terminal.press('n')
      await terminal.waitForNo('press n to add notes')
      await spell(terminal, 'not too wide')
      terminal.press(KEY.enter)
      const { answer } = await asked.ended as { answer: { answers: { custom?: string }[] } }
      expect(answer.answers[0]!.custom).toBe('not too wide')
      expect(await model.nextTold()).toContain('notes: not too wide')
    })

    it('"Chat about this"', async () => {
      const asked = await ask(terminal, 'ask')
      terminal.press('4')
      expect(await asked.ended).toEqual({ by: 'Claude Code', answer: undefined })
      expect(await model.nextTold()).toContain('The user wants to clarify these questions.')
    })

    it('a permission, allowed', async () => {
      const asked = await ask(terminal, 'echo')
      terminal.press(KEY.enter)
      expect(await asked.ended).toEqual({ by: 'Claude Code', answer: chooses('allow') })
      expect(await model.nextTold()).toBe('ECHO_RAN')
    })

    it('a permission for what takes long: put away while it runs', async () => {
      const asked = await ask(terminal, 'long')
      terminal.press(KEY.enter)
      const ending = await asked.ended
      expect(ending).toEqual({ by: 'Claude Code', answer: chooses('allow') })
      await until('the command to run', () => existsSync(join(home.project, 'long_runs')))
      terminal.press(KEY.escape)
      await terminal.waitFor('Interrupted')
      await terminal.say('Go on')
      await model.nextTold()
    })

    it('a permission, rejected with words', async () => {
      const asked = await ask(terminal, 'write')
      terminal.press(KEY.down + KEY.down)
      await terminal.waitFor(/❯ 3\. No/)
      terminal.press(KEY.tab)
      await spell(terminal, 'nope')
      terminal.press(KEY.enter)
      expect(await asked.ended).toEqual({ by: 'Claude Code', answer: chooses('reject', 'nope') })
      expect(await model.nextTold()).toBe(said('nope'))
    })
  })

  it.each(['ask', 'multi', 'several', 'bash', 'write'])('withdraws it after Esc: %s', async (script) => {
    const asked = await ask(terminal, script)
    terminal.press(KEY.escape)
    expect(await asked.ended).toEqual({ aborted: 'ASK_ABORTED' })
    await terminal.waitForNo(DIALOG)
    // The model is told with the next prompt.
    await terminal.say('Go on')
    expect(await model.nextTold()).toBe(STOP)
  })

  it('keeps its own dialog when a surface declines', async () => {
    (await ask(terminal, 'ask')).decline()
    terminal.press(KEY.enter)
    expect(await model.nextTold()).toBe('Your questions have been answered: "Which colour?"="Red". You can now continue with these answers in mind.')
  })

  it('asks one after the other for two calls of one message', async () => {
    const first = await ask(terminal, 'both')
    first.answer('Blue')
    const second = await page.nextAsked()
    expect(second.request.approval?.toolName).toBe('Bash')
    second.answer('allow')
    expect([await model.nextTold(), await model.nextTold()]).toEqual(['Your questions have been answered: "Which colour?"="Blue". You can now continue with these answers in mind.', 'BOTH_RAN'])
  })

  it('keeps two sessions apart', async () => {
    const other = await home.start()
    const first = await ask(terminal, 'ask'), second = await ask(other, 'ask')
    expect(first.context.origin!.session).not.toBe(second.context.origin!.session)
    terminal.press(KEY.enter)
    expect(await first.ended).toEqual({ by: 'Claude Code', answer: { answers: [{ id: 'q1', selected: ['Red'] }] } })
    expect(await model.nextTold()).toContain('"Which colour?"="Red"')
    second.answer('Blue')
    expect(await model.nextTold()).toContain('"Which colour?"="Blue"')
    const third = await ask(other, 'ask')
    other.kill()
    expect(await third.ended).toEqual({ aborted: 'ASK_ABORTED' })
  })

  it('is allowed more than this once, and asks no more', async () => {
    const asked = await ask(terminal, 'write')
    expect(asked.request.questions[0]!.options!.map(({ id, label }) => [id, label])).toEqual([
      ['allow', 'Allow once'], ['reject', 'Reject'], ['allow-session', 'Allow, and accept all edits of files until this session ends'],
    ])
    asked.answer('allow-session')
    expect(await model.nextTold()).toMatch(/^File created successfully at: /)
    const { count } = page
    await terminal.say('DO edit')
    await model.nextTold()
    expect([await model.nextTold(), page.count]).toEqual([expect.stringMatching(/^The file .*notes\.txt has been updated/), count])
  })
})

describe('Claude Code, which plans,', () => {
  const approved = /^User has approved your plan\. [^]*## Approved Plan:\n# The plan\n\n1\. Do it\n/

  it('is told what the person of a surface wants changed, withdraws after Esc, and gets its approval', async () => {
    const terminal = await home.start('plan')
    const first = await ask(terminal, 'plan', PLAN_DIALOG)
    expect(first.request.questions[0]).toMatchObject({ detail: '# The plan\n\n1. Do it\n', intent: { kind: 'plan-review', approve: 'Allow once' } })
    first.answer({ selected: ['reject'], custom: 'Smaller steps.' })
    await model.nextTold()
    expect(await model.nextTold()).toBe('[is_error] Smaller steps.')
    const second = await ask(terminal, 'plan', PLAN_DIALOG)
    terminal.press(KEY.escape)
    expect(await second.ended).toEqual({ aborted: 'ASK_ABORTED' })
    await model.nextTold()
    await terminal.waitForNo(PLAN_DIALOG)
    await terminal.say('Go on')
    expect(await model.nextTold()).toMatch(/^\[is_error\] The user doesn't want to proceed/);
    (await ask(terminal, 'plan', PLAN_DIALOG)).answer('allow')
    await model.nextTold()
    expect(await model.nextTold()).toMatch(approved)
    terminal.kill()
  })

  it('has its plan approved in its own dialog', async () => {
    const terminal = await home.start('plan'), asked = await ask(terminal, 'plan', PLAN_DIALOG)
    await terminal.waitFor(/2\. Yes, manually approve edits/)
    terminal.press('2')
    expect(await asked.ended).toEqual({ by: 'Claude Code', answer: chooses('allow') })
    await model.nextTold()
    expect(await model.nextTold()).toMatch(approved)
    terminal.kill()
  })
})

describe('without a desk', () => {
  it('Claude Code goes on by itself, also when the desk is killed while a question is open', async () => {
    const own = new AnthropicMock()
    await own.listen()
    const { home: alone, folder: place } = connected(own), terminal = await alone.start()
    await terminal.say('DO ask')
    await terminal.waitFor(DIALOG)
    await settled()
    terminal.press(KEY.enter)
    expect(await own.nextTold()).toContain('"Which colour?"="Red"')
    const desk = spawn(process.execPath, [fileURLToPath(new URL('helpers/killable-desk.ts', import.meta.url)), place], { stdio: ['ignore', 'pipe', 'inherit'] })
    await until('the desk', () => isServed(join(place, 'claude-code.sock')))
    await terminal.say('DO bash')
    await once(desk.stdout, 'data')
    desk.kill('SIGKILL')
    await once(desk, 'exit')
    await terminal.waitFor(DIALOG)
    await settled()
    terminal.press(KEY.enter)
    expect(await own.nextTold()).toBe('BASH_RAN')
    terminal.kill()
    await own.close()
  })
})
