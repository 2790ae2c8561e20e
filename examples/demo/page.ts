// The page of the web surface in the demo: its link as text, and as a QR code where a phone can open it.
import type { Context } from '@deepseek-ai/cordis'
import { renderUnicodeCompact } from 'uqr'
import { isLoopback } from '../../src/surfaces/loopback.ts'
import * as web from '../../src/surfaces/web/index.ts'

export const name = 'demo-page'
export const inject = web.inject

/** @param config as the web surface's. */
export const apply = (ctx: Context, config?: unknown): Promise<void> => web.apply(ctx, config, (line) => {
  console.log(line)
  const link = /https?:\/\/\S+#t=\S+/.exec(line)?.[0]
  if (link !== undefined && !isLoopback(new URL(link).hostname)) console.log(renderUnicodeCompact(link))
})
