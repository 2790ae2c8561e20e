// The real ntfy server of a test file.
import { afterAll, beforeAll } from 'vitest'
import { ntfy, NtfyServer } from '../../../scripts/ntfy-server.ts'

export { NtfyServer }

/** Whether there is no ntfy on this machine. Then the files that need one are skipped; test/helpers/skipped.ts says so. */
export const skipped = ntfy === undefined

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
