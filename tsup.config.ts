// The JavaScript of the package: one file for the core and one per subpath, and the web surface's page beside its file.
// Declarations come from tsc.
import { copyFile, writeFile } from 'node:fs/promises'
import { defineConfig } from 'tsup'
import { buildPage } from './scripts/build-page.ts'

export default defineConfig({
  entry: [
    'src/index.ts', 'src/surfaces/terminal/index.ts', 'src/surfaces/web/index.ts', 'src/surfaces/ntfy/index.ts', 'src/commands/index.ts',
  ],
  format: 'esm',
  target: 'node22.19',
  clean: true,
  dts: false,
  async onSuccess() {
    const { script, style } = await buildPage()
    await writeFile('dist/surfaces/web/page.js', script)
    await writeFile('dist/surfaces/web/page.css', style)
    await copyFile('node_modules/marked/LICENSE', 'dist/surfaces/web/LICENSE.marked')
    await copyFile('node_modules/@noble/hashes/LICENSE', 'dist/surfaces/web/LICENSE.noble-hashes')
  },
})
