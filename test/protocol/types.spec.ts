// Types: ours and the host's are assignable to each other, and what must not compile does not. The type checker runs
// over this file; at run time there is nothing to see.
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type * as approval from '@deepseek-ai/dsh-user-approval'
import type * as host from '@deepseek-ai/dsh-user-questions'
import type * as wire from '@deepseek-ai/dsh-user-questions/types'
import { describe, expectTypeOf, it } from 'vitest'
import type * as ours from '../../src/index.ts'
import { type AskSurfaceRegistry, routeAsk, userQuestionError } from '../../src/index.ts'
import type { ApprovalOutcome, ApprovalRequest } from '../../src/sources/host/approvals.ts'

describe('our types and the host\'s', () => {
  it('are assignable from ours to the host\'s', () => {
    expectTypeOf<ours.AskUserQuestionOption>().toExtend<wire.AskUserQuestionOption>()
    expectTypeOf<ours.AskUserQuestionIntent>().toExtend<wire.AskUserQuestionIntent>()
    expectTypeOf<ours.AskUserQuestionItem>().toExtend<wire.AskUserQuestionItem>()
    expectTypeOf<ours.AskUserQuestionAnswerItem>().toExtend<wire.AskUserQuestionAnswerItem>()
    expectTypeOf<ours.AskUserQuestionAnswer>().toExtend<wire.AskUserQuestionAnswer>()
    expectTypeOf<ours.AskUserQuestionRequest<Agent>>().toExtend<host.AskUserQuestionRequest>()
  })

  it('are assignable from the host\'s to ours', () => {
    expectTypeOf<wire.AskUserQuestionOption>().toExtend<ours.AskUserQuestionOption>()
    expectTypeOf<wire.AskUserQuestionIntent>().toExtend<ours.AskUserQuestionIntent>()
    expectTypeOf<wire.AskUserQuestionItem>().toExtend<ours.AskUserQuestionItem>()
    expectTypeOf<wire.AskUserQuestionAnswerItem>().toExtend<ours.AskUserQuestionAnswerItem>()
    expectTypeOf<wire.AskUserQuestionAnswer>().toExtend<ours.AskUserQuestionAnswer>()
    expectTypeOf<host.AskUserQuestionRequest>().toExtend<ours.AskUserQuestionRequest<Agent>>()
    expectTypeOf<host.AskUserQuestionRequest>().toExtend<ours.AskUserQuestionRequest>()
  })

  it('are the same for approvals', () => {
    expectTypeOf<approval.ApprovalRequest>().toExtend<Readonly<ApprovalRequest>>()
    expectTypeOf<approval.ApprovalOutcome>().toEqualTypeOf<ApprovalOutcome>()
    // What newer versions have.
    expectTypeOf<Exclude<keyof ApprovalRequest, 'displayReason'>>().toEqualTypeOf<keyof approval.ApprovalRequest>()
  })

  it('have the same keys, so that nothing of the host\'s is missing here', () => {
    // What an approval needs is ours, and where a request of another source comes from.
    expectTypeOf<Exclude<keyof ours.AskUserQuestionOption, 'id' | 'displayLabel'>>().toEqualTypeOf<keyof wire.AskUserQuestionOption>()
    expectTypeOf<keyof ours.AskUserQuestionIntent>().toEqualTypeOf<keyof wire.AskUserQuestionIntent>()
    expectTypeOf<keyof ours.AskUserQuestionItem>().toEqualTypeOf<keyof wire.AskUserQuestionItem>()
    expectTypeOf<keyof ours.AskUserQuestionAnswerItem>().toEqualTypeOf<keyof wire.AskUserQuestionAnswerItem>()
    expectTypeOf<keyof ours.AskUserQuestionAnswer>().toEqualTypeOf<keyof wire.AskUserQuestionAnswer>()
    expectTypeOf<Exclude<keyof ours.AskUserQuestionRequest, 'kind' | 'approval' | 'origin'>>().toEqualTypeOf<keyof host.AskUserQuestionRequest>()
  })

  it('a request without an agent\'s type has one by which surfaces claim', () => {
    expectTypeOf<NonNullable<ours.AskUserQuestionRequest['agent']>['session']['id']>().toEqualTypeOf<string>()
    expectTypeOf<Agent>().toExtend<ours.AskAgent>()
  })

  it('a provider of the host\'s older service is a surface\'s ask', () => {
    expectTypeOf<host.UserQuestionProvider['ask']>().toExtend<(request: ours.AskUserQuestionRequest<Agent>) => Promise<ours.AskUserQuestionAnswer>>()
  })

  it('our errors have what the host restores', () => {
    expectTypeOf<ours.UserQuestionError>().toExtend<Error & { name: 'UserQuestionError', code: string }>()
  })
})

describe('a surface', () => {
  it('of the plain protocol is one', () => {
    const plain = {
      name: 'plain',
      claim: (_request: ours.AskUserQuestionRequest) => true,
      ask: async (_request: ours.AskUserQuestionRequest) => ({ answers: [] }),
      settled: (_request: ours.AskUserQuestionRequest, _by: string) => {},
    }
    expectTypeOf(plain).toExtend<ours.AskSurface>()
    expectTypeOf<Omit<typeof plain, 'settled'>>().toExtend<ours.AskSurface>()
  })

  it('is one without a claim, which only the registry can tell from one that needs it', () => {
    expectTypeOf<Omit<ours.AskSurface, 'claim'>>().toExtend<ours.AskSurface>()
  })

  it('is not one without a name, with a claim that is no yes or no, or without an ask that promises an answer', () => {
    type Surface = ours.AskSurface
    expectTypeOf<Omit<Surface, 'name'>>().not.toExtend<Surface>()
    expectTypeOf<Omit<Surface, 'ask'>>().not.toExtend<Surface>()
    expectTypeOf<Omit<Surface, 'claim'> & { claim(): Promise<boolean> }>().not.toExtend<Surface>()
    expectTypeOf<Omit<Surface, 'ask'> & { ask(): Promise<string> }>().not.toExtend<Surface>()
    expectTypeOf<Omit<Surface, 'ask'> & { ask(): ours.AskUserQuestionAnswer }>().not.toExtend<Surface>()
    expectTypeOf<Omit<Surface, 'settled'> & { settled(request: unknown, by: number): void }>().not.toExtend<Surface>()
  })

  it('is registered through the context', () => {
    expectTypeOf(() => {
      const ctx = {} as Context
      expectTypeOf(ctx.askSurfaces).toEqualTypeOf<ours.AskSurfaces>()
      expectTypeOf(ctx.get('askSurfaces')).toEqualTypeOf<ours.AskSurfaces | undefined>()
      // @ts-expect-error -- the router may be absent: what get returns must be checked
      ctx.get('askSurfaces').list()
      // @ts-expect-error -- a name alone is no surface
      ctx.askSurfaces.register({ name: 'a' })
      // @ts-expect-error -- the list is a picture
      ctx.askSurfaces.list().push({} as ours.AskSurface)
      expectTypeOf<AskSurfaceRegistry>().toExtend<ours.AskSurfaces>()
    }).toBeFunction()
  })
})

describe('what must not compile', () => {
  it('writing to a picture or a context', () => {
    expectTypeOf(() => {
      const ask = {} as ours.PendingAsk
      // @ts-expect-error -- a snapshot is frozen
      ask.id = 'other'
      // @ts-expect-error -- and so are its participants
      ask.participants[0]!.state = 'left'
      // @ts-expect-error -- and its questions
      ask.questions.pop()
      const context = {} as ours.AskContext
      // @ts-expect-error -- a surface is stopped, it does not stop itself
      context.signal = new AbortController().signal
    }).toBeFunction()
  })

  it('reading of an outcome what its kind does not have', () => {
    expectTypeOf(() => {
      const outcome = {} as ours.AskOutcome
      // @ts-expect-error -- nobody is known before the kind is
      void outcome.by
      if (outcome.kind === 'answered') expectTypeOf(outcome.answer).toEqualTypeOf<ours.AskUserQuestionAnswer>()
      // @ts-expect-error -- a person's no has no answer
      if (outcome.kind === 'cancelled') void outcome.answer
      // @ts-expect-error -- there is no such kind
      void (outcome.kind === 'timed-out')
    }).toBeFunction()
  })

  it('errors of a code that is not ours, routing without questions, listening for no such event', () => {
    expectTypeOf(() => {
      // @ts-expect-error -- not a code of this package
      userQuestionError('ASK_TIMED_OUT', 'x')
      // @ts-expect-error -- a request has questions
      void routeAsk([], {})
      const ctx = {} as Context
      ctx.on('ask-surfaces/asked', ask => expectTypeOf(ask).toEqualTypeOf<ours.PendingAsk>())
      ctx.on('ask-surfaces/settled', (_, outcome) => expectTypeOf(outcome).toEqualTypeOf<ours.AskOutcome>())
      // @ts-expect-error -- asked has no outcome
      ctx.on('ask-surfaces/asked', (_ask, _outcome: ours.AskOutcome) => {})
    }).toBeFunction()
  })

  it('a question or an answer with a wrong field', () => {
    expectTypeOf(() => {
      // @ts-expect-error -- selected is a list
      void ({ id: 'a', selected: 'x' } satisfies ours.AskUserQuestionAnswerItem)
      // @ts-expect-error -- an option has a label
      void ({ id: 'a', question: 'b', options: [{ description: 'x' }] } satisfies ours.AskUserQuestionItem)
      // @ts-expect-error -- the host knows one kind of intent
      void ({ kind: 'other', approve: 'x' } satisfies ours.AskUserQuestionIntent)
      // @ts-expect-error -- absent is left out: an explicit undefined would travel to the host
      void ({ id: 'a', selected: [], custom: undefined } satisfies ours.AskUserQuestionAnswerItem)
    }).toBeFunction()
  })
})
