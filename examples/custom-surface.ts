// A complete surface: it announces questions on the console and takes the answer from a file. It works beside the router,
// comes back with it after a reload, and does no harm where there is no router.
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { type AskSurface, userQuestionError } from 'dsh-ask-router'

/** The plugin's name. */
export const name = 'file-surface'

/** Where the person writes the answer. */
export interface Config {
  readonly path: string
}

// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, { path }: Config): void => {
  ctx.inject(['askSurfaces'], (inner) => {
    inner.askSurfaces.register(fileSurface(path))
  })
}

function fileSurface(path: string): AskSurface {
  return {
    name: 'file',
    // It belongs to the person, not to a session: it is invited whoever claims, and keeps no question from others.
    personal: true,
    claim: () => false,
    ask({ questions }, { signal }) {
      const [question] = questions
      // A surface that cannot show a question rejects; the others go on.
      if (questions.length !== 1 || !question) throw userQuestionError('BAD_ANSWER', 'a file can answer one question')
      console.log(`${question.question} (write your answer to ${basename(path)})`)
      return new Promise((resolve, reject) => {
        const read = async () => {
          const words = (await readFile(path, 'utf8')).trim()
          // A label in `selected` that was not offered becomes the person's own words.
          if (words === '') return
          watcher.close()
          resolve({ answers: [{ id: question.id, selected: [words] }] })
        }
        const watcher = watch(dirname(path), (_event, file) => {
          if (file === basename(path)) read().catch(reject)
        })
        // For whatever reason: answered elsewhere, aborted, unloaded.
        signal.addEventListener('abort', () => {
          watcher.close()
          reject(signal.reason)
        })
      })
    },
    settled: (_request, by) => console.log(`(answered on ${by})`),
  }
}
