// Lays out the text of a push: the question, the detail that its options are about, the options, how to answer, who asks. What
// does not fit is shortened in this order: the detail, the descriptions, then long labels and the question. The list of
// options, how to answer and who asks always stay. Of an approval nothing can crowd out what the tool is to do.
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import type { ApprovalText } from '../../reply/approval.ts'
import { visible } from '../../reply/visible.ts'
import { bytesOf, cutToBytes, fairShare, MARK, shortLine } from './cut.ts'
import type { PhoneTexts } from './texts.ts'

/** The smallest useful piece of a label or question, in bytes. */
const LEAST = 8

/** More characters of a text, and more options, than the largest message has room for. What follows is not even looked at. */
const MOST_CHARACTERS = 8192, MOST_OPTIONS = 1024

/** What a text is made of. */
export interface Layout {
  readonly question: AskUserQuestionItem
  /** How to answer. */
  readonly how: string
  /** Who asks and where. */
  readonly from: string
}

/**
 * Lay a question out.
 *
 * @param max the largest size, in bytes. A note says that the text was shortened.
 */
export function layOut({ question, how, from }: Layout, texts: PhoneTexts, max: number): string {
  const { options: all = [] } = question
  const options = all.slice(0, MOST_OPTIONS)
  const parts = {
    question: readable(question.question),
    detail: readable(question.detail),
    labels: options.map(({ label }) => shortLine(label, MOST_CHARACTERS)),
    descriptions: options.map(({ description }) => readable(description)),
    omitted: all.length - options.length,
  }
  const whole = [...lines(parts, texts), how, from].join('\n')
  if (bytesOf(whole) <= max) return whole
  const write = (body: Parts) => [...lines(body, texts), how, texts.shortened, from].join('\n')
  // How much is left once everything that must stay is in place.
  const room = (body: Parts) => max - bytesOf(write(body))
  const shown = { ...parts, detail: '', descriptions: parts.descriptions.map(() => '') }
  if (room(shown) < 0) shorten(shown, room)
  shown.descriptions = shareOut(parts.descriptions, room(shown), 5)
  const left = room({ ...shown, detail: MARK }) + bytesOf(MARK)
  if (left > LEAST && parts.detail !== '') shown.detail = cutToBytes(parts.detail, left)
  return write(shown)
}

/** What the text of an approval is made of. */
export interface ApprovalLayout extends Omit<Layout, 'question'>, Pick<ApprovalText, 'reason' | 'detail'> {
  /** What is to be allowed, where the title of the push does not say it in full. */
  readonly head: string
}

/**
 * Lay an approval out: why the tool is to be used, and what it is to do. What does not fit is shortened, the longest first.
 *
 * @param max the largest size, in bytes. A note says that the text was shortened.
 */
export function layOutApproval({ head, reason, detail, how, from }: ApprovalLayout, texts: PhoneTexts, max: number): string {
  const parts = [head, reason, detail].map(readable).filter(part => part !== '')
  const write = (shown: readonly string[], ...note: string[]) => [...shown.flatMap(part => [part, '']), how, ...note, from].join('\n')
  const whole = write(parts)
  if (bytesOf(whole) <= max) return whole
  const share = fairShare(parts.map(bytesOf), max - bytesOf(write(parts.map(() => ''), texts.shortened)))
  return write(parts.map(part => cutToBytes(part, share)), texts.shortened)
}

interface Parts {
  question: string
  detail: string
  labels: string[]
  descriptions: string[]
  /** How many options are left out. */
  omitted: number
}

function readable(text = ''): string {
  const whole = text.trim()
  const start = visible(whole.slice(0, MOST_CHARACTERS)).trim().toWellFormed()
  return whole.length > MOST_CHARACTERS ? start + MARK : start
}

function lines({ question, detail, labels, descriptions, omitted }: Parts, texts: PhoneTexts): string[] {
  const options = labels.map((label, at) => {
    const below = descriptions[at] ? `\n   ${descriptions[at].replaceAll('\n', '\n   ')}` : ''
    return `${at + 1}. ${label}${below}`
  })
  return [question, ...detail === '' ? [] : ['', detail, ''], ...options, ...omitted > 0 ? [texts.omitted(omitted)] : []]
}

/** Cut the question and the labels, the longest first. If there are too many options, the last ones are left out. */
function shorten(shown: Parts, roomFor: (body: Parts) => number): void {
  const { question, labels } = shown
  const total = labels.length + shown.omitted
  for (let count = labels.length; ; count = Math.floor(count * 0.9)) {
    const bare = { ...shown, question: '', labels: labels.slice(0, count).map(() => ''), omitted: total - count }
    const room = roomFor(bare)
    if (room < LEAST * (count + 1) && count > 0) continue
    const [cutQuestion = '', ...cutLabels] = shareOut([question, ...labels.slice(0, count)], room, 0)
    Object.assign(shown, { question: cutQuestion, labels: cutLabels, descriptions: cutLabels.map(() => ''), omitted: total - count })
    return
  }
}

/** @param around how many bytes each non-empty text takes in addition. */
function shareOut(texts: readonly string[], budget: number, around: number): string[] {
  // The indentation after each line break takes three bytes.
  const sizes = texts.map(text => text === '' ? 0 : bytesOf(text) + around + (around > 0 ? 3 * (text.split('\n').length - 1) : 0))
  const share = fairShare(sizes, budget)
  return texts.map((text, at) => {
    if (sizes[at]! <= share) return text
    // Texts that are cut become one line, so that their size is known.
    return share - around < LEAST ? '' : cutToBytes(around > 0 ? oneLine(text) : text, share - around)
  })
}

/** No regular expression here: one for white space around line breaks takes seconds for a long run of spaces. */
function oneLine(text: string): string {
  return text.split('\n').map(line => line.trim()).filter(line => line !== '').join(' ')
}
