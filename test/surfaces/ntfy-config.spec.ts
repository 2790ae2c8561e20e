// The phone's configuration: what is refused, and with which words.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authorizationOf, Config } from '../../src/surfaces/ntfy/config.ts'
import { newTopic, replyTopicOf, topicProblem } from '../../src/surfaces/ntfy/topic.ts'

const topic = newTopic()

function problems(config: unknown): string[] {
  const { error } = Config.safeParse(config)
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
}

beforeEach(() => {
  // What the person who runs the tests has there is not part of them.
  for (const name of Object.keys(process.env)) if (name.startsWith('DSH_ASK_NTFY_')) vi.stubEnv(name, '')
})

afterEach(() => vi.unstubAllEnvs())

describe('the configuration', () => {
  it('needs no more than a topic', () => {
    expect(Config.parse({ topic })).toEqual({
      server: 'https://ntfy.sh', topic, replyTopic: replyTopicOf(topic), priority: 4, tags: ['question'], lang: 'auto',
      freeText: true, shared: false, approvals: false, allowInsecure: false, maxBytes: 1000,
    })
  })

  it('gives longer messages to a server of one’s own', () => {
    expect(Config.parse({ topic, server: 'https://ntfy.example.org/' })).toMatchObject({ server: 'https://ntfy.example.org', maxBytes: 4000 })
  })

  it('is the same after a second validation', () => {
    const once = Config.parse({ topic, token: 'tk_abc' })
    expect(Config.parse(once)).toEqual(once)
  })

  it('makes the reply topic from the topic, always the same and without any part of it, and keeps one that is set', () => {
    const longest = 'k3vq9t2mx7pw4zj8'.repeat(4)
    for (const own of [topic, longest]) {
      const { replyTopic } = Config.parse({ topic: own })
      expect(replyTopic).toMatch(/^[0-9a-f]{32}$/)
      expect(Config.parse({ topic: own }).replyTopic).toBe(replyTopic)
      for (let at = 0; at + 6 <= own.length; at++) expect(replyTopic).not.toContain(own.slice(at, at + 6))
    }
    expect(Config.parse({ topic: 'dsh-k3vq9t2mx7pw4zj8' }).replyTopic).toBe('4f3486027d3230e5424c65b152579317')
    expect(Config.parse({ topic, replyTopic: `${topic}-response` }).replyTopic).toBe(`${topic}-response`)
  })

  it.each([
    [undefined, 'topic: must be given here, or as DSH_ASK_NTFY_TOPIC in the environment'],
    ['nothing', ': must be an object of server, topic, replyTopic, token, username, password, buttonToken, allowInsecure, priority, tags, lang, freeText, shared, approvals, maxBytes'],
    [{ topic, sever: 'x' }, ': unknown key sever; it may be server, topic, replyTopic, token, username, password, buttonToken, allowInsecure, priority, tags, lang, freeText, shared, approvals, maxBytes'],
    [{ topic, server: 'ntfy.sh' }, 'server: must be an http or https address, for example https://ntfy.sh'],
    [{ topic, server: 'ftp://ntfy.sh' }, 'server: must be an http or https address, for example https://ntfy.sh'],
    [{ topic, server: 'https://u:p@ntfy.sh' }, 'server: must not hold credentials: use token, or username and password'],
    [{ topic, server: 'https://ntfy.sh/x' }, 'server: must be the server alone, without a path'],
    [{ topic, server: `https://${String.fromCodePoint(...Array.from({ length: 200 }, (_, at) => 0x4e00 + at * 97))}` }, 'server: must have at most 256 characters, in ASCII'],
    [{ topic, server: 'http://ntfy.example.org' }, 'server: must be https: over plain http anybody on the way can read and answer the questions (allowInsecure: true permits it)'],
    [{ topic, replyTopic: topic }, 'replyTopic: must differ from topic'],
    [{ topic, token: 'a', username: 'b', password: 'c' }, 'token: cannot be combined with username'],
    [{ topic, username: 'b' }, 'password: is missing: username and password go together'],
    [{ topic, password: 'b' }, 'username: is missing: username and password go together'],
    [{ topic, token: 'a b' }, 'token: must be 1 to 256 visible ASCII characters'],
    [{ topic, priority: 6 }, 'priority: Too big: expected number to be <=5'],
    [{ topic, tags: ['a,b'] }, 'tags.0: must be 1 to 32 characters without a comma'],
    [{ topic, maxBytes: 100 }, 'maxBytes: Too small: expected number to be >=400'],
    [{ topic, lang: 'de' }, 'lang: Invalid option: expected one of "auto"|"en"|"zh"'],
  ])('refuses %j', (config, problem) => {
    expect(problems(config)).toEqual([problem])
  })

  it.each(['http://localhost:80', 'http://127.0.0.1:8080', 'http://[::1]:8080'])('permits plain http to %s', server => {
    expect(problems({ topic, server })).toEqual([])
  })

  it('permits plain http elsewhere when told to', () => {
    expect(problems({ topic, server: 'http://ntfy.example.org', allowInsecure: true })).toEqual([])
  })

  it('takes secrets from the environment, and the configuration goes first', () => {
    vi.stubEnv('DSH_ASK_NTFY_TOPIC', topic)
    vi.stubEnv('DSH_ASK_NTFY_TOKEN', 'tk_env')
    expect(Config.parse(undefined)).toMatchObject({ topic, token: 'tk_env' })
    expect(Config.parse({ token: 'tk_own' })).toMatchObject({ token: 'tk_own' })
    const login = Config.parse({ username: 'me', password: 'pw' })
    expect(login.token).toBeUndefined()
    expect(authorizationOf(login)).toBe('Basic bWU6cHc=')
  })

  it('never repeats a secret in a problem', () => {
    const secret = 'hunter2 with spaces'
    const { error } = Config.safeParse({ topic: secret, token: secret, buttonToken: secret, replyTopic: secret, server: `https://u:${secret}@x.org` })
    expect(String(error)).not.toContain('hunter2')
  })
})

describe('a topic', () => {
  it.each([
    ['questions', 'is too short to be secret'],
    ['dsh-questions-for-my-phone', 'is guessable'],
    ['johnsmith-laptop-2026', 'is guessable'],
    ['MyDshQuestionsOnMyPhone', 'is guessable'],
    ['a1a1a1a1a1a1a1a1a1', 'is guessable'],
    ['1q2w3e4r5t6y7u8i', 'is guessable'],
    ['jan01feb02mar03apr04', 'is guessable'],
    ['a1b2c3d4e5f6g7h8', 'is guessable'],
    ['pass1word2pass3word4', 'is guessable'],
    ['größe-1a2b3c4d5e6f', 'may have 1 to 64 letters'],
    ['', 'may have 1 to 64 letters'],
  ])('called %s is refused, with one to copy', (name, why) => {
    const problem = topicProblem(name)!
    expect(problem).toContain(why)
    expect(topicProblem(/for example (\S+)$/.exec(problem)![1]!)).toBeUndefined()
  })

  it('made here is one that is taken', () => {
    for (let count = 0; count < 1000; count++) expect(topicProblem(newTopic())).toBeUndefined()
  })

  it.each(['6f9619ff-8b86-d011-b42d-00cf4fc964ff', 'dsh-k3vq9t2mx7pw4zj8'])('made by chance is taken: %s', name => {
    expect(topicProblem(name)).toBeUndefined()
  })
})
