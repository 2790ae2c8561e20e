// Tarballs of this package and of the two bundles that only these tests use: dsh resolves the host's packages for a
// bundle that came from a tarball, and not for a linked folder.
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, mustRun } from './children.ts'

export interface Tarballs {
  /** dsh-ask-router, as npm would publish it. */
  readonly router: string
  readonly bridge: string
  readonly probe: string
}

/** Packs one folder into `into`, with its own `prepack` (for this package that is the build). */
async function pack(folder: string, into: string): Promise<string> {
  mkdirSync(into)
  await mustRun('npm', ['pack', '--pack-destination', into], { cwd: folder })
  const made = readdirSync(into).filter(name => name.endsWith('.tgz'))
  if (made.length !== 1 || made[0] === undefined) throw new Error(`npm pack in ${folder} made ${made.join(', ') || 'nothing'}`)
  return join(into, made[0])
}

export async function packAll(into: string): Promise<Tarballs> {
  const bundles = join(ROOT, 'test', 'cli', 'bundles')
  return {
    router: await pack(ROOT, join(into, 'router')),
    bridge: await pack(join(bundles, 'bridge-rc8'), join(into, 'bridge')),
    probe: await pack(join(bundles, 'probe'), join(into, 'probe')),
  }
}
