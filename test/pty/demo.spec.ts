// The demo as a person meets it.
import { afterAll, describe, expect, it, vi } from 'vitest'
import { missing, Person, TEST_MS } from './person.ts'
import { SIZES } from './desk.ts'

const DEMO = 'examples/demo/main.ts'
const people: Person[] = []
const start = (person: Person) => {
  people.push(person)
  return person
}

/** Wait for the last thing that the demo says. */
const allSaid = (person: Person) => person.sees(() => person.flat.includes('Questions still open: 0.'))

vi.setConfig({ testTimeout: TEST_MS })
afterAll(() => {
  for (const person of people) person.kill()
})


describe.skipIf(missing !== undefined).concurrent('the demo', () => {
  it.each(SIZES)('is answered with keys at %ix%i', async (columns, rows) => {
    const person = start(Person.node(DEMO, [columns, rows]))
    await person.sees('> ( ) 1. Postgres')
    await person.ready()
    person.press('2')
    await person.sees('> ( ) 2. SQLite')
    person.press('\r')
    await person.sees('> [ ] 1. Tests')
    await person.ready()
    person.press(' jj ')
    await person.sees('> [x] 3. Linter')
    person.press('\r')
    await person.sees('> Answer:')
    person.press('blue\r')
    await person.sees('> Submit')
    await person.sees('Tests, Linter')
    person.press('\r')
    await allSaid(person)
    expect(await person.end()).toBe(0)
    const said = person.flat
    expect(said).toContain('Sent: Which database should the project use? SQLite')
    expect(said).toContain('{"answers":[{"id":"checks","selected":["Tests","Linter"]},{"id":"colour","selected":[],"custom":"blue"}]}')
    // Nothing of a panel is left.
    expect(said).not.toContain('Submit')
    expect(said).not.toContain('Esc')
    expect(person.restored).toBe(true)
  })

  it.each(SIZES)('is put away everywhere on Ctrl-C at %ix%i', async (columns, rows) => {
    const person = start(Person.node(DEMO, [columns, rows]))
    await person.sees('1. Postgres')
    person.press('\u0003')
    await allSaid(person)
    expect(await person.end()).toBe(130)
    expect(person.scrolled).toContain('Cancelled: Which database')
    expect(person.flat).toContain('puts it away: aborted')
    expect(person.scrolled).not.toContain('> ( )')
    expect(person.restored).toBe(true)
  })

  it('asks line by line on a dumb terminal', async () => {
    const person = start(Person.node(DEMO, [80, 24], { TERM: 'dumb' }))
    await person.sees('Reply with a number, or with your own words.')
    // A line that comes too early is refused with a word.
    person.press('1\r')
    await person.sees(/not sent|Sent: Which/)
    expect(person.written).not.toContain('\u001B[?2004h')
  })

  it('asks line by line on a pipe', async () => {
    const person = start(new Person('bash', ['-c', `printf '2\\n1,3\\nblue\\n' | '${process.execPath}' ${DEMO}`], [80, 24]))
    await allSaid(person)
    expect(await person.end()).toBe(0)
    expect(person.flat).toContain('Sent: What should run before each commit? Tests, Linter / Which colour should the logo have? blue')
  })

  it('drops colour, and only colour, with NO_COLOR', async () => {
    const [plain, colourful] = [{ NO_COLOR: '1' }, {}].map(env => start(Person.node(DEMO, [80, 24], env)))
    await Promise.all([plain!.sees('> ( ) 1. Postgres'), colourful!.sees('> ( ) 1. Postgres')])
    // What is above is the link to each one's own page.
    const [own, other] = [plain!, colourful!].map(({ screen }) => screen.slice(screen.indexOf(' asks:')))
    expect(own).toBe(other)
    // oxlint-disable-next-line no-control-regex
    const colour = /\u001B\[(?:\d+;)?3\d/
    expect(colour.test(plain!.written)).toBe(false)
    expect(colour.test(colourful!.written)).toBe(true)
    expect(plain!.written).toContain('\u001B[1m')
  })
})
