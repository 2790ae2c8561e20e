// From a reply that is published to the answer: the whole way through the phone surface and the router, next to the same
// round trip over ntfy alone. On loopback, with one question open and with two hundred.
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { howToGetNtfy, ntfy, NtfyServer } from '../scripts/ntfy-server.ts'
import * as phone from '../src/surfaces/ntfy/index.ts'
import { newTopic, replyTopicOf } from '../src/surfaces/ntfy/topic.ts'
import { boot, dispatch } from '../test/helpers/cordis.ts'

const SAMPLES = 400
const WARM_UP = 50

/** A reply that nobody took after so long never comes, in milliseconds. */
const LOST_MS = 30_000

/** The most that our part may add. */
const TARGET = 1.3

/** A stream of one topic, by which one can wait for messages. */
class Stream {
  readonly #waiting = new Map<(message: string) => boolean, (message: string) => void>()
  readonly #controller = new AbortController()

  static async of(server: string, topic: string): Promise<Stream> {
    const stream = new Stream()
    const response = await fetch(`${server}/${topic}/json`, { signal: stream.#controller.signal })
    void stream.#read(response.body!).catch(() => {})
    return stream
  }

  /** The next message of which something is true. */
  next(what: (message: string) => boolean): Promise<string> {
    return new Promise(resolve => this.#waiting.set(what, resolve))
  }

  close(): void {
    this.#controller.abort()
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        const { event, message } = JSON.parse(line) as { event: string, message: string }
        if (event !== 'message') continue
        for (const [what, resolve] of this.#waiting) {
          if (!what(message)) continue
          this.#waiting.delete(what)
          resolve(message)
        }
      }
    }
  }
}

async function say(server: string, topic: string, body: string): Promise<void> {
  const response = await fetch(`${server}/${topic}`, { method: 'POST', body })
  await response.arrayBuffer()
}

/** The bench fails where a reply is lost, instead of waiting for it. */
async function late(): Promise<never> {
  await wait(LOST_MS, undefined, { ref: false })
  throw new Error(`no answer ${LOST_MS} ms after the reply was published`)
}

/** Milliseconds of each round trip: through everything, and over ntfy alone, by turns. */
async function measure(server: string, open: number): Promise<{ ours: number[], alone: number[] }> {
  const topic = newTopic(), other = newTopic()
  const watch = await Stream.of(server, topic)
  const bare = await Stream.of(server, other)
  const { ctx } = await boot({ surfaces: { ntfy: { delayMs: 0 } } })
  await ctx.plugin(phone, { server, topic, lang: 'en' })
  let asked = 0
  const ask = async () => {
    const words = `Question number ${++asked}?`
    const pushed = watch.next(message => message.includes(words))
    const answer = dispatch(ctx, { questions: [{ id: 'q', question: words, options: [{ label: 'yes' }, { label: 'no' }] }] })
    const [code] = /\b[qjz][2-9][a-z]\b/.exec(await pushed)!
    return { code, answer }
  }
  const questions: Awaited<ReturnType<typeof ask>>[] = []
  while (questions.length < open) questions.push(await ask())
  const ours: number[] = [], alone: number[] = []
  const overNtfy = async (sample: number) => {
    const reply = `z2z ${sample}`
    const heard = bare.next(message => message === reply)
    const start = performance.now()
    const said = say(server, other, reply)
    await heard
    const took = performance.now() - start
    await said
    return took
  }
  const toTheAnswer = async () => {
    const { code, answer } = questions.splice(Math.floor(Math.random() * open), 1)[0]!
    const settled = watch.next(message => message.startsWith('Answered'))
    const start = performance.now()
    const said = say(server, replyTopicOf(topic), `${code} 2`)
    await Promise.race([answer, late()])
    const took = performance.now() - start
    await Promise.all([said, settled])
    questions.push(await ask())
    return took
  }
  for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
    // By turns, so that neither always comes after the other; and not before all is quiet.
    const first = sample % 2 === 0
    let mine = 0
    if (first) mine = await toTheAnswer()
    await wait(1)
    const theirs = await overNtfy(sample)
    await wait(1)
    if (!first) mine = await toTheAnswer()
    await wait(1)
    if (sample < 0) continue
    alone.push(theirs)
    ours.push(mine)
  }
  for (const { answer } of questions) answer.catch(() => {})
  await ctx.fiber.dispose()
  watch.close()
  bare.close()
  return { ours, alone }
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!
}

/** Measure and print the table. */
export async function benchNtfy(): Promise<void> {
  console.log('\nA reply on its way: from its publishing to the answer, over a real ntfy server on loopback')
  if (ntfy === undefined) return console.log(`  skipped: there is no ntfy server here. ${howToGetNtfy}`)
  const rows: Record<string, Record<string, string>> = {}
  const server = await NtfyServer.start()
  try {
    for (const open of [1, 200]) {
      const { ours, alone } = await measure(server.url, open)
      for (const [name, share] of [['median', 0.5], ['p99', 0.99]] as const) {
        const [mine, theirs] = [quantile(ours, share), quantile(alone, share)]
        rows[`${open} open, ${name}`] = {
          'to the answer': `${mine.toFixed(2)} ms`,
          'over ntfy alone': `${theirs.toFixed(2)} ms`,
          ratio: (mine / theirs).toFixed(2),
          target: `at most ${TARGET}`,
        }
      }
    }
  } finally {
    await server[Symbol.asyncDispose]()
  }
  console.table(rows)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchNtfy()
