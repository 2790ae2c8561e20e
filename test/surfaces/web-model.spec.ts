// What the page knows: late, doubled and old news change nothing.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { userQuestionError } from '../../src/protocol/errors.ts'
import { Board } from '../../src/surfaces/web/board.ts'
import { Model } from '../../src/surfaces/web/page/model.ts'
import { pageLang } from '../../src/surfaces/web/page/texts.ts'
import type { Change, Snapshot } from '../../src/surfaces/web/wire.ts'
import { NAME } from '../helpers/web.ts'

/** A page that only writes down what it is to show. */
function page() {
  const open = new Set<string>(), told: string[] = []
  const model = new Model({
    opened(card) { told.push(`+${card.id}`); open.add(card.id) },
    ended(ended) { told.push(`-${ended.id}`); open.delete(ended.id) },
    gone(id) { told.push(`?${id}`); open.delete(id) },
  })
  return { model, open, told }
}

/** A board on which things happen, and everything that it ever said. */
function history(steps: readonly boolean[]) {
  const board = new Board()
  const said: ({ snapshot: Snapshot } | { change: Change })[] = [{ snapshot: board.snapshot() }]
  board.watch(change => said.push({ change }, { snapshot: board.snapshot() }))
  const requests: { questions: (typeof NAME)[] }[] = []
  for (const [at, opens] of steps.entries()) {
    const request = opens ? { questions: [NAME] } : requests.shift()
    if (request === undefined) continue
    if (!opens) board.settled(request, 'terminal')
    else {
      requests.push(request)
      board.ask(request, { id: `a${at}`, signal: new AbortController().signal, quiet: false }).catch(() => {})
    }
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
    const ended = { id: 'a0', version: 2, askedAt: 0, endedAt: 0, kind: 'answered', questions: [] } as const
    model.end(ended)
    model.change({ type: 'ended', version: 2, ended })
    model.apply({ ...board.snapshot(), version: 2 })
    expect(told).toEqual(['+a0', '-a0'])
  })

  it('one that was given up here and is asked again is open again, and an old snapshot of it is not believed', () => {
    const board = new Board()
    const { model, told } = page()
    const first = new AbortController()
    const request = { questions: [NAME] }
    board.ask(request, { id: 'a', signal: first.signal, quiet: false }).catch(() => {})
    const before = board.snapshot()
    model.apply(before)
    first.abort(userQuestionError('SURFACE_TIMEOUT', 'over'))
    model.end(board.snapshot().ended[0]!)
    model.apply(before)
    board.ask(request, { id: 'a', signal: new AbortController().signal, quiet: false }).catch(() => {})
    model.apply(board.snapshot())
    expect(board.snapshot()).toMatchObject({ open: [{ id: 'a' }], ended: [] })
    expect(told).toEqual(['+a', '-a', '+a'])
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
