// /asks: where the person is, who is asked when, and which questions and approvals are open where. It shows no answers, and no
// more of a question than one short line.
import { isApproval } from '../protocol/approval.ts'
import type { Presence } from '../protocol/policy.ts'
import { type AskParticipant, type AskSurfaces, isHostName, type PendingAsk } from '../protocol/surface.ts'
import { approvalText } from '../reply/approval.ts'
import { formatOrigin } from '../reply/format.ts'
import { originOf } from '../reply/origin.ts'
import { placeOf } from '../reply/place.ts'
import { truncate, visibleLine } from '../reply/visible.ts'
import { formatExactly, formatRoughly, formatTiming } from './format.ts'
import { hushedNote } from './quiet.ts'
import { noSurfacesNote, type SurfaceInfo, surfaceInfos, timingOf, waitReasonOf } from './surface-info.ts'
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
  const approvals = asks.filter(isApproval), questions = asks.filter(ask => !isApproval(ask))
  const absent = askSurfaces.absent().map(name => visibleLine(name))
  const hushed = hushedNote(askSurfaces, texts)
  const byName = new Map(infos.toReversed().map(info => [info.name, info]))
  const scene = { presence, byName, here, texts }
  return [
    // The most important comes first: some places show only one line of a result.
    texts.sentence(texts.presence[presence], [
      ...hushed === undefined ? [] : [hushed],
      ...questions.length > 0 ? [texts.open(questions.length)] : [],
      ...approvals.length > 0 ? [texts.openPermissions(approvals.length)] : [],
      ...asks.length > 0 ? [] : [texts.nothingOpen],
    ]),
    '',
    ...infos.length > 0 ? [texts.surfaces, ...infos.flatMap(info => surfaceLines(info, presence, texts))] : [noSurfacesNote(askSurfaces, texts)],
    ...absent.length > 0 ? [texts.absent(absent.join(texts.comma))] : [],
    ...sectionOf(texts.questions, questions, scene),
    ...sectionOf(texts.permissions, approvals, scene),
  ].join('\n')
}

function surfaceLines(info: SurfaceInfo, presence: Presence, texts: CommandTexts): string[] {
  const states = [info.watched ? texts.watched : texts.unwatched]
  if (info.quiet) states.push(info.silent ? texts.quietSilent : texts.quietWaits)
  if (waitReasonOf(info, presence) === 'mode') states.push(texts.notAskedIn[presence])
  if (!info.approvals) states.push(texts.questionsOnly)
  const policyOf = ({ home, away }: NonNullable<SurfaceInfo['approvals']>) =>
    texts.policy(formatTiming(home, info.canRemind, texts), formatTiming(away, info.canRemind, texts))
  const policy = policyOf(info), forApprovals = policyOf(info.approvals ?? info)
  return [
    `- ${texts.labelled(info.label, states.join(texts.comma))}`,
    `  ${policy}`,
    ...forApprovals === policy ? [] : [`  ${texts.labelled(texts.forPermissions, forApprovals)}`],
  ]
}

interface Scene {
  readonly presence: Presence
  /** Of surfaces that share a name, the first. */
  readonly byName: ReadonlyMap<string, SurfaceInfo>
  readonly here: string | undefined
  readonly texts: CommandTexts
}

function sectionOf(title: string, asks: readonly PendingAsk[], scene: Scene): string[] {
  return asks.length > 0 ? ['', title, ...asks.flatMap(ask => askLines(ask, scene))] : []
}

/** One that cannot be read hides no other. */
function askLines(ask: PendingAsk, scene: Scene): string[] {
  try {
    return readableLines(ask, scene)
  } catch {
    return [`- ${scene.texts.unreadable}`]
  }
}

function readableLines(ask: PendingAsk, scene: Scene): string[] {
  const { texts } = scene
  const open = texts.openFor(formatRoughly(Date.now() - ask.askedAt, texts))
  const head = [titleOf(ask, texts), originNote(ask, scene), open, ...ask.late ? [texts.goneOn] : []]
  const shown: string[] = [], waiting: string[] = [], out: string[] = []
  for (const one of ask.participants) {
    const isDialog = placeOf(one.name, ask).isAsker === true
    const label = isDialog ? texts.ownDialog(visibleLine(one.name)) : visibleLine(one.name)
    if (one.state === 'asked' || one.state === 'timed-out') shown.push(texts.noted(label, shownNote(one, scene)))
    else if (one.state === 'waiting') waiting.push(texts.noted(label, waitingNote(ask, one, scene)))
    else out.push(texts.noted(label, texts.states[one.state]))
  }
  return [
    `- ${head.join(' · ')}`,
    `  ${shown.length > 0 ? texts.labelled(texts.shownOn, shown.join(texts.and)) : texts.shownNowhere}`,
    ...waiting.length > 0 ? [`  ${texts.labelled(texts.waiting, waiting.join(texts.and))}`] : [],
    ...out.length > 0 ? [`  ${texts.labelled(texts.out, out.join(texts.and))}`] : [],
  ]
}

function originNote(ask: PendingAsk, { here, texts }: Scene): string {
  const { sessionId } = ask
  return texts.noted(formatOrigin(originOf(ask)), sessionId !== undefined && sessionId === here ? texts.thisSession : '')
}

function shownNote({ name, state, since }: AskParticipant, { byName, texts }: Scene): string {
  const parts = since === undefined ? [] : [texts.since(formatRoughly(Date.now() - since, texts))]
  if (byName.get(name)?.watched === false) parts.push(texts.unwatched)
  if (state === 'timed-out') parts.push(texts.timedOut)
  return parts.join(texts.comma)
}

function waitingNote(ask: PendingAsk, { name }: AskParticipant, { presence, byName, texts }: Scene): string {
  const info = byName.get(name), isForApproval = isApproval(ask)
  if (isHostName(name) || !info) return texts.ifNobodyElse
  const reason = waitReasonOf(info, presence, isForApproval)
  if (reason === 'mode') return texts.notAskedIn[presence]
  if (reason === 'quiet') return texts.afterQuiet
  const timing = timingOf(info, presence, isForApproval)
  const left = ask.askedAt + (timing && timing.delayMs || 0) - Date.now()
  return texts.in(formatExactly(Math.max(0, Math.ceil(left / 1000)) * 1000, texts))
}

/** What an approval is for; of questions the first one's header, or its beginning. */
export function titleOf(ask: PendingAsk, texts: CommandTexts): string {
  const [first, ...more] = ask.questions
  if (!first) return texts.noQuestion
  const whole = approvalText(ask, texts.lang)?.title ?? (first.header?.trim() || first.question)
  const title = truncate(visibleLine(whole.trim()), TITLE_LENGTH)
  return more.length > 0 ? texts.andMore(title, more.length) : title
}
