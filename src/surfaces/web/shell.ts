// The shell: the page's document, script, style and icon. It is public, the same for everybody, and holds no data.
import { readFile } from 'node:fs/promises'
import type { ShellFile } from './server.ts'

/** The page's own code, ready to be served. */
export interface PageCode {
  readonly script: string
  readonly style: string
}

/**
 * The shell's files by path.
 *
 * @param lang as configured; the page itself resolves `auto`.
 */
export async function loadShell(lang: 'auto' | 'en' | 'zh'): Promise<ReadonlyMap<string, ShellFile>> {
  const { script, style } = await loadCode()
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', body: document(lang) }],
    ['/page.js', { type: 'text/javascript; charset=utf-8', body: script }],
    ['/page.css', { type: 'text/css; charset=utf-8', body: style }],
    ['/icon.svg', { type: 'image/svg+xml', body: ICON }],
  ])
}

let built: Promise<PageCode> | undefined

async function loadCode(): Promise<PageCode> {
  if (import.meta.url.endsWith('.ts')) {
    // Running from the sources, as the demo and the tests do: the page is built in memory, once.
    const builder: string = new URL('../../../scripts/build-page.ts', import.meta.url).href
    const { buildPage } = await import(builder) as { buildPage(): Promise<PageCode> }
    return built ??= buildPage()
  }
  const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
  const [script, style] = await Promise.all([read('page.js'), read('page.css')])
  return { script, style }
}

const document = (lang: string) => `<!doctype html>
<html lang="${lang === 'zh' ? 'zh-CN' : 'en'}" data-lang="${lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>dsh</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="page.css">
<script type="module" src="page.js"></script>
<noscript>This page needs JavaScript. 此页面需要 JavaScript。</noscript>
</html>
`

const ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2f5bd7"/>'
  + '<path d="M11 12a5 5 0 1 1 7 5q-2 1-2 3M16 24v1" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>\n'
