// What Claude Code says of a running session in `sessions/<process>.json` of its configuration folder: whether it waits for its
// person. It is no interface that anybody promised (seen with 2.1.332), so that nothing depends on it: it tells a second sooner
// that a permission was given for something that takes long, because the transcript has the tool's result alone.
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from '../../protocol/zod.ts'
import { readEnd } from '../local/plain-file.ts'

/** More files are not looked at. */
const MOST_FILES = 200

/** Such a file has some 300 bytes. */
const LARGEST = 64 * 1024

const statusSchema = z.object({ sessionId: z.string(), status: z.string() })

/** The folder, beside the `projects` in which the transcript is. */
export function sessionsFolder(transcript: string): string {
  return join(dirname(dirname(dirname(transcript))), 'sessions')
}

/** Reads what one session says of itself. */
export class SessionStatus {
  readonly #folder: string
  readonly #id: string
  #path: string | undefined

  /** @param transcript of the session. */
  constructor(transcript: string, id: string) {
    this.#folder = sessionsFolder(transcript)
    this.#id = id
  }

  /** @returns `undefined` where it says nothing. */
  async read(): Promise<string | undefined> {
    if (this.#path !== undefined) return await this.#statusIn(this.#path)
    const names = await readdir(this.#folder).catch(() => [])
    for (const name of names.slice(0, MOST_FILES)) {
      const path = join(this.#folder, name), status = name.endsWith('.json') ? await this.#statusIn(path) : undefined
      if (status === undefined) continue
      this.#path = path
      return status
    }
    return undefined
  }

  async #statusIn(path: string): Promise<string | undefined> {
    try {
      const { sessionId, status } = statusSchema.parse(JSON.parse(await readEnd(path, LARGEST)))
      return sessionId === this.#id ? status : undefined
    } catch {
      // Gone, half written, or another shape.
      return undefined
    }
  }
}
