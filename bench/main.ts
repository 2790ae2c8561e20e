// `npm run bench`: everything that is measured, each against something bare in the same run.
import { benchMemory, benchSpeed } from './race.ts'

console.log(`Node.js ${process.version}`)
await benchSpeed()
await benchMemory()
