// The plugin's configuration: its fields, where they come from, and how they are checked. Messages never contain the values
// of secret fields.
import { strictObject, z } from '../../protocol/zod.ts'
import { langSchema } from '../../reply/lang.ts'
import { withEnvironment } from '../environment.ts'
import { isLoopback } from '../loopback.ts'
import { replyTopicOf, topicProblem } from './topic.ts'

/** Environment variables for fields that the configuration does not set. */
const ENVIRONMENT = {
  server: 'DSH_ASK_NTFY_SERVER',
  topic: 'DSH_ASK_NTFY_TOPIC',
  replyTopic: 'DSH_ASK_NTFY_REPLY_TOPIC',
  token: 'DSH_ASK_NTFY_TOKEN',
  username: 'DSH_ASK_NTFY_USERNAME',
  password: 'DSH_ASK_NTFY_PASSWORD',
  buttonToken: 'DSH_ASK_NTFY_BUTTON_TOKEN',
} as const

/** The two ways to log in must not be mixed. */
const CREDENTIALS = ['token', 'username', 'password']

/** Its push channel to Android cuts longer messages off. */
const PUBLIC_SERVER = 'https://ntfy.sh'

const topic = z.string({
  error: ({ input }) => input === undefined ? `must be given here, or as ${ENVIRONMENT.topic} in the environment` : undefined,
}).superRefine((value, { addIssue }) => {
  const problem = topicProblem(value)
  if (problem !== undefined) addIssue(problem)
})

// May stand in a header, and is short enough to leave most of a request to the message.
const secret = z.string().regex(/^[!-~]{1,256}$/, 'must be 1 to 256 visible ASCII characters')

const server = z.string().max(256).superRefine((value, { addIssue }) => {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) return addIssue('must be an http or https address, for example https://ntfy.sh')
  if (url.username || url.password) return addIssue('must not hold credentials: use token, or username and password')
  if (url.pathname !== '/' || url.search || url.hash) return addIssue('must be the server alone, without a path')
  // Every button contains it in its ASCII form, which may be several times as long.
  if (url.origin.length > 256) addIssue('must have at most 256 characters, in ASCII')
})

const shape = {
  server: server.default(PUBLIC_SERVER),
  topic,
  replyTopic: topic.optional(),
  token: secret.optional(),
  username: z.string().regex(/^[^:\p{Cc}]{1,64}$/u, 'must be 1 to 64 characters without a colon').optional(),
  password: z.string().min(1).max(256).optional(),
  buttonToken: secret.optional(),
  allowInsecure: z.boolean().default(false),
  priority: z.int().min(1).max(5).default(4),
  tags: z.array(z.string().regex(/^[^,\p{Cc}]{1,32}$/u, 'must be 1 to 32 characters without a comma')).max(5).default(['question']),
  lang: langSchema,
  freeText: z.boolean().default(true),
  shared: z.boolean().default(false),
  approvals: z.boolean().default(false),
  maxBytes: z.int().min(400).max(4095).optional(),
}

const fields = strictObject(shape)

/**
 * The plugin's configuration.
 *
 * - `server`: the ntfy server, `https://ntfy.sh` by default. Plain http only to loopback, or with `allowInsecure`.
 * - `topic`: where questions go. Whoever knows its name can read and answer them.
 * - `replyTopic`: where answers come back, by default a name made from `topic` from which `topic` cannot be found.
 * - `token`, or `username` and `password`: this plugin's credentials.
 * - `buttonToken`: sent with the buttons and so readable by every subscriber. It must only allow writing to `replyTopic`.
 * - `priority` (1 to 5) and `tags` (up to 5) of a question's push.
 * - `lang`: the language of the phone's own texts; `auto` follows the locale.
 * - `freeText`: whether a question with options may be answered in the person's own words, and an approval rejected with them.
 * - `shared`: whether several dsh hosts use these topics. Set it on each of them; replies then need a code.
 * - `approvals`: whether tools ask for permission here too. Whoever can read `topic` sees what they are to do, and its buttons.
 * - `maxBytes`: the largest message, 400 to 4,095 bytes; by default 1,000 on ntfy.sh and 4,000 elsewhere.
 */
export const Config = z.preprocess(given => withEnvironment(given, ENVIRONMENT, CREDENTIALS), fields.superRefine((config, { addIssue }) => {
  const issue = (path: keyof typeof config, message: string) => addIssue({ code: 'custom', path: [path], message })
  const { hostname, protocol } = URL.parse(config.server) ?? {}
  if (protocol === 'http:' && !config.allowInsecure && !isLoopback(hostname!)) {
    issue('server', 'must be https: over plain http anybody on the way can read and answer the questions (allowInsecure: true permits it)')
  }
  if (config.replyTopic === config.topic) issue('replyTopic', 'must differ from topic')
  if (config.token !== undefined && config.username !== undefined) issue('token', 'cannot be combined with username')
  if ((config.username === undefined) !== (config.password === undefined)) {
    issue(config.username === undefined ? 'username' : 'password', 'is missing: username and password go together')
  }
}).transform(config => {
  const origin = new URL(config.server).origin
  return {
    ...config,
    server: origin,
    replyTopic: config.replyTopic ?? replyTopicOf(config.topic),
    maxBytes: config.maxBytes ?? (origin === PUBLIC_SERVER ? 1000 : 4000),
  }
}))

/** The validated configuration. Validating it again changes nothing. */
export type Config = z.output<typeof Config>

/** The `Authorization` header that this plugin sends, if any. */
export function authorizationOf({ token, username, password }: Config): string | undefined {
  if (token !== undefined) return `Bearer ${token}`
  if (username !== undefined) return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return undefined
}
