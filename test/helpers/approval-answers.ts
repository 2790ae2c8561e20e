// Answers to an approval that are almost a permission, and by a rule of their own which of all answers is one.
import * as fc from 'fast-check'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { OPTIONS } from './approval.ts'

/** The question of an approval. */
export const APPROVAL: AskUserQuestionItem = {
  id: 'approval', question: 'Allow bash?', options: [...OPTIONS],
}

const names = ['allow', 'Allow once', 'reject', 'Reject']

/** What looks like the name of an option, or is one. */
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names) },
  fc.constantFrom(...names).chain(one => fc.constantFrom(
    ` ${one}`, `${one} `, `${one}\n`, `\u200B${one}`, one.toUpperCase(), one.replace(' ', '\u00A0'), one.slice(0, -1), `${one}${one}`, [one], { label: one }, [[one]],
  )),
  fc.constantFrom('', 'yes', 'Allow', 'allowed-once', 'always', true, 1, 0, null, undefined, '__proto__', '仅允许这一次', 'аllow'),
  fc.string(),
)

const id = fc.oneof({ weight: 6, arbitrary: fc.constant('approval') }, fc.constantFrom('approval ', '', 'bash', 'Approval', undefined, null, 0), fc.string())

const custom = fc.constantFrom(undefined, undefined, '', ' ', 'allow', 'Allow once', 'no', null, 0, {})

const selected = fc.oneof({ weight: 5, arbitrary: fc.tuple(name) }, fc.array(name, { maxLength: 3 }), name, fc.constantFrom({ 0: 'allow', length: 1 }, new Set(['allow'])))

const item = fc.oneof({ weight: 8, arbitrary: fc.record({ id, selected, custom }, { requiredKeys: ['id', 'selected'] }) }, fc.record({ id, selected, custom }, { requiredKeys: [] }), fc.anything())

/** Answers of any kind. */
export const answers: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ answers: fc.oneof({ weight: 8, arbitrary: fc.tuple(item) }, fc.array(item, { maxLength: 3 }), item) }) },
  fc.constantFrom('allow', 'allowed-once', true, { outcome: 'allowed-once' }, { selected: ['allow'] }, undefined, null),
  fc.anything(),
)

/** Whether an answer is one item for the approval, with the one option that allows, and nothing beside it. */
export function allows(value: unknown): boolean {
  const lists = (value as { answers?: unknown } | null | undefined)?.answers
  if (!Array.isArray(lists) || lists.length !== 1) return false
  const one = lists[0] as { id?: unknown, selected?: unknown, custom?: unknown } | null
  if (typeof one !== 'object' || one === null || one.id !== 'approval' || one.custom !== undefined) return false
  return Array.isArray(one.selected) && one.selected.length === 1 && one.selected[0] === 'allow'
}
