// The phone's own texts, in both languages.
import type { Lang } from '../../reply/lang.ts'

/** The texts in one language. */
export interface PhoneTexts {
  /** The language, for what `src/reply` formats. */
  lang: Lang
  /** The title of a question without a header. */
  question: string
  /** The first line of a push. */
  from(origin: string): string
  /** The same for one question of a batch. */
  partFrom(origin: string, index: number, total: number): string
  /** The beginning of a reminder. */
  stillOpen: string
  /** Between two sentences. */
  space: string
  /** How to say which question a reply is for. */
  codeHint(code: string): string
  /** The same when every reply needs the code. */
  codeRequired(code: string): string
  /** How to answer when only the options count. */
  optionsOnly: string
  severalOptionsOnly: string
  shortened: string
  omitted(count: number): string
  answered(answer: string, where: string): string
  /** One question of a batch was answered. */
  noted(answer: string, index: number, total: number): string
  onPhone: string
  on(name: string): string
  cancelled: string
  cancelledOn(where: string): string
  timedOut: string
  gone: string
  late(outcome: string): string
  tooEarly: string
  nothingOpen: string
  whichOne(codes: string): string
  codeUnknown: string
  codeAlone(code: string): string
  noOption(how: string): string
  empty: string
  attachmentRefused: string
}

/** All texts. */
export const phoneTexts: Record<Lang, PhoneTexts> = {
  en: {
    lang: 'en',
    question: 'Question',
    from: origin => `A question from ${origin}:`,
    partFrom: (origin, index, total) => `Question ${index} of ${total} from ${origin}:`,
    stillOpen: 'Still open.',
    space: ' ',
    codeHint: code => `With several questions open, start with ${code}.`,
    codeRequired: code => `Start your reply with ${code}.`,
    optionsOnly: 'Reply with a number.',
    severalOptionsOnly: 'Reply with one or more numbers (1,3).',
    shortened: '(Shortened; the whole text is on the computer.)',
    omitted: count => `… and ${count} more options`,
    answered: (answer, where) => `Answered: ${answer}, ${where}`,
    noted: (answer, index, total) => `Noted (${index} of ${total}): ${answer}`,
    onPhone: 'on the phone',
    on: name => `on ${name}`,
    cancelled: 'Cancelled',
    cancelledOn: where => `Cancelled ${where}`,
    timedOut: 'No longer waiting for an answer here',
    gone: 'Can no longer be answered here',
    late: outcome => `Your reply came too late and was not used. ${outcome}`,
    tooEarly: 'Your reply was sent before the question arrived, so it was not used. Please answer again.',
    nothingOpen: 'No question is open, so your reply was not used.',
    whichOne: codes => `Your reply was not used: start it with the code of the question it answers.\n${codes}`,
    codeUnknown: 'No open question has that code, so your reply was not used.',
    codeAlone: code => `Your reply was only the code. Put the answer after it: ${code} 1`,
    noOption: how => `Your reply is none of the options, so it was not used. ${how}`,
    empty: 'Your reply was empty (ntfy turns that into “triggered”), so it was not used. If you mean that word, use it in a sentence.',
    attachmentRefused: 'Your reply arrived as a file that cannot be used. Only text files of up to 64 KB on this ntfy server are accepted. Please send a shorter message.',
  },
  zh: {
    lang: 'zh',
    question: '提问',
    from: origin => `提问来自 ${origin}：`,
    partFrom: (origin, index, total) => `第 ${index} 题（共 ${total} 题），来自 ${origin}：`,
    stillOpen: '仍待回答。',
    space: '',
    codeHint: code => `有多个问题时，请以 ${code} 开头回复。`,
    codeRequired: code => `请以 ${code} 开头回复。`,
    optionsOnly: '请回复编号。',
    severalOptionsOnly: '请回复一个或多个编号（1、3）。',
    shortened: '（已缩短，完整内容请在电脑上查看。）',
    omitted: count => `……另有 ${count} 个选项`,
    answered: (answer, where) => `已回答：${answer}（${where}）`,
    noted: (answer, index, total) => `已记录（第 ${index} 题，共 ${total} 题）：${answer}`,
    onPhone: '在手机上',
    on: name => `在 ${name} 上`,
    cancelled: '已取消',
    cancelledOn: where => `已取消（${where}）`,
    timedOut: '此处不再等待回答',
    gone: '此处无法再回答',
    late: outcome => `回复太晚，未被采用。${outcome}`,
    tooEarly: '这条回复发出时问题还没有送达，未被采用。请重新回答。',
    nothingOpen: '当前没有等待回答的问题，这条回复未被采用。',
    whichOne: codes => `这条回复未被采用：请在开头写上所回答问题的代码。\n${codes}`,
    codeUnknown: '没有待回答的问题使用该代码，这条回复未被采用。',
    codeAlone: code => `回复中只有代码，请在后面写上答案：${code} 1`,
    noOption: how => `回复不是任何选项，未被采用。${how}`,
    empty: '收到的回复是空的（ntfy 会把空消息变成“triggered”），未被采用。如果确实要回答这个词，请写成一句话。',
    attachmentRefused: '回复以文件形式送达，无法采用：只接受保存在此 ntfy 服务器上、不超过 64 KB 的文本文件。请发送更短的消息。',
  },
}
