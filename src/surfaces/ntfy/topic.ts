// Checks topic names. A topic's name is its password: whoever knows it can read the questions and answer them.
import { createHmac, randomBytes } from 'node:crypto'
import { guessBits } from '../secret-strength.ts'

/** What ntfy accepts as a topic. */
const TOPIC = /^[-_A-Za-z0-9]{1,64}$/

/** Shorter names can be found by trial and error. */
const MIN_LENGTH = 16

/** So can those that are guessed with less than this, in bits: a server answers some thousand tries a second at most. */
const MIN_BITS = 45

/**
 * Find out what is wrong with a topic's name.
 *
 * @returns a message that does not repeat the name and suggests another; `undefined` for a good name.
 */
export function topicProblem(topic: string): string | undefined {
  if (!TOPIC.test(topic)) return `may have 1 to 64 letters, digits, - and _; ${suggestion()}`
  if (topic.length < MIN_LENGTH) {
    return `is too short to be secret: it needs at least ${MIN_LENGTH} characters, since whoever knows it can answer; ${suggestion()}`
  }
  if (!isHardToGuess(topic)) return `is guessable: words, names and dates can be found by trial and error, and whoever knows it can answer; ${suggestion()}`
  return undefined
}

/** Make a topic that nobody can guess: 24 letters and digits. */
export function newTopic(): string {
  for (;;) {
    const topic = Array.from(randomBytes(24), byte => 'abcdefghijkmnpqrstuvwxyz23456789'[byte % 32]).join('')
    if (isHardToGuess(topic)) return topic
  }
}

/**
 * The topic where answers come back, unless another is configured. Its name stands in every button, and so in the logs of
 * whatever the buttons' requests pass: nobody can get from it to the topic, where the questions are.
 */
export function replyTopicOf(topic: string): string {
  for (let attempt = 0; ; attempt++) {
    const replyTopic = createHmac('sha256', topic).update(`dsh-ask reply topic ${attempt}`).digest('hex').slice(0, 32)
    // A configuration that is validated again has it as if somebody had set it.
    if (isHardToGuess(replyTopic)) return replyTopic
  }
}

/** Names that people make up are a few words and a number; in a random one, letters and digits alternate. */
function isHardToGuess(topic: string): boolean {
  const text = topic.toLowerCase().replaceAll(/[-_]/g, '')
  const changes = text.match(/[a-z](?=\d)|\d(?=[a-z])/g)?.length ?? 0
  return changes >= 4 && new Set(text).size >= 8 && guessBits(topic) >= MIN_BITS
}

function suggestion(): string {
  return `for example ${newTopic()}`
}
