// What the terminal says about approvals, in both languages. Their own words (kind, title, choices) are in reply/approval.ts.
import type { Lang } from '../../reply/lang.ts'

/** The texts of both modes. */
export interface ApprovalTexts {
  /** Who asks, above the request. */
  asks(who: string): string
  /** Above the choices of a panel. */
  choose: string
  /** The third thing that can be done, beside the two choices. */
  rejectWithWords: string
  /** Before the words. */
  words: string
  /** The question before a panel is cancelled. */
  cancel: string
  /** A remark on a key that decided nothing. */
  note: Readonly<Record<'nothing' | 'early' | 'pasteTooLong' | 'undecided' | 'alone' | 'unread' | 'words', string>>
  keysTitle: string
  /** Keys and what they do. */
  keys: readonly (readonly [keys: string, effect: string])[]
  /** A key and what it does, for the last line. */
  hint: Readonly<Record<'reject' | 'allow' | 'withWords' | 'sendWords' | 'cancel', string>>
  /** Line mode: what may be typed. */
  howTo: string
  /** Line mode: a line decided nothing. */
  undecided: string
  /** Line mode: a line was begun before the request was there, or right after another one that decided nothing. */
  tooEarly: string
  /** Line mode: a line that would permit was not typed. */
  pasted: string
  /** In a notice: what was decided. */
  allowed: string
  rejected: string
}

/** The dictionary. */
export const approvalTexts: Record<Lang, ApprovalTexts> = {
  en: {
    asks: who => `${who} asks for permission:`,
    choose: 'Nothing is chosen yet. Press one key:',
    rejectWithWords: 'Reject with words: why, or what to do instead',
    words: 'Reject with these words: ',
    cancel: 'Cancel for everyone? The tool is rejected. y/N',
    note: {
      nothing: 'Type your words first, or leave them with Esc.',
      early: 'Not used: this is a request for permission.',
      pasteTooLong: 'Too long: the end of the paste was cut off.',
      undecided: 'Not decided: r rejects, a allows once.',
      alone: 'Not decided: press r or a alone, a second after other keys.',
      unread: 'Not decided: read to the end first (PgDn).',
      words: 'Not decided: words only reject. r sends them; erase them to allow.',
    },
    keysTitle: 'Keys for a permission',
    keys: [
      ['r', 'reject'],
      ['a', 'allow once, when everything has been read'],
      ['Tab', 'write why, or what to do instead; Enter rejects with it'],
      ['Up Down j k', 'scroll'],
      ['PgUp PgDn', 'scroll by a page'],
      ['Home End', 'scroll to the start or the end'],
      ['Esc', 'leave the words; else cancel for everyone, which rejects'],
      ['Ctrl-L', 'draw again'],
      ['Ctrl-C Ctrl-Z', 'interrupt, suspend'],
    ],
    hint: { reject: 'r reject', allow: 'a allow once', withWords: 'Tab reject with words', sendWords: 'Enter reject with these words', cancel: 'Esc cancel (rejects)' },
    howTo: 'Type a to allow once, r to reject, or r and your words.',
    undecided: 'Nothing was decided.',
    tooEarly: 'That line was begun too early, so it decided nothing.',
    pasted: 'That line came all at once, so it allowed nothing: type a, then Enter.',
    allowed: 'Allowed once',
    rejected: 'Rejected',
  },
  zh: {
    asks: who => `${who} 请求权限：`,
    choose: '尚未选择。请按一个键：',
    rejectWithWords: '拒绝并附言：说明原因，或应改做什么',
    words: '拒绝并附上这些话：',
    cancel: '为所有人取消？该工具将被拒绝。y/N',
    note: {
      nothing: '请先输入要说的话，或按 Esc 退出输入。',
      early: '没有使用：这是一个权限请求。',
      pasteTooLong: '内容太长：粘贴的末尾已截去。',
      undecided: '未决定：r 拒绝，a 仅允许这一次。',
      alone: '未决定：请在其他按键一秒之后单独按 r 或 a。',
      unread: '未决定：请先读到末尾（PgDn）。',
      words: '未决定：附言只能随拒绝发送。按 r 发送，或删去后再允许。',
    },
    keysTitle: '权限请求的按键',
    keys: [
      ['r', '拒绝'],
      ['a', '仅允许这一次（读完全部内容后）'],
      ['Tab', '写下原因或应改做什么；按 Enter 附言拒绝'],
      ['↑ ↓ j k', '滚动'],
      ['PgUp PgDn', '翻页'],
      ['Home End', '滚动到开头或末尾'],
      ['Esc', '退出文字输入；不在输入时则为所有人取消，即拒绝'],
      ['Ctrl-L', '重新绘制'],
      ['Ctrl-C Ctrl-Z', '中断、挂起'],
    ],
    hint: { reject: 'r 拒绝', allow: 'a 仅允许这一次', withWords: 'Tab 附言拒绝', sendWords: 'Enter 附言拒绝', cancel: 'Esc 取消（即拒绝）' },
    howTo: '输入 a 仅允许这一次，输入 r 拒绝，或输入 r 和你的话。',
    undecided: '没有作出决定。',
    tooEarly: '这一行开始得太早，没有作出决定。',
    pasted: '这一行是一次性送入的，没有允许任何操作：请输入 a，再按 Enter。',
    allowed: '已允许一次',
    rejected: '已拒绝',
  },
}
