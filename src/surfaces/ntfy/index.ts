// The plugin of the phone surface: questions go to a phone through an ntfy server, and answers come back.
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { langOf } from '../../reply/lang.ts'
import { isLoopback } from '../loopback.ts'
import { NtfyClient } from './client.ts'
import { authorizationOf, Config } from './config.ts'
import { Phone } from './phone.ts'

/** The plugin's name. */
export const name = 'ask-ntfy'

/** The plugin runs while the registry exists, whichever plugin provides it. */
export const inject = ['askSurfaces']

export { Config }

/**
 * Register the phone as the surface `ntfy`.
 *
 * @param config see {@link Config}. It is validated here too, for hosts that do not validate it.
 * @throws when a value is wrong; the message names the field.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, config?: unknown): void => {
  const settings = Config.parse(config)
  const logger = ctx.logger?.(name)
  const authorization = authorizationOf(settings)
  if (authorization !== undefined && settings.buttonToken === undefined) {
    // On stderr, because dsh's base profile shows no log and a dead button explains nothing.
    process.stderr.write(`${name}: the buttons carry no credentials of their own: let anonymous users write to replyTopic, or set buttonToken\n`)
  }
  if (settings.approvals) process.stderr.write(`${name}: ${approvalsLine(settings.server)}\n`)
  const { askSurfaces } = ctx as Context & { askSurfaces: AskSurfaces }
  const phone = new Phone({
    config: settings,
    lang: langOf(settings.lang),
    client: new NtfyClient(settings.server, authorization),
    linkFor: id => linkFor(ctx, id),
    reconsider: () => askSurfaces.reconsider(),
    warn: message => {
      try {
        logger?.warn(message)
      } catch {
        // A log that fails must not fail what is logged.
      }
    },
  })
  ctx.effect(() => () => phone.close(), 'ask-ntfy: subscription and pushes')
  askSurfaces.register(phone)
}

/** Who may decide on the phone: to be read before the first tool asks. */
function approvalsLine(server: string): string {
  const onTheWay = server.startsWith('http:') && !isLoopback(new URL(server).hostname) ? '; over plain http, that is anybody on the way too' : ''
  return `approvals go to the phone: whoever can read the topic sees what tools are to do, and has the buttons, with which to allow it${onTheWay}`
}

/** What is used of the web surface, if it is loaded. */
interface WebLinks {
  linkFor(askId: string): unknown
}

/** The page where an ask can be answered. The web surface is looked up each time, because it may come and go. */
function linkFor(ctx: Context, id: string): string | undefined {
  try {
    const web = ctx.get?.('askWeb' as never) as WebLinks | undefined
    const link = web?.linkFor(id)
    const url = typeof link === 'string' ? URL.parse(link) : null
    // On the phone, a loopback address would lead to the phone itself.
    return url && /^https?:$/.test(url.protocol) && !isHere(url.hostname) ? link as string : undefined
  } catch {
    // The link is optional.
    return undefined
  }
}

/** Whether a host name means the machine that opens it. */
function isHere(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  return isLoopback(host) || host.endsWith('.localhost') || /^(0\.0\.0\.0|\[::\]|\[::ffff:7f..:.*\])$/.test(host)
}
