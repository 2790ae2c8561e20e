// What the page says, in both languages.
import type { Lang } from '../../../reply/lang.ts'
import type { Presence } from '../wire.ts'

/** The page's texts. */
export interface PageTexts {
  readonly title: string
  readonly empty: string
  readonly history: string
  /** Who asks and where, as `formatOrigin` says it. */
  askedBy(origin: string): string
  readonly ownWords: string
  readonly orOwnWords: string
  readonly wordsWithChoice: string
  readonly severalPossible: string
  readonly more: string
  readonly less: string
  readonly preview: string
  readonly send: string
  readonly sending: string
  readonly sayFirst: string
  skipped(count: number): string
  readonly notConfirmed: string
  readonly tooLong: string
  readonly refused: string
  readonly answeredAlready: string
  /** The answer where nothing was chosen or said. */
  readonly nothing: string
  readonly separator: string
  answered(where: string): string
  cancelled(where: string): string
  readonly here: string
  readonly inHost: string
  on(name: string): string
  readonly aborted: string
  readonly 'timed-out': string
  readonly gone: string
  readonly draft: string
  readonly copy: string
  readonly copied: string
  readonly copyByHand: string
  readonly connecting: string
  readonly lost: string
  /** Something in front of the host wants a login. */
  readonly blocked: string
  readonly back: string
  readonly denied: string
  readonly settled: string
  /** Some of a question is too long for the page. */
  readonly cut: string
  /** More questions are open than the page shows at a time. */
  waiting(count: number): string
  readonly notify: string
  readonly notifyOn: string
  readonly notifyFailed: string
  newQuestion(origin: string): string
  stillOpen(origin: string): string
  /** The label of the switch. */
  readonly away: string
  /** What applies now. Not who is asked: the policies decide that, and the page does not know them. */
  readonly presence: Readonly<Record<Presence, string>>
  readonly switching: string
  readonly presenceUnknown: string
  readonly presenceFailed: string
}

/** The dictionary. */
export const pageTexts: Record<Lang, PageTexts> = {
  en: {
    title: 'Questions',
    empty: 'No open questions. New ones appear here right away.',
    history: 'Earlier',
    askedBy: origin => `Asked by ${origin}`,
    ownWords: 'Your answer',
    orOwnWords: 'Or in your own words',
    wordsWithChoice: 'Your words go with the choice.',
    severalPossible: 'You can choose more than one.',
    more: 'Show all',
    less: 'Show less',
    preview: 'Preview',
    send: 'Send',
    sending: 'Sending…',
    sayFirst: 'Nothing was sent: choose an option or write something first.',
    skipped: count => count === 1 ? 'One question has no answer; it is sent as skipped.' : `${count} questions have no answer; they are sent as skipped.`,
    notConfirmed: 'No connection: your answer may not have arrived. It is kept here; send it again.',
    tooLong: 'Not sent: the text is too long. An answer can have about 60,000 characters in all.',
    refused: 'Not sent: the host did not accept this answer.',
    answeredAlready: 'This question was settled before your answer came.',
    nothing: 'no answer',
    separator: ', ',
    answered: where => `answered ${where}`,
    cancelled: where => `cancelled ${where}`,
    here: 'on this page',
    inHost: 'in dsh',
    on: name => `on ${name}`,
    aborted: 'cancelled: the agent was stopped',
    'timed-out': 'timed out on this page',
    gone: 'no longer open',
    draft: 'You wrote this, but it was not sent:',
    copy: 'Copy',
    copied: 'Copied',
    copyByHand: 'Selected; please copy it yourself',
    connecting: 'Connecting…',
    lost: 'No connection to the host. Trying again…',
    blocked: 'Something in front of the host refused this page. Reload it to log in there, then go on: what you filled in is kept.',
    back: 'Connected again.',
    denied: 'This link is not valid, or no longer valid. Open the link that the host printed when it started.',
    settled: 'The question behind this link has been settled.',
    cut: 'This is too long for the page: the rest was cut off. All of it is in dsh.',
    waiting: count => `${count === 1 ? 'One more question is' : `${count} more questions are`} open. The page shows the oldest ones first; the others appear as these are settled.`,
    notify: 'Notify me',
    notifyOn: 'You will be notified of new questions.',
    notifyFailed: 'This browser cannot notify you.',
    newQuestion: origin => `New question from ${origin}`,
    stillOpen: origin => `Still waiting for an answer: ${origin}`,
    away: 'Away',
    presence: {
      home: 'You are at your desk: the settings for home apply.',
      away: 'You are away: the settings for away apply.',
    },
    switching: 'Switching…',
    presenceUnknown: 'No connection: this is the last known state, and it cannot be changed now.',
    presenceFailed: 'The host did not confirm the change. This is the current state; try again.',
  },
  zh: {
    title: '问题',
    empty: '没有待回答的问题。新问题会立即显示在这里。',
    history: '之前的问题',
    askedBy: origin => `提问者：${origin}`,
    ownWords: '你的回答',
    orOwnWords: '或用自己的话回答',
    wordsWithChoice: '你的话会与所选选项一起发送。',
    severalPossible: '可以选择多项。',
    more: '显示全部',
    less: '收起',
    preview: '预览',
    send: '发送',
    sending: '正在发送…',
    sayFirst: '没有发送：请先选择一个选项或输入文字。',
    skipped: count => `有 ${count} 个问题没有回答，将作为跳过发送。`,
    notConfirmed: '连接已断开，回答可能没有送达。你的回答已保留，请重新发送。',
    tooLong: '没有发送：文字太长。一次回答总共约可包含两万个汉字。',
    refused: '没有发送：主机没有接受这个回答。',
    answeredAlready: '在你的回答到达之前，这个问题已经有了结果。',
    nothing: '未作回答',
    separator: '、',
    answered: where => `已${where}回答`,
    cancelled: where => `已${where}取消`,
    here: '在本页面',
    inHost: '在 dsh 中',
    on: name => `在 ${name} `,
    aborted: '已取消：代理已停止',
    'timed-out': '在本页面等待超时',
    gone: '已不再等待回答',
    draft: '你写了以下内容，但没有发送：',
    copy: '复制',
    copied: '已复制',
    copyByHand: '已选中，请手动复制',
    connecting: '正在连接…',
    lost: '与主机的连接已断开，正在重试…',
    blocked: '主机前面的代理拒绝了本页面。请刷新页面并在那里登录，然后继续：你填写的内容会保留。',
    back: '已重新连接。',
    denied: '这个链接无效或已失效。请打开主机启动时显示的链接。',
    settled: '这个链接对应的问题已经有了结果。',
    cut: '内容过长，本页面只显示了一部分。完整内容请在 dsh 中查看。',
    waiting: count => `还有 ${count} 个问题待回答。页面先显示最早的问题，其余的会在这些问题结束后出现。`,
    notify: '通知我',
    notifyOn: '有新问题时会通知你。',
    notifyFailed: '这个浏览器无法发送通知。',
    newQuestion: origin => `新问题，来自 ${origin}`,
    stillOpen: origin => `仍在等待回答：${origin}`,
    away: '外出',
    presence: {
      home: '你在电脑旁：按“在家”的设置提问。',
      away: '你已外出：按“外出”的设置提问。',
    },
    switching: '正在切换…',
    presenceUnknown: '连接已断开：这里显示的是最后的状态，现在无法更改。',
    presenceFailed: '主机没有确认更改。这里显示的是当前状态，请重试。',
  },
}

/**
 * The page's language.
 *
 * @param setting the configured `lang`.
 * @param browser the browser's languages, the preferred one first.
 */
export function pageLang(setting: string | undefined, browser: readonly string[]): Lang {
  if (setting === 'en' || setting === 'zh') return setting
  return browser.map(tag => /^(en|zh)\b/i.exec(tag)?.[1]?.toLowerCase()).find(tag => tag !== undefined) === 'zh' ? 'zh' : 'en'
}
