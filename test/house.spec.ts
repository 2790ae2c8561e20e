// The house: which file may know which. Every import counts, those of types too.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SRC = fileURLToPath(new URL('../src', import.meta.url))

/** The files of `src`, each with the files of `src` that it imports. */
const imports = new Map(readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts')).map((path) => {
  const file = path.replaceAll('\\', '/')
  const text = readFileSync(join(SRC, path), 'utf8')
  const targets = [...text.matchAll(/(?:from|import) ?\(?'(\.{1,2}\/[^']+)'/g)].map(([, target]) => relative(SRC, join(SRC, dirname(file), target!)).replaceAll('\\', '/'))
  return [file, targets.filter(target => target.endsWith('.ts'))] as const
}))

/** One circle of imports, if there is any. */
function circle(): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const target of imports.get(file)!) {
      const found = visit(target, [...way, file])
      if (found) return found
    }
    done.add(file)
    return undefined
  }
  for (const file of imports.keys()) {
    const found = visit(file, [])
    if (found) return found
  }
  return undefined
}

/** Imports from the files of one folder into folders that it must not know. */
function forbidden(folder: string, allowed: readonly string[]): string[] {
  const isIn = (file: string, name: string) => file === name || file.startsWith(`${name}/`)
  return [...imports].filter(([file]) => isIn(file, folder)).flatMap(([file, targets]) => (
    targets.filter(target => !isIn(target, folder) && !allowed.some(name => isIn(target, name))).map(target => `${file} -> ${target}`)
  ))
}

/** What a file imports of other packages at run time. */
const packages = (file: string) => [...readFileSync(join(SRC, file), 'utf8').matchAll(/^(?:import|export) (?!type\b).*? from '([^.'][^']*)'$/gm)].map(([, name]) => name!)

describe('the files of src', () => {
  it('are found, and import only files that are there', () => {
    expect(imports.size).toBeGreaterThan(80)
    expect([...imports].flatMap(([file, targets]) => targets.filter(target => !imports.has(target)).map(target => `${file} -> ${target}`))).toEqual([])
  })

  it('import each other in no circle', () => {
    expect(circle()).toBeUndefined()
  })

  it('import nothing of the host at run time, but for the desk, which has none', () => {
    const files = [...imports.keys()].filter(file => packages(file).some(name => name.startsWith('@deepseek-ai/')))
    expect(files).toEqual(['desk/cordis.ts'])
  })

  it('of the desk are known by nobody else', () => {
    expect([...imports].filter(([file, targets]) => !file.startsWith('desk/') && targets.some(target => target.startsWith('desk/')))).toEqual([])
  })

  it.each([
    ['protocol', []],
    ['reply', ['protocol']],
    ['router', ['protocol']],
    // A trial question goes by the public routeAsk.
    ['commands', ['protocol', 'reply', 'router/route-ask.ts']],
    ['surfaces', ['protocol', 'reply']],
    // The waterfall is the one source with a host behind it, so it knows how the router takes part in one.
    ['sources/host', ['protocol', 'reply', 'router']],
    ['sources/local', ['protocol']],
    ['sources/claude-code', ['protocol', 'reply', 'sources/local']],
    ['sources/codex', ['protocol', 'reply', 'sources/local']],
    // Its tool \`approve\` is Claude Code's permission prompt.
    ['sources/mcp', ['protocol', 'reply', 'sources/local', 'sources/claude-code']],
    // It loads all the plugins there are, and knows no more of the router than they do.
    ['desk', ['index.ts', 'protocol', 'reply', 'sources', 'surfaces', 'commands']],
  ])('of %s know only what is below them', (folder, allowed) => {
    expect(forbidden(folder, allowed)).toEqual([])
  })
})
