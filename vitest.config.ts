// `npm test`: everything that needs no more than `npm ci`, the real cordis and the real host in process included; but what goes by
// the time of a person at a terminal has a script of its own.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.spec.ts'],
    exclude: ['test/cli/**', 'test/browser/**', 'test/agents/**', 'test/pty/**', 'node_modules/**'],
    globalSetup: ['test/helpers/skipped.ts'],
    setupFiles: ['test/helpers/properties.ts'],
    // By default vitest leaves one of two cores to its own process, which has little to do.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/protocol/**', 'src/router/**', 'src/reply/**', 'src/config.ts', 'src/index.ts'],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
})
