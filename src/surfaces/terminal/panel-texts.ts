// What the panel says, in both languages. What is printed after it is in texts.ts.
import type { Lang } from '../../reply/lang.ts'
import { terminalTexts, type TerminalTexts } from './texts.ts'

/** The panel's texts. */
export interface PanelTexts extends TerminalTexts {
  other: string
  /** Before the own words where several options can be chosen. */
  orOwnWords: string
  /** Before the own words where there are no options. */
  ownWords: string
  review: string
  submit: string
  /** On the review, for a question without an answer. */
  skipped: string
  skips(count: number): string
  /** On a single-select question with a choice and own words. */
  together: string
  cancelQuestion: string
  nothing: string
  /** A key was not used: the panel has just taken the place of another one. */
  early: string
  pasteTooLong: string
  /** The panel cannot be shown because something else reads the terminal. */
  taken: string
  /** Below the first rows of a long text, with the key that opens it. */
  moreRows(count: number): string
  keysTitle: string
  /** Keys and what they do. */
  keys: readonly (readonly [keys: string, effect: string])[]
  /** A key and what it does, for the last line. */
  hint: Readonly<Record<'pick' | 'send' | 'next' | 'toggle' | 'takeBack' | 'edit' | 'submit' | 'questions' | 'keys' | 'cancel' | 'leave' | 'more' | 'less' | 'unfold' | 'fold' | 'close' | 'write', string>>
}

/** The dictionary. */
export const panelTexts: Record<Lang, PanelTexts> = {
  en: {
    ...terminalTexts.en,
    other: 'Other: ',
    orOwnWords: 'Or in your own words: ',
    ownWords: 'Answer: ',
    review: 'Review',
    submit: 'Submit',
    skipped: '(no answer)',
    skips: count => count === 1 ? '1 question has no answer and will be skipped.' : `${count} questions have no answer and will be skipped.`,
    together: 'Your words go with the choice.',
    cancelQuestion: 'Cancel for everyone? y/N',
    nothing: 'Nothing to send yet: type an answer first.',
    early: 'Not used: this is another question.',
    pasteTooLong: 'Too long: the end of the paste was cut off.',
    taken: 'Something else is reading this terminal; questions are answered elsewhere.',
    moreRows: count => `… ${count} more lines: Ctrl-O`,
    keysTitle: 'Keys',
    keys: [
      ['Up Down j k', 'move'],
      ['1 2 3 ...', 'jump to an option'],
      ['Enter', 'choose and go on, or send'],
      ['Space', 'choose, or take the choice back'],
      ['o', 'answer in your own words'],
      ['Tab Shift-Tab', 'next or previous question'],
      ['Left Right', 'the same, outside text'],
      ['PgUp PgDn', 'scroll'],
      ['Ctrl-O', 'open long texts, or fold them'],
      ['Esc', 'leave the text; else cancel'],
      ['Ctrl-L', 'draw again'],
      ['Ctrl-C Ctrl-Z', 'interrupt, suspend'],
    ],
    hint: {
      pick: 'Enter choose', send: 'Enter send', next: 'Enter go on', toggle: 'Space choose', takeBack: 'Space take back', edit: 'Enter change', submit: 'Enter submit',
      questions: 'Tab questions', keys: '? keys', cancel: 'Esc cancel', leave: 'Esc leave text', more: 'PgDn more', less: 'PgUp back', unfold: 'Ctrl-O open', fold: 'Ctrl-O fold',
      close: 'any key: back', write: 'Enter write',
    },
  },
  zh: {
    ...terminalTexts.zh,
    other: '其他：',
    orOwnWords: '或用自己的话回答：',
    ownWords: '回答：',
    review: '核对',
    submit: '提交',
    skipped: '（未回答）',
    skips: count => `有 ${count} 个问题未回答，将被跳过。`,
    together: '你的话会与所选选项一起发送。',
    cancelQuestion: '为所有人取消这个问题？y/N',
    nothing: '还没有可发送的内容：请先输入回答。',
    early: '没有使用：这是另一个问题。',
    pasteTooLong: '内容太长：粘贴的末尾已截去。',
    taken: '程序的其他部分正在读取此终端；请在别处回答问题。',
    moreRows: count => `…… 还有 ${count} 行：按 Ctrl-O 展开`,
    keysTitle: '按键',
    keys: [
      ['↑ ↓ j k', '移动'],
      ['1 2 3 ...', '跳到选项'],
      ['Enter', '选择并继续，或发送'],
      ['空格', '选择，或取消选择'],
      ['o', '用自己的话回答'],
      ['Tab Shift-Tab', '下一个或上一个问题'],
      ['← →', '同上（不在输入文字时）'],
      ['PgUp PgDn', '滚动'],
      ['Ctrl-O', '展开或收起长文字'],
      ['Esc', '退出文字输入；不在输入时则取消'],
      ['Ctrl-L', '重新绘制'],
      ['Ctrl-C Ctrl-Z', '中断、挂起'],
    ],
    hint: {
      pick: 'Enter 选择', send: 'Enter 发送', next: 'Enter 继续', toggle: '空格 选择', takeBack: '空格 取消选择', edit: 'Enter 修改', submit: 'Enter 提交',
      questions: 'Tab 切换问题', keys: '? 按键', cancel: 'Esc 取消', leave: 'Esc 退出输入', more: 'PgDn 下翻', less: 'PgUp 上翻', unfold: 'Ctrl-O 展开', fold: 'Ctrl-O 收起',
      close: '任意键返回', write: 'Enter 输入',
    },
  },
}
