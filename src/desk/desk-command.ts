// `dsh-ask-router desk`: opens a desk, and closes it when it is told to.
import { once } from 'node:events'
import { resolve } from 'node:path'
import { stateFolder } from '../sources/local/folder.ts'
import { defaultFile } from './config-file.ts'
import { Desk } from './desk.ts'
import { EXIT, type ExitCode } from './exit.ts'
import { writeFirstFile } from './init.ts'
import { askStatus } from './status-command.ts'
import { err, lang, texts } from './terminal.ts'
import { version } from './version.ts'

/** A plugin that does not come to an end is left behind after this time, in milliseconds. */
const CLOSE_MS = 5000

/** One Ctrl-C may come twice, from the terminal and from npx, and so may the end of a terminal; in milliseconds. */
const SAME_MS = 500

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What may be given to `desk`, for `parseArgs`. */
export const deskOptions = { config: { type: 'string' }, init: { type: 'boolean' } } as const

/** Run a desk until a signal ends it, or write its file. */
export async function runDesk({ config, init }: { config?: string | undefined, init?: boolean | undefined }): Promise<ExitCode> {
  const file = config === undefined ? defaultFile() : resolve(config)
  if (init) return writeFirstFile(file)
  const folder = stateFolder()
  // Whoever reads what it says may go, a terminal above all; that is no reason to leave a question.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const ended = new AbortController()
  let toldAt: number | undefined
  const end = () => {
    // Whoever says it again means at once.
    if (toldAt !== undefined && Date.now() - toldAt > SAME_MS) process.exit(EXIT.failed)
    if (toldAt !== undefined) return
    toldAt = Date.now()
    err(texts.ending)
    setTimeout(() => process.exit(EXIT.done), CLOSE_MS).unref()
    ended.abort()
  }
  for (const signal of SIGNALS) process.on(signal, end)
  let desk: Desk
  try {
    desk = await Desk.open({ file, isNeeded: config !== undefined, folder, version, lang, print: err, signal: ended.signal })
  } catch (error) {
    if (ended.signal.aborted) return EXIT.done
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      const other = await askStatus(folder, lang).catch(() => undefined)
      err(texts.taken(other?.status.pid))
      return EXIT.taken
    }
    err(error instanceof Error ? error.message : String(error))
    return EXIT.failed
  }
  if (!ended.signal.aborted) await once(ended.signal, 'abort')
  await desk.close()
  return EXIT.done
}
