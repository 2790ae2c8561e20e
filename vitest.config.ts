// `npm test`: everything that needs no more than `npm ci`, the real cordis and the real host in process included.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.spec.ts'],
          exclude: ['test/cli/**', 'test/browser/**', 'node_modules/**'],
          setupFiles: ['test/helpers/properties.ts'],
        },
      },
      {
        // In one real browser, after everything else. Each page is a process: two files at a time keep two cores busy.
        test: {
          name: 'browser',
          include: ['test/browser/**/*.spec.ts'],
          globalSetup: ['test/browser/setup.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/protocol/**', 'src/router/**', 'src/reply/**', 'src/config.ts', 'src/index.ts'],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
})
