// The real Codex: each thing that it asks is answered on a surface first, in its own terminal first, and by Esc. What its model was
// told is compared word for word.
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as source from '../../src/sources/codex/index.ts'
import { CodexHome } from './helpers/codex.ts'
import { builtHook, openDesk } from './helpers/desk.ts'
import { OpenAiMock, type ToolCall } from './helpers/openai-mock.ts'
import { KEY, type Terminal } from './helpers/terminal.ts'

/** Keeps what the person says, too. */
class Model extends OpenAiMock {
  readonly said = new Set<string>()

  protected override answer(path: string, body: unknown, response: ServerResponse): void {
    const { input = [] } = body as { input?: readonly { role?: string, content?: readonly { text?: string }[] }[] }
    for (const { role, content = [] } of input) if (role === 'user') this.said.add(content.map(({ text = '' }) => text).join(''))
    super.answer(path, body, response)
  }
}

const model = new Model()
const DIALOG = 'enter to submit answer', COMMAND = 'Would you like to run', FILES = 'Would you like to make'
const BLUE = '{"answers":{"colour":{"answers":["Blue"]}}}'
const shell = (cmd: string): ToolCall => ({ name: 'exec_command', args: { cmd, sandbox_permissions: 'require_escalated', justification: 'Say that it runs' } })

let home: CodexHome
let terminal: Terminal
let desk: Awaited<ReturnType<typeof open>>

const open = () => openDesk(source, { home: home.codex, folder: join(home.state, 'dsh-ask-router') })

beforeAll(async () => {
  await model.listen()
  home = new CodexHome(model)
  desk = await open()
  // The desk was there first: it finds the app-server when that comes.
  terminal = await home.start()
})
afterAll(() => model.close())

/** Type a prompt once the turn before is over: one that is typed earlier would become part of it. */
async function say(prompt: string): Promise<void> {
  await terminal.waitForNo('esc to interrupt')
  await terminal.say(prompt)
}

/** Type a prompt, and wait until Codex' own dialog and the page both ask. */
async function ask(prompt: string, dialog: string) {
  await say(`DO ${prompt}`)
  const asked = await desk.page.nextAsked()
  await terminal.waitFor(dialog)
  return asked
}

/** How an ask ends that was permitted in Codex: what it permitted is known once that has run, and after a second nobody waits for it. */
const permittedThere = [{ by: 'Codex', answer: { answers: [{ id: 'approval', selected: ['allow'] }] } }, { aborted: 'ASK_ABORTED' }]

describe('a question', () => {
  it('is answered on a surface first', async () => {
    const asked = await ask('ask', DIALOG)
    expect(asked.request.questions).toMatchObject([{ id: 'colour', question: 'Which colour?', options: [{ label: 'Red (Recommended)', description: 'warm' }, { label: 'Blue' }] }])
    expect(asked.request.origin).toMatchObject({ agent: 'Codex', project: 'shop' })
    asked.answer('Blue')
    expect(await model.nextTold()).toBe(BLUE)
    await terminal.waitForNo(DIALOG)
  })

  it('is answered in Codex first', async () => {
    const asked = await ask('ask', DIALOG)
    await terminal.enter(KEY.down)
    await terminal.enter(KEY.enter)
    expect(await asked.ended).toEqual({ by: 'Codex', answer: { answers: [{ id: 'colour', selected: ['Blue'] }] } })
    expect(await model.nextTold()).toBe(BLUE)
  })

  it('is declined by Esc in Codex', async () => {
    const asked = await ask('ask', DIALOG), before = model.told().length
    await terminal.enter(KEY.escape)
    expect(await asked.ended).toEqual({ by: 'Codex', answer: undefined })
    await terminal.waitFor('Conversation interrupted')
    expect(model.told()).toHaveLength(before)
  })

  it('that a surface declines stays in Codex', async () => {
    // What Codex was told of the one before comes with this one.
    const asked = await ask('ask', DIALOG)
    expect(await model.nextTold()).toMatch(/^aborted by user/)
    asked.decline()
    await sleep(500)
    await terminal.waitFor(DIALOG)
    await terminal.enter(KEY.enter)
    expect(await model.nextTold()).toBe('{"answers":{"colour":{"answers":["Red (Recommended)"]}}}')
  })

  it.each([
    ['in own words', { selected: [], custom: 'green, "please"' }, '["green, \\"please\\""]'],
    ['by a choice with words', { selected: ['Blue'], custom: 'a dark one' }, '["Blue","user_note: a dark one"]'],
    ['by nothing', { selected: [] }, '[]'],
  ])('is answered on a surface %s', async (_, item, entries) => {
    const asked = await ask('ask', DIALOG)
    asked.answer(item)
    expect(await model.nextTold()).toBe(`{"answers":{"colour":{"answers":${entries}}}}`)
    await terminal.waitForNo(DIALOG)
  })

  it('is answered in Codex by own words', async () => {
    const asked = await ask('ask', DIALOG)
    await terminal.enter(KEY.down, KEY.down, KEY.tab, 'green', KEY.enter)
    expect(await asked.ended).toEqual({ by: 'Codex', answer: { answers: [{ id: 'colour', selected: [], custom: 'green' }] } })
    expect(await model.nextTold()).toBe('{"answers":{"colour":{"answers":["None of the above","user_note: green"]}}}')
  })

  it('that is a secret waits in Codex, and the surfaces say so', async () => {
    const asked = await ask('secret', DIALOG)
    expect(asked.request.questions).toMatchObject([{ id: 'notice' }])
    asked.answer({ selected: [], custom: 'hunter2' })
    await sleep(500)
    await terminal.waitFor(DIALOG)
    await terminal.enter(KEY.enter)
    expect(await model.nextTold()).toBe('{"answers":{"colour":{"answers":["Red (Recommended)"]}}}')
  })
})

describe('several questions', () => {
  it('are answered on a surface first', async () => {
    const asked = await ask('several', 'Question 1/2')
    asked.answer('Blue', { selected: ['Large'], custom: 'or larger' })
    // Codex keeps no order in what a client answers.
    expect(JSON.parse(await model.nextTold())).toEqual({ answers: { colour: { answers: ['Blue'] }, size: { answers: ['Large', 'user_note: or larger'] } } })
    await terminal.waitForNo('Question 1/2')
  })

  it('are answered in Codex first', async () => {
    const asked = await ask('several', 'Question 1/2')
    await terminal.enter(KEY.down, KEY.enter, KEY.enter)
    expect(await asked.ended).toEqual({ by: 'Codex', answer: { answers: [{ id: 'colour', selected: ['Blue'] }, { id: 'size', selected: ['Small'] }] } })
    expect(JSON.parse(await model.nextTold())).toEqual({ answers: { colour: { answers: ['Blue'] }, size: { answers: ['Small'] } } })
  })

  it('are declined by Esc in Codex', async () => {
    const asked = await ask('several', 'Question 1/2')
    await terminal.enter(KEY.escape)
    expect(await asked.ended).toEqual({ by: 'Codex', answer: undefined })
    await terminal.waitForNo('Question 1/2')
  })
})

describe('a command', () => {
  beforeAll(async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five']) model.add(name, shell(`echo RAN_${name}; cat /dev/null`))
    model.add('ruled', shell('printf RULED'))
    // What the interrupted turn was told comes with the next prompt.
    await say('Go on')
    expect(await model.nextTold()).toMatch(/^aborted by user/)
  })

  it('is permitted on a surface first', async () => {
    const asked = await ask('one', COMMAND)
    expect(asked.request).toMatchObject({ kind: 'approval', approval: { toolName: 'shell', reason: 'Say that it runs' } })
    expect(asked.request.questions[0]!.detail).toContain('/bin/bash -lc \'echo RAN_one; cat /dev/null\'')
    asked.answer('allow')
    expect(await model.nextTold()).toMatch(/exited with code 0[^]*RAN_one/)
    await terminal.waitForNo(COMMAND)
  })

  it('is permitted in Codex first', async () => {
    const asked = await ask('two', COMMAND)
    await terminal.enter(KEY.enter)
    expect(permittedThere).toContainEqual(await asked.ended)
    expect(await model.nextTold()).toMatch(/exited with code 0[^]*RAN_two/)
  })

  it('is rejected on a surface', async () => {
    const asked = await ask('three', COMMAND)
    asked.answer('reject')
    expect(await model.nextTold()).toBe('exec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }')
    await terminal.waitForNo(COMMAND)
  })

  it('is rejected on a surface with words, which the model reads', async () => {
    const asked = await ask('four', COMMAND)
    asked.answer({ selected: ['reject'], custom: 'Use ls, "please".' })
    expect(await model.nextTold()).toBe('exec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }')
    await terminal.waitFor('Use ls, "please".')
    expect([...model.said]).toContain('Use ls, "please".')
  })

  it('is permitted with all that begin alike', async () => {
    const asked = await ask('ruled', COMMAND)
    expect(asked.request.questions[0]!.options!.map(({ id }) => id)).toEqual(['allow', 'reject', 'allow-rule'])
    asked.answer('allow-rule')
    expect(await model.nextTold()).toContain('RULED')
    const before = desk.page.count
    await terminal.waitForNo(COMMAND)
    await say('DO ruled')
    expect(await model.nextTold()).toContain('RULED')
    expect(desk.page.count).toBe(before)
  })

  it('is rejected by Esc in Codex', async () => {
    const asked = await ask('five', COMMAND)
    await terminal.enter(KEY.escape)
    expect(await asked.ended).toEqual({ by: 'Codex', answer: { answers: [{ id: 'approval', selected: ['reject'] }] } })
    await terminal.waitFor('Conversation interrupted')
  })
})

describe('changes of files', () => {
  beforeAll(async () => {
    model.add('more', { name: 'exec', input: 'text(await tools.apply_patch("*** Begin Patch\\n*** Add File: ../home/more.txt\\n+more\\n*** End Patch\\n"))' })
    await say('Go on')
    await model.nextTold()
  })

  it('are rejected on a surface', async () => {
    const asked = await ask('patch', FILES)
    expect(asked.request.questions[0]!.detail).toMatch(/made_by_patch\.txt`\n\n```diff\n\+hello\n```\n\n`.*notes\.txt`\n\n```diff\n@@[^]*-two\n\+TWO/)
    asked.answer('reject')
    expect(await model.nextTold()).toContain('patch rejected by user')
    await terminal.waitForNo(FILES)
  })

  it('are rejected by Esc in Codex', async () => {
    const asked = await ask('patch', FILES)
    await terminal.enter(KEY.escape)
    expect(await asked.ended).toEqual({ by: 'Codex', answer: { answers: [{ id: 'approval', selected: ['reject'] }] } })
    await say('Go on')
    await model.nextTold()
  })

  it('are permitted in Codex first', async () => {
    const asked = await ask('patch', FILES)
    await terminal.enter(KEY.enter)
    expect(permittedThere).toContainEqual(await asked.ended)
    expect(await model.nextTold()).toContain('Script completed')
  })

  it('are permitted on a surface for this session', async () => {
    const asked = await ask('more', FILES)
    asked.answer('allow-session')
    expect(await model.nextTold()).toContain('Script completed')
    await terminal.waitForNo(FILES)
  })
})

describe('a question that does not hold the turn', () => {
  it('is answered in Codex first', async () => {
    await say('DO async')
    const asked = await desk.page.nextAsked()
    await terminal.waitFor('to answer')
    expect(await model.nextTold()).toBe('{"accepted":true}')
    await terminal.enter('\u001B[1;2D')
    await terminal.enter(KEY.down, KEY.enter)
    expect(await asked.ended).toEqual({ by: 'Codex', answer: { answers: [{ id: '0', selected: ['Blue'] }] } })
    await model.nextTold()
    await model.nextTold()
  })

  it('is answered on a surface first', async () => {
    await say('DO async')
    const asked = await desk.page.nextAsked()
    expect(await model.nextTold()).toBe('{"accepted":true}')
    asked.answer('Blue')
    const told = [await model.nextTold(), await model.nextTold()]
    expect(told).toContainEqual(expect.stringMatching(/^<send_user_message_question_reply>\n\[{"answer":"Blue","question":"Which colour\?","questionItemId":"\[\\"request_user_input_async\\",\\"call_\d+\\",0\]"}\]\n<\/send_user_message_question_reply>$/))
    await terminal.waitFor('Re: Which colour?')
  })

  it('goes with its turn', async () => {
    await say('DO async')
    const asked = await desk.page.nextAsked()
    await terminal.enter(KEY.escape)
    expect(await asked.ended).toEqual({ aborted: 'ASK_ABORTED' })
  })
})

describe('a desk', () => {
  beforeEach(() => sleep(1000))

  it('that ends while a question is open leaves it to Codex, and one that starts asks it', async () => {
    const asked = await ask('ask', DIALOG)
    await desk.close()
    expect(await asked.ended).toEqual({ aborted: 'ASK_ABORTED' })
    await terminal.waitFor(DIALOG)
    desk = await open()
    const again = await desk.page.nextAsked(), before = model.told().length
    again.answer('Blue')
    await terminal.waitForNo(DIALOG)
    await expect.poll(() => model.told().slice(before)).toEqual([BLUE])
  })

  it('has two sessions at once', async () => {
    const other = await home.start()
    await other.say('DO several')
    const ofOther = await desk.page.nextAsked()
    const here = await ask('ask', DIALOG), before = model.told().length
    expect(ofOther.request.origin!.session).not.toBe(here.request.origin!.session)
    ofOther.answer('Blue', 'Small')
    await expect.poll(() => model.told().slice(before).map(told => JSON.parse(told) as unknown)).toEqual([{ answers: { colour: { answers: ['Blue'] }, size: { answers: ['Small'] } } }])
    here.answer('Blue')
    await expect.poll(() => model.told().slice(before + 1)).toEqual([BLUE])
    other.kill()
  })

  it('reaches the model of a terminal that was closed', async () => {
    const other = await home.start()
    await other.say('DO ask')
    const asked = await desk.page.nextAsked(), before = model.told().length
    other.kill()
    await sleep(1000)
    asked.answer('Blue')
    await expect.poll(() => model.told().slice(before)).toEqual([BLUE])
  })

  it('hears the first prompt of a session, and finds an app-server that was started again', async () => {
    terminal.kill()
    expect((await home.stopServer()).code).toBe(0)
    terminal = await home.start()
    await say('DO async')
    const asked = await desk.page.nextAsked()
    await terminal.enter(KEY.escape)
    expect(await asked.ended).toEqual({ aborted: 'ASK_ABORTED' })
    const again = await ask('ask', DIALOG), before = model.told().length
    again.answer('Blue')
    await expect.poll(() => model.told().slice(before)).toEqual([BLUE])
  })
})

describe('without an app-server', () => {
  it('codex exec is answered by the hook while the person is away, and at once by nobody while they are at home', async () => {
    const command = `${process.execPath} ${builtHook('codex', home.folder)} ${join(home.state, 'dsh-ask-router')}`
    writeFileSync(join(home.codex, 'hooks.json'), JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'request_user_input', hooks: [{ type: 'command', command, timeout: 600 }] }] } }))
    desk.ctx.get('askSurfaces')!.presence = 'away'
    const running = home.exec('DO ask', '--dangerously-bypass-hook-trust'), asked = await desk.page.nextAsked()
    asked.answer('Blue')
    const told = `Tool call blocked by PreToolUse hook: The user has answered already, and this is no error: ${BLUE}. Tool: request_user_input`
    expect((await running).stdout).toContain(`TOLD: ${told}`)
    desk.ctx.get('askSurfaces')!.presence = 'home'
    expect((await home.exec('DO ask', '--dangerously-bypass-hook-trust')).stdout).toContain('TOLD: {"answers":{}}')
  })
})

it('leaves nothing behind', async () => {
  await desk.close()
  await home.remove()
  expect(home.processes()).toEqual([])
})
