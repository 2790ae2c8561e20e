// A dsh that is running, with the probe bundle in it: what it printed, what the probe reported, and its end.
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import type { Started } from './children.ts'
import type { Home } from './home.ts'
import type { Command, ProbeSurface, Report, ReportOf } from './probe.ts'
import { until } from './wait.ts'

let calls = 0

export class Host {
  private readonly reports: Report[] = []
  private readonly all: Report[] = []
  private readonly started: Started
  private end: { code: number | null } | undefined

  constructor(home: Home, args: readonly string[], extra: { env?: Record<string, string>; input?: string | null } = {}) {
    this.started = home.start(args, extra)
    this.started.child.on('message', message => {
      this.reports.push(message as Report)
      this.all.push(message as Report)
    })
    this.started.child.once('close', code => { this.end = { code } })
  }

  get alive(): boolean {
    return this.started.child.exitCode === null && this.started.child.signalCode === null
  }

  get stdout(): string {
    return this.started.stdout()
  }

  get stderr(): string {
    return this.started.stderr()
  }

  /** For the message of a failure. */
  readonly describe = (): string => {
    const reports = this.all.filter(({ type }) => type !== 'listed').map(report => JSON.stringify(report)).join('\n')
    return `the host ${this.alive ? 'is alive' : 'is gone'}; it printed\n${this.started.output()}\nand reported\n${reports}`
  }

  /** Waits for something that can be seen, and gives up at once when the host dies. */
  until<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
    return until(what, async () => {
      const seen = await look()
      if ((seen === undefined || seen === false) && this.end) throw new Error(`no ${what}\n${this.describe()}`)
      return seen
    }, this.describe)
  }

  /** The earliest report of a kind that nobody has taken yet; it is taken now. */
  report<T extends Report['type']>(type: T, match: (report: ReportOf<T>) => boolean = () => true): Promise<ReportOf<T>> {
    return this.until(`a report "${type}"`, () => {
      const index = this.reports.findIndex(report => report.type === type && match(report as ReportOf<T>))
      return index < 0 ? undefined : (this.reports.splice(index, 1)[0] as ReportOf<T>)
    })
  }

  /** Every report of a kind so far, taken or not. */
  reported<T extends Report['type']>(type: T, match: (report: ReportOf<T>) => boolean = () => true): ReportOf<T>[] {
    return this.all.filter((report): report is ReportOf<T> => report.type === type && match(report as ReportOf<T>))
  }

  /** A surface is asked; the session is that of the asking agent, if an agent asks. */
  asked(surface: ProbeSurface, sessionId?: string): Promise<ReportOf<'asked'>> {
    return this.report('asked', report => report.surface === surface && report.sessionId === sessionId)
  }

  /** A person types into its terminal; the host was started with its input left open. */
  type(text: string): void {
    this.started.child.stdin!.write(text)
  }

  send(command: Command): void {
    this.started.child.send(command)
  }

  answer(surface: ProbeSurface, ask: string, answer: unknown): void {
    this.send({ command: 'answer', surface, ask, answer })
  }

  /** A surface rejects: `ASK_CANCELLED` is the person's no, any other code a failure of its own. */
  refuse(surface: ProbeSurface, ask: string, code: string): void {
    this.send({ command: 'refuse', surface, ask, code })
  }

  /** The messenger shows something of a session. */
  held(kind: ReportOf<'held'>['kind'], sessionId: string): Promise<ReportOf<'held'>> {
    return this.report('held', report => report.kind === kind && report.sessionId === sessionId)
  }

  /** Asks the host a question without an agent; resolves with the name to follow it by. */
  ask(questions: AskUserQuestionItem[]): string {
    const call = `call-${++calls}`
    this.send({ command: 'ask', call, questions })
    return call
  }

  /**
   * Who is registered and which asks are open. The channel keeps its order, so this is also how a test makes sure that
   * what was going to be reported until now has been.
   */
  async list(): Promise<ReportOf<'listed'>> {
    const call = `call-${++calls}`
    this.send({ command: 'list', call })
    return this.report('listed', report => report.call === call)
  }

  kill(): Promise<void> {
    return this.started.kill()
  }

  /** Resolves with its status when it has ended by itself. */
  async ended(): Promise<number | null> {
    return (await until('the end of the host', () => this.end, this.describe)).code
  }

  /** Ends it as a person would, and resolves with its status. */
  stop(): Promise<number | null> {
    this.started.child.kill('SIGTERM')
    return this.ended()
  }
}
