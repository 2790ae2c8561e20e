// /home and /away: the person says where they are, and learns who is asked from now on.
import type { Presence } from '../protocol/policy.ts'
import type { AskSurfaces } from '../protocol/surface.ts'
import { formatDelay } from './format.ts'
import { noSurfacesNote, surfaceInfos, timingOf, waitReasonOf } from './surface-info.ts'
import type { CommandTexts } from './texts.ts'

/**
 * Set the presence.
 *
 * @returns what the person is told: whether that is new, and who is asked.
 */
export function setPresence(askSurfaces: AskSurfaces, presence: Presence, texts: CommandTexts): string {
  const changed = (askSurfaces.presence === presence ? texts.already : texts.now)[presence]
  askSurfaces.presence = presence
  return texts.sentence(changed, whoIsAsked(askSurfaces, presence, texts))
}

/** Who is asked in this mode, soonest first, grouped by when. */
function whoIsAsked(askSurfaces: AskSurfaces, presence: Presence, texts: CommandTexts): string[] {
  const infos = surfaceInfos(askSurfaces)
  if (infos.length === 0) return [noSurfacesNote(askSurfaces, texts)]
  const groups = new Map<number, string[]>(), never: string[] = []
  for (const info of infos) {
    const timing = timingOf(info, presence)
    if (!timing) {
      never.push(info.label)
      continue
    }
    const due = waitReasonOf(info, presence) === 'quiet' ? Infinity : timing.delayMs ?? 0
    const notes = [...info.watched ? [] : [texts.unwatched], ...info.quiet && info.silent ? [texts.silently] : []]
    groups.set(due, [...groups.get(due) ?? [], texts.noted(info.label, notes.join(texts.comma))])
  }
  const asked = [...groups].toSorted(([one], [other]) => one - other)
    .map(([due, labels]) => texts.goTo(labels.join(texts.and), due === Infinity ? texts.afterQuiet : formatDelay(due, texts)))
  return [
    asked.length > 0 ? texts.questionsGoTo(asked.join(texts.semicolon)) : texts.nobodyAsked,
    ...never.length > 0 && asked.length > 0 ? [texts.notTo(never.join(texts.and))] : [],
  ]
}
