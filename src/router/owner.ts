// Whether the plugin that registered a surface is being unloaded. The facts are cordis 4's: a fiber that is unloading
// has that state before any of its disposers runs, and one that is disposed has no uid.

/** The part of a cordis fiber that is read here; structural, since nothing of cordis is imported at run time. */
export interface OwnerFiber {
  readonly uid: number | null
  readonly state: number
  readonly parent: { readonly fiber: OwnerFiber }
}

// cordis' FiberState.UNLOADING, a const enum that does not exist at run time.
const UNLOADING = 5

/** Whether a fiber, or one it lives in, is on its way out. */
export function isUnloading(fiber: OwnerFiber | undefined): boolean {
  // The root fiber is its own parent.
  for (let one = fiber; one; one = one.parent.fiber === one ? undefined : one.parent.fiber) {
    if (one.uid === null || one.state === UNLOADING) return true
  }
  return false
}
