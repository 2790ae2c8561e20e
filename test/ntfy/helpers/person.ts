// A person with a phone: sees what comes to a topic, taps buttons and types replies, with plain HTTP calls as the ntfy
// app makes them.
import { vi } from 'vitest'

/** A button as the phone has it. */
export interface Button {
  readonly action: string
  readonly label: string
  readonly url: string
  readonly method: string
  readonly headers?: Record<string, string>
  readonly body: string
  readonly clear: boolean
}

/** A message as the phone has it. */
export interface Push {
  readonly id: string
  readonly time: number
  readonly event: string
  readonly topic: string
  readonly title?: string
  readonly message: string
  readonly priority?: number
  readonly tags?: string[]
  readonly click?: string
  readonly actions?: Button[]
  readonly sequence_id?: string
}

/** What tests wait for happens in milliseconds; only a broken thing takes this long. */
export const patience = { timeout: 20_000, interval: 5 }

export class Person {
  /** All that came, oldest first. */
  readonly pushes: Push[] = []
  readonly #server: string
  readonly #topic: string
  readonly #headers: Record<string, string>
  readonly #controller = new AbortController()

  private constructor(server: string, topic: string, headers: Record<string, string>) {
    this.#server = server
    this.#topic = topic
    this.#headers = headers
  }

  /** Subscribe; resolves once the stream is open. */
  static async with(server: string, topic: string, headers: Record<string, string> = {}): Promise<Person> {
    const person = new Person(server, topic, headers)
    const response = await fetch(`${server}/${topic}/json`, { headers, signal: person.#controller.signal })
    if (!response.ok) throw new Error(`subscribe: ${response.status}`)
    void person.#read(response)
    return person
  }

  /** All that came and was not typed by the person. */
  get received(): Push[] {
    return this.pushes.filter(({ sequence_id: sequence }) => sequence !== undefined)
  }

  /** The same as a phone shows it: of each notification the latest state, and none that was taken back. */
  get cards(): Push[] {
    const latest = new Map(this.received.map(push => [push.sequence_id, push]))
    return [...latest.values()].filter(({ event }) => event === 'message')
  }

  /** Wait for a push. */
  sees(what: (push: Push) => boolean): Promise<Push> {
    return vi.waitFor(() => {
      const push = this.pushes.findLast(what)
      if (!push) throw new Error(`not among ${JSON.stringify(this.pushes.map(({ title, message }) => ({ title, message })), null, 1)}`)
      return push
    }, patience)
  }

  /** Wait for a question whose text has some words. */
  asked(words: string): Promise<Push> {
    return this.sees(({ message, priority }) => priority === 4 && message.includes(words))
  }

  /** Tap a button, as the phone does; resolves to the HTTP status. */
  async tap({ actions = [] }: Push, at: number): Promise<number> {
    const { url, method, headers, body } = actions[at]!
    return (await fetch(url, { method, body, ...headers && { headers } })).status
  }

  /** Type a reply where the question is seen, or elsewhere. */
  async types(text: string, topic = this.#topic): Promise<Push> {
    const response = await fetch(`${this.#server}/${topic}`, { method: 'POST', body: text, headers: this.#headers })
    if (!response.ok) throw new Error(`publish: ${response.status}`)
    return await response.json() as Push
  }

  /** Put the phone away. */
  leave(): void {
    this.#controller.abort()
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    try {
      for await (const chunk of response.body!) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = lines.pop()!
        for (const line of lines.filter(Boolean)) {
          // What takes a notification back has no text.
          const push = { message: '', ...JSON.parse(line) as Partial<Push> } as Push
          if (push.event.startsWith('message')) this.pushes.push(push)
        }
      }
    } catch {
      // The phone was put away, or the server went down.
    }
  }
}

/** The code that a push shows. */
export function codeOf({ message }: Push): string {
  return /\b[qjz][2-9][a-z]\b/.exec(message)![0]
}

/** Type something while nothing is open, until the phone's plugin is listening and says so. */
export function hears(person: Person): Promise<Push> {
  return vi.waitFor(async () => {
    const hello = await person.types('2')
    const told = person.cards.find(({ message }) => message === 'No question is open, so your reply was not used.')
    if (!told) throw new Error('nobody listens yet')
    return hello
  }, { ...patience, interval: 100 })
}
