// The long run (npm run test:long): what is random, many more times.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'test/router/race.property.spec.ts', 'test/pty/random.spec.ts', 'test/surfaces/terminal-approval-random.spec.ts',
      'test/sources/claude-code/race.property.spec.ts', 'test/sources/codex/race.property.spec.ts', 'test/desk/connect/settings.property.spec.ts',
    ],
    env: { SCHEDULES: '50000', TERMINAL_RUNS: '2000', APPROVAL_RUNS: '10000', SOURCE_RUNS: '2000' },
    setupFiles: ['test/helpers/properties.ts'],
    maxWorkers: 2,
  },
})
