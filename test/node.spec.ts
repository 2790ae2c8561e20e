// Which Node.js this takes: a sentence where it is another, and no warning of npm's where it is one of them.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
// @ts-expect-error It is plain JavaScript, so that an old Node.js can read it.
import * as checkNode from '../scripts/check-node.js'

const { problemOf } = checkNode as { problemOf(version: string, range: string): string | undefined }

const read = (file: string) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as unknown

const { engines, scripts } = read('package.json') as { engines: { node: string }, scripts: Record<string, string> }

describe('the version of Node.js', () => {
  it.each(['22.19.0', '22.19.1', '22.20.0', '24.11.0', '24.12.3', '26.0.0', '27.1.0'])('%s is right', version => {
    expect(problemOf(version, engines.node)).toBeUndefined()
  })

  it.each(['18.20.0', '20.20.2', '22.18.9', '23.11.0', '24.10.9', '25.9.0'])('%s is not, and one sentence says what is', version => {
    expect(problemOf(version, engines.node)).toBe(
      `This takes Node.js ${engines.node}, and here is ${version}: install one of those (https://nodejs.org), or run npm ci with its scripts, which brings one along.`,
    )
  })

  it('is looked at before the demo and the tests', () => {
    const script = fileURLToPath(new URL('../scripts/check-node.js', import.meta.url))
    for (const name of ['demo', 'demo:agents', 'test', 'test:browser', 'test:cli', 'test:agents']) expect(scripts[`pre${name}`]).toBe('node scripts/check-node.js')
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toBe('')
    // What it does on another one, as that one would run it.
    const fake = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); process.argv[1] = ${JSON.stringify(script)}; await import(${JSON.stringify(script)})`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', fake], { encoding: 'utf8' })
    expect([status, stderr.split('\n').length]).toEqual([1, 2])
    expect(stderr).toContain('and here is 20.20.2')
  })

  it('that is right is right for everything that npm ci installs: no EBADENGINE', () => {
    const { packages } = read('package-lock.json') as { packages: Record<string, { engines?: { node?: string } }> }
    const wrong = Object.entries(packages).flatMap(([path, { engines: { node = '*' } = {} }]) =>
      // The first version of each line that is right; later ones of that line are, too, where a range has no end in it.
      ['22.19.0', '24.11.0', '26.0.0'].filter(version => !satisfies(version, node)).map(version => `${path} wants ${node}, not ${version}`))
    expect(wrong).toEqual([])
  })
})

/** Whether a version is in a range, for the forms of ranges that the lock file has. */
function satisfies(version: string, range: string): boolean {
  return range.split('||').some(part => {
    const [, sign, least] = /^\s*(\^|>=|)\s*(\*|\d[\d.]*)\s*$/.exec(part) ?? []
    if (least === undefined) throw new Error(`a form of range that this test does not know: ${part}`)
    if (least === '*') return true
    const full = [...least.split('.'), '0', '0'].slice(0, 3).join('.')
    return problemOf(version, `${sign === '>=' ? sign : '^'}${full}`) === undefined
  })
}
