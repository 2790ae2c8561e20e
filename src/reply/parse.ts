// A typed reply -> the answer to one question. Nothing is guessed: what names no option is the person's own words, and what
// could be read in two ways is neither.
import type { AskUserQuestionAnswerItem } from '../protocol/answer.ts'
import type { AskUserQuestionItem, AskUserQuestionOption } from '../protocol/request.ts'

/**
 * A reply of several parts of which some are labels and others can only be positions. Nobody can say what is meant: where
 * labels are numbers, a position may be a mistyped label.
 */
export interface MixedReply {
  /** The first part of each kind, as it was typed. */
  readonly mixed: { readonly label: string, readonly position: string }
}

/**
 * Read a reply. A label comes first, whatever space is around it and whether its characters are full-width or not, then a
 * position, then a label that differs in case, if only one does. A multi-select takes several: numbers, as `1,3`, `1 3` or
 * `1、3`, or labels with commas between them. Else the reply is the person's own words. It is never taken for JSON, and to
 * a question without options digits are words too.
 *
 * @param question the question that was asked.
 * @param reply the reply as it was typed, without the line end.
 * @returns the answer, with nothing selected and no words where the reply is blank; or why there is none.
 */
export function parseReply({ id, options, multiSelect }: AskUserQuestionItem, reply: string): AskUserQuestionAnswerItem | MixedReply {
  const labels = new Labels(options)
  const whole = labels.named(reply)
  if (whole !== undefined) return { id, selected: [whole] }
  const found = multiSelect ? findSeveral(labels, reply) : [find(labels, reply)]
  if (found.every(one => one !== undefined)) {
    const first = (by: Found['by']) => found.find(one => one.by === by)?.typed
    const label = first('label'), position = first('position')
    if (label !== undefined && position !== undefined) return { mixed: { label, position } }
    if (found.length > 0) return { id, selected: [...new Set(found.map(one => one.label))] }
  }
  return reply.trim() === '' ? { id, selected: [] } : { id, selected: [], custom: reply }
}

/** Whether a text is the label of an option, whatever space is around it, in full-width characters or not. */
export function isLabel({ options }: AskUserQuestionItem, text: string): boolean {
  return new Labels(options).named(text) !== undefined
}

/** As it is, without space around it, and with plain characters for full-width ones, as Chinese input methods type them. */
const SAME: readonly ((text: string) => string)[] = [text => text, text => text.trim(), folded]

function folded(text: string): string {
  return text.normalize('NFKC').trim()
}

/** A question's labels, to be found by what a person types. */
class Labels {
  readonly #labels: readonly string[]
  /** For each form of {@link SAME}, and at last without regard to case, the labels by it. */
  readonly #byForm: readonly (readonly [form: (text: string) => string, ReadonlyMap<string, ReadonlySet<string>>])[]

  constructor(options: readonly AskUserQuestionOption[] | null | undefined) {
    // The host does not check them: `null` is as good as none.
    this.#labels = (options ?? []).map(({ label }) => label)
    this.#byForm = [...SAME, (text: string) => folded(text).toLowerCase()].map(form => [form, this.#index(form)])
  }

  #index(form: (text: string) => string): Map<string, Set<string>> {
    const index = new Map<string, Set<string>>()
    for (const label of this.#labels) {
      const key = form(label), alike = index.get(key)
      if (alike) alike.add(label)
      else index.set(key, new Set([label]))
    }
    return index
  }

  /** The label that a text is; `undefined` when it is none, or could be several. */
  named(text: string): string | undefined {
    return this.#only(text, 0, SAME.length)
  }

  /** The same for a label that differs in case. */
  resembling(text: string): string | undefined {
    return this.#only(text, SAME.length)
  }

  /** The label at a position, counted from 1, if the text is one and no label. */
  at(text: string): string | undefined {
    const number = folded(text)
    // Where several labels are that number, none of them is meant more than another, and the position still less.
    return /^[1-9]\d*$/.test(number) && !this.#byForm[SAME.length]![1].has(number) ? this.#labels[Number(number) - 1] : undefined
  }

  /** The nearest form counts: where several labels are alike in it, none is chosen. */
  #only(text: string, from: number, to?: number): string | undefined {
    for (const [form, index] of this.#byForm.slice(from, to)) {
      const key = form(text), alike = key === '' ? undefined : index.get(key)
      if (alike) return alike.size === 1 ? [...alike][0] : undefined
    }
    return undefined
  }
}

/** An option that a part of a reply names. */
interface Found {
  readonly by: 'label' | 'position'
  readonly label: string
  readonly typed: string
}

function find(labels: Labels, part: string): Found | undefined {
  const typed = part.trim(), named = labels.named(part), at = labels.at(part)
  if (named === undefined && at !== undefined) return { by: 'position', label: at, typed }
  const label = named ?? labels.resembling(part)
  return label === undefined ? undefined : { by: 'label', label, typed }
}

/** What the parts of a reply name, `undefined` for each that names nothing; empty where there is no part. */
function findSeveral(labels: Labels, reply: string): (Found | undefined)[] {
  const listed = reply.split(/[,，、]/).filter(part => part.trim() !== '')
  return listed.flatMap(part => {
    const whole = find(labels, part)
    if (whole) return [whole]
    const found = part.trim().split(/\s+/).map(word => find(labels, word))
    // Labels with mere space between them may be a sentence, unless they are numbers.
    const maybeSentence = found.every(one => one?.by === 'label') && /\p{L}/u.test(part)
    return maybeSentence ? [undefined] : found
  })
}
