// What the page knows: late, doubled and old news change nothing.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Board } from '../../src/surfaces/web/board.ts'
import { Model } from '../../src/surfaces/web/page/model.ts'
import { pageLang, pageTexts } from '../../src/surfaces/web/page/texts.ts'
import type { Change, Snapshot } from '../../src/surfaces/web/wire.ts'
import { askOn, changesOf } from '../helpers/web.ts'

/** A page that only writes down what it is to show. */
function page() {
  const open = new Set<string>(), told: string[] = [], places: string[] = []
  const model = new Model({
    opened(card) { told.push(`+${card.id}`); open.add(card.id) },
    ended(ended) { told.push(`-${ended.id}`); open.delete(ended.id) },
    gone(id) { told.push(`?${id}`); open.delete(id) },
    reminded(id, reminders) { told.push(`!${id}${reminders}`) },
    late(id) { told.push(`~${id}`) },
    waiting() {},
    presence(whereabouts) { places.push(whereabouts?.presence ?? 'nowhere') },
  })
  return { model, open, told, places }
}

/** A board on which things happen, and everything that it ever said. */
function history(steps: readonly boolean[]) {
  const board = new Board()
  const said: ({ snapshot: Snapshot } | { change: Change })[] = [{ snapshot: board.snapshot() }]
  board.watch(change => said.push({ change }, { snapshot: board.snapshot() }))
  const open: ReturnType<typeof askOn>[] = []
  for (const [at, opens] of steps.entries()) {
    const first = opens ? undefined : open.shift()
    if (opens) open.push(askOn(board, `a${at}`))
    else if (first) board.settled(first.request, 'terminal')
  }
  return { board, said }
}

const take = (model: Model, one: { snapshot: Snapshot } | { change: Change }) =>
  'snapshot' in one ? model.apply(one.snapshot) : model.change(one.change)

describe('Model', () => {
  it('an old snapshot never brings back what was answered, and each is told once', () => {
    const { said } = history([true, true, false])
    const { model, open, told } = page()
    for (const one of said) take(model, one)
    for (const one of said) take(model, one)
    expect(told).toEqual(['+a0', '+a1', '-a0'])
    expect([...open]).toEqual(['a1'])
    expect(model.count).toBe(1)
  })

  it('whatever comes late, doubled or in any order: the newest snapshot is what is shown, and nothing opens twice', () => {
    fc.assert(fc.property(fc.array(fc.boolean(), { maxLength: 20 }), fc.infiniteStream(fc.nat()), (steps, random) => {
      const { board, said } = history(steps)
      const { model, open, told } = page()
      const mixed = said.map(one => ({ one, key: random.next().value % 1000 })).toSorted((a, b) => a.key - b.key)
      for (const { one } of mixed) if ('snapshot' in one) take(model, one)
      model.apply(board.snapshot())
      expect([...open].toSorted()).toEqual(board.snapshot().open.map(({ id }) => id).toSorted())
      expect(new Set(told).size).toBe(told.length)
    }))
  })

  it('an answer tells of the end before the stream does', () => {
    const { board, said } = history([true])
    const { model, told } = page()
    for (const one of said) take(model, one)
    const ended = { id: 'a0', version: 2, origin: { agent: 'dsh', machine: 'nas', project: 'shop' }, askedAt: 0, endedAt: 0, kind: 'answered', questions: [] } as const
    model.end(ended)
    model.change({ type: 'ended', version: 2, ended })
    model.apply({ ...board.snapshot(), version: 2 })
    expect(told).toEqual(['+a0', '-a0'])
  })

  it('one that ended here and is asked again is open again, and an old snapshot of it is not believed', () => {
    const board = new Board()
    const { model, told } = page()
    const { stop } = askOn(board, 'a')
    const before = board.snapshot()
    model.apply(before)
    stop('ASK_ABORTED')
    model.end(board.snapshot().ended[0]!)
    model.apply(before)
    askOn(board, 'a')
    model.apply(board.snapshot())
    expect(board.snapshot()).toMatchObject({ open: [{ id: 'a' }], ended: [] })
    expect(told).toEqual(['+a', '-a', '+a'])
  })

  it('a reminder is told once, by whichever way it comes first, and not of what is seen for the first time', () => {
    const board = new Board()
    const { model, told } = page()
    const { request, context } = askOn(board, 'a')
    board.remind(request, context)
    model.apply(board.snapshot())
    expect(told).toEqual(['+a'])
    const changes = changesOf(board)
    board.remind(request, context)
    model.apply(board.snapshot())
    for (const change of changes) model.change(change)
    board.remind(request, context)
    for (const change of changes) model.change(change)
    model.apply(board.snapshot())
    expect(told).toEqual(['+a', '!a2', '!a3'])
    model.change({ type: 'reminded', version: 99, id: 'unknown', reminders: 1 })
    expect(told).toHaveLength(3)
  })

  it('that the agent has gone on is told once, by whichever way it comes first, and not of what is seen for the first time', () => {
    const board = new Board()
    const { model, told } = page()
    const first = askOn(board, 'a'), changes = changesOf(board)
    model.apply(board.snapshot())
    board.late(first.request, first.context)
    board.late(first.request, first.context)
    expect(changes).toEqual([{ type: 'late', version: 2, id: 'a' }])
    model.apply(board.snapshot())
    for (const change of changes) model.change(change)
    expect(told).toEqual(['+a', '~a'])
    const other = page()
    other.model.apply(board.snapshot())
    other.model.change({ type: 'late', version: 9, id: 'unknown' })
    expect(other.told).toEqual(['+a'])
  })

  it('where the person is: the newest word counts, also one that comes outside the order, and another host starts anew', () => {
    const { model, places } = page()
    const snapshot = { epoch: 'one', open: [], ended: [] }
    model.apply({ ...snapshot, version: 3, whereabouts: { presence: 'home', version: 0 } })
    model.setWhereabouts({ presence: 'away', version: 5 })
    model.apply({ ...snapshot, version: 4, whereabouts: { presence: 'home', version: 0 } })
    model.change({ type: 'presence', presence: 'away', version: 5 })
    expect(places).toEqual(['home', 'away'])
    model.change({ type: 'presence', presence: 'home', version: 6 })
    model.apply({ ...snapshot, epoch: 'other', version: 0, whereabouts: { presence: 'away', version: 0 } })
    expect(places).toEqual(['home', 'away', 'home', 'away'])
  })

  it('with a link for one question it does not know where the person is; with the whole one it does again', () => {
    const { model, places } = page()
    const whole = { epoch: 'one', version: 3, open: [], ended: [], whereabouts: { presence: 'away', version: 2 } } as const
    model.apply(whole)
    model.apply({ epoch: 'one', version: 3, open: [], ended: [] })
    model.apply(whole)
    expect(places).toEqual(['away', 'nowhere', 'away'])
  })

  it('another host starts anew; what it does not know is gone, and may come back', () => {
    const { model, told } = page()
    const { board } = history([true])
    const snapshot = board.snapshot()
    model.apply({ ...snapshot, version: 9 })
    model.apply({ epoch: 'other', version: 0, open: [], ended: [] })
    model.apply({ epoch: 'other', version: 1, open: snapshot.open, ended: [] })
    expect(told).toEqual(['+a0', '?a0', '+a0'])
  })
})

describe('pageLang', () => {
  it.each([
    ['zh', ['en'], 'zh'], ['en', ['zh'], 'en'], ['auto', ['fr', 'zh-Hant-TW', 'en'], 'zh'], ['auto', ['en-GB', 'zh'], 'en'], [undefined, [], 'en'],
  ] as const)('%s with %j is %s', (setting, browser, lang) => {
    expect(pageLang(setting, browser)).toBe(lang)
  })
})

describe('pageTexts', () => {
  it.each(['en', 'zh'] as const)('of where the person is promise nobody who may not be there, nor when: %s', (lang) => {
    for (const text of Object.values(pageTexts[lang].presence)) expect(text).not.toMatch(/phone|ntfy|at once|手机|立即/i)
  })
})
