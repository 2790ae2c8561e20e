// A profile for one run of dsh, with the bundle and the tests' own, which goes when the run is over.
import { inject } from 'vitest'
import { Home } from './home.ts'
import { Host } from './host.ts'

/**
 * Start dsh on a new profile.
 *
 * @param rows the profile's own.
 */
export async function onProfile(rows: string, act: (host: Host) => Promise<void>): Promise<void> {
  const home = new Home(), { router, bridge, probe } = inject('tarballs')
  let host: Host | undefined
  try {
    await home.plugin('p', 'add', bridge, probe)
    await home.plugin('p', 'add', router)
    await home.patch('p', rows)
    host = new Host(home, ['--profile', 'p'])
    await act(host)
  } finally {
    await host?.kill()
    home.remove()
  }
}
