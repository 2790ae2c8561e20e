// The race alone: what it makes of what participants say, with nobody who asks them.
import { describe, expect, it, vi } from 'vitest'
import { checkAnswer } from '../../src/protocol/answer.ts'
import { userQuestionError } from '../../src/protocol/errors.ts'
import type { ParticipantState } from '../../src/protocol/surface.ts'
import { noLog } from '../../src/router/log.ts'
import type { Participant } from '../../src/router/participant.ts'
import { Race, type RaceEnd, type RaceListener } from '../../src/router/race.ts'
import { cancelled, choice, codeOf, says } from '../helpers/surface.ts'
import { flush } from '../helpers/time.ts'

class Speaker implements Participant {
  state: ParticipantState = 'asked'
  since: number | undefined
  isUnloading = false
  readonly #said = Promise.withResolvers<unknown>()
  readonly leave = vi.fn<() => void>()
  readonly name: string
  readonly isHost: boolean

  constructor(name: string, isHost = false) {
    this.name = name
    this.isHost = isHost
  }

  show(): unknown {
    return this.#said.promise
  }

  retire(state: ParticipantState): void {
    this.state = state
  }

  async says(value: unknown): Promise<void> {
    this.#said.resolve(value)
    await flush()
  }

  async fails(error: unknown): Promise<void> {
    this.#said.reject(error)
    await flush()
  }
}

function start(...names: string[]) {
  const ends: RaceEnd[] = []
  const listener = {
    checksAnswers: true as boolean,
    check: (value: unknown) => checkAnswer([choice('db', ['Postgres', 'SQLite'])], value),
    timedOut: vi.fn<() => boolean>(() => false),
    out: vi.fn<(participant: Participant) => void>(),
    step: vi.fn<() => void>(),
    ended: (end: RaceEnd) => void ends.push(end),
  } satisfies RaceListener
  const race = new Race(listener, noLog)
  const [a, b] = names.map(name => new Speaker(name, name === 'host'))
  for (const one of [a, b]) if (one) race.ask(one)
  return { race, listener, ends, a: a!, b: b! }
}

describe('answers', () => {
  it('6: the first acceptable one ends it, whatever is said later', async () => {
    const { race, ends, a, b } = start('a', 'b')
    await b.says(says('SQLite'))
    await a.says(says('Postgres'))
    expect(ends).toEqual([{ outcome: { kind: 'answered', by: 'b', answer: says('SQLite') }, result: says('SQLite'), by: b }])
    expect([race.isOver, a.state, b.state]).toEqual([true, 'asked', 'answered'])
  })

  it('7: others see a copy of a checked answer', async () => {
    const { ends: [end], a } = await answered(says('SQLite'))
    expect(end!.by).toBe(a)
    const { outcome } = end!
    if (outcome.kind === 'answered') outcome.answer.answers[0]!.selected.push('changed')
    expect(end!.result).toEqual(says('SQLite'))
  })

  it('1 and 7: where answers are not checked, one that fits wins and is passed on as it is', async () => {
    const { listener, ends, a } = start('a', 'b')
    listener.checksAnswers = false
    const given = { ...says('SQLite'), extra: 1 }
    await a.says(given)
    expect(ends).toEqual([{ outcome: { kind: 'answered', by: 'a', answer: given }, result: given, by: a }])
    expect(ends[0]!.result).toBe(given)
  })

  it.each([['what is no answer', 'anything'], ['nothing at all', undefined], ['a blank answer', { answers: [] }]])('1 and 7: where answers are not checked, %s is kept while another may still speak, then passed on as it is', async (_, given) => {
    const { race, listener, ends, a } = start('a', 'b')
    listener.checksAnswers = false
    await a.says(given)
    expect([a.state, listener.out.mock.calls, ends]).toEqual(['blank', [[a]], []])
    race.giveUp()
    expect(ends).toEqual([{ outcome: { kind: 'answered', by: 'a', answer: given }, result: given, by: a }])
    expect(ends[0]!.result).toBe(given)
  })

  it('1 and 7: where answers are not checked, what fits wins over what was kept', async () => {
    const { listener, ends, a, b } = start('a', 'b')
    listener.checksAnswers = false
    await a.says('anything')
    await b.says(says('Postgres'))
    expect(ends).toMatchObject([{ outcome: { kind: 'answered', by: 'b' }, result: says('Postgres') }])
  })

  it('1 and 7: what is no answer and was kept is a failure, where answers have come to be checked meanwhile', async () => {
    const { race, listener, ends, a } = start('a', 'b')
    listener.checksAnswers = false
    await a.says(undefined)
    listener.checksAnswers = true
    race.giveUp()
    expect(ends).toMatchObject([{ outcome: { kind: 'failed' } }])
    expect(codeOf(ends[0]!.result)).toBe('BAD_ANSWER')
  })

  it('1 and 7: a blank answer that was kept is brought into normal form, where answers have come to be checked meanwhile', async () => {
    const { race, listener, ends, a } = start('a', 'b')
    listener.checksAnswers = false
    await a.says({ answers: [] })
    listener.checksAnswers = true
    race.giveUp()
    expect(ends).toMatchObject([{ outcome: { kind: 'answered', by: 'a' }, result: { answers: [{ id: 'db', selected: [] }] } }])
  })

  it('7: one that does not fit takes its participant out, and is the failure if nobody else answers', async () => {
    const { race, listener, ends, a } = start('a', 'b')
    await a.says({ answers: 'Postgres' })
    expect([a.state, listener.out.mock.calls, ends]).toEqual(['failed', [[a]], []])
    race.giveUp()
    expect(codeOf(ends[0]!.result)).toBe('BAD_ANSWER')
  })

  it('7: a blank one is kept, and wins only when it is given up', async () => {
    const { race, ends, a, b } = start('a', 'b')
    await a.says({ answers: [] })
    await b.fails(new Error('broken'))
    expect([a.state, ends]).toEqual(['blank', []])
    race.giveUp()
    expect(ends).toMatchObject([{ outcome: { kind: 'answered', by: 'a' }, result: { answers: [{ id: 'db', selected: [] }] } }])
  })
})

describe('rejections', () => {
  it('9: a person\'s no ends it', async () => {
    const { ends, a } = start('a', 'b')
    const error = cancelled()
    await a.fails(error)
    expect(ends).toEqual([{ outcome: { kind: 'cancelled', by: 'a' }, result: error, by: a }])
  })

  it('9: so does the host\'s time-out, which a surface cannot say', async () => {
    const timedOut = userQuestionError('ASK_TIMED_OUT' as never, 'too late')
    const { ends, a, b } = start('a', 'host')
    await a.fails(timedOut)
    expect([a.state, ends]).toEqual(['failed', []])
    await b.fails(timedOut)
    expect(ends).toMatchObject([{ outcome: { kind: 'cancelled', by: 'host' } }])
  })

  it('10: a host with nobody behind it is out, and counts only when nothing else went wrong', async () => {
    const nobody = userQuestionError('NO_PROVIDER', 'nobody')
    const { race, listener, ends, b } = start('a', 'host')
    await b.fails(nobody)
    expect([b.state, listener.step.mock.calls.length, listener.out.mock.calls.length]).toEqual(['failed', 1, 0])
    race.giveUp()
    expect(ends).toEqual([{ outcome: { kind: 'failed', error: nobody }, result: nobody }])
  })

  it('10: one failure is the error, several are its cause', async () => {
    const { race, ends, a, b } = start('a', 'b')
    const [first, second] = [new Error('first'), new Error('second')]
    await a.fails(first)
    race.retire(b, 'timed-out', second)
    race.giveUp()
    const error = ends[0]!.result as Error
    expect([error.message, (error.cause as AggregateError).errors]).toEqual(['first', [first, second]])
  })
})

describe('what counts no longer', () => {
  it('11: anything after an abort, and a second abort', async () => {
    const { race, ends, a } = start('a')
    const error = new Error('aborted')
    race.abort(error)
    race.abort(new Error('again'))
    await a.says(says('Postgres'))
    expect(ends).toEqual([{ outcome: { kind: 'aborted' }, result: error }])
  })

  it.each(['failed', 'left', 'blank'] as const)('12: what somebody says who is out: %s', async (state) => {
    const { race, ends, a } = start('a')
    race.retire(a, state)
    await a.says(says('Postgres'))
    expect([a.state, ends]).toEqual([state, []])
  })

  it('12: but not what somebody says who has only timed out', async () => {
    const { race, ends, a } = start('a')
    race.retire(a, 'timed-out')
    await a.says(says('Postgres'))
    expect(ends).toMatchObject([{ outcome: { kind: 'answered', by: 'a' } }])
  })

  it('13: what a surface says whose plugin is being unloaded; it leaves', async () => {
    const { ends, a } = start('a')
    a.isUnloading = true
    await a.says(says('Postgres'))
    expect([a.leave.mock.calls.length, ends]).toEqual([1, []])
  })
})

async function answered(answer: unknown) {
  const started = start('a')
  await started.a.says(answer)
  return started
}
