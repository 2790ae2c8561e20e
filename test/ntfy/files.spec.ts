// Replies that came as files: which addresses are fetched, how often, and that nothing of ours goes along. Needs no ntfy.
import { describe, expect, it, vi } from 'vitest'
import { said } from './helpers/boot.ts'
import { useFakeHost } from './helpers/fake-host.ts'
import { patience } from './helpers/person.ts'

const host = useFakeHost()
const name = { id: 'q', question: 'Which name?' }
const REFUSED = 'Your reply arrived as a file that cannot be used'

/** What ntfy says of a long text that it has stored. */
const stored = (extra: object = {}) => ({ name: 'attachment.txt', type: 'text/plain; charset=utf-8', size: 11, url: `${host.fake.url}/file/aB3dE6gH9jKl.txt`, ...extra })
const sends = (attachment: object) => host.types('You received a file: attachment.txt', { attachment })
const refusals = () => host.fake.pushes.filter(({ message }) => message.startsWith(REFUSED))
/** What was asked of the server beside its streams and publishes. */
const fetched = () => host.fake.requests.filter(({ what }) => what !== 'POST /')

describe('a reply that came as a file', { timeout: 30_000 }, () => {
  it('is fetched from where the server keeps it, without our credentials', async () => {
    await host.load({ token: 'tk_secret', buttonToken: 'tk_button' })
    const { answer } = await host.show(name)
    host.fake.files.push('All of it.\n')
    sends(stored())
    expect(await answer).toEqual(said('All of it.\n'))
    expect(fetched()).toEqual([{ what: 'GET /file/aB3dE6gH9jKl.txt', authorization: undefined }])
  })

  it.each<[string, () => object]>([
    ['our account', () => stored({ url: `${host.fake.url}/v1/account` })],
    ['a publish in our name', () => stored({ url: `${host.fake.url}/${host.topic}/publish?message=hello` })],
    ['the messages of our topic', () => stored({ url: `${host.fake.url}/${host.topic}/json?poll=1` })],
    ['a way around', () => stored({ url: `${host.fake.url}/file/../v1/account` })],
    ['another way around', () => stored({ url: `${host.fake.url}/file/..%2fv1%2faccount` })],
    ['a third way around', () => stored({ url: `${host.fake.url}/file/a.txt/../../v1/account` })],
    ['a query', () => stored({ url: `${host.fake.url}/file/aB3dE6gH9jKl.txt?x=1` })],
    ['a fragment', () => stored({ url: `${host.fake.url}/file/aB3dE6gH9jKl.txt#x` })],
    ['a user', () => stored({ url: `${host.fake.url.replace('//', '//me:pw@')}/file/aB3dE6gH9jKl.txt` })],
    ['another host', () => stored({ url: 'https://example.org/file/aB3dE6gH9jKl.txt' })],
    ['another port', () => stored({ url: 'http://127.0.0.1:9/file/aB3dE6gH9jKl.txt' })],
    ['another scheme', () => stored({ url: `${host.fake.url.replace('http', 'https')}/file/aB3dE6gH9jKl.txt` })],
    ['no address', () => stored({ url: undefined })],
    ['an address that the sender named', () => stored({ type: undefined, size: undefined })],
    ['what is no text', () => stored({ type: 'application/octet-stream' })],
    ['an unknown size', () => stored({ size: undefined })],
    ['too large a size', () => stored({ size: 65_537 })],
    ['a size that is none', () => stored({ size: -1 })],
    ['half a size', () => stored({ size: 1.5 })],
  ])('at the address of %s is refused aloud, and nothing is asked for', async (_what, attachment) => {
    await host.load({ token: 'tk_secret', buttonToken: 'tk_button' })
    const { answer } = await host.show(name)
    sends(attachment())
    await host.fake.sees(({ message }) => message.startsWith(REFUSED))
    expect(fetched()).toEqual([])
    host.types('short')
    expect(await answer).toEqual(said('short'))
  })

  it.each([
    ['is not there', undefined],
    ['is larger than it was said to be', 'All of it, and more.'],
    ['is no text', '\u0000\uFFFD'],
  ])('that %s is refused aloud after one try', async (_what, content) => {
    await host.load()
    const { answer } = await host.show(name)
    host.fake.files.push(content === '\u0000\uFFFD' ? Buffer.from([0xff, 0xfe, 0xfd]) as unknown as string : content)
    sends(stored())
    await host.fake.sees(({ message }) => message.startsWith(REFUSED))
    expect(fetched()).toHaveLength(1)
    host.types('short')
    expect(await answer).toEqual(said('short'))
  })

  it('is not fetched where only options count', async () => {
    await host.load({ freeText: false })
    await host.show()
    sends(stored())
    await host.fake.sees(({ message }) => message.startsWith(REFUSED))
    expect(fetched()).toEqual([])
  })

  it('forty of them make at most ten requests, two at once, and the question can still be answered', async () => {
    await host.load()
    const { answer } = await host.show(name)
    host.fake.fileMs = 20
    const before = host.fake.requests.length
    for (let count = 0; count < 40; count++) sends(stored())
    await vi.waitFor(() => expect(host.fake.requests.length - before).toBe(10), patience)
    host.types('Kraftwerk')
    expect(await answer).toEqual(said('Kraftwerk'))
    await host.fake.sees(({ message }) => message.startsWith('Answered'))
    expect(host.fake.requests.length - before).toBeLessThanOrEqual(11)
    expect(host.fake.mostFiles).toBe(2)
    expect(refusals().length).toBeLessThanOrEqual(10)
  })
})
