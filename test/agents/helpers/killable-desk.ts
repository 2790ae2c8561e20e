// A desk in a process of its own, to be killed: it asks everybody, and nobody answers. Its argument is the state folder.
import { boot } from '../../helpers/cordis.ts'
import * as plugin from '../../../src/sources/claude-code/index.ts'

const { ctx } = await boot()
ctx.get('askSurfaces')!.register({
  name: 'page', personal: true, approvals: true,
  ask: () => {
    process.stdout.write('asked\n')
    return new Promise(() => {})
  },
})
await ctx.plugin(plugin, { folder: process.argv[2] })
