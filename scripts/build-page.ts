// The page of the web surface: its modules -> one script and one style. The package has them as files; what runs from the
// sources builds them in memory.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { PageCode } from '../src/surfaces/web/shell.ts'

/** Build the page's code, minified. */
export async function buildPage(): Promise<PageCode> {
  const folder = new URL('../src/surfaces/web/page/', import.meta.url)
  const { outputFiles } = await build({
    entryPoints: { page: fileURLToPath(new URL('main.ts', folder)), style: fileURLToPath(new URL('style.css', folder)) },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome123', 'firefox124', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
    outdir: '.',
    logLevel: 'silent',
  })
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))!.text
  return { script: text('page.js'), style: text('style.css') }
}
