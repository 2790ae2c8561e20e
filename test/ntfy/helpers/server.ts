// The real ntfy server of a test file.
import { afterAll, beforeAll } from 'vitest'
import { howToGetNtfy, ntfy, NtfyServer } from '../../../scripts/ntfy-server.ts'

export { NtfyServer }

/** Whether there is no ntfy on this machine. Then the files that need one are skipped. */
export const skipped = ntfy === undefined

/** Say so, in one of these files for all of them. */
export function saySkipped(): void {
  if (skipped) process.stderr.write(`Skipped: the tests on a real ntfy server (test/ntfy: answers, demo, gaps, life, limits, protected, reminder, several). ${howToGetNtfy}\n`)
}

/** A server for all tests of a `describe`; its `url` is there from the first of them on. */
export function useServer(args?: readonly string[]): { readonly url: string } {
  let server: NtfyServer
  beforeAll(async () => {
    server = await NtfyServer.start(args)
  }, 30_000)
  afterAll(() => server?.[Symbol.asyncDispose]())
  return {
    get url() {
      return server.url
    },
  }
}
