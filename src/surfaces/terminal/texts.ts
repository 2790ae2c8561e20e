// What the terminal says, in both languages.
import type { Lang } from '../../reply/lang.ts'

/** The texts of both modes. */
export interface TerminalTexts {
  /** Who asks, above the question. */
  asks(who: string): string
  waiting(count: number): string
  /** The question's time is over for the agent, not for the person. */
  late: string
  again: string
  tooEarly: string
  /** @param record the questions and their answers, as in every notice of an answer. */
  sent(record: string): string
  answered(where: string, record: string): string
  /** An answer that was not given through a surface was quicker; what it says is not known. */
  answeredFirst(questions: string): string
  cancelledElsewhere(where: string, questions: string): string
  cancelled(questions: string): string
  notHere(questions: string): string
  /** The person's words for a question that has ended elsewhere. */
  typed(words: string): string
  /** Likewise, for one question of several. */
  typedFor(question: string, words: string): string
  /** Behind a question that ends without a mark. */
  colon: string
  inputEnded: string
  /** The keyboard is a terminal, but nothing is that could show a question. */
  unseen: string
  /** Below a text of a question that is too long for a terminal. */
  cut(count: number): string
  /** A paste into a line. */
  pasteCut(count: number): string
  /** A reminder of the question on the screen, by its first line. */
  stillOpen(question: string): string
}

/** The dictionary. */
export const terminalTexts: Record<Lang, TerminalTexts> = {
  en: {
    asks: who => `${who} asks:`,
    waiting: count => count === 1 ? '(1 more question waits.)' : `(${count} more questions wait.)`,
    late: 'The agent has gone on; your answer still reaches it.',
    again: 'Nothing was sent.',
    tooEarly: 'That line was started before the question appeared, so it was not sent. Please answer again.',
    sent: record => `Sent: ${record}`,
    answered: (where, record) => `Answered ${where}: ${record}`,
    answeredFirst: questions => `Somebody else's answer was first: ${questions}`,
    cancelledElsewhere: (where, questions) => `Cancelled ${where}: ${questions}`,
    cancelled: questions => `Cancelled: ${questions}`,
    notHere: questions => `No longer waiting for an answer here: ${questions}`,
    typed: words => `You had typed: ${words}`,
    typedFor: (question, words) => `You had typed for "${question}": ${words}`,
    colon: ':',
    inputEnded: 'The terminal has no more input; questions are answered elsewhere.',
    unseen: 'Questions cannot be shown here: the output is not a terminal. They are answered elsewhere.',
    cut: count => `(Too long for a terminal: ${count} more characters are not shown.)`,
    pasteCut: count => `Too long for one line: the last ${count} characters of the paste were left out.`,
    stillOpen: question => `Still open: ${question}`,
  },
  zh: {
    asks: who => `${who} 提问：`,
    waiting: count => `（还有 ${count} 个问题在等待。）`,
    late: '智能体已继续工作；你的回答仍会送达。',
    again: '没有发送任何内容。',
    tooEarly: '这一行是在问题出现之前开始输入的，没有发送。请重新回答。',
    sent: record => `已发送：${record}`,
    answered: (where, record) => `已${where}回答：${record}`,
    answeredFirst: questions => `别人的回答先到了：${questions}`,
    cancelledElsewhere: (where, questions) => `已${where}取消：${questions}`,
    cancelled: questions => `已取消：${questions}`,
    notHere: questions => `此处不再等待回答：${questions}`,
    typed: words => `你已输入但没有发送：${words}`,
    typedFor: (question, words) => `你为“${question}”输入但没有发送：${words}`,
    colon: '：',
    inputEnded: '终端的输入已结束；请在别处回答问题。',
    unseen: '此处无法显示问题：输出不是终端。请在别处回答问题。',
    cut: count => `（内容太长，终端不显示其余 ${count} 个字符。）`,
    pasteCut: count => `一行放不下：粘贴内容的最后 ${count} 个字符没有放入。`,
    stillOpen: question => `仍在等待回答：${question}`,
  },
}
