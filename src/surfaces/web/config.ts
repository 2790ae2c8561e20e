// The page's configuration: where it listens, who may reach it, and its secret.
import { strictObject, z } from '../../protocol/zod.ts'
import { langSchema } from '../../reply/lang.ts'
import { withEnvironment } from '../environment.ts'
import { guessBits } from '../secret-strength.ts'

/** The environment variable for the token. */
const ENVIRONMENT = { token: 'DSH_ASK_WEB_TOKEN' }

/** What is made by chance of 128 bits is estimated as more than this. */
const MIN_GUESS_BITS = 80

const hostName = z.string().regex(/^(\[[\da-fA-F:.]+\]|[\p{L}\p{N}_.-]+)$/u, {
  error: 'must be a host name or an address without a port, such as phone.example or [fd00::1]',
})

const shape = {
  host: z.string().regex(/^[\p{L}\p{N}_.:-]+$/u, { error: 'must be the name or the address of an interface' }).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(0),
  publicUrl: z.string().refine(isPlain, {
    error: 'must be an http or https address without user, password, query or fragment',
  }).optional(),
  allowedHosts: z.array(hostName).default([]),
  // The error must not repeat the value.
  token: z.string().refine(isStrong, {
    error: 'must have 128 bits or more: at least 22 random characters of A-Z a-z 0-9 - _, or 32 hexadecimal digits; words, names and dates are not random',
  }).optional(),
  lang: langSchema,
}

/**
 * The plugin's configuration.
 *
 * - `host`: the interface to listen on; `127.0.0.1` by default, which only this machine can reach.
 * - `port`: from 0 to 65,535; 0 (default) takes any free port.
 * - `publicUrl`: where browsers reach the page from elsewhere, behind a tunnel or a proxy; needs `port`.
 * - `allowedHosts`: more names by which browsers may reach the page.
 * - `token`: the secret in the page's link, of at least 128 bits; from `DSH_ASK_WEB_TOKEN` in the environment, or made at start.
 * - `lang`: the language of the page; `auto` (default) follows the browser.
 */
export const Config = z.preprocess(given => withEnvironment(given, ENVIRONMENT), strictObject(shape).refine(({ publicUrl, port }) => publicUrl === undefined || port !== 0, {
  path: ['publicUrl'], error: 'needs port: a tunnel or a proxy must know where the page listens',
}))

/** The configuration after validation. */
export type Config = z.output<typeof Config>

function isPlain(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, username, password, search, hash } = new URL(address)
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}

/** Whether a token can have 128 bits, by its length and alphabet, and does not look made up. */
function isStrong(token: string): boolean {
  if (!/^[\w.~-]+$/.test(token) || new Set(token).size < 8) return false
  const bits = /^\d+$/.test(token) ? Math.log2(10) : /^[\da-f]+$/i.test(token) ? 4 : /^[\da-z]+$/.test(token) ? Math.log2(36) : 6
  return token.length * bits >= 128 && guessBits(token) >= MIN_GUESS_BITS
}
