// The phone's own texts, in both languages.
import type { Lang } from '../../reply/lang.ts'

/** The texts in one language. */
export interface PhoneTexts {
  /** The language, for what `src/reply` formats. */
  lang: Lang
  /** The title of a question without a header. */
  question: string
  /** The title of an approval. @param kind the word that tells it from a question. */
  permission(kind: string, title: string): string
  /** Ends the title of one question of a batch. */
  part(index: number, total: number): string
  /** The title of a reminder. */
  stillOpen(title: string): string
  /** The last line of a push. */
  from(origin: string): string
  /** Between two sentences. */
  space: string
  /** How to say which question a reply is for. */
  codeHint(code: string): string
  /** The same when every reply needs the code. */
  codeRequired(code: string): string
  /** How to answer when only the options count. */
  optionsOnly: string
  severalOptionsOnly: string
  /** How to decide an approval. */
  decide(code: string): string
  /** The same when only the buttons count. */
  decideByButtons: string
  /** The question stays open, but the agent no longer waits. */
  agentWentOn: string
  shortened: string
  omitted(count: number): string
  answered(answer: string, where: string): string
  /** What became of an approval. */
  decided(what: string, where: string): string
  /** One question of a batch was answered. */
  noted(answer: string, index: number, total: number): string
  onPhone: string
  cancelled: string
  cancelledOn(where: string): string
  /** The agent had gone on, and an answer that was not given through a surface was quicker. */
  outrun: string
  gone: string
  late(outcome: string): string
  tooEarly: string
  nothingOpen: string
  /** Several questions are open. @param codes one line for each. */
  whichOne(codes: string, example: string): string
  /** One question is open, and an earlier one was a moment ago. */
  whichOneNow(earlier: string, open: string, example: string): string
  codeUnknown: string
  codeAlone(code: string): string
  noOption(how: string): string
  /** A typed reply was to decide an approval. */
  buttonsOnly: string
  /** Follows it. @param codes one line for each approval. */
  rejectByWords(codes: string): string
  /** One of these lines. */
  rejection(code: string, title: string): string
  empty: string
  attachmentRefused: string
  composedRefused: string
  untaken: string
}

/** All texts. */
export const phoneTexts: Record<Lang, PhoneTexts> = {
  en: {
    lang: 'en',
    question: 'Question',
    permission: (kind, title) => `${kind}: ${title}`,
    part: (index, total) => ` (${index} of ${total})`,
    stillOpen: title => `Still open: ${title}`,
    from: origin => `From ${origin}`,
    space: ' ',
    codeHint: code => `With several questions open, start with ${code}.`,
    codeRequired: code => `Start your reply with ${code}.`,
    optionsOnly: 'Reply with a number.',
    severalOptionsOnly: 'Reply with one or more numbers (1,3).',
    decide: code => `Decide with the buttons. To reject with words, reply “${code} reject” and the words.`,
    decideByButtons: 'Decide with the buttons.',
    agentWentOn: 'The agent has gone on; your answer still reaches it.',
    shortened: '(Shortened; the whole text is on the computer.)',
    omitted: count => `… and ${count} more options`,
    answered: (answer, where) => `Answered: ${answer}, ${where}`,
    decided: (what, where) => `${what}, ${where}`,
    noted: (answer, index, total) => `Noted (${index} of ${total}): ${answer}`,
    onPhone: 'on the phone',
    cancelled: 'Cancelled',
    cancelledOn: where => `Cancelled ${where}`,
    outrun: "Somebody else's answer was first",
      gone: 'Can no longer be answered here',
    late: outcome => `Your reply came too late and was not used. ${outcome}`,
    tooEarly: 'Your reply was sent before the question arrived, so it was not used. Please answer again.',
    nothingOpen: 'No question is open, so your reply was not used.',
    whichOne: (codes, example) => `Your reply was not used, because it does not say which question it answers. Send it again with the code in front, such as: ${example}\n${codes}`,
    whichOneNow: (earlier, open, example) => `Your reply was not used: it may have been for “${earlier}”, which is no longer open. If it is for “${open}”, send it again with the code in front: ${example}`,
    codeUnknown: 'No open question has that code, so your reply was not used.',
    codeAlone: code => `Your reply was only the code. Put the answer after it: ${code} 1`,
    noOption: how => `Your reply is none of the options, so it was not used. ${how}`,
    buttonsOnly: 'Your reply decided nothing: a permission or a plan is decided with the buttons.',
    rejectByWords: codes => ` To reject with words, send this and the words:\n${codes}`,
    rejection: (code, title) => `${code} reject (${title})`,
    empty: 'Your reply had no text below the title (ntfy turns that into “triggered”), so it was not used. If you mean that word, use it in a sentence.',
    attachmentRefused: 'Your reply arrived as a file that cannot be used. Only text files of up to 64 KB on this ntfy server are accepted. Please send a shorter message.',
    composedRefused: 'Your message was not used: it has tags or buttons, or replaces another one, which a reply does not. Please send the text alone. Other programs need a topic of their own.',
    untaken: 'No dsh host has taken your reply. If its question still looks open here, the host that asked may be off.',
  },
  zh: {
    lang: 'zh',
    question: '提问',
    permission: (kind, title) => `${kind}：${title}`,
    part: (index, total) => `（第 ${index} 题，共 ${total} 题）`,
    stillOpen: title => `仍待回答：${title}`,
    from: origin => `来自 ${origin}`,
    space: '',
    codeHint: code => `有多个问题时，请以 ${code} 开头回复。`,
    codeRequired: code => `请以 ${code} 开头回复。`,
    optionsOnly: '请回复编号。',
    severalOptionsOnly: '请回复一个或多个编号（1、3）。',
    decide: code => `请用按钮决定。要附言拒绝，请回复“${code} 拒绝”并写上内容。`,
    decideByButtons: '请用按钮决定。',
    agentWentOn: '智能体已继续工作，你的回答仍会送达。',
    shortened: '（已缩短，完整内容请在电脑上查看。）',
    omitted: count => `……另有 ${count} 个选项`,
    answered: (answer, where) => `已回答：${answer}（${where}）`,
    decided: (what, where) => `${what}（${where}）`,
    noted: (answer, index, total) => `已记录（第 ${index} 题，共 ${total} 题）：${answer}`,
    onPhone: '在手机上',
    cancelled: '已取消',
    cancelledOn: where => `已取消（${where}）`,
    outrun: '别人的回答先到了',
      gone: '此处无法再回答',
    late: outcome => `回复太晚，未被采用。${outcome}`,
    tooEarly: '这条回复发出时问题还没有送达，未被采用。请重新回答。',
    nothingOpen: '当前没有等待回答的问题，这条回复未被采用。',
    whichOne: (codes, example) => `这条回复未被采用，因为没有写明回答的是哪个问题。请在开头加上代码重新发送，例如：${example}\n${codes}`,
    whichOneNow: (earlier, open, example) => `这条回复未被采用：它可能是对“${earlier}”的回答，而该问题已经结束。如果回答的是“${open}”，请在开头加上代码重新发送：${example}`,
    codeUnknown: '没有待回答的问题使用该代码，这条回复未被采用。',
    codeAlone: code => `回复中只有代码，请在后面写上答案：${code} 1`,
    noOption: how => `回复不是任何选项，未被采用。${how}`,
    buttonsOnly: '这条回复没有决定任何事：权限请求和计划只能用按钮决定。',
    rejectByWords: codes => `要附言拒绝，请发送以下内容并写上理由：\n${codes}`,
    rejection: (code, title) => `${code} 拒绝（${title}）`,
    empty: '收到的回复没有正文（ntfy 会把空消息变成“triggered”），未被采用。如果确实要回答这个词，请写成一句话。',
    attachmentRefused: '回复以文件形式送达，无法采用：只接受保存在此 ntfy 服务器上、不超过 64 KB 的文本文件。请发送更短的消息。',
    composedRefused: '这条消息未被采用：它带有标签或按钮，或要替换另一条消息，而回复没有这些。请只发送文字。其他程序请使用自己的主题。',
    untaken: '没有 dsh 主机采用这条回复。如果对应的问题在这里看起来仍未回答，提问的主机可能已经关闭。',
  },
}
