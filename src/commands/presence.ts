// /home and /away: the person says where they are, and hears who is asked now.
import type { Presence } from '../protocol/policy.ts'
import type { AskSurfaces } from '../protocol/surface.ts'
import { hindranceOf, type Standing, standings, timingOf } from './standing.ts'
import type { CommandTexts } from './texts.ts'
import { when } from './words.ts'

/**
 * Set the presence.
 *
 * @returns what that means now, or that it was so before.
 */
export function setPresence(askSurfaces: AskSurfaces, presence: Presence, texts: CommandTexts): string {
  const said = (askSurfaces.presence === presence ? texts.already : texts.now)[presence]
  askSurfaces.presence = presence
  return texts.sentence(said, meaningOf(standings(askSurfaces), presence, texts))
}

/** Whom questions go to in this mode, soonest first, those together that are asked at the same time. */
function meaningOf(all: readonly Standing[], presence: Presence, texts: CommandTexts): string[] {
  if (all.length === 0) return [texts.noSurfaces]
  const groups = new Map<number, string[]>(), never: string[] = []
  for (const one of all) {
    const timing = timingOf(one, presence)
    if (!timing) {
      never.push(one.label)
      continue
    }
    const due = hindranceOf(one, presence) === 'quiet' ? Infinity : timing.delayMs ?? 0
    const notes = [...one.watched ? [] : [texts.unwatched], ...one.quiet && one.silent ? [texts.silently] : []]
    groups.set(due, [...groups.get(due) ?? [], texts.noted(one.label, notes.join(texts.comma))])
  }
  const asked = [...groups].toSorted(([one], [other]) => one - other)
    .map(([due, labels]) => texts.goTo(labels.join(texts.and), due === Infinity ? texts.afterQuiet : when(due, texts)))
  return [
    asked.length > 0 ? texts.questionsGoTo(asked.join(texts.semicolon)) : texts.nobodyAsked,
    ...never.length > 0 && asked.length > 0 ? [texts.notTo(never.join(texts.and))] : [],
  ]
}
