// The tests on the real dsh command (npm run test:cli). One file at a time: each boots hosts of its own.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/cli/**/*.spec.ts'],
    globalSetup: ['test/cli/setup.ts'],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 180_000,
  },
})
