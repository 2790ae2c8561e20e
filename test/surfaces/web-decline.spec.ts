// "Not now" from the page: every question is skipped on purpose, and nothing blank passes for it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Board } from '../../src/surfaces/web/board.ts'
import { askOn, type BootedWeb, bootWeb, CHECKS, DATABASE, NAME } from '../helpers/web.ts'

const SKIPPED = { answers: [{ id: 'db', selected: [] }, { id: 'checks', selected: [] }, { id: 'name', selected: [] }] }

describe('a board that is told "not now"', () => {
  it('answers that every question is skipped, once', async () => {
    const board = new Board()
    const { answer } = askOn(board, 'a', [DATABASE, CHECKS, NAME])
    expect(await board.answer('a', { decline: true })).toMatchObject({ accepted: true, ended: { kind: 'answered', questions: [{ selected: [] }, { selected: [] }, { selected: [] }] } })
    expect(await answer).toEqual(SKIPPED)
    expect(await board.answer('a', { decline: true })).toMatchObject({ accepted: false })
  })
})

describe('"not now" by HTTP', () => {
  let page: BootedWeb

  beforeEach(async () => {
    page = await bootWeb()
  })
  afterEach(() => page.close())

  const decline = (headers: Record<string, string> = {}, body: unknown = { decline: true }) => page.api(`asks/${page.id}/answer`, body, headers)

  it('ends the question for everybody, while others still show it', async () => {
    const answer = page.ask([DATABASE, CHECKS, NAME], {}, () => new Promise(() => {}))
    expect((await decline()).status).toBe(200)
    expect(await answer).toEqual(SKIPPED)
    expect(page.registry.pending()).toEqual([])
  })

  it.each([
    ['no', { decline: false }], ['blank answers', { answers: [{ selected: [] }] }], ['both', { decline: true, answers: [{ selected: [] }] }],
    ['neither', {}], ['something else', { decline: true, all: true }],
  ])('%s is no "not now"', async (_what, body) => {
    page.ask([DATABASE])
    expect((await decline({}, body)).status).toBe(422)
    expect(page.registry.pending()).toHaveLength(1)
  })

  it('wants the same secret as an answer; the link of one question declines that one alone', async () => {
    const first = page.ask([DATABASE])
    const grant = page.linkFor(page.id)!.split('#g=')[1]!
    expect((await decline({ authorization: 'Bearer wrong' })).status).toBe(401)
    page.ask([NAME])
    expect((await decline({ authorization: `Bearer ${grant}` })).status).toBe(403)
    expect(page.registry.pending()).toHaveLength(2)
    const { id } = page.registry.pending()[0]!
    expect((await page.api(`asks/${id}/answer`, { decline: true }, { authorization: `Bearer ${grant}` })).status).toBe(200)
    expect(await first).toEqual({ answers: [{ id: 'db', selected: [] }] })
  })
})
