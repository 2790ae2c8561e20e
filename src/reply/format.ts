// Questions, answers and origins as plain text, for places without widgets: a line terminal, a push, a heading.
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import type { Origin } from '../protocol/origin.ts'
import type { AskUserQuestionItem } from '../protocol/request.ts'
import type { Lang } from './lang.ts'
import type { MixedReply } from './parse.ts'
import { truncate, visible, visibleLine } from './visible.ts'

/** So much is repeated of what somebody typed, in characters. */
const PART_LENGTH = 40

const texts = {
  en: {
    one: 'Reply with a number, or with your own words.',
    several: 'Reply with one or more numbers (1,3), or with your own words.',
    words: 'Reply with your own words.',
    mixed: (label: string, position: string) => `Nothing was chosen: "${label}" is a label, "${position}" only a position in the list. Write the labels, with commas between them.`,
    part: (index: number, total: number) => `${index} of ${total}`,
    nothing: 'nothing',
    separator: ', ',
    on: (name: string) => `on ${name}`,
    in: (name: string) => `in ${name}`,
    ofHost: (plugin: string) => `dsh (${plugin})`,
  },
  zh: {
    one: '回复编号，或用自己的话回答。',
    several: '回复一个或多个编号（1、3），或用自己的话回答。',
    words: '请用自己的话回答。',
    mixed: (label: string, position: string) => `没有选择任何选项：“${label}”是选项的名称，“${position}”只能是序号。请写选项的名称，用逗号分隔。`,
    part: (index: number, total: number) => `第 ${index} 题，共 ${total} 题`,
    nothing: '未作选择',
    separator: '、',
    on: (name: string) => `在 ${name} 上`,
    in: (name: string) => `在 ${name}${name.endsWith('）') ? '' : ' '}中`,
    ofHost: (plugin: string) => `dsh（${plugin}）`,
  },
} satisfies Record<Lang, unknown>

/** Which question of a batch is shown, counted from 1. */
export interface Part {
  readonly index: number
  readonly total: number
}

/**
 * One question as text: its place in the batch and header, the question, its detail, the numbered options with their
 * descriptions, and how to answer. Control characters are made visible.
 *
 * @param part where it stands; left out of the text when it is the only one.
 */
export function formatQuestion(question: AskUserQuestionItem, lang: Lang, part: Part = { index: 1, total: 1 }): string {
  const place = part.total > 1 ? `(${texts[lang].part(part.index, part.total)}) ` : ''
  const header = question.header?.trim() ? `[${visibleLine(question.header)}] ` : ''
  const blocks = [place + header + visible(question.question)]
  if (question.detail?.trim()) blocks.push(indent(visible(question.detail), '  '))
  if (question.options?.length) blocks.push(formatOptions(question))
  blocks.push(howToAnswer(question, lang))
  return blocks.join('\n')
}

/** The options, numbered from 1, each with its description under it. */
export function formatOptions({ options = [] }: AskUserQuestionItem): string {
  const width = String(options.length).length
  return options.map(({ label, description }, at) => {
    const number = `  ${String(at + 1).padStart(width)}. `
    const below = description?.trim() ? `\n${indent(visible(description), ' '.repeat(number.length))}` : ''
    return number + visibleLine(label) + below
  }).join('\n')
}

/** One sentence on what a reply may be. */
export function howToAnswer({ options, multiSelect }: AskUserQuestionItem, lang: Lang): string {
  if (!options?.length) return texts[lang].words
  return multiSelect ? texts[lang].several : texts[lang].one
}

/** Why a reply that mixes labels and positions was not used, and what to write instead. */
export function formatMixed({ mixed: { label, position } }: MixedReply, lang: Lang): string {
  const shown = (part: string) => truncate(visibleLine(part), PART_LENGTH)
  return texts[lang].mixed(shown(label), shown(position))
}

/**
 * An answer in one line, for "answered" messages.
 *
 * @param answer the answer as it was given; a question without an answer is shown as such.
 */
export function formatAnswer({ answers }: AskUserQuestionAnswer, lang: Lang): string {
  const { nothing, separator } = texts[lang]
  const each = answers.map(({ selected, custom }) => {
    const parts = custom === undefined ? selected : [...selected, custom]
    return parts.length > 0 ? visibleLine(parts.join(separator)) : nothing
  })
  return each.join(' / ')
}

/** Who asks and where, in the same words on every surface and in every language: "coder · nas · shop · Fix the tests". */
export function formatOrigin({ agent, machine, project, session }: Origin): string {
  return [agent, machine, project, ...session === undefined ? [] : [session]].map(visibleLine).join(' · ')
}

/** Where somebody settled an ask. */
export interface Place {
  /** The name of a surface, or of the asker's own dialog; `host` for a UI of the host. */
  readonly by: string
  /** Which of the host's UIs, where its plugin is known. */
  readonly plugin?: string
  /** Whether it is the asker's own dialog. */
  readonly isAsker?: true
}

/**
 * A place in words: "on terminal", "in dsh (web)", "in Claude Code".
 *
 * @param place with names that are harmless for a screen.
 */
export function formatPlace({ by, plugin, isAsker }: Place, lang: Lang): string {
  const { on, in: within, ofHost } = texts[lang]
  if (by === 'host') return within(plugin === undefined ? 'dsh' : ofHost(plugin))
  return isAsker ? within(by) : on(by)
}

function indent(text: string, by: string): string {
  return by + text.replaceAll('\n', `\n${by}`)
}
