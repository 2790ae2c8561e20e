// The wider permissions that Claude Code suggests, in plain words: what is allowed, and for how long.
import type { AskUserQuestionOption } from '../../protocol/request.ts'
import { type Suggestion, suggestionSchema } from './output.ts'

/** One wider outcome of an approval. */
export interface Wider {
  readonly option: Pick<AskUserQuestionOption, 'label' | 'displayLabel'>
  readonly suggestion: Suggestion
}

/** A longer label would be cut where it is shown, and nobody should permit what they cannot read. */
const MAX_LABEL = 200

const texts = {
  en: {
    rules: (what: string, until: string) => `Allow, and do not ask about ${what} ${until}`,
    directories: (what: string, until: string) => `Allow, and open ${what} to Claude Code ${until}`,
    modes: { acceptEdits: (until: string) => `Allow, and accept all edits of files ${until}`, auto: (until: string) => `Allow, and let Claude Code decide for itself what to ask about ${until}` },
    until: {
      session: 'until this session ends',
      localSettings: 'in this project any more',
      projectSettings: 'in this project any more, whoever works on it',
      userSettings: 'in any project any more',
    },
    and: ', ',
    anything: (tool: string) => `anything that ${tool} does`,
  },
  zh: {
    rules: (what: string, until: string) => `允许，并且${until}不再询问 ${what}`,
    directories: (what: string, until: string) => `允许，并且${until}让 Claude Code 使用 ${what}`,
    modes: { acceptEdits: (until: string) => `允许，并且${until}接受所有文件修改`, auto: (until: string) => `允许，并且${until}由 Claude Code 自行决定何时询问` },
    until: { session: '在本次会话结束之前', localSettings: '在此项目中', projectSettings: '在此项目中（对所有参与者）', userSettings: '在所有项目中' },
    and: '、',
    anything: (tool: string) => `${tool} 的任何操作`,
  },
}

/**
 * Say what may be permitted beside this one call.
 *
 * @param suggestions as Claude Code gave them, of any type. What is not known is not offered.
 * @returns each by the id of its option.
 */
export function widerOutcomes(suggestions: readonly unknown[]): ReadonlyMap<string, Wider> {
  const wider = new Map<string, Wider>(), labels = new Set<string>()
  for (const given of suggestions) {
    const { data: suggestion } = suggestionSchema.safeParse(given)
    const en = suggestion && wordsOf(suggestion, 'en')
    if (en === undefined || en.length > MAX_LABEL || labels.has(en)) continue
    labels.add(en)
    const isFirst = suggestion!.destination === 'session' && !wider.has('allow-session')
    wider.set(isFirst ? 'allow-session' : `allow-${wider.size + 2}`, {
      option: { label: en, displayLabel: { en, zh: wordsOf(suggestion!, 'zh') } },
      suggestion: suggestion!,
    })
  }
  return wider
}

function wordsOf(suggestion: Suggestion, lang: keyof typeof texts): string {
  const { rules, directories, modes, until, and, anything } = texts[lang], when = until[suggestion.destination]
  if (suggestion.type === 'setMode') return modes[suggestion.mode](when)
  if (suggestion.type === 'addDirectories') return directories(suggestion.directories.join(and), when)
  return rules(suggestion.rules.map(({ toolName, ruleContent }) => ruleContent === undefined ? anything(toolName) : `${toolName}(${ruleContent})`).join(and), when)
}
