// A person at a terminal on which asker.ts runs, and the orders that asker.ts is given meanwhile.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import type { AskUserQuestionAnswer, AskUserQuestionItem } from '../../src/index.ts'
import type { Order, Report } from './asker.ts'
import { DEADLINE, Person } from './person.ts'

const asker = fileURLToPath(new URL('asker.ts', import.meta.url))

/** How a desk is set up. */
export interface DeskOptions {
  readonly config?: unknown
  readonly env?: Record<string, string>
  /** A shell command line in which `$ASKER` starts the program; by default nothing but the program. */
  readonly shell?: string
}

/** A terminal with a program that asks. */
export class Desk {
  readonly person: Person
  readonly #folder: string
  readonly #server: Server
  #socket: Socket | undefined
  readonly #outcomes = new Map<string, PromiseWithResolvers<AskUserQuestionAnswer | string>>()
  readonly #done: string[] = []
  #waiting: [what: string, resolve: () => void][] = []

  constructor(size: readonly [columns: number, rows: number], { config = {}, env = {}, shell }: DeskOptions = {}) {
    this.#folder = mkdtempSync(join(tmpdir(), 'desk-'))
    const orders = join(this.#folder, 'orders')
    this.#server = createServer((socket) => {
      this.#socket = socket
      socket.on('error', () => {})
      createInterface({ input: socket }).on('line', line => this.#hear(JSON.parse(line)))
    }).listen(orders)
    const all = { ORDERS: orders, CONFIG: JSON.stringify(config), ASKER: `${process.execPath} ${asker}`, PS1: '$ ', ...env }
    this.person = shell === undefined
      ? new Person(process.execPath, [asker], size, all)
      : new Person('bash', shell === '' ? ['--norc', '--noprofile', '-i'] : ['--norc', '--noprofile', '-c', shell], size, all)
  }

  /** Ask, and wait until the panel is there and listens. */
  async ask(id: string, ...questions: AskUserQuestionItem[]): Promise<void> {
    await this.order('ask', id, questions)
  }

  /** Give an order and wait until it is carried out. */
  async order(...order: Order): Promise<void> {
    await this.done('start')
    this.#socket!.write(`${JSON.stringify(order)}\n`)
    await this.done(order[0])
  }

  /** Give an order that ends the program. */
  async lastOrder(...order: Order): Promise<void> {
    await this.done('start')
    this.#socket!.write(`${JSON.stringify(order)}\n`)
  }

  /** How a question ended: its answer, or the code of its error. */
  outcome(id: string): Promise<AskUserQuestionAnswer | string> {
    return before(this.#outcome(id).promise, `the outcome of ${id}`)
  }

  /** Wait for a report. */
  done(what: string): Promise<void> {
    const waiting = Promise.withResolvers<void>()
    this.#waiting.push([what, waiting.resolve])
    this.#match()
    return before(waiting.promise, `"${what}" to be done`)
  }

  /** Send a signal to the program. */
  kill(signal: NodeJS.Signals): void {
    process.kill(Number(readFileSync(join(this.#folder, 'orders.pid'), 'utf8')), signal)
  }

  close(): void {
    this.person.kill()
    this.#socket?.destroy()
    this.#server.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #hear(report: Report): void {
    if (report[0] === 'outcome') this.#outcome(report[1]).resolve(report[2])
    else {
      this.#done.push(report[1])
      this.#match()
    }
  }

  #match(): void {
    this.#waiting = this.#waiting.filter(([what, resolve]) => {
      const at = this.#done.indexOf(what)
      if (at < 0) return true
      // That it has started stays true.
      if (what !== 'start') this.#done.splice(at, 1)
      resolve()
      return false
    })
  }

  #outcome(id: string) {
    const known = this.#outcomes.get(id) ?? Promise.withResolvers<AskUserQuestionAnswer | string>()
    this.#outcomes.set(id, known)
    return known
  }
}

const opened: Desk[] = []
afterAll(() => {
  for (const desk of opened) desk.close()
})

/** A desk that is closed after the tests of the file. */
export function openDesk(...args: ConstructorParameters<typeof Desk>): Desk {
  const desk = new Desk(...args)
  opened.push(desk)
  return desk
}

/** Wait for something, but not for ever. */
function before<T>(promise: Promise<T>, what: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`waited for ${what}`)), DEADLINE)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** The sizes that everything is tried at. */
export const SIZES = [[80, 24], [40, 12], [200, 60]] as const
