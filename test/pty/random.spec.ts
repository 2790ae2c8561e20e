// Whatever happens to a terminal while questions come and go (keys, pastes, reports, signals, job control, floods, sizes), its
// settings and modes are the same afterwards. One program on one terminal lives through many sequences.
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionItem } from '../../src/index.ts'
import { type Desk, openDesk } from './desk.ts'
import { missing, TERMINAL_RUNS } from './person.ts'

const ESC = '\u001B'
const questions: readonly AskUserQuestionItem[] = [
  { id: 'q', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] },
  { id: 'q', question: 'Which checks?', multiSelect: true, options: [{ label: 'Tests' }, { label: 'Types' }] },
  { id: 'q', question: 'What colour?', detail: 'A text of some length, which is broken into lines. '.repeat(8) },
]

/** Keys, pastes and reports, each also in two pieces. None ends the input. */
const input = fc.array(fc.constantFrom(
  'j', 'k', 'o', '1', '2', ' ', '?', 'x', 'y', '\t', '\r', '\r', ESC, '\u007F', '\u0015', '\u000C', `${ESC}[A`, `${ESC}[B`, `${ESC}[6~`, '部署', '👍',
  `${ESC}[200~one\rtwo\rthree${ESC}[201~`, `${ESC}[200~${'pasted '.repeat(800)}${ESC}[201~`, 'a\rb\rc', 'word '.repeat(100),
  `${ESC}[M !!`, `${ESC}[<35;1;1M`, `${ESC}[I`, `${ESC}[O`, `${ESC}[?62;c`, `${ESC}[12;40R`, `${ESC}]11;rgb:0/0/0${ESC}\\`, `${ESC}P>|XTerm(390)${ESC}\\`, `${ESC}[27u`, `${ESC}[13u`, '\u0003', `${ESC}[99;5u`,
), { minLength: 1, maxLength: 8 })

type Move =
  | ['ask', which: number] | ['press', keys: readonly string[], cut: number] | ['answer' | 'abort' | 'remind', which: number] | ['say', lines: number]
  | ['resize', columns: number, rows: number] | ['signal', name: NodeJS.Signals] | ['stop']

const at = fc.nat({ max: 9 })
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('ask' as const), at) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('press' as const), input, at) },
  fc.tuple(fc.constantFrom('answer' as const, 'abort' as const, 'remind' as const), at),
  fc.tuple(fc.constant('say' as const), fc.nat({ max: 300 })),
  fc.tuple(fc.constant('resize' as const), fc.integer({ min: 20, max: 120 }), fc.integer({ min: 5, max: 50 })),
  fc.tuple(fc.constant('signal' as const), fc.constantFrom<NodeJS.Signals>('SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGTSTP', 'SIGCONT', 'SIGWINCH')),
  fc.tuple(fc.constant('stop' as const)),
)

/** What a program lives through. */
class Life {
  readonly desk: Desk
  #count = 0
  readonly #open = new Set<string>()
  #settings = ''

  constructor(mode: 'panel' | 'line') {
    this.desk = openDesk([80, 24], { config: { mode } })
  }

  async begin(): Promise<void> {
    // The signals that would end it are heard by somebody.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) await this.desk.order('listen', signal)
    await this.desk.order('until-watched')
    this.#settings = this.desk.person.settings
  }

  async make([what, ...args]: Move): Promise<void> {
    const { desk } = this, { person } = desk
    switch (what) {
      case 'ask': return this.#ask(args[0] as number)
      case 'press': return this.#press((args[0] as string[]).join(''), args[1] as number)
      case 'say': return desk.order('say', 'A line that the program writes.\n'.repeat(args[0] as number))
      case 'resize': return person.resize(args[0] as number, args[1] as number)
      case 'signal': return desk.kill(args[0] as NodeJS.Signals)
      // With a shell's job control in between: jobs.spec.ts.
      case 'stop':
        desk.kill('SIGSTOP')
        return desk.kill('SIGCONT')
      default: {
        const id = [...this.#open][(args[0] as number) % (this.#open.size || 1)]
        if (id !== undefined) await (what === 'answer' ? this.#answer(id) : desk.order(what, id))
      }
    }
  }

  /** How the terminal is, for a failure. */
  get state(): string {
    const { person } = this.desk
    return `modes ${person.restored ? 'restored' : 'changed'}, settings ${person.settings.trim()} after ${this.#settings.trim()}`
  }

  /** End all questions, and compare. */
  async end(): Promise<void> {
    for (const id of this.#open) await this.#answer(id)
    await this.desk.person.sees(() => this.desk.person.restored && this.desk.person.settings === this.#settings)
    this.desk.person.forget()
  }

  async #ask(which: number): Promise<void> {
    if (this.#open.size >= 3) return
    const id = `ask-${this.#count++}`
    this.#open.add(id)
    void this.desk.outcome(id).then(() => this.#open.delete(id), () => {})
    await this.desk.order('ask', id, [questions[which % questions.length]!])
  }

  #answer(id: string): Promise<void> {
    this.#open.delete(id)
    return this.desk.order('answer', id, { answers: [{ id: 'q', selected: [], custom: 'elsewhere' }] })
  }

  #press(keys: string, cut: number): void {
    const { person } = this.desk, place = Math.floor(keys.length * cut / 10)
    person.press(keys.slice(0, place))
    person.press(keys.slice(place))
  }
}

const LIMIT_MS = 40_000 + TERMINAL_RUNS * 1000
vi.setConfig({ testTimeout: LIMIT_MS })

describe.skipIf(missing !== undefined).concurrent('a terminal that lives through anything', () => {
  it.each(['panel', 'line'] as const)(`is as it was, after each of ${TERMINAL_RUNS / 2} sequences: %s`, async (mode) => {
    const life = new Life(mode)
    await life.begin()
    const seed = Number(process.env['TERMINAL_SEED'] ?? Date.now() % 1e6)
    const all = fc.sample(fc.array(move, { minLength: 2, maxLength: 9 }), { numRuns: TERMINAL_RUNS / 2, seed })
    for (const [index, moves] of all.entries()) {
      const done = async () => {
        for (const one of moves) await life.make(one)
        await life.end()
      }
      await done().catch((error) => {
        throw new Error(`TERMINAL_SEED=${seed}, sequence ${index} of ${mode}: ${JSON.stringify(moves).replaceAll(/(pasted |word ){9,}/g, '...')}, ${life.state}, at the end of the screen\n${life.desk.person.screen.slice(-1000)}`, { cause: String(error).slice(0, 200) })
      })
    }
    expect(all).toHaveLength(TERMINAL_RUNS / 2)
  })
})
