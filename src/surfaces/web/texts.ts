// What the plugin prints where the host was started, in both languages. The page's own texts are in page/texts.ts.
import type { Lang } from '../../reply/lang.ts'

/** The texts on stderr. */
export interface StartTexts {
  /** The page is served; the link opens it. */
  ready(link: string): string
  /** The same with a configured token, which is not printed. */
  readyWithoutToken(url: string): string
  /** Other machines may reach it. */
  exposed(host: string): string
  /** Browsers reach it over plain http. */
  unencrypted(url: string): string
  taken(host: string, port: number): string
  failed(host: string, port: number, code: string): string
}

/** The dictionary. */
export const startTexts: Record<Lang, StartTexts> = {
  en: {
    ready: link => `ask-web: answer questions at ${link}`,
    readyWithoutToken: url => `ask-web: answer questions at ${url} with your own token (${url}#t=<token>)`,
    exposed: host => `ask-web: listens on ${host}, so other machines can reach it; whoever has the link can read and answer every `
      + 'question, and the connection is not encrypted',
    unencrypted: url => `ask-web: ${url} is not encrypted: whoever is on the way reads the link and answers every question; use an https address`,
    taken: (host, port) => `ask-web: port ${port} of ${host} is taken, so there is no page; set another port, or 0 for any`,
    failed: (host, port, code) => `ask-web: cannot listen on port ${port} of ${host} (${code}), so there is no page`,
  },
  zh: {
    ready: link => `ask-web：在此回答问题：${link}`,
    readyWithoutToken: url => `ask-web：在 ${url} 回答问题，请使用你自己的令牌（${url}#t=<令牌>）`,
    exposed: host => `ask-web：正在监听 ${host}，其他机器可以访问；任何持有链接的人都能阅读并回答所有问题，且连接未加密`,
    unencrypted: url => `ask-web：${url} 未加密：途中的任何人都能读到链接并回答所有问题；请使用 https 地址`,
    taken: (host, port) => `ask-web：${host} 的端口 ${port} 已被占用，因此没有页面；请改用其他端口，或用 0 自动选择`,
    failed: (host, port, code) => `ask-web：无法监听 ${host} 的端口 ${port}（${code}），因此没有页面`,
  },
}
