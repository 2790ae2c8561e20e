// Says once, soon after a start, that nobody can be asked: no surface is registered, and no UI of the host listens.
import { clearTimeout, setTimeout } from 'node:timers'
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurfaces } from '../../protocol/surface.ts'

const LINE = 'ask-router: nobody can be asked: no surface is registered, and no UI of dsh listens for questions. Turn one on, for example ask-terminal or ask-web.\n'

/** How long a host may take until its plugins are there, in milliseconds. */
const STARTED_MS = 5000

/** Look once, and say it on stderr where it is so. */
export function expectSomebody(ctx: Context, surfaces: Pick<AskSurfaces, 'list' | 'hosts'>): void {
  const timer = setTimeout(() => {
    if (surfaces.list().length === 0 && surfaces.hosts().length === 0) process.stderr.write(LINE)
  }, STARTED_MS).unref()
  ctx.effect(() => () => clearTimeout(timer), 'whether somebody can be asked')
}
