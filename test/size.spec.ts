// The core stays small: what `import 'dsh-ask-router'` brings, minified, zod aside; and the race in it can be read at once.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const path = (file: string) => fileURLToPath(new URL(`../src/${file}`, import.meta.url))

async function minified(file: string, bundle: boolean): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [path(file)], bundle, minify: true, format: 'esm', platform: 'node', write: false, ...bundle && { external: ['zod'] },
  })
  return outputFiles[0]!.contents.length
}

// 19 KB until each surface got a copy of its own, asks within asks were told apart, the log was guarded and answers were cut off
// before they are read (what keeps one participant's mistakes from the others), and until `hush`, quiet hours by the day and
// a word where no question arrives came in. 24 KB until approvals came with what the tool is to do, each listener of the host was
// asked by itself, registrations outlived the router, and answers were taken after the agent has gone on. 36 KB until any source could
// ask, with a dialog of its own beside the surfaces.
it('the core entry is at most 38 KB minified, without zod', async () => {
  expect(await minified('index.ts', true)).toBeLessThanOrEqual(38 * 1024)
})

it('the race is at most 4 KB minified and 160 lines', async () => {
  expect(await minified('router/race.ts', false)).toBeLessThanOrEqual(4 * 1024)
  expect(readFileSync(path('router/race.ts'), 'utf8').split('\n').length).toBeLessThanOrEqual(160)
})
