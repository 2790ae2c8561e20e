// What the program says, in both languages. What is wrong with a configuration is in English alone, as in dsh.
import type { Lang } from '../reply/lang.ts'

/** The program's texts. */
export interface DeskTexts {
  readonly help: string
  /** The one line at the start. */
  ready(sources: string, surfaces: string, link: string | undefined): string
  readonly noSources: string
  readonly noSurfaces: string
  /** Nothing provides the registry. */
  readonly noRouter: string
  /** The page is somewhere else now. */
  moved(link: string): string
  readonly applied: string
  /** The file was edited, and the problem is in the same line. */
  kept(problem: string): string
  gone(file: string): string
  readonly ending: string
  taken(pid: number | undefined): string
  written(file: string): string
  exists(file: string): string
  cannotWrite(file: string, why: string): string
  readonly noDesk: string
  readonly noReply: string
  unknownCommand(word: string): string
  usage(problem: string): string

  // status
  desk(version: string, pid: number, time: string): string
  file(path: string | undefined): string
  readonly sources: string
  readonly states: Readonly<Record<'connected' | 'waiting' | 'wrong', string>>
  readonly wrong: string
  readonly nothingWrong: string
}

/** The dictionary. */
export const deskTexts: Record<Lang, DeskTexts> = {
  en: {
    help: `dsh-ask-router: questions of your agents, wherever you are; the first answer wins.

  dsh-ask-router desk [--config FILE]    serve the page, and take questions of Claude Code, Codex and MCP, until it is ended
  dsh-ask-router desk --init             write a commented file of the desk, if there is none
  dsh-ask-router status [--json]         what is connected, what is open, what is wrong
  dsh-ask-router connect claude-code [--project] [--yes]     let Claude Code ask here; shows what it changes, and asks
  dsh-ask-router connect codex [--yes]                       the same for Codex
  dsh-ask-router disconnect claude-code [--project] [--yes]  undo that; likewise for codex
  dsh-ask-router mcp                     the MCP server, to be started by an agent
  dsh-ask-router --help | --version

The file is $XDG_CONFIG_HOME/dsh-ask-router/desk.yml, by default in ~/.config.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 another desk is running.`,
    ready: (sources, surfaces, link) => `dsh-ask-router: the desk is open: ${sources}; shown on ${surfaces}${link === undefined ? '' : `; answer at ${link}`}`,
    noSources: 'no source of questions is on',
    noSurfaces: 'nothing',
    noRouter: 'nothing routes questions: turn the row ask-router on',
    moved: link => `dsh-ask-router: the page is now at ${link}`,
    applied: 'dsh-ask-router: the new configuration is in use',
    kept: problem => `${problem}; the old configuration stays`,
    gone: file => `${file} is gone; the old configuration stays`,
    ending: 'dsh-ask-router: the desk closes',
    taken: pid => `A desk of yours is running already${pid === undefined ? '' : ` (pid ${pid})`}; see dsh-ask-router status.`,
    written: file => `Wrote ${file}. Start the desk with: dsh-ask-router desk`,
    exists: file => `${file} is there already; nothing was written.`,
    cannotWrite: (file, why) => `${file} cannot be written (${why}).`,
    noDesk: 'No desk is running. Start one with: dsh-ask-router desk',
    noReply: 'A desk is running, but does not answer.',
    unknownCommand: word => `There is no command "${word}"; see dsh-ask-router --help.`,
    usage: problem => `${problem}; see dsh-ask-router --help.`,
    desk: (version, pid, time) => `The desk ${version} is open (pid ${pid}, for ${time}).`,
    file: path => path === undefined ? 'Without a file: everything is as it comes.' : `File: ${path}`,
    sources: 'Questions come from:',
    states: { connected: 'connected', waiting: 'waits for it', wrong: 'not connected' },
    wrong: 'Wrong:',
    nothingWrong: 'Nothing is wrong.',
  },
  zh: {
    help: `dsh-ask-router：无论你在哪里，都能看到代理的提问；最先的回答有效。

  dsh-ask-router desk [--config 文件]    提供页面，接收 Claude Code、Codex 和 MCP 的提问，直到被结束
  dsh-ask-router desk --init             写一份带注释的配置文件（若还没有）
  dsh-ask-router status [--json]         连接了什么、有哪些未答、哪里有问题
  dsh-ask-router connect claude-code [--project] [--yes]     让 Claude Code 在此提问；先显示改动并征求同意
  dsh-ask-router connect codex [--yes]                       同上，用于 Codex
  dsh-ask-router disconnect claude-code [--project] [--yes]  撤销；codex 同理
  dsh-ask-router mcp                     MCP 服务器，由代理启动
  dsh-ask-router --help | --version

配置文件是 $XDG_CONFIG_HOME/dsh-ask-router/desk.yml，默认在 ~/.config 中。
退出码：0 完成，1 失败，2 用法错误，3 已有另一个 desk 在运行。`,
    ready: (sources, surfaces, link) => `dsh-ask-router：desk 已启动：${sources}；显示于 ${surfaces}${link === undefined ? '' : `；在此回答：${link}`}`,
    noSources: '没有启用任何提问来源',
    noSurfaces: '无处',
    noRouter: '没有人分发提问：请启用 ask-router 一行',
    moved: link => `dsh-ask-router：页面现在位于 ${link}`,
    applied: 'dsh-ask-router：已采用新的配置',
    kept: problem => `${problem}；仍使用原来的配置`,
    gone: file => `${file} 已不存在；仍使用原来的配置`,
    ending: 'dsh-ask-router：desk 正在关闭',
    taken: pid => `你的另一个 desk 已在运行${pid === undefined ? '' : `（进程 ${pid}）`}；参见 dsh-ask-router status。`,
    written: file => `已写入 ${file}。启动：dsh-ask-router desk`,
    exists: file => `${file} 已存在；什么都没有写。`,
    cannotWrite: (file, why) => `无法写入 ${file}（${why}）。`,
    noDesk: '没有 desk 在运行。启动：dsh-ask-router desk',
    noReply: '有一个 desk 在运行，但没有回应。',
    unknownCommand: word => `没有“${word}”这个命令；参见 dsh-ask-router --help。`,
    usage: problem => `${problem}；参见 dsh-ask-router --help。`,
    desk: (version, pid, time) => `desk ${version} 已启动（进程 ${pid}，已运行 ${time}）。`,
    file: path => path === undefined ? '没有配置文件：一切按默认。' : `配置文件：${path}`,
    sources: '提问来自：',
    states: { connected: '已连接', waiting: '等待中', wrong: '未连接' },
    wrong: '问题：',
    nothingWrong: '没有问题。',
  },
}
