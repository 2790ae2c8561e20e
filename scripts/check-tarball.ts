// Every file that package.json names, its exports above all, must be in what npm packs, and so must every page with what it
// links to; and nothing else than `files`. No export reaches the desk's own cordis; a hook needs no other file.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { HOOKS } from './build-hooks.ts'
import { isRelative, readPage } from './markdown.ts'

interface Manifest {
  exports: Record<string, string | Record<string, string>>
  types: string
  bin: Record<string, string>
  dsh: { bundle: { patch: string } }
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const [packed] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' })) as [
  { files: { path: string }[], size: number },
]
const files = new Set(packed.files.map(({ path }) => path))
const exported = Object.values(manifest.exports).flatMap(target => typeof target === 'string' ? [target] : Object.values(target))
// What is read or copied at run time, so that no export names it.
const page = ['./dist/surfaces/web/page.js', './dist/surfaces/web/page.css']
const hooks = HOOKS.map(name => `./dist/sources/${name}/hook.js`)
const licenses = ['./dist/surfaces/web/LICENSE.marked', './dist/surfaces/web/LICENSE.noble-hashes', './dist/desk/LICENSE.cordis', './dist/desk/LICENSE.cosmokit']
const markdown = ['docs', 'docs/zh'].flatMap(folder => readdirSync(folder).filter(file => file.endsWith('.md')).map(file => `${folder}/${file}`))
const documents = ['README.md', 'README.zh.md', 'CHANGELOG.md', ...markdown]
const linked = documents.flatMap(document => readPage(readFileSync(document, 'utf8')).links.filter(isRelative)
  .map(link => posix.join(posix.dirname(document), link.split('#')[0] || posix.basename(document))))
const wanted = [...exported, ...Object.values(manifest.bin), ...page, ...hooks, ...licenses, manifest.types, manifest.dsh.bundle.patch, ...documents, ...linked, './LICENSE']
const missing = [...new Set(wanted.map(path => posix.normalize(path)))].filter(path => !files.has(path))
if (missing.length > 0) throw new Error(`not in the tarball: ${missing.join(', ')}`)

/** What a built file imports: packages and files, those that are loaded later too. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^'"]*?["']([^"']+)["'];?$|\bimport\(["']([^"']+)["']\)/gm)].map(([, early, late]) => (early ?? late)!)
}

/** A file and all that it leads to. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (!reached.has(file)) {
    reached.add(file)
    for (const target of importsOf(file).filter(name => name.startsWith('.'))) reachedFrom(posix.join(posix.dirname(file), target), reached)
  }
  return reached
}

const isCordis = (file: string) => /^(var|class) Fiber\b/m.test(readFileSync(file, 'utf8'))
const scripts = exported.filter(path => path.endsWith('.js')).map(path => posix.normalize(path))
const withCordis = scripts.filter(path => [...reachedFrom(path)].some(isCordis))
if (withCordis.length > 0) throw new Error(`with cordis inside: ${withCordis.join(', ')}`)
if (![...reachedFrom(posix.normalize(Object.values(manifest.bin)[0]!))].some(isCordis)) throw new Error('the desk has no cordis')
const needy = hooks.filter(path => importsOf(path).some(name => !name.startsWith('node:')))
if (needy.length > 0) throw new Error(`needs more than Node.js: ${needy.join(', ')}`)
console.log(`${files.size} files, ${(packed.size / 1024).toFixed(1)} KB packed; every exported file and every document is among them`)
