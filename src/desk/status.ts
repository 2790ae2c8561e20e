// What a desk says of itself to `dsh-ask-router status`. No answer, no secret, and of a question no more than its title.
import type { Context } from '@deepseek-ai/cordis'
import { commandTexts } from '../commands/dictionary.ts'
import { formatRoughly } from '../commands/format.ts'
import { overview, titleOf } from '../commands/overview.ts'
import type { Presence } from '../protocol/policy.ts'
import type { AskParticipant, SurfaceStatus } from '../protocol/surface.ts'
import { strictObject, z } from '../protocol/zod.ts'
import { formatOrigin } from '../reply/format.ts'
import type { Lang } from '../reply/lang.ts'
import { originOf } from '../reply/origin.ts'
import { visibleLine } from '../reply/visible.ts'
import { type SourceStatus, sourceStatuses } from '../sources/local/status.ts'
import type { Note } from './log.ts'
import { deskTexts } from './texts.ts'

/** The one message that a desk's own socket takes. */
export const statusRequestSchema = strictObject({ ask: z.literal('status'), lang: z.enum(['en', 'zh']) })

/** An open question. */
export interface OpenAsk {
  readonly id: string
  readonly kind: 'question' | 'approval'
  readonly title: string
  readonly origin: string
  /** In milliseconds since the epoch. */
  readonly askedAt: number
  readonly participants: readonly AskParticipant[]
}

/** The status, as `--json` prints it. Only ever added to. */
export interface DeskStatus {
  readonly version: string
  readonly pid: number
  /** In milliseconds since the epoch. */
  readonly since: number
  /** The configuration file in use. */
  readonly file?: string
  readonly presence?: Presence
  readonly sources: readonly SourceStatus[]
  readonly surfaces: readonly SurfaceStatus[]
  readonly open: readonly OpenAsk[]
  /** What is wrong now, each in a sentence. */
  readonly wrong: readonly string[]
  /** The last warnings. */
  readonly log: readonly Note[]
}

/** What is known of a desk beside what its context has. */
export interface DeskFacts extends Pick<DeskStatus, 'version' | 'since' | 'log'> {
  readonly file: string | undefined
  /** Why the file is not in use. */
  readonly problem: string | undefined
}

/** The status, and the same for a person. */
export function describeDesk(ctx: Context, { version, since, file, problem, log }: DeskFacts, lang: Lang): { status: DeskStatus, text: string } {
  const askSurfaces = ctx.get('askSurfaces'), texts = deskTexts[lang], { pid } = process, words = commandTexts[lang]
  const sources = sourceStatuses(ctx)
  const wrong = [
    ...problem === undefined ? [] : [problem],
    ...askSurfaces ? [] : [texts.noRouter],
    ...sources.filter(({ state }) => state === 'wrong').map(one => sourceLine(one, lang)),
  ]
  const open = (askSurfaces?.pending() ?? []).map((ask): OpenAsk => ({
    id: ask.id,
    kind: ask.kind ?? 'question',
    title: titleOf(ask, words),
    origin: formatOrigin(originOf(ask), lang),
    askedAt: ask.askedAt,
    participants: ask.participants,
  }))
  const text = [
    texts.desk(version, pid, formatRoughly(Date.now() - since, words)),
    texts.file(file),
    '',
    ...askSurfaces ? [overview(askSurfaces, undefined, words), ''] : [],
    texts.sources,
    ...sources.length > 0 ? sources.map(one => `- ${sourceLine(one, lang)}`) : [`- ${texts.noSources}`],
    '',
    ...wrong.length + log.length > 0 ? [texts.wrong, ...wrong.map(line => `- ${line}`), ...log.map(noteLine)] : [texts.nothingWrong],
  ].join('\n')
  return {
    status: {
      version, pid, since, ...file !== undefined && { file }, ...askSurfaces && { presence: askSurfaces.presence },
      sources, surfaces: askSurfaces?.status() ?? [], open, wrong, log,
    },
    text,
  }
}

function sourceLine({ name, state, note }: SourceStatus, lang: Lang): string {
  const { labelled, noted } = commandTexts[lang]
  return visibleLine(labelled(name, noted(deskTexts[lang].states[state], note?.[lang] ?? '')))
}

function noteLine({ at, text }: Note): string {
  return `- ${new Date(at).toTimeString().slice(0, 5)} ${text}`
}
