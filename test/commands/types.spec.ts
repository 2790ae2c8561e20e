// Types: what the commands need of the host's command registry is what it has. The type checker runs over this file; at
// run time there is nothing to see.
import type * as host from '@deepseek-ai/dsh-commands'
import { describe, expectTypeOf, it } from 'vitest'
import type * as ours from '../../src/commands/host.ts'

describe('our types of the command registry and the host\'s', () => {
  it('are assignable from ours to the host\'s', () => {
    expectTypeOf<ours.CommandDefinition>().toExtend<host.CommandDefinition>()
    expectTypeOf<ours.CommandResult>().toExtend<host.CommandResult>()
  })

  it('are assignable from the host\'s to ours', () => {
    expectTypeOf<host.CommandRuntime>().toExtend<ours.CommandRegistry>()
    expectTypeOf<host.CommandInvocation>().toExtend<ours.CommandInvocation>()
    expectTypeOf<host.CommandResult>().toExtend<ours.CommandResult>()
  })

  it('have the same kinds of result, so that none of the host\'s is missing here', () => {
    expectTypeOf<ours.CommandResult['kind']>().toEqualTypeOf<host.CommandResult['kind']>()
  })

  it('do not let a handler return nothing', () => {
    expectTypeOf<() => undefined>().not.toExtend<ours.CommandDefinition['handler']>()
  })
})
