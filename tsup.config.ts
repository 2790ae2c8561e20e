// The JavaScript of the package: one file for the core, one per subpath and one for the program, the web surface's page and the
// hooks beside theirs. The program has cordis inside; nothing else does. Declarations come from tsc.
import { copyFile, writeFile } from 'node:fs/promises'
import { defineConfig } from 'tsup'
import { buildHooks } from './scripts/build-hooks.ts'
import { buildPage } from './scripts/build-page.ts'

export default defineConfig({
  entry: [
    'src/index.ts', 'src/surfaces/terminal/index.ts', 'src/surfaces/web/index.ts', 'src/surfaces/ntfy/index.ts', 'src/commands/index.ts',
    'src/sources/claude-code/index.ts', 'src/sources/codex/index.ts', 'src/sources/mcp/index.ts',
    'src/desk/cli.ts', 'src/desk/desk-command.ts',
  ],
  format: 'esm',
  target: 'node22.19',
  clean: true,
  dts: false,
  // Of the host only the desk uses anything at run time, and no host is there.
  noExternal: [/^@deepseek-ai\/(cordis|cosmokit)$/],
  async onSuccess() {
    await buildHooks()
    const { script, style } = await buildPage()
    await writeFile('dist/surfaces/web/page.js', script)
    await writeFile('dist/surfaces/web/page.css', style)
    await copyFile('node_modules/marked/LICENSE', 'dist/surfaces/web/LICENSE.marked')
    await copyFile('node_modules/@deepseek-ai/cordis/LICENSE', 'dist/desk/LICENSE.cordis')
    await copyFile('node_modules/@deepseek-ai/cosmokit/LICENSE', 'dist/desk/LICENSE.cosmokit')
    await copyFile('node_modules/@noble/hashes/LICENSE', 'dist/surfaces/web/LICENSE.noble-hashes')
  },
})
