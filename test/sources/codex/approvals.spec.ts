// What Codex needs permission for: shown whole, and permitted by nothing but the option that says so.
import { describe, expect, it, vi } from 'vitest'
import { useCodex, WAIT } from './support.ts'

const here = useCodex()

function thread(): string {
  const id = here.codex.thread()
  here.codex.turn(id)
  return id
}

const outcome = async (request: { outcome?: unknown }) => vi.waitFor(() => {
  if (!request.outcome) throw new Error('it is open')
  return request.outcome
}, WAIT)

const steered = () => here.codex.calls.filter(({ method }) => method === 'turn/steer').map(({ params }) => params)

describe('a command', () => {
  it('is shown whole, with its folder and the reason', async () => {
    here.codex.command(thread(), { additionalPermissions: { network: { enabled: true } } })
    const { request } = await here.page.nth(0)
    expect(request).toMatchObject({ kind: 'approval', approval: { toolName: 'shell', reason: 'second' } })
    expect(request.questions[0]).toMatchObject({
      question: 'Allow shell?\nsecond',
      detail: '`/home/me/shop`\n\n```\n/bin/bash -lc \'echo second-run\'\n```\n\n```json\n{\n  "permissions": {\n    "network": {\n      "enabled": true\n    }\n  }\n}\n```',
    })
  })

  it('offers what Codex offers, in plain words', async () => {
    here.codex.command(thread())
    const { request } = await here.page.nth(0)
    expect(request.questions[0]!.options).toEqual([
      { id: 'allow', label: 'Allow once' }, { id: 'reject', label: 'Reject' },
      {
        id: 'allow-rule', label: 'Allow, and don\'t ask again for commands that start with `echo second-run`',
        displayLabel: { en: 'Allow, and don\'t ask again for commands that start with `echo second-run`', zh: '允许，以后对以 `echo second-run` 开头的命令不再询问' },
      },
    ])
  })

  it.each([
    ['this session, where Codex says so', ['accept', 'acceptForSession', 'cancel'], ['allow', 'reject', 'allow-session']],
    ['this session, where an older one does not say', undefined, ['allow', 'reject', 'allow-session']],
    ['once only', ['accept', 'cancel'], ['allow', 'reject']],
    ['no beginning of a command that does not fit', ['accept', { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['echo', 'x'.repeat(300)] } }], ['allow', 'reject']],
    ['no beginning of a command that hides something', ['accept', { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['echo', 'a\nrm'] } }], ['allow', 'reject']],
    ['nothing that is not known here', ['accept', 'acceptForEver', { applyNetworkPolicyAmendment: { network_policy_amendment: { host: 'x', action: 'allow' } } }], ['allow', 'reject']],
  ])('offers %s', async (_, availableDecisions, ids) => {
    here.codex.command(thread(), { availableDecisions })
    const { request } = await here.page.nth(0)
    expect(request.questions[0]!.options!.map(({ id }) => id)).toEqual(ids)
  })

  it.each([
    ['allow', 'accept'],
    ['reject', 'decline'],
    ['allow-rule', { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['echo', 'second-run'] } }],
  ])('is decided by the option %s', async (id, decision) => {
    const request = here.codex.command(thread()), shown = await here.page.nth(0)
    shown.answer(id)
    expect(await outcome(request)).toEqual({ by: 'client', value: { decision } })
    expect(steered()).toEqual([])
  })

  it('is rejected with words, which the person says to the agent', async () => {
    const id = thread(), request = here.codex.command(id), shown = await here.page.nth(0)
    shown.answer({ selected: ['reject'], custom: 'use ls' })
    expect(await outcome(request)).toEqual({ by: 'client', value: { decision: 'decline' } })
    await vi.waitFor(() => expect(steered()).toEqual([
      { threadId: id, expectedTurnId: request.turnId, input: [{ type: 'text', text: 'use ls', text_elements: [] }] },
    ]), WAIT)
  })

  it('stays in Codex where a surface declines it', async () => {
    const request = here.codex.command(thread()), shown = await here.page.nth(0)
    shown.decline()
    await vi.waitFor(() => expect(here.registry.pending()).toEqual([]), WAIT)
    expect([request.outcome, request.replies]).toEqual([undefined, []])
  })

  it.each([['completed', 'allow'], ['failed', 'allow'], ['declined', 'reject']])('that is %s in Codex is put away with that', async (status, id) => {
    const request = here.codex.command(thread()), shown = await here.page.nth(0)
    here.codex.native(request, status)
    await vi.waitFor(() => expect(shown.settled).toEqual({ by: 'Codex', answer: { answers: [{ id: 'approval', selected: [id] }] } }), WAIT)
    expect(request.replies).toEqual([])
  })

  it('that runs for long after it was decided in Codex is put away while it runs', async () => {
    const request = here.codex.command(thread()), shown = await here.page.nth(0)
    here.codex.native(request, '')
    await vi.waitFor(() => expect(shown.context.signal.aborted).toBe(true), WAIT)
    expect(shown.settled).toBeUndefined()
  })

  it('that was decided in Codex takes no answer of a surface any more, though nobody knows what was chosen', async () => {
    const id = thread(), request = here.codex.command(id), shown = await here.page.nth(0)
    here.codex.native(request, '')
    // What comes after it is heard after it.
    here.codex.question(id)
    await here.page.nth(1)
    shown.answer('reject')
    await vi.waitFor(() => expect(shown.context.signal.aborted).toBe(true), WAIT)
    expect([request.replies, shown.settled, here.registry.pending().length]).toEqual([[], undefined, 1])
  })

  it('is rejected by Esc in Codex', async () => {
    const id = thread()
    here.codex.command(id)
    const shown = await here.page.nth(0)
    here.codex.endTurn(id, 'interrupted')
    await vi.waitFor(() => expect(shown.settled).toEqual({ by: 'Codex', answer: { answers: [{ id: 'approval', selected: ['reject'] }] } }), WAIT)
  })

  it.each([
    ['is input for one that runs', { kind: 'writeStdin' }],
    ['has no text', { command: null }],
    ['cannot be permitted once', { availableDecisions: ['acceptForSession', 'cancel'] }],
  ])('that %s is left to Codex', async (_, extra) => {
    const id = thread(), request = here.codex.command(id, extra)
    here.codex.question(id)
    expect((await here.page.nth(0)).request.questions[0]!.id).toBe('colour')
    expect(request.replies).toEqual([])
  })
})

describe('changes of files', () => {
  const changes = [
    { path: '/home/me/new.txt', kind: { type: 'add' }, diff: 'one\ntwo\n' },
    { path: '/home/me/old.txt', kind: { type: 'delete' }, diff: 'gone\n' },
    { path: '/home/me/a.txt', kind: { type: 'update', move_path: '/home/me/b.txt' }, diff: '@@ -1 +1 @@\n-x\n+y\n' },
  ]
  const detail = '`/home/me/new.txt`\n\n```diff\n+one\n+two\n```\n\n`/home/me/old.txt`\n\n```diff\n-gone\n```\n\n`/home/me/a.txt → /home/me/b.txt`\n\n```diff\n@@ -1 +1 @@\n-x\n+y\n```'

  it('are shown', async () => {
    here.codex.files(thread(), changes)
    const { request } = await here.page.nth(0)
    expect(request.questions[0]).toMatchObject({ question: 'Allow apply_patch?', detail })
    expect(request.questions[0]!.options!.map(({ id }) => id)).toEqual(['allow', 'reject', 'allow-session'])
  })

  it('are shown where they were asked about before the desk was there', async () => {
    here.watch.close()
    here.codex.files(thread(), changes)
    here.watch = here.restart()
    expect((await here.page.nth(0)).request.questions[0]).toMatchObject({ detail })
  })

  it.each([['allow', 'accept'], ['reject', 'decline'], ['allow-session', 'acceptForSession']])('are decided by the option %s', async (id, decision) => {
    const request = here.codex.files(thread(), changes), shown = await here.page.nth(0)
    shown.answer(id)
    expect(await outcome(request)).toEqual({ by: 'client', value: { decision } })
  })

  it('that Codex does not tell are announced, and cannot be permitted', async () => {
    const request = here.codex.files(thread(), []), shown = await here.page.nth(0)
    expect(shown.request).not.toHaveProperty('kind')
    expect(shown.request.questions[0]!.question).toBe('Codex wants to change files, and does not say which. Decide it in Codex: nothing that is chosen here reaches it.')
    shown.answer('I know')
    await vi.waitFor(() => expect(here.registry.pending()).toEqual([]), WAIT)
    expect(request.replies).toEqual([])
  })

  it('that would permit all of a folder from now on are announced, and cannot be permitted', async () => {
    const request = here.codex.request(thread(), 'item/fileChange/requestApproval', { reason: null, grantRoot: '/home/me' }), shown = await here.page.nth(0)
    expect(shown.request).not.toHaveProperty('kind')
    expect(shown.request.questions[0]!.question).toBe('Codex wants to write anywhere in a folder until its session ends. Decide it in Codex: nothing that is chosen here reaches it.')
    shown.answer('I know')
    await vi.waitFor(() => expect(here.registry.pending()).toEqual([]), WAIT)
    expect(request.replies).toEqual([])
  })

  it('with names that pretend stay in their block', async () => {
    here.codex.files(thread(), [{ path: 'a`\n**b**', kind: { type: 'add' }, diff: 'x\n' }])
    expect((await here.page.nth(0)).request.questions[0]!.detail).toBe('```diff\n"a`\\n**b**"\n+x\n```')
  })
})

it('whatever else Codex wants to know is between Codex and its own dialogs', async () => {
  const id = thread(), others = ['item/permissions/requestApproval', 'mcpServer/elicitation/request', 'item/tool/call', 'of/the/future'].map(method => here.codex.request(id, method, {}))
  here.codex.question(id)
  const shown = await here.page.nth(0)
  expect(shown.request.questions[0]!.id).toBe('colour')
  expect([others.flatMap(({ replies }) => replies), here.codex.errors]).toEqual([[], []])
})
