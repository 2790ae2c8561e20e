// `AskUserQuestion`: its questions as dsh has them, and answers in both directions. Claude Code's questions have no ids: here their
// position is one, there the text of a question names it.
import type { AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { z } from '../../protocol/zod.ts'
import { fenced } from '../../reply/arguments.ts'
import type { Asking } from './asking.ts'
import { readLabels } from './labels.ts'
import { type ClaudeQuestion, questionsSchema, type ToolCall } from './input.ts'
import { answeredSchema } from './output.ts'

/** What the tool gives back for questions that were answered. */
const resultSchema = z.looseObject({
  answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  annotations: z.record(z.string(), z.looseObject({ notes: z.string().optional() })).optional(),
})

/** What stands in the place of an answer where somebody wrote notes alone. */
const NOTES_ONLY = '(notes only)'

const idOf = (at: number) => `q${at + 1}`

/** @throws a zod error where the input is none of this tool. */
export function questionAsking({ tool_input }: ToolCall): Asking {
  const { questions } = questionsSchema.parse(tool_input)
  return {
    request: { questions: questions.map(itemOf) },
    decide({ answers }) {
      const said = questions.flatMap((question, at) => {
        const value = valueOf(question, answers[at])
        return value ? [[question.question, value] as const] : []
      })
      const notes = said.flatMap(([text, { notes: words }]) => words === undefined ? [] : [[text, { notes: words }] as const])
      const updatedInput = {
        ...tool_input,
        answers: Object.fromEntries(said.map(([text, { answer }]) => [text, answer])),
        ...notes.length > 0 && { annotations: Object.fromEntries(notes) },
      }
      return answeredSchema.safeParse(updatedInput).success ? { behavior: 'allow', updatedInput } : undefined
    },
    read(result) {
      const { data } = resultSchema.safeParse(result.value)
      if (data && result.isAllowed) return { answers: questions.map((question, at) => nativeAnswer(question, idOf(at), data)) }
      return result.isTurnedDown ? 'declined' : undefined
    },
  }
}

function itemOf({ question, header, options, multiSelect }: ClaudeQuestion, at: number): AskUserQuestionItem {
  // A preview is drawn with characters, most of the time: side by side with the others, it would not be one.
  const previews = options.filter(({ preview }) => preview?.trim()).map(({ label, preview }) => `${fenced('', label)}\n\n${fenced('', preview!)}`)
  return {
    id: idOf(at),
    question,
    ...header?.trim() && { header },
    ...previews.length > 0 && { detail: previews.join('\n\n') },
    options: options.map(({ label, description }) => ({ label, ...description?.trim() && { description } })),
    ...multiSelect !== undefined && { multiSelect },
  }
}

/** What answers a question there; `undefined` for one that was skipped. Words beside a choice are notes. */
function valueOf({ multiSelect }: ClaudeQuestion, item: AskUserQuestionAnswerItem | undefined) {
  const { selected = [], custom } = item ?? {}, [first] = selected
  // In a list words keep their commas, which would make several choices of them.
  if (first === undefined) return custom === undefined ? undefined : { answer: multiSelect ? [custom] : custom }
  return { answer: multiSelect ? selected : first, notes: custom }
}

function nativeAnswer({ question, options, multiSelect }: ClaudeQuestion, id: string, { answers, annotations }: z.infer<typeof resultSchema>): AskUserQuestionAnswerItem {
  const answer = Object.hasOwn(answers, question) ? answers[question]! : []
  const notes = annotations && Object.hasOwn(annotations, question) ? annotations[question]?.notes : undefined
  const isNotes = answer === NOTES_ONLY && notes !== undefined
  const { selected, words } = readLabels(isNotes ? [] : answer, options.map(({ label }) => label), multiSelect)
  const custom = [...words, ...notes?.trim() ? [notes] : []].join('\n')
  return { id, selected, ...custom && { custom } }
}
