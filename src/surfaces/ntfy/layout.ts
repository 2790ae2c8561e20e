// The text of a push in the order of need, shortened from the least needed on: first the detail, then the descriptions,
// then long labels and the question itself. Which options there are and how to answer always stays.
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { visible, visibleLine } from '../../reply/visible.ts'
import { bytesOf, cutToBytes, fairShare } from './cut.ts'
import type { PhoneTexts } from './texts.ts'

/** Less than this of a label or the question helps nobody, in bytes. */
const LEAST = 8

/** What stands around and in a text. */
export interface Layout {
  /** The first line: what it is and where it comes from. */
  readonly head: string
  /** How to answer. */
  readonly how: string
  readonly question: AskUserQuestionItem
}

/**
 * Lay a question out.
 *
 * @param max the size of the text in bytes; what is cut is marked and said in words.
 */
export function layOut({ head, how, question }: Layout, texts: PhoneTexts, max: number): string {
  const options = question.options ?? []
  const parts = {
    question: visible(question.question).trim().toWellFormed(),
    labels: options.map(({ label }) => visibleLine(label).toWellFormed()),
    descriptions: options.map(({ description }) => visible(description ?? '').trim().toWellFormed()),
    more: 0,
  }
  const detail = visible(question.detail ?? '').trim().toWellFormed()
  const write = (body: Parts, end: string[]) => [head, ...lines(body, texts), how, ...end].join('\n')
  const whole = write(parts, detail === '' ? [] : [detail])
  if (bytesOf(whole) <= max) return whole
  // What is left for the parts once everything that must stay stands.
  const room = (body: Parts, end: string[]) => max - bytesOf(write(body, end))
  const end = [texts.shortened]
  const shown = { ...parts, descriptions: parts.descriptions.map(() => '') }
  if (room(shown, end) < 0) shorten(shown, body => room(body, end))
  shown.descriptions = shareOut(parts.descriptions, room(shown, end), 5)
  const left = room(shown, ['', ...end])
  return write(shown, left > LEAST && detail !== '' ? [cutToBytes(detail, left), ...end] : end)
}

interface Parts {
  question: string
  labels: string[]
  descriptions: string[]
  /** Options that do not even have a line. */
  more: number
}

function lines({ question, labels, descriptions, more }: Parts, texts: PhoneTexts): string[] {
  const options = labels.map((label, at) => {
    const below = descriptions[at] ? `\n   ${descriptions[at].replaceAll('\n', '\n   ')}` : ''
    return `${at + 1}. ${label}${below}`
  })
  return [question, ...options, ...more > 0 ? [texts.more(more)] : []]
}

/** Cut the question and the labels, the longest first, so that all have a place; if there are too many, the first. */
function shorten(shown: Parts, roomFor: (body: Parts) => number): void {
  const { question, labels } = shown
  const total = labels.length
  for (let count = total; ; count = Math.floor(count * 0.9)) {
    const bare = { ...shown, question: '', labels: labels.slice(0, count).map(() => ''), more: total - count }
    const room = roomFor(bare)
    if (room < LEAST * (count + 1) && count > 0) continue
    const [cutQuestion = '', ...cutLabels] = shareOut([question, ...labels.slice(0, count)], room, 0)
    Object.assign(shown, { question: cutQuestion, labels: cutLabels, descriptions: cutLabels.map(() => ''), more: total - count })
    return
  }
}

/** @param around what each text that is not empty takes beside itself, in bytes. */
function shareOut(texts: readonly string[], budget: number, around: number): string[] {
  // An indented line break takes three bytes more.
  const sizes = texts.map(text => text === '' ? 0 : bytesOf(text) + around + (around > 0 ? 3 * (text.split('\n').length - 1) : 0))
  const share = fairShare(sizes, budget)
  return texts.map((text, at) => {
    if (sizes[at]! <= share) return text
    // Cut texts go on one line, so that their size is known.
    return share - around < LEAST ? '' : cutToBytes(around > 0 ? oneLine(text) : text, share - around)
  })
}

/** Without a pattern: one for white space around a line break takes seconds for a long run of spaces. */
function oneLine(text: string): string {
  return text.split('\n').map(line => line.trim()).filter(line => line !== '').join(' ')
}
