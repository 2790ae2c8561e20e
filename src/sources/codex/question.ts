// A question of Codex' and its answers, in both directions. What the person chooses goes as the label, and words of their own as
// they are.
import type { AskUserQuestionAnswer, AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { z } from '../../protocol/zod.ts'
import type { Asking } from './asking.ts'
import type { QuestionParams } from './protocol.ts'

/** How Codex marks words that stand beside a choice. */
const NOTE = 'user_note: '

/** What Codex' own dialog offers beside the options, for words; it is no answer where there are some. */
const OTHER = 'None of the above'

const outputSchema = z.looseObject({ answers: z.record(z.string(), z.looseObject({ answers: z.array(z.string()) })) })

/** The questions as they are asked, with Codex' own ids. */
export function questionAsking({ questions }: Pick<QuestionParams, 'questions'>): Asking {
  const items: AskUserQuestionItem[] = questions.map(({ id, header, question, options = [] }) => ({
    id, question,
    ...header !== undefined && { header },
    ...options.length > 0 && { options: options.map(({ label, description }) => ({ label, ...description && { description } })) },
  }))
  return {
    request: { questions: items },
    send: answer => ({ result: questionResult(answer) }),
    readOutput: output => readOutput(items, output),
    interrupted: 'declined',
  }
}

/** An answer as Codex' own dialog would give it: an entry for the choice and one for the words; a skipped question has none. */
export function questionResult({ answers }: AskUserQuestionAnswer) {
  return { answers: Object.fromEntries(answers.map(({ id, selected, custom }) => [id, { answers: entriesOf(selected, custom) }])) }
}

function entriesOf(selected: readonly string[], custom: string | undefined): string[] {
  if (custom === undefined) return [...selected]
  return selected.length === 0 ? [custom] : [...selected, NOTE + custom]
}

/** Read what the model got from Codex' own dialog. */
export function readOutput(questions: readonly AskUserQuestionItem[], output: string): AskUserQuestionAnswer | undefined {
  let value: unknown
  try {
    value = JSON.parse(output)
  } catch {
    // Codex says in words that there is no answer.
    return undefined
  }
  const { data } = outputSchema.safeParse(value)
  return data && { answers: questions.map(question => itemOf(question, data.answers[question.id]?.answers ?? [])) }
}

function itemOf({ id, options = [] }: AskUserQuestionItem, entries: readonly string[]): AskUserQuestionAnswerItem {
  const labels = new Set(options.map(({ label }) => label))
  const selected = entries.filter(entry => labels.has(entry))
  const others = entries.filter(entry => !labels.has(entry)), words = others.filter(entry => entry !== OTHER)
  const custom = (words.length > 0 ? words : others).map(entry => entry.startsWith(NOTE) ? entry.slice(NOTE.length) : entry).join('\n')
  return { id, selected, ...custom && { custom } }
}
