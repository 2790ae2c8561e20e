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
  /** Lets the agent go on without an answer. */
  readonly notNow: string
  readonly goOnWithout: string
  readonly goOn: string
  readonly back: string
  readonly sayFirst: string
  skipped(count: number): string
  readonly notConfirmed: string
  readonly notArrived: string
  readonly tooLong: string
  readonly refused: string
  readonly answeredAlready: string
  /** The answer where nothing was chosen or said. */
  readonly nothing: string
  readonly separator: string
  readonly colon: string
  answered(where: string): string
  cancelled(where: string): string
  /** Of a question whose agent had gone on: an answer that was not given through a surface was quicker. */
  readonly outrun: string
  /** Of a question that nobody answered and that went on without: every part was skipped. */
  declined(where: string): string
  readonly here: string
  readonly onOtherPage: string
  readonly aborted: string
  readonly gone: string
  /** Puts the line of a question that somebody else settled with the earlier ones. */
  readonly acknowledge: string
  readonly draft: string
  readonly copy: string
  readonly copied: string
  readonly copyByHand: string
  readonly connecting: string
  readonly lost: string
  /** Something in front of the host wants a login. */
  readonly blocked: string
  readonly connectedAgain: string
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
  newPermission(origin: string): string
  permissionStillOpen(origin: string): string
  newPlan(origin: string): string
  planStillOpen(origin: string): string
  /** The agent has gone on without waiting any longer. */
  readonly late: string
  /** The field whose words go with the rejection of an approval. */
  readonly withReject: string
  /** Words are written, and what was pressed permits. */
  readonly wordsWithAllow: string
  /** The same of a plan. */
  readonly withRejectedPlan: string
  readonly wordsWithApprove: string
  /** Above what permits more than this once. */
  readonly wider: string
  readonly widerPlan: string
  /** What was pressed permits, and some of it had not been on show. */
  readonly unread: string
  /** Of an approval that somebody allowed or rejected. */
  decided(where: string): string
  readonly decisionNotConfirmed: string
  readonly decisionNotArrived: string
  /** The label of the switch. */
  readonly away: string
  /** What applies now. Not who is asked: the policies decide that, and the page does not know them. */
  readonly presence: Readonly<Record<Presence, string>>
  readonly switching: string
  /** Hushes the surfaces for an hour. */
  readonly quiet: string
  readonly endQuiet: string
  quietUntil(time: string): string
  readonly loudAgain: string
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
    notNow: 'Not now',
    goOnWithout: 'Let the agent go on without an answer? This skips every question of this card, for everybody.',
    goOn: 'Go on without',
    back: 'Back',
    sayFirst: 'Nothing was sent: choose an option or write something first.',
    skipped: count => count === 1 ? 'One question has no answer; it is sent as skipped.' : `${count} questions have no answer; they are sent as skipped.`,
    notConfirmed: 'No connection: your answer may not have arrived. It is kept here; send it again.',
    notArrived: 'Your answer did not arrive. It is kept here; send it again.',
    tooLong: 'Not sent: the text is too long. An answer can have about 60,000 characters in all.',
    refused: 'Not sent: the host did not accept this answer.',
    answeredAlready: 'This question was settled before your answer came.',
    nothing: 'no answer',
    separator: ', ',
    colon: ': ',
    answered: where => `answered ${where}`,
    cancelled: where => `cancelled ${where}`,
    outrun: "somebody else's answer was first",
    declined: where => `skipped ${where}`,
    here: 'on this page',
    onOtherPage: 'on another page',
    aborted: 'cancelled: the agent was stopped',
    gone: 'no longer open',
    acknowledge: 'OK',
    draft: 'You wrote this, but it was not sent:',
    copy: 'Copy',
    copied: 'Copied',
    copyByHand: 'Selected; please copy it yourself',
    connecting: 'Connecting…',
    lost: 'No connection to the host. Trying again…',
    blocked: 'Something in front of the host refused this page. Reload it to log in there, then go on: what you filled in is kept.',
    connectedAgain: 'Connected again.',
    denied: 'This link is not valid, or no longer valid. Open the link that the host printed when it started.',
    settled: 'The question behind this link has been settled.',
    cut: 'This is too long for the page: the rest was cut off. All of it is in dsh.',
    waiting: count => `${count === 1 ? 'One more question is' : `${count} more questions are`} open. The page shows the oldest ones first; the others appear as these are settled.`,
    notify: 'Notify me',
    notifyOn: 'You will be notified of new questions.',
    notifyFailed: 'This browser cannot notify you.',
    newQuestion: origin => `New question from ${origin}`,
    stillOpen: origin => `Still waiting for an answer: ${origin}`,
    newPermission: origin => `Permission needed: ${origin}`,
    permissionStillOpen: origin => `Permission still needed: ${origin}`,
    newPlan: origin => `A plan to approve: ${origin}`,
    planStillOpen: origin => `A plan is still to be approved: ${origin}`,
    late: 'The agent has gone on; your answer still reaches it.',
    withReject: 'To go with Reject: why, or what to do instead (optional)',
    wordsWithAllow: 'Nothing was sent: what you wrote goes with Reject only. To allow, clear the text first.',
    withRejectedPlan: 'To go with Reject: what to change (optional)',
    wordsWithApprove: 'Nothing was sent: what you wrote goes with Reject only. To approve, clear the text first.',
    wider: 'Or allow more than this once:',
    widerPlan: 'Or approve, and more:',
    unread: 'Nothing was sent: some of this was folded. It is open now. Read it to the end, then press again.',
    decided: where => `decided ${where}`,
    decisionNotConfirmed: 'No connection: your decision may not have arrived. Please decide again.',
    decisionNotArrived: 'Your decision did not arrive. Please decide again.',
    away: 'Away',
    presence: {
      home: 'You are at your desk: the settings for home apply.',
      away: 'You are away: the settings for away apply.',
    },
    switching: 'Switching…',
    quiet: 'Quiet for an hour',
    endQuiet: 'End quiet',
    quietUntil: time => `Quiet until ${time}`,
    loudAgain: 'No longer quiet.',
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
    wordsWithChoice: '你写的内容会和所选选项一起发送。',
    severalPossible: '可以选择多项。',
    more: '显示全部',
    less: '收起',
    preview: '预览',
    send: '发送',
    sending: '正在发送…',
    notNow: '暂不回答',
    goOnWithout: '不回答，让智能体继续？这张卡片上的问题会全部跳过，其他地方也不再询问。',
    goOn: '跳过并继续',
    back: '返回',
    sayFirst: '没有发送：请先选择一个选项或输入文字。',
    skipped: count => `有 ${count} 个问题没有回答，会按跳过处理。`,
    notConfirmed: '连接已断开，回答可能没有送达。你的回答已保留，请重新发送。',
    notArrived: '回答没有送达，已保留在这里，请重新发送。',
    tooLong: '没有发送：内容太长。一次回答总共最多约两万个汉字。',
    refused: '没有发送：主机没有接受这个回答。',
    answeredAlready: '在你的回答到达之前，这个问题已经有了结果。',
    nothing: '未作回答',
    separator: '、',
    colon: '：',
    answered: where => `已${where}回答`,
    cancelled: where => `已${where}取消`,
    outrun: '别人的回答先到了',
    declined: where => `已${where}跳过`,
    here: '在本页面',
    onOtherPage: '在另一个页面',
    aborted: '已取消：智能体已停止',
    gone: '已不再等待回答',
    acknowledge: '知道了',
    draft: '你写了以下内容，但没有发送：',
    copy: '复制',
    copied: '已复制',
    copyByHand: '已选中，请手动复制',
    connecting: '正在连接…',
    lost: '与主机的连接已断开，正在重试…',
    blocked: '主机前面的代理拒绝了本页面。请刷新页面并在那里登录，然后继续：你填写的内容会保留。',
    connectedAgain: '已重新连接。',
    denied: '这个链接无效或已失效。请打开主机启动时显示的链接。',
    settled: '这个链接对应的问题已经有了结果。',
    cut: '内容过长，本页面只显示了一部分。完整内容请在 dsh 中查看。',
    waiting: count => `还有 ${count} 个问题待回答。页面先显示最早的问题，其余的会在这些问题结束后出现。`,
    notify: '通知我',
    notifyOn: '有新问题时会通知你。',
    notifyFailed: '这个浏览器无法发送通知。',
    newQuestion: origin => `${origin} 提了一个新问题`,
    stillOpen: origin => `仍在等待回答：${origin}`,
    newPermission: origin => `需要你的许可：${origin}`,
    permissionStillOpen: origin => `仍需要你的许可：${origin}`,
    newPlan: origin => `有计划等待批准：${origin}`,
    planStillOpen: origin => `计划仍等待批准：${origin}`,
    late: '智能体已继续工作；你的回答仍会送达。',
    withReject: '随“拒绝”一起发送：原因，或应该怎么做（可不填）',
    wordsWithAllow: '没有发送：你写的内容只会随“拒绝”一起发送。要允许，请先清空文字。',
    withRejectedPlan: '随“拒绝”一起发送：需要修改什么（可不填）',
    wordsWithApprove: '没有发送：你写的内容只会随“拒绝”一起发送。要批准，请先清空文字。',
    wider: '或允许得更多，不只这一次：',
    widerPlan: '或批准，并允许更多：',
    unread: '没有发送：部分内容之前是收起的，现在已展开。请读完后再按一次。',
    decided: where => `已${where}决定`,
    decisionNotConfirmed: '连接已断开，你的决定可能没有送达，请重新选择。',
    decisionNotArrived: '你的决定没有送达，请重新选择。',
    away: '外出',
    presence: {
      home: '你在电脑旁：按“在家”的设置提问。',
      away: '你已外出：按“外出”的设置提问。',
    },
    switching: '正在切换…',
    quiet: '安静 1 小时',
    endQuiet: '结束安静',
    quietUntil: time => `安静至 ${time}`,
    loudAgain: '安静时段已结束。',
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
