// A question on the terminal whose agent has gone on: it stays, says so, and its answer still arrives, on the panel and line by line.
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it, vi } from 'vitest'
import * as terminal from '../../src/surfaces/terminal/index.ts'
import { boot } from '../helpers/cordis.ts'
import { FakeInput, FakeOutput } from '../helpers/streams.ts'
import { agentOf, choice, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime } from '../helpers/time.ts'
import { TimedQuestions, WINDOW } from '../helpers/timed.ts'

useFakeTime()

const GONE_ON = 'The agent has gone on; your answer still reaches it.'
const AGENT = agentOf('s1')

/** A timed question on the terminal. */
async function start(mode: 'panel' | 'line') {
  let dsh!: TimedQuestions
  const { ctx } = await boot({}, root => {
    dsh = new TimedQuestions(root)
    root.provide('userQuestions', dsh as never)
  })
  const keys = new FakeInput(), pipe = new PassThrough(), output = new FakeOutput()
  const input = (mode === 'panel' ? keys : pipe) as unknown as NodeJS.ReadableStream
  const { name, inject } = terminal, streams = { input, output, onInterrupt: vi.fn<() => void>(), onSuspend: vi.fn<() => void>(), env: {} }
  await ctx.plugin({ name, inject, apply: (inner: Context) => terminal.apply(inner, { lang: 'en', mode: 'auto' }, streams) })
  const asked = dsh.askTimed({ questions: [choice('db', ['Postgres', 'SQLite'])], agent: AGENT }, 'c1')
  await pass(1000)
  return {
    dsh, asked,
    /** What has been printed since the last look. */
    said() {
      const text = stripVTControlCharacters(output.written)
      output.written = ''
      return text
    },
    async goesOn() {
      await pass(WINDOW)
      expect(await asked).toMatchObject({ pending: true })
    },
    async answers(choose: string) {
      if (mode === 'panel') keys.emit('data', `${choose}\r`)
      else pipe.write(`${choose}\n`)
      for (let at = 0; at < 4; at++) await macrotask()
      await flush()
    },
  }
}

describe.each(['panel', 'line'] as const)('a question whose agent has gone on, on the %s', (mode) => {
  it('stays, says so, and is answered', async () => {
    const t = await start(mode)
    expect(t.said()).not.toContain(GONE_ON)
    await t.goesOn()
    expect(t.said().split(GONE_ON)).toHaveLength(2)
    await t.answers('2')
    expect(t.dsh.replies.get('c1')).toEqual(says('SQLite'))
    expect(t.said()).toContain('Sent: db? SQLite\n')
  })

  it('says that somebody was first where the agent had a reply from somebody else already', async () => {
    const t = await start(mode)
    await t.goesOn()
    t.dsh.answer(AGENT, 'c1', says('Postgres'))
    await t.answers('2')
    expect(t.dsh.replies.get('c1')).toEqual(says('Postgres'))
    const said = t.said()
    expect(said).toContain('Somebody else\'s answer was first: db?\n')
    expect(said).not.toContain('Cancelled')
  })
})
