// The JavaScript of the package: one file for the core and one per surface subpath, and the web surface's page beside its
// file. Declarations come from tsc.
import { writeFile } from 'node:fs/promises'
import { defineConfig } from 'tsup'
import { buildPage } from './scripts/build-page.ts'

export default defineConfig({
  entry: ['src/index.ts', 'src/surfaces/terminal/index.ts', 'src/surfaces/web/index.ts'],
  format: 'esm',
  target: 'node22.19',
  clean: true,
  dts: false,
  async onSuccess() {
    const { script, style } = await buildPage()
    await writeFile('dist/surfaces/web/page.js', script)
    await writeFile('dist/surfaces/web/page.css', style)
  },
})
