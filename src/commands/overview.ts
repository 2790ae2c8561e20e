// /asks: where the person is, who is asked when, and which questions are open where. It shows no answers, and of a
// question no more than a short line.
import type { Presence } from '../protocol/policy.ts'
import type { AskUserQuestionItem } from '../protocol/request.ts'
import type { AskParticipant, AskSurfaces, PendingAsk } from '../protocol/surface.ts'
import { visibleLine } from '../reply/visible.ts'
import { hindranceOf, type Standing, standings, timingOf } from './standing.ts'
import type { CommandTexts } from './texts.ts'
import { exactly, policyInWords, roughly, short } from './words.ts'

const TITLE_LENGTH = 60

/**
 * The overview as plain lines.
 *
 * @param here the session in which it is read.
 */
export function overview(askSurfaces: AskSurfaces, here: string | undefined, texts: CommandTexts): string {
  const { presence } = askSurfaces
  const all = standings(askSurfaces), asks = askSurfaces.pending()
  const absent = askSurfaces.absent().map(name => visibleLine(name))
  const view = new Map(all.toReversed().map(one => [one.name, one]))
  return [
    // The most important comes first: where there is room for one line, that is what is read.
    texts.sentence(texts.presence[presence], [asks.length > 0 ? texts.open(asks.length) : texts.nothingOpen]),
    '',
    ...all.length > 0 ? [texts.surfaces, ...all.flatMap(one => surfaceLines(one, presence, texts))] : [texts.noSurfaces],
    ...absent.length > 0 ? [texts.absent(absent.join(texts.comma))] : [],
    ...asks.length > 0 ? ['', texts.questions] : [],
    ...asks.flatMap(ask => askLines(ask, { presence, view, here, texts })),
  ].join('\n')
}

function surfaceLines(one: Standing, presence: Presence, texts: CommandTexts): string[] {
  const states = [one.watched ? texts.watched : texts.unwatched]
  if (one.quiet) states.push(one.silent ? texts.quietSilent : texts.quietWaits)
  if (hindranceOf(one, presence) === 'mode') states.push(texts.notAskedIn[presence])
  const [home, away] = [one.home, one.away].map(timing => policyInWords(timing, one.reminds, texts))
  return [`- ${texts.labelled(one.label, states.join(texts.comma))}`, `  ${texts.policy(home!, away!)}`]
}

interface View {
  readonly presence: Presence
  /** By name; where several share one, the first of them. */
  readonly view: ReadonlyMap<string, Standing>
  readonly here: string | undefined
  readonly texts: CommandTexts
}

function askLines(ask: PendingAsk, view: View): string[] {
  const { texts, here } = view
  const { sessionId } = ask
  const session = sessionId === undefined ? texts.noSession : texts.session(visibleLine(sessionId), sessionId === here)
  const open = texts.openFor(roughly(Date.now() - ask.askedAt, texts))
  const shown: string[] = [], waiting: string[] = [], out: string[] = []
  for (const one of ask.participants) {
    const label = visibleLine(one.name)
    if (one.state === 'asked') shown.push(texts.noted(label, shownNote(one, view)))
    else if (one.state === 'waiting') waiting.push(texts.noted(label, waitingNote(ask, one, view)))
    else out.push(texts.noted(label, one.name === 'host' && one.state === 'failed' ? texts.hostOut : texts.states[one.state]))
  }
  return [
    `- ${titleOf(ask.questions, texts)} · ${session} · ${open}`,
    `  ${shown.length > 0 ? texts.labelled(texts.shownOn, shown.join(texts.and)) : texts.shownNowhere}`,
    ...waiting.length > 0 ? [`  ${texts.labelled(texts.waiting, waiting.join(texts.and))}`] : [],
    ...out.length > 0 ? [`  ${texts.labelled(texts.out, out.join(texts.and))}`] : [],
  ]
}

function shownNote({ name, since }: AskParticipant, { view, texts }: View): string {
  const parts = since === undefined ? [] : [texts.since(roughly(Date.now() - since, texts))]
  if (view.get(name)?.watched === false) parts.push(texts.unwatched)
  return parts.join(texts.comma)
}

/** Why a participant has not been asked yet. */
function waitingNote({ askedAt }: PendingAsk, { name }: AskParticipant, { presence, view, texts }: View): string {
  const standing = view.get(name)
  if (!standing) return texts.ifNobodyElse
  const hindrance = hindranceOf(standing, presence)
  if (hindrance === 'mode') return texts.notAskedIn[presence]
  if (hindrance === 'quiet') return texts.afterQuiet
  const timing = timingOf(standing, presence)
  const left = askedAt + (timing && timing.delayMs || 0) - Date.now()
  return texts.in(exactly(Math.max(0, Math.ceil(left / 1000)) * 1000, texts))
}

/** The first question's header, or its beginning. */
function titleOf([first, ...more]: readonly AskUserQuestionItem[], texts: CommandTexts): string {
  if (!first) return texts.noQuestion
  const title = short(visibleLine((first.header?.trim() || first.question).trim()), TITLE_LENGTH)
  return more.length > 0 ? texts.andMore(title, more.length) : title
}
