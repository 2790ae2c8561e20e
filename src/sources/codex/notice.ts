// What may be answered in Codex alone: the surfaces say that it waits there, and nothing that is said to them reaches Codex.
import type { Lang } from '../../reply/lang.ts'
import type { Asking } from './asking.ts'

/** Why it is not shown: its answer is a secret, Codex does not tell what it is to change, or it would permit more than what is shown. */
export type NoticeKind = 'secret' | 'changes' | 'folder'

const texts = {
  en: {
    secret: 'Codex asks for something secret. Answer it in Codex: nothing that is typed here reaches it.',
    changes: 'Codex wants to change files, and does not say which. Decide it in Codex: nothing that is chosen here reaches it.',
    folder: 'Codex wants to write anywhere in a folder until its session ends. Decide it in Codex: nothing that is chosen here reaches it.',
    seen: 'I know',
  },
  zh: {
    secret: 'Codex 在询问机密内容。请在 Codex 中回答：在这里输入的任何内容都不会传给它。',
    changes: 'Codex 想修改文件，但没有说明是哪些。请在 Codex 中决定：在这里的选择不会传给它。',
    folder: 'Codex 想在会话结束前写入某个文件夹中的任何位置。请在 Codex 中决定：在这里的选择不会传给它。',
    seen: '知道了',
  },
} satisfies Record<Lang, Record<NoticeKind | 'seen', string>>

/** A notice in the form of a question. It goes when Codex has its answer. */
export function noticeAsking(kind: NoticeKind, lang: Lang): Asking {
  const { [kind]: question, seen } = texts[lang]
  return {
    request: { questions: [{ id: 'notice', question, options: [{ label: seen }] }] },
    send: () => undefined,
  }
}
