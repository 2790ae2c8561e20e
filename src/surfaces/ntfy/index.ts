// The phone surface's plugin: questions go to a phone through an ntfy server, and answers come back.
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { langOf } from '../../reply/lang.ts'
import { isLoopback } from '../loopback.ts'
import { NtfyClient } from './client.ts'
import { authorizationOf, Config } from './config.ts'
import { Phone } from './phone.ts'

/** The plugin's name. */
export const name = 'ask-ntfy'

/** Loaded while the registry is there, whichever plugin provides it. */
export const inject = ['askSurfaces']

export { Config }

/**
 * Register the phone as the surface `ntfy`.
 *
 * @param config see {@link Config}; validated here too, for hosts that do not.
 * @throws when a value of the configuration is wrong, naming the field.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, config?: unknown): void => {
  const settings = Config.parse(config)
  const logger = ctx.logger?.(name)
  const authorization = authorizationOf(settings)
  if (authorization !== undefined && settings.buttonToken === undefined) {
    // The base profile shows no log, and who meets a dead button has nothing else to go by.
    process.stderr.write(`${name}: the buttons carry no credentials of their own: let anonymous write to replyTopic, or set buttonToken\n`)
  }
  const { askSurfaces } = ctx as Context & { askSurfaces: AskSurfaces }
  const phone = new Phone({
    config: settings,
    lang: langOf(settings.lang),
    client: new NtfyClient(settings.server, authorization),
    linkFor: id => linkFor(ctx, id),
    reconsider: () => askSurfaces.reconsider(),
    warn: message => logger?.warn(message),
  })
  ctx.effect(() => () => phone.close(), 'ask-ntfy: subscription and pushes')
  askSurfaces.register(phone)
}

/** The part of the web surface that is used when it is there. */
interface WebLinks {
  linkFor(askId: string): unknown
}

/** Where a page can answer an ask. The web surface comes and goes, so it is looked for each time. */
function linkFor(ctx: Context, id: string): string | undefined {
  try {
    const web = ctx.get?.('askWeb' as never) as WebLinks | undefined
    const link = web?.linkFor(id)
    const url = typeof link === 'string' ? URL.parse(link) : null
    // On the phone the address of a page for this machine alone would lead to the phone itself.
    return url && /^https?:$/.test(url.protocol) && !isHere(url.hostname) ? link as string : undefined
  } catch {
    // A link is an extra: the question goes out without it.
    return undefined
  }
}

/** Whether an address means the machine that opens it. */
function isHere(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  return isLoopback(host) || host.endsWith('.localhost') || /^(0\.0\.0\.0|\[::\]|\[::ffff:7f..:.*\])$/.test(host)
}
