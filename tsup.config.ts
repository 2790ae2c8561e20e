// The JavaScript of the package: one file for the core and one per surface subpath. Declarations come from tsc.
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/surfaces/terminal/index.ts', 'src/surfaces/ntfy/index.ts'],
  format: 'esm',
  target: 'node22.19',
  clean: true,
  dts: false,
})
