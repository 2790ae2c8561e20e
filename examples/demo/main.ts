// The demo: a scripted agent in the real dsh host asks its person two things; the person answers in this terminal or on a
// page in a browser, and the first answer wins.
//
//   npm run demo                                        answer with the keyboard or on the page, Ctrl-C aborts the turn
//   npm run demo -- --lan                               the same, and a phone on this network can open the page
//   printf '2\n1,3\nblue\n' | npm run demo              the same on a pipe
//   npm run demo -- --ntfy <server>/<topic>             answer on a phone as well
import * as router from '../../src/index.ts'
import * as ntfy from '../../src/surfaces/ntfy/index.ts'
import * as terminal from '../../src/surfaces/terminal/index.ts'
import { bootHost, interrupt, newAgent, runTurn } from './host.ts'
import { ScriptedAdapter, text, toolCall } from './model.ts'
import * as page from './page.ts'
import { howToSubscribe, phoneFrom, type PhoneConfig } from './phone.ts'
import * as watcher from './watcher.ts'

const args = process.argv.slice(2)
const lan = args.includes('--lan')
let phone: PhoneConfig | undefined
try {
  phone = phoneFrom(args.filter(arg => arg !== '--lan'))
} catch (error) {
  console.error((error as Error).message)
  process.exit(2)
}

const model = new ScriptedAdapter([
  toolCall('database', 'ask_user_question', {
    questions: [{
      id: 'db',
      header: 'Storage',
      question: 'Which database should the project use?',
      options: [
        { label: 'Postgres', description: 'A server of its own; many writers at once, backups by the operations team.' },
        { label: 'SQLite', description: 'One file beside the program; nothing to run, one writer at a time.' },
      ],
    }],
  }),
  toolCall('details', 'ask_user_question', {
    questions: [
      {
        id: 'checks',
        header: 'Checks',
        question: 'What should run before each commit?',
        multi_select: true,
        options: [{ label: 'Tests' }, { label: 'Type check' }, { label: 'Linter' }],
      },
      { id: 'colour', question: 'Which colour should the logo have?' },
    ],
  }),
  text('Thank you, I have all I need.'),
])

const ctx = await bootHost(model)
// By default a phone is asked only after a minute, since somebody is at the terminal.
await ctx.plugin(router, phone ? { surfaces: { ntfy: { delayMs: 0 } } } : {})
await ctx.plugin(watcher)
await ctx.plugin(page, lan ? { host: '0.0.0.0' } : {})
await ctx.plugin(terminal)
if (phone) {
  await ctx.plugin(ntfy, phone)
  console.log(howToSubscribe(phone))
}
const agent = await newAgent(ctx, 'demo')

const onInterrupt = () => {
  console.log('\n(The turn is aborted.)')
  interrupt(agent)
}
process.once('SIGINT', onInterrupt)
// The terminal's input has ended and there is no page either: nothing keeps the process alive.
process.once('beforeExit', onInterrupt)
const end = await runTurn(ctx, agent, 'Set up the project.')
process.off('SIGINT', onInterrupt)
process.off('beforeExit', onInterrupt)

console.log('\nWhat the model was told:')
for (const call of ['database', 'details']) {
  console.log(`  ${call}: ${model.told(call)?.text ?? 'nothing'}`)
}
console.log(`The turn: ${end.kind}. Questions still open: ${ctx.askSurfaces.pending().length}.`)
await ctx.fiber.dispose()
process.exitCode = end.kind === 'completed' ? 0 : 130
