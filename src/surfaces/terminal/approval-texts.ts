// What the terminal says about approvals, in both languages. Their own words (kind, title, choices) are in reply/approval.ts.
import type { ApprovalText } from '../../reply/approval.ts'
import type { Lang } from '../../reply/lang.ts'

/** The texts of both modes. */
export interface ApprovalTexts {
  /** Who asks, above the request. */
  asks(who: string): string
  /** Above the choices of a panel. */
  choose: string
  /** What else can be done, beside the two choices. */
  rejectWithWords: string
  wider(count: number): string
  /** Above the options that permit more than this once. */
  widerTitle: string
  /** Before the words. */
  words: string
  /** The question before a panel is cancelled. */
  cancel: string
  /** A remark on a key that decided nothing. */
  note: Readonly<Record<'nothing' | 'early' | 'pasteTooLong' | 'undecided' | 'alone' | 'unread' | 'words' | 'unpointed', string>>
  keysTitle: string
  /** Keys and what they do. */
  keys: readonly (readonly [keys: string, effect: string])[]
  /** A key and what it does, for the last line. */
  hint: Readonly<Record<'reject' | 'allow' | 'wider' | 'point' | 'allowPointed' | 'close' | 'withWords' | 'sendWords' | 'cancel', string>>
  /** Line mode: what may be typed. */
  howTo: string
  /** Line mode: a line decided nothing. */
  undecided: string
  /** Line mode: a line was begun before the request was there, or right after another one that decided nothing. */
  tooEarly: string
  /** Line mode: a line that would permit was not typed. */
  pasted: string
}

const permissionTexts: Record<Lang, ApprovalTexts> = {
  en: {
    asks: who => `${who} asks for permission:`,
    choose: 'Nothing is chosen yet. Press one key:',
    rejectWithWords: 'Reject with words: why, or what to do instead',
    wider: count => count === 1 ? 'Allow more than this once: shows 1 more choice' : `Allow more than this once: shows ${count} more choices`,
    widerTitle: 'Allow more than this once:',
    words: 'Reject with these words: ',
    cancel: 'Cancel for everyone? The tool is rejected. y/N',
    note: {
      nothing: 'Type your words first, or leave them with Esc.',
      early: 'Not used: this is a request for permission.',
      pasteTooLong: 'Too long: the end of the paste was cut off.',
      undecided: 'Not decided: r rejects, a allows once.',
      alone: 'Not decided: press the key alone, a second after other keys.',
      unread: 'Not decided: read to the end first (PgDn).',
      words: 'Not decided: words only reject. r sends them; erase them to allow.',
      unpointed: 'Not decided: nothing is pointed at. Down points.',
    },
    keysTitle: 'Keys for a permission',
    keys: [
      ['r', 'reject'],
      ['a', 'allow once, when everything has been read'],
      ['w', 'what would allow more, if there is any: Down points, Enter allows it'],
      ['Tab', 'write why, or what to do instead; Enter rejects with it'],
      ['Up Down j k', 'scroll'],
      ['PgUp PgDn', 'scroll by a page'],
      ['Home End', 'scroll to the start or the end'],
      ['Esc', 'leave the words; else cancel for everyone, which rejects'],
      ['Ctrl-L', 'draw again'],
      ['Ctrl-C Ctrl-Z', 'interrupt, suspend'],
    ],
    hint: { reject: 'r reject', allow: 'a allow once', wider: 'w allow more', point: 'Down point', allowPointed: 'Enter allow this', close: 'Esc back', withWords: 'Tab reject with words', sendWords: 'Enter reject with these words', cancel: 'Esc cancel (rejects)' },
    howTo: 'Type a to allow once, r to reject, or r and your words.',
    undecided: 'Nothing was decided.',
    tooEarly: 'That line was begun too early, so it decided nothing.',
    pasted: 'That line came all at once, so it allowed nothing: type a, then Enter.',
  },
  zh: {
    asks: who => `${who} 请求权限：`,
    choose: '尚未选择。请按一个键：',
    rejectWithWords: '拒绝并附言：说明原因，或应改做什么',
    wider: count => `允许得更多，不只这一次：查看另外 ${count} 个选项`,
    widerTitle: '允许得更多，不只这一次：',
    words: '拒绝并附上这些话：',
    cancel: '为所有人取消？该工具将被拒绝。y/N',
    note: {
      nothing: '请先输入要说的话，或按 Esc 退出输入。',
      early: '没有使用：这是一个权限请求。',
      pasteTooLong: '内容太长：粘贴的末尾已截去。',
      undecided: '未决定：r 拒绝，a 仅允许这一次。',
      alone: '未决定：请在其他按键一秒之后单独按下。',
      unread: '未决定：请先读到末尾（PgDn）。',
      words: '未决定：附言只能随拒绝发送。按 r 发送，或删去后再允许。',
      unpointed: '未决定：还没有选中任何一项，请按 ↓ 选择。',
    },
    keysTitle: '权限请求的按键',
    keys: [
      ['r', '拒绝'],
      ['a', '仅允许这一次（读完全部内容后）'],
      ['w', '查看允许得更多的选项（如果有）：↓ 选择，Enter 允许该项'],
      ['Tab', '写下原因或应改做什么；按 Enter 附言拒绝'],
      ['↑ ↓ j k', '滚动'],
      ['PgUp PgDn', '翻页'],
      ['Home End', '滚动到开头或末尾'],
      ['Esc', '退出文字输入；不在输入时则为所有人取消，即拒绝'],
      ['Ctrl-L', '重新绘制'],
      ['Ctrl-C Ctrl-Z', '中断、挂起'],
    ],
    hint: { reject: 'r 拒绝', allow: 'a 仅允许这一次', wider: 'w 允许更多', point: '↓ 选择', allowPointed: 'Enter 允许这一项', close: 'Esc 返回', withWords: 'Tab 附言拒绝', sendWords: 'Enter 附言拒绝', cancel: 'Esc 取消（即拒绝）' },
    howTo: '输入 a 仅允许这一次，输入 r 拒绝，或输入 r 和你的话。',
    undecided: '没有作出决定。',
    tooEarly: '这一行开始得太早，没有作出决定。',
    pasted: '这一行是一次性送入的，没有允许任何操作：请输入 a，再按 Enter。',
  },
}

/** What is said in other words of a plan. */
const plan = {
  en: {
    asks: (who: string) => `${who} has a plan to approve:`,
    rejectWithWords: 'Reject with words: what to change',
    wider: (count: number) => count === 1 ? 'Approve, and more: shows 1 more choice' : `Approve, and more: shows ${count} more choices`,
    widerTitle: 'Approve, and more:',
    cancel: 'Cancel for everyone? The plan is rejected. y/N',
    keysTitle: 'Keys for a plan',
    howTo: 'Type a to approve, r to reject, or r and what to change.',
    pasted: 'That line came all at once, so it approved nothing: type a, then Enter.',
    note: {
      early: 'Not used: this is a plan to approve.',
      undecided: 'Not decided: r rejects, a approves.',
      words: 'Not decided: words only reject. r sends them; erase them to approve.',
    },
    keys: { a: 'approve, when everything has been read', Tab: 'write what to change; Enter rejects with it' },
    hint: { allow: 'a approve', wider: 'w approve more', allowPointed: 'Enter approve this' },
  },
  zh: {
    asks: (who: string) => `${who} 有一个计划等待批准：`,
    rejectWithWords: '拒绝并附言：需要修改什么',
    wider: (count: number) => `批准，并允许更多：查看另外 ${count} 个选项`,
    widerTitle: '批准，并允许更多：',
    cancel: '为所有人取消？该计划将被拒绝。y/N',
    keysTitle: '计划的按键',
    howTo: '输入 a 批准，输入 r 拒绝，或输入 r 和需要修改的内容。',
    pasted: '这一行是一次性送入的，没有批准任何内容：请输入 a，再按 Enter。',
    note: {
      early: '没有使用：这是一个等待批准的计划。',
      undecided: '未决定：r 拒绝，a 批准。',
      words: '未决定：附言只能随拒绝发送。按 r 发送，或删去后再批准。',
    },
    keys: { a: '批准（读完全部内容后）', Tab: '写下需要修改什么；按 Enter 附言拒绝' },
    hint: { allow: 'a 批准', wider: 'w 批准更多', allowPointed: 'Enter 批准这一项' },
  },
} satisfies Record<Lang, unknown>

function planTexts(lang: Lang): ApprovalTexts {
  const texts = permissionTexts[lang], { keys, note, hint, ...own } = plan[lang]
  return {
    ...texts, ...own, note: { ...texts.note, ...note }, hint: { ...texts.hint, ...hint },
    keys: texts.keys.map(([key, effect]) => [key, (keys as Record<string, string>)[key] ?? effect]),
  }
}

const allPlanTexts: Record<Lang, ApprovalTexts> = { en: planTexts('en'), zh: planTexts('zh') }

/** What is said of an approval. */
export function approvalTexts({ isPlan }: Pick<ApprovalText, 'isPlan'>, lang: Lang): ApprovalTexts {
  return (isPlan ? allPlanTexts : permissionTexts)[lang]
}
