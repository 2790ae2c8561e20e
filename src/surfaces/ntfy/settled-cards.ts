// The settled questions of each pair of topics, for as long as the process lives: a plugin that is loaded anew, or comes back
// with the router, can tell a late reply what became of its question, and knows its own pushes from another host's.
import type { Card } from './cards.ts'
import type { Config } from './config.ts'

/** Of so many pairs of topics, should somebody change them again and again. */
const MAX_PLACES = 20

const places = new Map<string, Card[]>()

/** The settled cards of the place that a configuration names, oldest first; whoever uses the place shares them. */
export function settledCardsOf({ server, topic, replyTopic }: Config): Card[] {
  const place = JSON.stringify([server, topic, replyTopic])
  const past = places.get(place) ?? []
  places.delete(place)
  places.set(place, past)
  const [oldest] = places.keys()
  if (places.size > MAX_PLACES) places.delete(oldest!)
  return past
}
