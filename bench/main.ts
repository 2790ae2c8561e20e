// `npm run bench`: everything that is measured, each against something bare in the same run. What needs more than npm can
// install is measured only where that is installed.
import { chromiumPath } from '../test/browser/setup.ts'
import { benchNtfy } from './ntfy.ts'
import { benchHook } from './hook.ts'
import { benchMemory } from './memory.ts'
import { benchScale, benchSpeed, benchWaterfall } from './race.ts'
import { benchTerminal } from './terminal.ts'

console.log(`Node.js ${process.version}`)
await benchSpeed()
await benchWaterfall()
await benchScale()
await benchMemory()
await benchTerminal()
await benchHook()
await benchNtfy()
if (chromiumPath() === undefined) console.log('\nThe page: skipped, no Chromium here (apt-get install chromium, or name one in CHROMIUM)')
else await import('./web.ts')
