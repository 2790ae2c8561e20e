// The form in which dsh takes an answer: its `custom` replaces the choice of a single-select question (rule 7). And listeners that
// nobody has counted (rule 4).
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionAnswerItem } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { Ask } from '../../src/router/ask.ts'
import { noLog } from '../../src/router/log.ts'
import { Router } from '../../src/router/router.ts'
import { WaterfallHost } from '../../src/sources/host/waterfall-host.ts'
import { noAnswerer } from '../helpers/cordis.ts'
import { choice, codeOf, FakeHost, FakeSurface, hang, question, says, stopCode } from '../helpers/surface.ts'
import { macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

function forDsh(asked: AskUserQuestionItem, item: Omit<AskUserQuestionAnswerItem, 'id'>) {
  const host = new WaterfallHost(question(), () => undefined)
  const { answers: [answer] } = host.answerFor([asked], { answers: [{ id: asked.id, ...item }] })
  return answer
}

const database = choice('db', ['Postgres', 'SQLite', 'No'])

describe('a choice and words', () => {
  it('become one text on a single-select question, so that dsh learns of both', () => {
    expect(forDsh(database, { selected: ['Postgres'], custom: 'on the small machine' }))
      .toEqual({ id: 'db', selected: [], custom: 'Postgres: on the small machine' })
  })

  it.each(['Postgres', 'Postgres: on the small machine', 'Postgres, please', ' Postgres 17', 'Postgres。因为快'])('leave words that begin with the label as they are: "%s"', (custom) => {
    expect(forDsh(database, { selected: ['Postgres'], custom })).toEqual({ id: 'db', selected: [], custom })
  })

  it.each(['Not before Monday', 'no', 'No1', 'No.1', 'No++'])('are joined where the label is only the beginning of another word: "%s"', (custom) => {
    expect(forDsh(database, { selected: ['No'], custom })).toEqual({ id: 'db', selected: [], custom: `No: ${custom}` })
  })

  it('both stay on a multi-select question, and where there are no options', () => {
    const item = { selected: ['Postgres'], custom: 'and more' }
    expect(forDsh({ ...database, multiSelect: true }, item)).toEqual({ id: 'db', ...item })
    expect(forDsh({ id: 'db', question: 'Which?' }, item)).toEqual({ id: 'db', ...item })
    expect(forDsh({ id: 'db', question: 'Which?', options: null as never }, item)).toEqual({ id: 'db', ...item })
  })
})

it.each([{ selected: ['Postgres'] }, { selected: [], custom: 'neither' }, { selected: [] }])('one alone, or nothing, stays as it is: %j', (item) => {
  expect(forDsh(database, item)).toEqual({ id: 'db', ...item })
})

// The real cordis shows its list, so what stands behind `next` here is a fake of one that does not.
describe('where cordis does not say how many listeners there are', () => {
  function open(next: () => unknown, ...surfaces: FakeSurface[]) {
    const router = new Router(noLog), request = question(), host = new WaterfallHost(request, next)
    for (const one of surfaces) router.surfaces.add(one)
    const ask = watch(router.open(new Ask(request, undefined, router, host)))
    return { request, router, ask, names: () => router.pending()[0]!.participants.map(({ name, state }) => `${name}: ${state}`) }
  }

  /** What cordis' `next()` does: each call takes the next listener off one list. */
  function fakeNext(...listeners: (() => unknown)[]) {
    const all = [...listeners], calls: (() => unknown)[] = []
    return {
      calls,
      next: () => {
        const one = all.shift() ?? noAnswerer
        calls.push(one)
        return one()
      },
    }
  }

  it('all are asked, one on each macrotask, until nobody is left: that is no participant, and nobody is asked after it', async () => {
    const first = new FakeHost(), second = new FakeHost(), a = new FakeSurface('a'), { next, calls } = fakeNext(first.next, second.next)
    const { ask, names } = open(next, a)
    await macrotask()
    expect([calls.length, names()]).toEqual([1, ['a: asked', 'host: asked']])
    await pass(10)
    expect([calls, names()]).toEqual([[first.next, second.next, noAnswerer], ['a: asked', 'host: asked', 'host: asked']])
    await second.answer()
    expect([ask.value, a.settled.mock.lastCall!.slice(1)]).toEqual([says('SQLite'), ['host', says('SQLite')]])
  })

  it('each has a signal of its own, and whoever delegates takes the next one', async () => {
    const signals: AbortSignal[] = [], first = new FakeHost(), chain = fakeNext(
      () => (signals.push(request.signal!), chain.next()), () => (signals.push(request.signal!), first.next()), () => (signals.push(request.signal!), hang()),
    )
    const { request, ask } = open(chain.next, new FakeSurface('a'))
    await pass(10)
    expect([signals.length, signals[0] === signals[1], signals[1] === signals[2]]).toEqual([3, true, false])
    await first.answer()
    expect([ask.value, signals.map(stopCode)]).toEqual([says('SQLite'), [undefined, undefined, 'ASK_SETTLED']])
  })

  it('nobody at all is what the asker is told', async () => {
    const { next, calls } = fakeNext()
    const { ask } = open(next)
    await pass(10)
    expect([codeOf(ask.error), calls.length]).toEqual(['NO_PROVIDER', 1])
  })

  it('a list that never ends is asked a hundred times', async () => {
    let count = 0
    const a = new FakeSurface('a'), { ask } = open(() => (count++, hang()), a)
    await pass(150)
    expect([count, ask.state]).toEqual([100, 'open'])
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('a list that never ends and only fails does, too', async () => {
    let count = 0
    const { ask } = open(() => {
      count++
      throw new Error('broken')
    })
    await pass(150)
    expect([count, ask.state]).toEqual([100, 'rejected'])
  })
})
