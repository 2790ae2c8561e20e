// The tests on a real terminal (npm run test:terminal).
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/pty/**/*.spec.ts'],
    globalSetup: ['test/helpers/skipped.ts'],
    setupFiles: ['test/helpers/properties.ts'],
    maxWorkers: 2,
  },
})
