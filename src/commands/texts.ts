// What the commands say, in both languages.
import type { Presence } from '../protocol/policy.ts'
import type { ParticipantState } from '../protocol/surface.ts'
import type { Lang } from '../reply/lang.ts'

/** A unit of time. */
export type Unit = 'd' | 'h' | 'min' | 's' | 'ms'

/** The commands' texts. */
export interface CommandTexts {
  /** The language, for what `src/reply` formats. */
  readonly lang: Lang
  /** Each command's line in the list of commands. */
  readonly describe: Readonly<Record<Presence | 'asks', string>>
  readonly now: Readonly<Record<Presence, string>>
  readonly already: Readonly<Record<Presence, string>>
  /** `/asks` with an argument that it does not know. */
  unknown(word: string): string

  // Pieces.
  readonly and: string
  readonly comma: string
  readonly semicolon: string
  /** A sentence, and those that follow it. */
  sentence(first: string, rest: readonly string[]): string
  labelled(label: string, what: string): string
  noted(what: string, note: string): string
  time(count: number, unit: Unit): string

  // Policies.
  readonly atOnce: string
  after(time: string): string
  readonly afterQuiet: string
  readonly notAsked: string
  reminder(time: string, most: number): string
  givenUp(time: string): string
  policy(home: string, away: string): string

  // Whom questions go to.
  questionsGoTo(whom: string): string
  goTo(whom: string, when: string): string
  notTo(whom: string): string
  readonly nobodyAsked: string
  readonly noSurfaces: string
  /** Configured names without a registered surface. */
  absent(names: string): string
  readonly silently: string

  // The overview.
  readonly presence: Readonly<Record<Presence, string>>
  readonly surfaces: string
  readonly watched: string
  readonly unwatched: string
  readonly quietSilent: string
  readonly quietWaits: string
  readonly notAskedIn: Readonly<Record<Presence, string>>
  readonly nothingOpen: string
  open(count: number): string
  readonly questions: string
  /** Beside the origin of a question of the session in which `/asks` was sent. */
  readonly thisSession: string
  readonly noQuestion: string
  andMore(title: string, count: number): string
  openFor(time: string): string
  readonly shownOn: string
  readonly shownNowhere: string
  since(time: string): string
  readonly waiting: string
  in(time: string): string
  /** The host's own UI in `fallback` mode. */
  readonly ifNobodyElse: string
  readonly out: string
  /** The host's own UI failed, or there is none: `PendingAsk` does not say which. */
  readonly hostOut: string
  readonly states: Readonly<Record<Exclude<ParticipantState, 'asked' | 'waiting'>, string>>

  // /asks test; its description above names the time limit.
  readonly test: {
    readonly none: string
    readonly question: string
    readonly option: string
    title(answered: number, all: number): string
    answered(time: string): string
    declined(time: string): string
    failed(reason: string): string
    /** The reason of a failure whose error cannot be read. */
    readonly unreadable: string
    readonly silent: string
  }
}

const UNITS_ZH: Readonly<Record<Unit, string>> = { d: '天', h: '小时', min: '分钟', s: '秒', ms: '毫秒' }

/** The dictionary. */
export const commandTexts: Record<Lang, CommandTexts> = {
  en: {
    lang: 'en',
    describe: {
      home: 'You are at your desk: questions are asked as for home',
      away: 'You are out: questions are asked as for away',
      asks: 'Who is asked when, and which questions are open; "test" sends a test question everywhere and waits up to 60 s',
    },
    now: { home: 'Home.', away: 'Away.' },
    already: { home: 'Already home.', away: 'Already away.' },
    unknown: word => `/asks may be followed by "test" or by nothing, not by "${word}"`,
    and: ', ',
    comma: ', ',
    semicolon: '; ',
    sentence: (first, rest) => [first, ...rest].join(' '),
    labelled: (label, what) => `${label}: ${what}`,
    noted: (what, note) => note === '' ? what : `${what} (${note})`,
    time: (count, unit) => `${count} ${unit}`,
    atOnce: 'at once',
    after: time => `after ${time}`,
    afterQuiet: 'when the quiet hours end',
    notAsked: 'not asked',
    reminder: (time, most) => `reminder every ${time}, at most ${most === 1 ? 'once' : `${most} times`}`,
    givenUp: time => `given up after ${time}`,
    policy: (home, away) => home === away ? `home and away: ${home}` : `home: ${home}; away: ${away}`,
    questionsGoTo: whom => `Questions go to: ${whom}.`,
    goTo: (whom, when) => `${whom} ${when}`,
    notTo: whom => `Not to: ${whom}.`,
    nobodyAsked: 'No surface is asked in this mode, unless there is nobody else.',
    noSurfaces: "No surface is registered; only the host's own UI is asked.",
    absent: names => `Configured, but not registered: ${names}`,
    silently: 'silently',
    presence: { home: 'You are home.', away: 'You are away.' },
    surfaces: 'Surfaces:',
    watched: 'watched',
    unwatched: 'nobody looks there',
    quietSilent: 'in its quiet hours, asked silently',
    quietWaits: 'in its quiet hours, asked when they end',
    notAskedIn: { home: 'not asked at home', away: 'not asked while away' },
    nothingOpen: 'No question is open.',
    open: count => count === 1 ? '1 question is open.' : `${count} questions are open.`,
    questions: 'Questions:',
    thisSession: 'this session',
    noQuestion: '(no question)',
    andMore: (title, count) => `${title} (and ${count} more)`,
    openFor: time => `open for ${time}`,
    shownOn: 'shown on',
    shownNowhere: 'shown nowhere yet',
    since: time => `for ${time}`,
    waiting: 'waiting',
    in: time => `asked in ${time}`,
    ifNobodyElse: 'asked when nobody else is left',
    out: 'out',
    hostOut: 'unavailable',
    states: {
      'blank': 'answered nothing', 'failed': 'failed', 'timed-out': 'no answer in time', 'left': 'gone',
      'answered': 'answered', 'cancelled': 'cancelled',
    },
    test: {
      none: 'No surface is registered, so there is nothing to test.',
      question: 'Test: can you see this?',
      option: 'Yes, I see it',
      title: (answered, all) => `${answered} of ${all} surfaces answered the test question (the host's own UI is not tested):`,
      answered: time => `answered after ${time}`,
      declined: time => `declined after ${time}`,
      failed: reason => `failed (${reason})`,
      unreadable: 'an error that cannot be read',
      silent: 'no answer',
    },
  },
  zh: {
    lang: 'zh',
    describe: {
      home: '你在家：按“在家”的规则提问',
      away: '你外出：按“外出”的规则提问',
      asks: '何时问谁，以及有哪些问题未答；“test”向所有界面发送一个测试问题，最多等待 60 秒',
    },
    now: { home: '已设为在家。', away: '已设为外出。' },
    already: { home: '已经是在家。', away: '已经是外出。' },
    unknown: word => `/asks 之后可以写“test”或什么都不写，不能写“${word}”`,
    and: '、',
    comma: '，',
    semicolon: '；',
    sentence: (first, rest) => [first, ...rest].join(''),
    labelled: (label, what) => `${label}：${what}`,
    noted: (what, note) => note === '' ? what : `${what}（${note}）`,
    time: (count, unit) => `${count} ${UNITS_ZH[unit]}`,
    atOnce: '立即',
    after: time => `${time}后`,
    afterQuiet: '安静时段结束后',
    notAsked: '不问',
    reminder: (time, most) => `每 ${time}提醒一次，最多 ${most} 次`,
    givenUp: time => `${time}后放弃`,
    policy: (home, away) => home === away ? `在家和外出：${home}` : `在家：${home}；外出：${away}`,
    questionsGoTo: whom => `问题发往：${whom}。`,
    goTo: (whom, when) => `${whom} ${when}`,
    notTo: whom => `不发往：${whom}。`,
    nobodyAsked: '此模式下不问任何界面，除非没有别处可问。',
    noSurfaces: '没有注册任何界面；只在宿主自己的界面上提问。',
    absent: names => `配置里写了、但没有这样的界面：${names}`,
    silently: '静音',
    presence: { home: '当前：在家。', away: '当前：外出。' },
    surfaces: '界面：',
    watched: '有人在看',
    unwatched: '无人在看',
    quietSilent: '处于安静时段，静音提问',
    quietWaits: '处于安静时段，结束后再问',
    notAskedIn: { home: '在家时不问', away: '外出时不问' },
    nothingOpen: '没有未答的问题。',
    open: count => `有 ${count} 个未答的问题。`,
    questions: '问题：',
    thisSession: '当前会话',
    noQuestion: '（没有问题）',
    andMore: (title, count) => `${title}（另有 ${count} 个）`,
    openFor: time => `已等待 ${time}`,
    shownOn: '已显示',
    shownNowhere: '尚未显示',
    since: time => `已 ${time}`,
    waiting: '等待中',
    in: time => `${time}后提问`,
    ifNobodyElse: '没有别处可问时再问',
    out: '已退出',
    hostOut: '不可用',
    states: {
      'blank': '空回答', 'failed': '失败', 'timed-out': '未按时回答', 'left': '已离开',
      'answered': '已回答', 'cancelled': '已取消',
    },
    test: {
      none: '没有注册任何界面，无可测试。',
      question: '测试：你能看到这个问题吗？',
      option: '能看到',
      title: (answered, all) => `${all} 个界面中有 ${answered} 个回答了测试问题（不测试宿主自己的界面）：`,
      answered: time => `${time}后回答`,
      declined: time => `${time}后拒绝`,
      failed: reason => `失败（${reason}）`,
      unreadable: '错误无法读取',
      silent: '没有回答',
    },
  },
}
