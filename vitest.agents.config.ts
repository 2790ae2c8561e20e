// The tests on the real Claude Code and Codex (npm run test:agents). One file at a time: each program wants a core for itself.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/agents/**/*.spec.ts'],
    globalSetup: ['test/agents/setup.ts'],
    fileParallelism: false,
    retry: 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
