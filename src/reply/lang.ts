// Which of the two languages a surface speaks.
import { z } from '../protocol/zod.ts'

/** The languages that every text for a person exists in. */
export type Lang = 'en' | 'zh'

/** Schema of the setting `lang`. */
export const langSchema = z.enum(['auto', 'en', 'zh']).default('auto')

/**
 * Find the language of `lang: auto`.
 *
 * @param setting what the configuration says.
 * @param env has the person's locale, as POSIX defines it: `LC_ALL`, `LC_MESSAGES`, `LANG`. Where none of them is
 *   set, as on Windows, the process' own locale counts.
 */
export function langOf(setting: 'auto' | Lang, env: Readonly<Record<string, string | undefined>> = process.env): Lang {
  if (setting !== 'auto') return setting
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || Intl.DateTimeFormat().resolvedOptions().locale
  return /^zh\b|^zh_/i.test(locale) ? 'zh' : 'en'
}
