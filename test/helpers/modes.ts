// Surfaces that say more of themselves than plain ones: who sees them, whether they can be silent, how they remind.
import { vi } from 'vitest'
import type { SurfacePolicy } from '../../src/protocol/policy.ts'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import type { AskContext } from '../../src/protocol/surface.ts'
import { FakeSurface } from './surface.ts'

/** A surface that belongs to the person. */
export class Personal extends FakeSurface {
  readonly personal = true
}

/** A surface that somebody watches or not. */
export class Page extends FakeSurface {
  readonly watched = vi.fn<() => boolean>()

  constructor(name: string, watched: boolean, claims = false) {
    super(name, claims)
    this.watched.mockReturnValue(watched)
  }
}

/** A surface with a policy of its own that can remind, and be silent unless a test says otherwise. */
export class Phone extends FakeSurface {
  readonly defaultPolicy: SurfacePolicy
  readonly silent: boolean
  /** Whether it was quiet at each reminder. */
  readonly quiet: boolean[] = []
  readonly remind = vi.fn<(request: AskUserQuestionRequest, context: AskContext) => void>((_, context) => void this.quiet.push(context.quiet))

  constructor(name = 'phone', defaultPolicy: SurfacePolicy = {}, silent = true) {
    super(name)
    this.defaultPolicy = defaultPolicy
    this.silent = silent
  }
}
