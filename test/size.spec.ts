// The core stays small: what `import 'dsh-ask-router'` brings, minified, zod aside. The router alone was to have 12 KB,
// and had them before it knew of home and away, quiet hours and reminders.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const BUDGET = 18 * 1024

it(`the core entry is at most ${BUDGET} bytes minified, without zod`, async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    external: ['zod'],
    write: false,
  })
  expect(outputFiles[0]!.contents.length).toBeLessThanOrEqual(BUDGET)
})
