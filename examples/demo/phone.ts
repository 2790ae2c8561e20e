// The demo's phone: `--ntfy <server>/<topic>` on the command line, and the link by which a phone subscribes.
import { parseArgs } from 'node:util'
import { renderUnicodeCompact } from 'uqr'
import { Config } from '../../src/surfaces/ntfy/index.ts'

/** What the phone's plugin is loaded with. */
export interface PhoneConfig {
  readonly server: string
  readonly topic: string
}

/**
 * Read the command line.
 *
 * @param args without the program's own name; a server without a scheme is taken as https.
 * @returns `undefined` when no phone is wanted. Credentials come from the environment, as in a profile.
 * @throws Error with what is wrong and, for a topic that can be guessed, one to use instead.
 */
export function phoneFrom(args: string[]): PhoneConfig | undefined {
  const { values: { ntfy } } = parseArgs({ args, options: { ntfy: { type: 'string' } } })
  if (ntfy === undefined) return undefined
  const [, scheme = 'https://', host, topic] = /^(https?:\/\/)?([^/]+)\/([^/]*)$/.exec(ntfy) ?? []
  if (host === undefined || topic === undefined) throw new Error('--ntfy must be <server>/<topic>, for example ntfy.sh/<a topic that nobody guesses>')
  const config = { server: scheme + host, topic }
  const { error } = Config.safeParse(config)
  if (error) throw new Error(error.issues.map(({ path, message }) => `--ntfy: ${path.join('.')} ${message}`).join('\n'))
  return config
}

/** How to subscribe: a code that the Android app opens, and the same as words. */
export function howToSubscribe({ server, topic }: PhoneConfig): string {
  const { host, protocol } = new URL(server)
  const link = `ntfy://${host}/${topic}${protocol === 'http:' ? '?secure=false' : ''}`
  return `${renderUnicodeCompact(link)}
Scan this with an Android phone that has the ntfy app, or subscribe in the app (or at ${server}/${topic}) to
  topic ${topic} on ${server}
and turn "instant delivery" on. The questions come there too, and can be answered there.`
}
