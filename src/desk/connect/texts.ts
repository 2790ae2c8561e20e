// What `connect` and `disconnect` say, in both languages. What the file system and Node say of an error stays as it is.
import type { Lang } from '../../reply/lang.ts'

/** The texts. A `path` is a file, a `title` the program's name. */
export interface ConnectTexts {
  usage(verb: string): string
  readonly whichProgram: string
  noProject(title: string): string
  failed(why: string): string
  readonly ask: string
  readonly unchanged: string
  noTerminal(title: string): string
  connected(title: string): string
  readonly afterClaudeCode: string
  readonly afterCodex: string
  already(title: string, path: string): string
  everyProject(title: string, path: string): string
  disconnected(title: string, path: string): string
  notConnected(title: string, path: string): string

  // What is in the way.
  noHook(title: string, path: string): string
  changedMeanwhile(path: string): string
  noJson(path: string): string
  noObject(path: string): string
  noHooksObject(path: string): string
  noList(path: string, event: string): string
  noGroup(path: string, event: string): string
  unreadable(path: string, why: string): string
  noTarget(path: string): string
  inStore(path: string, place: string): string
  readonlyFolder(path: string, folder: string): string
  noFile(path: string): string
  readonlyFile(path: string): string
  foreign(path: string): string
  hardLinks(path: string): string
  managed(path: string): string
  hooksOff(path: string): string
}

/** A sentence in whichever language. */
export type Say = (texts: ConnectTexts) => string

/** The dictionary. */
export const connectTexts: Record<Lang, ConnectTexts> = {
  en: {
    usage: verb => `Usage: dsh-ask-router ${verb} claude-code [--project] [--yes]\n       dsh-ask-router ${verb} codex [--yes]`,
    whichProgram: 'Say which program.',
    noProject: title => `${title} has no settings of a project that a hook of ours could be in.`,
    failed: why => `It could not be done: ${why}.`,
    ask: 'Write this?',
    unchanged: 'Nothing was changed.',
    noTerminal: title => `Nothing was changed: there is no terminal to ask on. With --yes, ${title}'s settings are changed as shown.`,
    connected: title => `${title} is connected.`,
    afterClaudeCode: 'It asks at the desk, too, while `dsh-ask-router desk` runs; sessions that are open take it up within seconds.',
    afterCodex: 'It shows the hooks when it starts next, and runs them only once you have trusted them there. '
      + 'The desk needs them only for a Codex without an app-server: where the stock `codex` runs one, the desk finds it, and nothing has to be connected.',
    already: (title, path) => `${title} is already connected (${path}).`,
    everyProject: (title, path) => `${title} is connected for every project already (${path}).`,
    disconnected: (title, path) => `${title} is disconnected (${path}).`,
    notConnected: (title, path) => `${title} is not connected (${path}).`,
    noHook: (title, path) => `The hook for ${title} is not there (${path}): is the package whole?`,
    changedMeanwhile: path => `${path} was changed meanwhile by another program. Nothing was changed: try again.`,
    noJson: path => `${path} is no valid JSON. Nothing was changed.`,
    noObject: path => `${path} is no JSON object. Nothing was changed.`,
    noHooksObject: path => `${path} has "hooks" that are no JSON object. Nothing was changed.`,
    noList: (path, event) => `${path} has "hooks.${event}" that is no list. Nothing was changed.`,
    noGroup: (path, event) => `${path} has an entry in "hooks.${event}" without a list of hooks. Nothing was changed.`,
    unreadable: (path, why) => `${path} cannot be read: ${why}.`,
    noTarget: path => `${path} is a link to a file that is not there.`,
    inStore: (path, place) => `${path} is managed by a package manager (${place}): add the hook where that file is made.`,
    readonlyFolder: (path, folder) => `${path} cannot be made: ${folder} is read-only.`,
    noFile: path => `${path} is no file.`,
    readonlyFile: path => `${path} is read-only.`,
    foreign: path => `${path} belongs to another user.`,
    hardLinks: path => `${path} is one file with several names (hard links), so somebody else manages it.`,
    managed: path => `The administrator's settings (${path}) let Claude Code run no hooks of yours.`,
    hooksOff: path => `${path} has "disableAllHooks": true, so Claude Code would not run the hook.`,
  },
  zh: {
    usage: verb => `用法：dsh-ask-router ${verb} claude-code [--project] [--yes]\n      dsh-ask-router ${verb} codex [--yes]`,
    whichProgram: '请说明是哪个程序。',
    noProject: title => `${title} 没有能放我们钩子的项目设置。`,
    failed: why => `没有成功：${why}。`,
    ask: '写入吗？',
    unchanged: '没有任何改动。',
    noTerminal: title => `没有任何改动：没有终端可以询问。加上 --yes，就按上面显示的改动 ${title} 的设置。`,
    connected: title => `${title} 已连接。`,
    afterClaudeCode: '`dsh-ask-router desk` 运行时，它也会在 desk 上提问；已打开的会话几秒内生效。',
    afterCodex: '它下次启动时会列出这些钩子，你在那里信任之后才会运行。只有没有 app-server 的 Codex 需要钩子：普通的 `codex` 自带 app-server，desk 会找到它，无需连接。',
    already: (title, path) => `${title} 早已连接（${path}）。`,
    everyProject: (title, path) => `${title} 已为所有项目连接（${path}）。`,
    disconnected: (title, path) => `${title} 已断开（${path}）。`,
    notConnected: (title, path) => `${title} 没有连接（${path}）。`,
    noHook: (title, path) => `找不到 ${title} 的钩子（${path}）：软件包完整吗？`,
    changedMeanwhile: path => `${path} 刚被别的程序改过。没有任何改动：请再试一次。`,
    noJson: path => `${path} 不是有效的 JSON。没有任何改动。`,
    noObject: path => `${path} 不是 JSON 对象。没有任何改动。`,
    noHooksObject: path => `${path} 里的 "hooks" 不是 JSON 对象。没有任何改动。`,
    noList: (path, event) => `${path} 里的 "hooks.${event}" 不是列表。没有任何改动。`,
    noGroup: (path, event) => `${path} 的 "hooks.${event}" 里有一项没有钩子列表。没有任何改动。`,
    unreadable: (path, why) => `无法读取 ${path}：${why}。`,
    noTarget: path => `${path} 是链接，指向的文件不存在。`,
    inStore: (path, place) => `${path} 由包管理器管理（${place}）：请在生成它的地方加上钩子。`,
    readonlyFolder: (path, folder) => `无法创建 ${path}：${folder} 只读。`,
    noFile: path => `${path} 不是文件。`,
    readonlyFile: path => `${path} 只读。`,
    foreign: path => `${path} 属于另一个用户。`,
    hardLinks: path => `${path} 是有几个名字的同一个文件（硬链接），由别人管理。`,
    managed: path => `管理员的设置（${path}）不让 Claude Code 运行你的钩子。`,
    hooksOff: path => `${path} 里有 "disableAllHooks": true，Claude Code 不会运行钩子。`,
  },
}
