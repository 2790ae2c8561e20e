// When the phone fetches a reply that ntfy made a file of. The client is a fake, because a real server breaks off only now and then.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TextFiles } from '../../src/surfaces/ntfy/attachment.ts'
import type { NtfyClient } from '../../src/surfaces/ntfy/client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start() {
  const closing = new AbortController(), file = vi.fn<NtfyClient['file']>().mockResolvedValue('words')
  return { closing, file, files: new TextFiles({ file } as unknown as NtfyClient, closing.signal) }
}

const FILE = { path: '/file/abc.txt', size: 5 }

it('a file is fetched once, and only when the server is done with its message', async () => {
  const { file, files } = start()
  const text = files.fetch(FILE)
  await vi.advanceTimersByTimeAsync(249)
  expect(file).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await text).toBe('words')
  expect(file).toHaveBeenCalledOnce()
})

it('whoever closes the phone does not wait for it', async () => {
  const { closing, file, files } = start()
  file.mockRejectedValue(new Error('closed'))
  const text = files.fetch(FILE)
  closing.abort()
  expect(await text).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})
