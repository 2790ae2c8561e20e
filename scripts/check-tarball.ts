// Every file that package.json names, its exports above all, must be in what npm packs, and so must every page with what it
// links to; and nothing else than `files`.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { isRelative, readPage } from './markdown.ts'

interface Manifest {
  exports: Record<string, string | Record<string, string>>
  types: string
  dsh: { bundle: { patch: string } }
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const [packed] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' })) as [
  { files: { path: string }[], size: number },
]
const files = new Set(packed.files.map(({ path }) => path))
const exported = Object.values(manifest.exports).flatMap(target => typeof target === 'string' ? [target] : Object.values(target))
// The page's own code is read at run time, so no export names it.
const page = ['./dist/surfaces/web/page.js', './dist/surfaces/web/page.css']
const markdown = ['docs', 'docs/zh'].flatMap(folder => readdirSync(folder).filter(file => file.endsWith('.md')).map(file => `${folder}/${file}`))
const documents = ['README.md', 'README.zh.md', 'CHANGELOG.md', ...markdown]
const linked = documents.flatMap(document => readPage(readFileSync(document, 'utf8')).links.filter(isRelative)
  .map(link => posix.join(posix.dirname(document), link.split('#')[0] || posix.basename(document))))
const wanted = [...exported, ...page, manifest.types, manifest.dsh.bundle.patch, ...documents, ...linked, './LICENSE']
const missing = [...new Set(wanted.map(path => posix.normalize(path)))].filter(path => !files.has(path))
if (missing.length > 0) throw new Error(`not in the tarball: ${missing.join(', ')}`)
console.log(`${files.size} files, ${(packed.size / 1024).toFixed(1)} KB packed; every exported file and every document is among them`)
