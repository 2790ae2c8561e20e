// The tests of the page in one real browser (npm run test:browser). Each page is a process: two files at a time keep two
// cores busy.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/browser/**/*.spec.ts'],
    globalSetup: ['test/browser/setup.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
  },
})
