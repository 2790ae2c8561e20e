// Whatever a surface answers and whatever the app-server says: nothing is permitted but by the option that says so, and nothing throws.
import * as fc from 'fast-check'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import { commandAsking, fileAsking } from '../../../src/sources/codex/approval.ts'
import { AppServer } from '../../../src/sources/codex/app-server.ts'
import type { Connection } from '../../../src/sources/codex/connection.ts'
import { commandApprovalSchema, type Decision, notifications } from '../../../src/sources/codex/protocol.ts'
import { AskSurfaceRegistry } from '../../../src/router/registry.ts'
import { Page } from './support.ts'

const place = { threadId: 't', turnId: 'u', itemId: 'i' }
const rule = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['git', 'push'] } }
const askings = [
  commandAsking(commandApprovalSchema.parse({ ...place, command: 'rm -rf /', availableDecisions: ['accept', 'acceptForSession', rule, 'cancel'] }))!,
  fileAsking({ ...place, reason: undefined, grantRoot: undefined }, [{ path: '/x', kind: { type: 'add' }, diff: 'x' }])!,
]

const word = fc.oneof(
  fc.constantFrom('allow', 'allow-session', 'allow-rule', 'reject', 'accept', 'acceptForSession', 'Allow once', 'approval', 'Allow', 'yes', '', 'ALLOW', ' allow'), fc.string(), fc.constant(null), fc.nat(),
)
const answers = fc.oneof(
  fc.record({ answers: fc.array(fc.record({ id: fc.oneof({ weight: 4, arbitrary: fc.constant('approval') }, { weight: 1, arbitrary: word }), selected: fc.array(word, { maxLength: 3 }), custom: fc.option(word, { nil: undefined }) }), { maxLength: 2 }) }),
  fc.anything(),
)

/** What an answer must be for a decision that permits. */
const BUTTON = new Map<Decision, string>([['accept', 'allow'], ['acceptForSession', 'allow-session']])

describe('an approval of Codex', () => {
  it('is permitted by its button alone, whatever is answered', () => {
    fc.assert(fc.property(fc.constantFrom(...askings), answers, (asking, answer) => {
      let result: { decision?: Decision } | undefined
      try {
        result = asking.send(answer as AskUserQuestionAnswer)?.result
      } catch {
        // It is no answer to an approval.
      }
      const decision = result?.decision
      if (decision === undefined || decision === 'decline') return
      const button = BUTTON.get(decision) ?? 'allow-rule'
      expect(answer).toMatchObject({ answers: [{ id: 'approval', selected: [button] }] })
      expect((answer as AskUserQuestionAnswer).answers[0]!.custom).toBeUndefined()
    }), { numRuns: 10_000 })
  })
})

const METHODS = [...Object.keys(notifications), 'item/tool/requestUserInput', 'item/commandExecution/requestApproval', 'item/fileChange/requestApproval', 'x/y']
const params = fc.oneof(
  fc.anything(),
  fc.record({
    threadId: fc.constantFrom('t', 's'), turnId: fc.constant('u'), itemId: fc.constantFrom('i', 'j'), requestId: fc.nat(3), command: fc.oneof(fc.string(), fc.anything()),
    thread: fc.record({ id: fc.constantFrom('t', 's'), cwd: fc.string(), status: fc.anything(), path: fc.anything() }, { requiredKeys: ['id'] }),
    item: fc.record({ id: fc.constantFrom('i', 'j'), type: fc.constantFrom('agentMessage', 'userMessage', 'fileChange'), delivery: fc.constant('async'), questions: fc.anything(), content: fc.anything(), changes: fc.anything() }),
    turn: fc.record({ id: fc.constant('u'), status: fc.constantFrom('completed', 'interrupted', 'x') }), status: fc.oneof(fc.constantFrom({ type: 'active' }, { type: 'idle' }, { type: 'notLoaded' }), fc.anything()),
    questions: fc.oneof(fc.array(fc.record({ id: fc.string(), question: fc.string(), options: fc.anything(), isSecret: fc.anything() }), { maxLength: 3 }), fc.anything()),
    availableDecisions: fc.anything(),
  }, { requiredKeys: [] }),
)

describe('an app-server that says anything', () => {
  it('gets no answer that nobody gave, and nothing stays open after it', { timeout: 60_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.record({ method: fc.constantFrom(...METHODS), params, id: fc.option(fc.nat(3)) }), { maxLength: 5 }), async (messages) => {
      const sent: unknown[] = [], registry = new AskSurfaceRegistry()
      registry.register(new Page())
      const server = new AppServer({ askSurfaces: registry, lang: 'en', warn: () => {}, malformed: () => {}, closed: () => {} })
      const connection = { isOpen: true, call: () => new Promise(() => {}), notify: () => {}, respond: (...all: unknown[]) => sent.push(all) > 0, close: () => {} }
      void server.start(connection as unknown as Connection)
      for (const { method, params: given, id } of messages) {
        if (id === null) server.notification(method, given)
        else server.request(id, method, given)
      }
      server.closed()
      await setImmediate()
      expect([sent, registry.pending()]).toEqual([[], []])
    }), { numRuns: 5000 })
  })
})
