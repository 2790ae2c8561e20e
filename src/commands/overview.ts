// /asks: where the person is, who is asked when, and which questions are open where. It shows no answers, and no more of
// a question than one short line.
import type { Presence } from '../protocol/policy.ts'
import type { AskUserQuestionItem } from '../protocol/request.ts'
import type { AskParticipant, AskSurfaces, PendingAsk } from '../protocol/surface.ts'
import { formatOrigin } from '../reply/format.ts'
import { originOf } from '../reply/origin.ts'
import { truncate, visibleLine } from '../reply/visible.ts'
import { formatExactly, formatRoughly, formatTiming } from './format.ts'
import { hushedNote } from './quiet.ts'
import { type SurfaceInfo, surfaceInfos, timingOf, waitReasonOf } from './surface-info.ts'
import type { CommandTexts } from './texts.ts'

const TITLE_LENGTH = 60

/**
 * The overview as plain lines.
 *
 * @param here the session in which it is read.
 */
export function overview(askSurfaces: AskSurfaces, here: string | undefined, texts: CommandTexts): string {
  const { presence } = askSurfaces
  const infos = surfaceInfos(askSurfaces), asks = askSurfaces.pending()
  const absent = askSurfaces.absent().map(name => visibleLine(name))
  const hushed = hushedNote(askSurfaces, texts)
  const byName = new Map(infos.toReversed().map(info => [info.name, info]))
  return [
    // The most important comes first: some places show only one line of a result.
    texts.sentence(texts.presence[presence], [...hushed === undefined ? [] : [hushed], asks.length > 0 ? texts.open(asks.length) : texts.nothingOpen]),
    '',
    ...infos.length > 0 ? [texts.surfaces, ...infos.flatMap(info => surfaceLines(info, presence, texts))] : [texts.noSurfaces],
    ...absent.length > 0 ? [texts.absent(absent.join(texts.comma))] : [],
    ...asks.length > 0 ? ['', texts.questions] : [],
    ...asks.flatMap(ask => askLines(ask, { presence, byName, here, texts })),
  ].join('\n')
}

function surfaceLines(info: SurfaceInfo, presence: Presence, texts: CommandTexts): string[] {
  const states = [info.watched ? texts.watched : texts.unwatched]
  if (info.quiet) states.push(info.silent ? texts.quietSilent : texts.quietWaits)
  if (waitReasonOf(info, presence) === 'mode') states.push(texts.notAskedIn[presence])
  const [home, away] = [info.home, info.away].map(timing => formatTiming(timing, info.canRemind, texts))
  return [`- ${texts.labelled(info.label, states.join(texts.comma))}`, `  ${texts.policy(home!, away!)}`]
}

interface Scene {
  readonly presence: Presence
  /** Of surfaces that share a name, the first. */
  readonly byName: ReadonlyMap<string, SurfaceInfo>
  readonly here: string | undefined
  readonly texts: CommandTexts
}

function askLines(ask: PendingAsk, scene: Scene): string[] {
  const { texts } = scene
  const open = texts.openFor(formatRoughly(Date.now() - ask.askedAt, texts))
  const shown: string[] = [], waiting: string[] = [], out: string[] = []
  for (const one of ask.participants) {
    const label = visibleLine(one.name)
    if (one.state === 'asked') shown.push(texts.noted(label, shownNote(one, scene)))
    else if (one.state === 'waiting') waiting.push(texts.noted(label, waitingNote(ask, one, scene)))
    else out.push(texts.noted(label, one.name === 'host' && one.state === 'failed' ? texts.hostOut : texts.states[one.state]))
  }
  return [
    `- ${titleOf(ask.questions, texts)} · ${originNote(ask, scene)} · ${open}`,
    `  ${shown.length > 0 ? texts.labelled(texts.shownOn, shown.join(texts.and)) : texts.shownNowhere}`,
    ...waiting.length > 0 ? [`  ${texts.labelled(texts.waiting, waiting.join(texts.and))}`] : [],
    ...out.length > 0 ? [`  ${texts.labelled(texts.out, out.join(texts.and))}`] : [],
  ]
}

function originNote(ask: PendingAsk, { here, texts }: Scene): string {
  const { sessionId } = ask
  return texts.noted(formatOrigin(originOf(ask), texts.lang), sessionId !== undefined && sessionId === here ? texts.thisSession : '')
}

function shownNote({ name, since }: AskParticipant, { byName, texts }: Scene): string {
  const parts = since === undefined ? [] : [texts.since(formatRoughly(Date.now() - since, texts))]
  if (byName.get(name)?.watched === false) parts.push(texts.unwatched)
  return parts.join(texts.comma)
}

function waitingNote({ askedAt }: PendingAsk, { name }: AskParticipant, { presence, byName, texts }: Scene): string {
  const info = byName.get(name)
  if (!info) return texts.ifNobodyElse
  const reason = waitReasonOf(info, presence)
  if (reason === 'mode') return texts.notAskedIn[presence]
  if (reason === 'quiet') return texts.afterQuiet
  const timing = timingOf(info, presence)
  const left = askedAt + (timing && timing.delayMs || 0) - Date.now()
  return texts.in(formatExactly(Math.max(0, Math.ceil(left / 1000)) * 1000, texts))
}

/** The first question's header, or its beginning. */
function titleOf([first, ...more]: readonly AskUserQuestionItem[], texts: CommandTexts): string {
  if (!first) return texts.noQuestion
  const title = truncate(visibleLine((first.header?.trim() || first.question).trim()), TITLE_LENGTH)
  return more.length > 0 ? texts.andMore(title, more.length) : title
}
