// What a run says of what it skipped (test/helpers/skipped.ts).
import { expect, it } from 'vitest'
import { howToGetNtfy } from '../scripts/ntfy-server.ts'
import { skippedLines } from './helpers/skipped.ts'

const NTFY = { folder: 'test/ntfy/', what: 'a real ntfy server', missing: howToGetNtfy }
const PTY = { folder: 'test/pty/', what: 'a pseudo-terminal', missing: undefined }

it('is one line for each thing that is missing, with what to install', () => {
  const line = 'Skipped: 2 files in test/ntfy/ for want of a real ntfy server. Debian, Ubuntu: npm run ntfy:install. Elsewhere: https://docs.ntfy.sh/install/, then NTFY_BIN=<its path>.'
  expect(skippedLines(['test/ntfy/a.spec.ts', 'test/pty/b.spec.ts', 'test/ntfy/c.spec.ts'], [NTFY, PTY])).toEqual([line])
  expect(skippedLines(['test/pty/b.spec.ts'], [NTFY, { ...PTY, missing: 'Install it.' }])).toEqual(['Skipped: 1 file in test/pty/ for want of a pseudo-terminal. Install it.'])
})

it('is nothing where nothing is missing, or none of those tests was to run', () => {
  expect(skippedLines(['test/router/a.spec.ts'], [NTFY, PTY])).toEqual([])
  expect(skippedLines([], [NTFY, PTY])).toEqual([])
})
