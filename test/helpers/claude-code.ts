// A stand-in for Claude Code, as far as its hook and its files go. The lines and texts are those that 2.1.332 wrote.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HookInput } from '../../src/sources/claude-code/input.ts'

export const COLOUR = {
  question: 'Which colour?', header: 'Colour', multiSelect: false,
  options: [{ label: 'Red', description: 'Red it is' }, { label: 'Blue', description: 'Blue it is' }],
}

export const FRUITS = {
  question: 'Which fruits?', header: 'Fruits', multiSelect: true,
  options: [{ label: 'Apple', description: 'Apple it is' }, { label: 'Pear', description: 'Pear it is' }, { label: 'Fig, dried', description: 'Fig, dried it is' }],
}

export const BASH = { command: 'touch made_by_bash && echo BASH_RAN', description: 'make a file' }

export const TURNED_DOWN = 'The user doesn\'t want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).'

/** What Claude Code adds where the person said nothing. */
export const STOP = `${TURNED_DOWN} STOP what you are doing and wait for the user to tell you how to proceed.`

/** What Claude Code hands to its hook. */
export function hookInput(tool_name: string, tool_input: Record<string, unknown>, more: Partial<HookInput> = {}): HookInput {
  return {
    session_id: 'be489133-d0b6-478e-bfe5-e432368c0ac7', transcript_path: '/nowhere/projects/-home-me-shop/be489133.jsonl', cwd: '/home/me/shop',
    prompt_id: '1050fc09-877e-45fd-bb7e-c1323019b487', permission_mode: 'default', effort: { level: 'medium' },
    hook_event_name: 'PermissionRequest', tool_name, tool_input, ...more,
  }
}

let files = 0

/** A configuration folder of Claude Code, with one session in it. */
export class FakeClaude {
  readonly base: string
  readonly id: string
  readonly folder: string
  readonly transcript: string
  readonly #status: string
  #calls = 0

  /** @param base a folder; several sessions may have the same. */
  constructor(base = mkdtempSync(join(tmpdir(), 'claude-'))) {
    this.base = base
    this.id = `${String(++files).padStart(8, '0')}-d0b6-478e-bfe5-e432368c0ac7`
    this.folder = join(base, 'projects', '-home-me-shop')
    this.transcript = join(this.folder, `${this.id}.jsonl`)
    this.#status = join(base, 'sessions', `${files}.json`)
    mkdirSync(this.folder, { recursive: true })
    mkdirSync(join(base, 'sessions'), { recursive: true })
    this.write('{"type":"mode","mode":"default"}\n')
  }

  /** Add to the transcript. */
  write(text: string): void {
    appendFileSync(this.transcript, text)
  }

  /** The session's state: `busy`, `waiting`, `idle`. */
  status(status: string): void {
    writeFileSync(this.#status, JSON.stringify({ pid: files, sessionId: this.id, cwd: '/home/me/shop', version: '2.1.332', kind: 'interactive', status }))
  }

  /** The model calls a tool. */
  use(name: string, input: unknown): string {
    const id = `toolu_${this.id}_${++this.#calls}`
    this.#line({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] } })
    return id
  }

  /** The call has its result. */
  result(tool_use_id: string, content: unknown, more: object = {}, is_error?: boolean): void {
    this.#line({
      type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content, tool_use_id, ...is_error !== undefined && { is_error } }] },
      ...more,
    })
    // As it logs what it sends.
    this.#line({ type: 'api-request-blob', hash: 'x', message: { role: 'user', content: [{ type: 'tool_result', content, tool_use_id }] } })
  }

  /** The person answers its questions in the native dialog. */
  answers(id: string, questions: readonly object[], answers: object, annotations = {}): void {
    this.result(id, 'Your questions have been answered: …', { toolUseResult: { questions, answers, annotations }, permissionDecision: { decision: 'accept', source: 'user_temporary', grantScope: 'once' } })
  }

  /** The person says no with words: the turn goes on. */
  refuses(id: string, words: string): void {
    const text = `${TURNED_DOWN} To tell you how to proceed, the user said:\n${words}`
    this.result(id, text, { toolUseResult: `Error: ${text}`, toolDenialKind: 'user-rejected', userFeedback: words, permissionDecision: { decision: 'reject', source: 'user_reject' } }, true)
  }

  /** The person presses Esc, or says no without a word. The hook is ended as well. */
  escapes(id: string): void {
    this.result(id, STOP, { toolUseResult: 'User rejected tool use', toolDenialKind: 'user-rejected' }, true)
  }

  /** What the hook gets for a call of this session. */
  input(name: string, input: Record<string, unknown>, more: Partial<HookInput> = {}): HookInput {
    return hookInput(name, input, { session_id: this.id, transcript_path: this.transcript, ...more })
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true })
  }

  #line(value: object): void {
    this.write(`${JSON.stringify({ parentUuid: null, isSidechain: false, ...value, timestamp: new Date().toISOString(), sessionId: this.id, version: '2.1.332' })}\n`)
  }
}
