// `dsh-ask-router desk --init`: a first file, in which everything is as it is without one.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Lang } from '../reply/lang.ts'
import { EXIT, type ExitCode } from './exit.ts'
import { err, lang, out, texts } from './terminal.ts'

/** The file, by language. */
export const firstFile: Record<Lang, string> = {
  en: `# The desk of dsh-ask-router: where your agents' questions come from, and where you answer them.
# An edit applies at once, without a restart. What is commented out shows what may be there.

# Who is asked when. "At home" and "away" are what you say on the page.
- id: ask-router
#  config:
#    surfaces:
#      ntfy:
#        home: { delayMs: 60000 }                  # the phone after a minute without an answer
#        away: { delayMs: 0, remindMs: 300000 }    # away: at once, and again every five minutes
#    quiet: { from: "22:00", to: "07:30", surfaces: [ntfy] }   # quiet hours

# The page. Its link is a secret, and a new one at each start. To keep one, put a port here, and a random token into
# DSH_ASK_WEB_TOKEN in the environment.
- id: ask-web
#  config:
#    port: 8787
#    publicUrl: https://desk.example

# The phone, through the ntfy app. The topic is a secret: whoever has it reads the questions and answers them. It may be in
# DSH_ASK_NTFY_TOPIC instead.
#- id: ask-ntfy
#  disabled: false
#  config:
#    server: https://ntfy.example
#    topic: a-long-random-name

# This terminal.
#- id: ask-terminal
#  disabled: false

# Other people's plugins: a package, or a file beside this one.
#- id: my-surface
#  name: ./my-surface.js
`,
  zh: `# dsh-ask-router 的 desk：代理的提问从哪里来，你在哪里回答。
# 修改立即生效，无需重启。被注释的行展示可以写什么。

# 何时问谁。“在家”和“外出”由你在页面上设定。
- id: ask-router
#  config:
#    surfaces:
#      ntfy:
#        home: { delayMs: 60000 }                  # 一分钟内无人回答再问手机
#        away: { delayMs: 0, remindMs: 300000 }    # 外出：立即，并且每五分钟再提醒
#    quiet: { from: "22:00", to: "07:30", surfaces: [ntfy] }   # 安静时段

# 页面。链接是秘密，每次启动都会更换。若要固定，请在此写一个端口，并把随机令牌放进环境变量
# DSH_ASK_WEB_TOKEN。
- id: ask-web
#  config:
#    port: 8787
#    publicUrl: https://desk.example

# 手机，通过 ntfy 应用。主题是秘密：知道它的人能读到提问并回答。也可以放进环境变量
# DSH_ASK_NTFY_TOPIC。
#- id: ask-ntfy
#  disabled: false
#  config:
#    server: https://ntfy.example
#    topic: a-long-random-name

# 本终端。
#- id: ask-terminal
#  disabled: false

# 其他人的插件：一个包，或与本文件同处的文件。
#- id: my-surface
#  name: ./my-surface.js
`,
}

/** Write the file where there is none. Only this user can read it: a topic may come into it. */
export function writeFirstFile(file: string): ExitCode {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, firstFile[lang], { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code)
    err(code === 'EEXIST' ? texts.exists(file) : texts.cannotWrite(file, code))
    return EXIT.failed
  }
  out(texts.written(file))
  return EXIT.done
}
