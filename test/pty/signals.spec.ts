// Signals with a question up, in both modes: the terminal is given back, and what happens is what would have happened
// without the question. `stty` and the modes that were written say so after each.
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { LONG, missing, Person, TEST_MS } from './person.ts'

vi.setConfig({ testTimeout: TEST_MS })
const people: Person[] = []
afterAll(() => {
  for (const person of people) person.kill()
  rmSync(folder, { recursive: true })
})

// The others are tried in the long run.
const RARE: readonly NodeJS.Signals[] = LONG
  ? ['SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGSYS', ...process.platform === 'linux' ? ['SIGIO', 'SIGPWR', 'SIGSTKFLT'] as const : []]
  : []
const ENDING: readonly NodeJS.Signals[] = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGTERM', 'SIGUSR2', ...RARE]

const number = (signal: NodeJS.Signals) => constants.signals[signal]
type Case = readonly [signal: NodeJS.Signals, kind: 'alone' | 'shutdown' | 'emitter', status: number]
const ends = (kind: 'alone' | 'emitter', ...signals: NodeJS.Signals[]) => signals.map((signal): Case => [signal, kind, 128 + number(signal)])
const shutdown: Case = ['SIGTERM', 'shutdown', 42]

/** Both modes have this from one place, so the second is tried with some of them. */
const CASES: Readonly<Record<'panel' | 'line', readonly Case[]>> = {
  panel: [...ends('alone', ...ENDING), shutdown, ...ends('emitter', 'SIGTERM', 'SIGINT')],
  line: [...ends('alone', 'SIGHUP', 'SIGQUIT', 'SIGTERM'), shutdown, ...ends('emitter', 'SIGHUP')],
}

const folder = mkdtempSync(join(tmpdir(), 'ender-'))
const ender = join(folder, 'ender.mjs')
// In one file it starts much faster.
beforeAll(() => void buildSync({
  entryPoints: [fileURLToPath(new URL('ender.ts', import.meta.url))], outfile: ender, bundle: true, platform: 'node', format: 'esm', logLevel: 'error',
}))

/** Runs all cases, one after the other, and says after each how it ended and whether the terminal is the same. */
const script = (cases: readonly Case[]) => `ulimit -c 0; before=$(stty -g)
for one in ${cases.map(([signal, kind]) => `${signal}:${kind}`).join(' ')}; do
  ${process.execPath} ${ender} $MODE \${one%:*} \${one#*:}
  status=$?
  [ "$(stty -g)" = "$before" ] && same=same || same=changed
  stty "$before"
  echo; echo "ended $one $status $same"
done 2>/dev/null`

/** Whether what was written leaves the terminal's modes as they were. */
function isRestored(written: string): boolean {
  const lastOf = (mode: string) => written.lastIndexOf(`\u001B[?${mode}`)
  return lastOf('25h') >= lastOf('25l') && lastOf('7h') >= lastOf('7l') && lastOf('2004l') >= lastOf('2004h')
}

describe.skipIf(missing !== undefined).concurrent('a signal', () => {
  it.each(['panel', 'line'] as const)('has its effect and leaves the terminal as it was, in the mode %s', async (mode) => {
    const cases = CASES[mode]
    const person = new Person('bash', ['--norc', '--noprofile', '-c', script(cases)], [100, 60], { MODE: mode })
    people.push(person)
    for (const [signal, kind] of cases) await person.sees(`ended ${signal}:${kind}`, 'scrolled')
    const parts = person.written.split(/ended (\S+ \d+ \w+)\r?\n/)
    const found = cases.map((_, at) => `${parts[2 * at + 1]}${isRestored(parts[2 * at]!) ? '' : ' modes'}${parts[2 * at]!.includes('\u001B[?2004h') ? '' : ' not shown'}`)
    expect(found).toEqual(cases.map(([signal, kind, status]) => `${signal}:${kind} ${status} same`))
  })
})
