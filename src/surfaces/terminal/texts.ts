// What the terminal says, in both languages.
import type { Lang } from '../../reply/lang.ts'

/** The texts of both modes. */
export interface TerminalTexts {
  /** Who asks, above the question. */
  asks(who: string): string
  waiting(count: number): string
  again: string
  tooEarly: string
  sent(answer: string): string
  answeredOn(name: string, answer: string): string
  cancelledOn(name: string): string
  cancelled: string
  notHere: string
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
    again: 'Nothing was sent.',
    tooEarly: 'That line was started before the question appeared, so it was not sent. Please answer again.',
    sent: answer => `Sent: ${answer}`,
    answeredOn: (name, answer) => `Answered on ${name}: ${answer}`,
    cancelledOn: name => `Cancelled on ${name}`,
    cancelled: 'Cancelled',
    notHere: 'No longer waiting for an answer here',
    inputEnded: 'The terminal has no more input; questions are answered elsewhere.',
    unseen: 'Questions cannot be shown here: the output is not a terminal. They are answered elsewhere.',
    cut: count => `(Too long for a terminal: ${count} more characters are not shown.)`,
    pasteCut: count => `Too long for one line: the last ${count} characters of the paste were left out.`,
    stillOpen: question => `Still open: ${question}`,
  },
  zh: {
    asks: who => `${who} 提问：`,
    waiting: count => `（还有 ${count} 个问题在等待。）`,
    again: '没有发送任何内容。',
    tooEarly: '这一行是在问题出现之前开始输入的，没有发送。请重新回答。',
    sent: answer => `已发送：${answer}`,
    answeredOn: (name, answer) => `已在 ${name} 回答：${answer}`,
    cancelledOn: name => `已在 ${name} 取消`,
    cancelled: '已取消',
    notHere: '此处不再等待回答',
    inputEnded: '终端不再有输入；请在别处回答问题。',
    unseen: '此处无法显示问题：输出不是终端。请在别处回答问题。',
    cut: count => `（内容太长，终端不显示其余 ${count} 个字符。）`,
    pasteCut: count => `一行放不下：粘贴内容的最后 ${count} 个字符没有放入。`,
    stillOpen: question => `等待回答：${question}`,
  },
}
