// A topic's name is its password: whoever knows it reads the questions and can type answers. What makes one good enough.
import { randomBytes } from 'node:crypto'

/** What ntfy takes as a topic. */
const TOPIC = /^[-_A-Za-z0-9]{1,64}$/

/** Shorter names can be found by trying. */
const MIN_LENGTH = 16

/**
 * Find what is wrong with a topic's name. The name itself is never repeated.
 *
 * @returns what it must be, with one to copy; `undefined` for a good one.
 */
export function topicProblem(topic: string): string | undefined {
  if (!TOPIC.test(topic)) return `may have 1 to 64 letters, digits, - and _; ${suggestion()}`
  if (topic.length < MIN_LENGTH) {
    return `is too short to be secret: it needs at least ${MIN_LENGTH} characters, since whoever knows it can answer; ${suggestion()}`
  }
  if (!looksRandom(topic)) return `is guessable: words, names and dates can be found by trying, and whoever knows it can answer; ${suggestion()}`
  return undefined
}

/** A topic that nobody guesses: 24 letters and digits. */
export function newTopic(): string {
  for (;;) {
    const topic = Array.from(randomBytes(24), byte => 'abcdefghijkmnpqrstuvwxyz23456789'[byte % 32]).join('')
    if (looksRandom(topic)) return topic
  }
}

/** Letters and digits mixed as chance mixes them; what people make up has a few words and a number. */
function looksRandom(topic: string): boolean {
  const text = topic.toLowerCase().replaceAll(/[-_]/g, '')
  const changes = text.match(/[a-z](?=\d)|\d(?=[a-z])/g)?.length ?? 0
  return changes >= 4 && new Set(text).size >= 8
}

function suggestion(): string {
  return `for example ${newTopic()}`
}
