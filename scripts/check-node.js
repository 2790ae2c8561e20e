// Says in one sentence which Node.js this takes, where the one that runs it is another: before the demo and the tests, which
// would fail with something that nobody understands. Written so that an old Node.js can read it.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/**
 * @param {string} version of Node.js, such as `22.19.0`.
 * @param {string} range as `engines` has it: `^` and `>=`, with `||` between them.
 * @returns {string | undefined} the sentence; nothing where the version is in the range.
 */
export function problemOf(version, range) {
  const numbers = text => text.split('.').map(Number)
  const given = numbers(version)
  const isIn = range.split('||').some(part => {
    const [, sign, least] = /^\s*(\^|>=)(\S+)\s*$/.exec(part)
    const wanted = numbers(least), at = wanted.findIndex((number, place) => number !== given[place])
    return (sign === '>=' || given[0] === wanted[0]) && (at < 0 || given[at] > wanted[at])
  })
  return isIn ? undefined : `This takes Node.js ${range}, and here is ${version}: install one of those (https://nodejs.org), or run npm ci with its scripts, which brings one along.`
}

if (import.meta.url === pathToFileURL(process.argv[1] || '').href) {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const problem = problemOf(process.versions.node, engines.node)
  if (problem !== undefined) {
    console.error(problem)
    process.exitCode = 1
  }
}
