// Every file that package.json names, its exports above all, must be in what npm packs; and nothing else than `files`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

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
const wanted = [...exported, ...page, manifest.types, manifest.dsh.bundle.patch, './README.md', './README.zh.md', './CHANGELOG.md', './LICENSE']
const missing = wanted.map(path => path.replace(/^\.\//, '')).filter(path => !files.has(path))
if (missing.length > 0) throw new Error(`not in the tarball: ${missing.join(', ')}`)
console.log(`${files.size} files, ${(packed.size / 1024).toFixed(1)} KB packed; every exported file is among them`)
