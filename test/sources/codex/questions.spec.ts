// What Codex asks, on the surfaces and in its own dialog at once.
import { describe, expect, it, vi } from 'vitest'
import { colour } from './stand-in.ts'
import { useCodex, WAIT } from './support.ts'

const here = useCodex()

const size = { ...colour, id: 'size', header: 'Size', question: 'Which size?', options: [{ label: 'Small', description: 's' }, { label: 'Large', description: 'l' }] }

function asked(...questions: object[]) {
  const thread = here.codex.thread()
  here.codex.turn(thread)
  return { thread, request: here.codex.question(thread, ...questions) }
}

describe('a question of Codex', () => {
  it('is asked with its own ids, options and place', async () => {
    const { thread } = asked()
    const { request } = await here.page.nth(0)
    expect(request.questions).toEqual([{
      id: 'colour', header: 'Colour', question: 'Which colour?', options: [{ label: 'Red (Recommended)', description: 'warm' }, { label: 'Blue', description: 'cold' }],
    }])
    expect(request.origin).toMatchObject({ agent: 'Codex', project: 'shop', session: thread.slice(-8) })
  })

  it('names the session as Codex does', async () => {
    const thread = here.codex.thread()
    here.codex.turn(thread)
    here.codex.rename(thread, 'Paint the shop')
    here.codex.question(thread)
    expect((await here.page.nth(0)).request.origin).toMatchObject({ session: 'Paint the shop' })
  })

  it.each([
    ['a choice', 'Blue', ['Blue']],
    ['words', { selected: [], custom: 'green, please' }, ['green, please']],
    ['a choice with words, as Codex\' own notes', { selected: ['Blue'], custom: 'a dark one' }, ['Blue', 'user_note: a dark one']],
    ['nothing', { selected: [] }, []],
  ])('gets %s', async (_, item, answers) => {
    const { request } = asked(), shown = await here.page.nth(0)
    shown.answer(item)
    await vi.waitFor(() => expect(request.outcome).toEqual({ by: 'client', value: { answers: { colour: { answers } } } }), WAIT)
  })

  it('is answered together with others, each by its id', async () => {
    const { request } = asked(colour, size), shown = await here.page.nth(0)
    shown.answer('Blue', { selected: ['Small'], custom: 'but not tiny' })
    await vi.waitFor(() => expect(request.outcome?.value).toEqual({ answers: { colour: { answers: ['Blue'] }, size: { answers: ['Small', 'user_note: but not tiny'] } } }), WAIT)
  })

  it.each([
    ['a choice', '{"answers":{"colour":{"answers":["Blue"]}}}', { selected: ['Blue'] }],
    ['a choice with notes', '{"answers":{"colour":{"answers":["Blue","user_note: dark"]}}}', { selected: ['Blue'], custom: 'dark' }],
    ['notes to none of the options', '{"answers":{"colour":{"answers":["None of the above","user_note: green"]}}}', { selected: [], custom: 'green' }],
    ['none of the options', '{"answers":{"colour":{"answers":["None of the above"]}}}', { selected: [], custom: 'None of the above' }],
    ['nothing', '{"answers":{}}', { selected: [] }],
  ])('is put away with what was chosen in Codex: %s', async (_, output, item) => {
    const { request } = asked(), shown = await here.page.nth(0)
    here.codex.native(request, output)
    await vi.waitFor(() => expect(shown.settled).toEqual({ by: 'Codex', answer: { answers: [{ id: 'colour', ...item }] } }), WAIT)
    expect(request.replies).toEqual([])
  })

  it('is withdrawn where nobody can tell what was chosen', async () => {
    const { request } = asked(), shown = await here.page.nth(0)
    here.codex.native(request, 'the log of a newer version')
    await vi.waitFor(() => expect(shown.context.signal.aborted).toBe(true), WAIT)
    expect(shown.settled).toBeUndefined()
  })

  it('is declined by Esc in Codex', async () => {
    const { thread } = asked(), shown = await here.page.nth(0)
    here.codex.endTurn(thread, 'interrupted')
    await vi.waitFor(() => expect(shown.settled).toEqual({ by: 'Codex', answer: undefined }), WAIT)
  })

  it('stays in Codex where a surface declines it, and is not asked again', async () => {
    const { thread, request } = asked(), shown = await here.page.nth(0)
    shown.decline()
    await vi.waitFor(() => expect(here.registry.pending()).toEqual([]), WAIT)
    here.codex.again(request)
    here.codex.question(thread, size)
    expect((await here.page.nth(1)).request.questions[0]!.id).toBe('size')
    expect(request.replies).toEqual([])
  })

  it('is asked once, however often it comes', async () => {
    const { request } = asked(), shown = await here.page.nth(0)
    for (let i = 0; i < 3; i++) here.codex.again(request)
    shown.answer('Blue')
    await vi.waitFor(() => expect(request.outcome?.by).toBe('client'), WAIT)
    expect([here.page.shown.length, request.replies.length]).toEqual([1, 1])
  })

  it('whose answers Codex could not tell apart is left to Codex', async () => {
    const thread = here.codex.thread()
    here.codex.turn(thread)
    here.codex.question(thread, ...['One?', 'Two?'].map(question => ({ id: 'same', header: '', question, options: null })))
    here.codex.question(thread)
    expect((await here.page.nth(0)).request.questions[0]!.id).toBe('colour')
  })

  it('that is a secret is shown nowhere but in Codex, and nothing that is typed goes there', async () => {
    const { request } = asked(colour, { ...size, question: 'Your password for prod?', isSecret: true }), shown = await here.page.nth(0)
    const text = JSON.stringify(shown.request.questions)
    expect(text).toContain('Codex asks for something secret')
    expect(text).not.toMatch(/password|colour|Small/)
    shown.answer({ selected: [], custom: 'hunter2' })
    await vi.waitFor(() => expect(here.registry.pending()).toEqual([]), WAIT)
    here.codex.native(request, '{"answers":{"size":{"answers":["hunter2"]}}}')
    expect(request.replies).toEqual([])
  })

  it('that is a secret is put away without what was typed in Codex', async () => {
    const { request } = asked({ ...colour, isSecret: true }), shown = await here.page.nth(0)
    here.codex.native(request, '{"answers":{"colour":{"answers":["hunter2"]}}}')
    await vi.waitFor(() => expect(shown.context.signal.aborted).toBe(true), WAIT)
    expect(shown.settled).toBeUndefined()
  })
})

describe('two sessions', () => {
  it('each get their own answer', async () => {
    const one = asked(), other = asked(size)
    const [first, second] = [await here.page.nth(0), await here.page.nth(1)]
    const [ofColour, ofSize] = first.request.questions[0]!.id === 'colour' ? [first, second] : [second, first]
    ofSize.answer('Large')
    ofColour.answer('Blue')
    await vi.waitFor(() => expect([one.request.outcome?.value, other.request.outcome?.value]).toEqual([
      { answers: { colour: { answers: ['Blue'] } } }, { answers: { size: { answers: ['Large'] } } },
    ]), WAIT)
  })
})

describe('a question that does not hold the turn', () => {
  const steered = () => here.codex.calls.filter(({ method }) => method === 'turn/steer').map(({ params }) => params)

  async function open(...questions: object[]) {
    const thread = here.codex.thread(), turn = here.codex.turn(thread)
    await vi.waitFor(() => expect(here.codex.calls.some(({ method, params }) => method === 'thread/resume' && params['threadId'] === thread)).toBe(true), WAIT)
    const item = here.codex.async(thread, ...questions)
    return { thread, turn, item, shown: await here.page.nth(0) }
  }

  it('is answered in the envelope that the terminal uses', async () => {
    const { thread, turn, item, shown } = await open()
    expect(shown.request.questions).toEqual([{ id: '0', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }])
    shown.answer('Blue')
    await vi.waitFor(() => expect(steered()).toEqual([{
      threadId: thread, expectedTurnId: turn,
      input: [{
        type: 'text', text_elements: [],
        text: `<send_user_message_question_reply>\n[{"answer":"Blue","question":"Which colour?","questionItemId":"[\\"request_user_input_async\\",\\"${item}\\",0]"}]\n</send_user_message_question_reply>`,
      }],
    }]), WAIT)
  })

  it('leaves out what was skipped, and says nothing where all was', async () => {
    const { shown } = await open({ title: 'Which colour?', options: ['Red'] }, { title: 'Why?', options: null })
    expect(shown.request.questions[1]).toEqual({ id: '1', question: 'Why?' })
    shown.answer({ selected: [] }, 'because')
    await vi.waitFor(() => expect(JSON.stringify(steered())).toContain('because'), WAIT)
    expect(JSON.stringify(steered())).not.toContain('Which colour?')
  })

  it('is put away when it was answered in the terminal', async () => {
    const { thread, item, shown } = await open()
    here.codex.say(thread, `<send_user_message_question_reply>\n${JSON.stringify([{ answer: 'Red', question: 'Which colour?', questionItemId: JSON.stringify(['request_user_input_async', item, 0]) }])}\n</send_user_message_question_reply>`)
    await vi.waitFor(() => expect(shown.settled).toEqual({ by: 'Codex', answer: { answers: [{ id: '0', selected: ['Red'] }] } }), WAIT)
    expect(steered()).toEqual([])
  })

  it('goes with its turn', async () => {
    const { thread, shown } = await open()
    here.codex.endTurn(thread)
    await vi.waitFor(() => expect(shown.context.signal.aborted).toBe(true), WAIT)
  })

  it('says so where its answer came too late', async () => {
    const { shown } = await open()
    here.codex.cannotSteer = true
    shown.answer('Blue')
    await vi.waitFor(() => expect(here.warn).toHaveBeenCalledWith('words did not reach Codex: no active turn to steer'), WAIT)
  })
})
