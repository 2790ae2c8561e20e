// A program for the tests in a pseudo-terminal: it asks, gets a signal once the question is on the screen, and lets whatever
// happens then happen. `node ender.ts <mode> <signal> [alone|shutdown|emitter]`
import { apply } from '../../src/surfaces/terminal/index.ts'
import type { AskSurface } from '../../src/index.ts'

const [mode, signal, kind] = process.argv.slice(2) as [string, NodeJS.Signals, string]

if (kind === 'shutdown') {
  // A host that needs a while to end: much longer than the terminal waits before it is taken again.
  process.once(signal, () => void setTimeout(() => process.exit(42), 200))
} else if (kind === 'emitter') {
  // As the package signal-exit does: only the last listener ends the process.
  const listener = () => {
    if (process.listenerCount(signal) > 1) return
    process.off(signal, listener)
    process.kill(process.pid, signal)
  }
  process.on(signal, listener)
}

let surface: AskSurface
// As much of cordis as the plugin asks for.
const ctx = { askSurfaces: { register: (one: AskSurface) => surface = one, reconsider() {} }, effect() {} }
apply(ctx as unknown as Parameters<typeof apply>[0], { mode })
const request = { questions: [{ id: 'q', question: 'Which?', options: [{ label: 'one' }, { label: 'two' }] }] }
surface!.ask(request, { id: 'ask', signal: new AbortController().signal, quiet: false }).catch(() => {})
process.stdout.write('asked\n')
setTimeout(() => process.kill(process.pid, signal), 20)
// It is not the end of the input that ends it.
setTimeout(() => process.exit(99), 5000)
