// The settled cards of each pair of topics, kept until the process ends. A plugin that is loaded again can still tell a late
// reply what became of its question, and does not take its own earlier pushes for another host's.
import type { Card } from './cards.ts'
import type { Config } from './config.ts'

/** How many pairs of topics are kept, should somebody keep changing them. */
const MAX_PAIRS = 20

const byTopics = new Map<string, Card[]>()

/** The settled cards for a configuration's server and topics, oldest first. Everybody who asks gets the same array. */
export function settledCardsOf({ server, topic, replyTopic }: Config): Card[] {
  const key = JSON.stringify([server, topic, replyTopic])
  const cards = byTopics.get(key) ?? []
  byTopics.delete(key)
  byTopics.set(key, cards)
  const [oldest] = byTopics.keys()
  if (byTopics.size > MAX_PAIRS) byTopics.delete(oldest!)
  return cards
}
