// The machine stops between two steps of `connect` or `disconnect`, at every one of them: the settings are whole, old or new, and
// the same command again, or the other one, brings everything in order.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Home } from './support.ts'

/** How many more changes the machine lives to see; none of those after it happens. */
const life = vi.hoisted(() => ({ left: Infinity }))

vi.mock('node:fs', async (original) => {
  const real: Record<string, unknown> = { ...await original<object>() }
  for (const name of ['writeSync', 'fsyncSync', 'chmodSync', 'chownSync', 'renameSync', 'rmSync', 'mkdirSync', 'rmdirSync', 'openSync']) {
    const call = real[name] as (...args: unknown[]) => unknown
    real[name] = (...args: unknown[]) => {
      if (name === 'openSync' && args[1] === 'r') return call(...args)
      if (life.left-- <= 0) throw new Error('the machine stopped')
      return call(...args)
    }
  }
  return real
})

let home: Home

beforeEach(() => {
  home = new Home()
})

afterEach(() => home.remove())

/** Run a command on a machine that stops after so many changes. @returns whether it came to its end. */
async function runFor(changes: number, command: 'connect' | 'disconnect'): Promise<boolean> {
  life.left = changes
  await home.run(command, 'claude-code --yes')
  const isDone = life.left >= 0
  life.left = Infinity
  return isDone
}

const ORIGINAL = '{ "model" : "opus" ,\n"hooks":{ }}'

describe.each([['a file', () => home.write(home.user, ORIGINAL)], ['no file', () => {}]])('with %s before', (_, prepare) => {
  it('a stop in connect costs nothing', async () => {
    for (let changes = 0, isDone = false; !isDone; changes++) {
      home.remove()
      home = new Home()
      prepare()
      const before = home.everything(), old = before[home.user]
      isDone = await runFor(changes, 'connect')
      const stopped = home.everything()[home.user]
      expect(await home.run('connect', 'claude-code --yes')).toMatchObject({ code: 0 })
      const { [home.user]: connected, ...rest } = home.everything()
      expect([old, connected]).toContain(stopped)
      expect(connected).not.toBe(old)
      // The hook, its record, and nothing half written.
      expect(Object.keys(rest).filter(path => !(path in before)).length).toBeLessThanOrEqual(old ? 3 : 4)
      expect(await home.run('disconnect', 'claude-code --yes')).toMatchObject({ code: 0 })
      expect(home.everything()).toEqual(before)
    }
  })

  it('a stop in connect is undone by disconnect', async () => {
    for (let changes = 0, isDone = false; !isDone; changes++) {
      home.remove()
      home = new Home()
      prepare()
      const before = home.everything()
      isDone = await runFor(changes, 'connect')
      expect(await home.run('disconnect', 'claude-code --yes')).toMatchObject({ code: 0 })
      expect(home.everything()).toEqual(before)
    }
  })

  it('a stop while an old path is replaced costs nothing', async () => {
    for (let changes = 0, isDone = false; !isDone; changes++) {
      home.remove()
      home = new Home()
      prepare()
      const before = home.everything()
      await home.run('connect', 'claude-code --yes')
      home.node = '/opt/node'
      isDone = await runFor(changes, 'connect')
      await home.run('disconnect', 'claude-code --yes')
      expect(home.everything()).toEqual(before)
    }
  })

  it('a stop in disconnect is gone with the next one', async () => {
    for (let changes = 0, isDone = false; !isDone; changes++) {
      home.remove()
      home = new Home()
      prepare()
      const before = home.everything()
      await home.run('connect', 'claude-code --yes')
      isDone = await runFor(changes, 'disconnect')
      expect(await home.run('disconnect', 'claude-code --yes')).toMatchObject({ code: 0 })
      expect(home.everything()).toEqual(before)
    }
  })
})
