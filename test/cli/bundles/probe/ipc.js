// TEST ONLY. The IPC channel that a test opened when it started dsh. What travels is typed in ../../probe.ts.

/** Whether a test started this dsh, and not a person. */
export const isTested = process.send !== undefined

export const report = message => process.connected && process.send(message)

const leave = () => process.exit(1)

/** Does what the test tells, by the name of the command, until the plugin is unloaded. */
export const obey = (ctx, commands) => {
  const hear = message => commands[message.command]?.(message)
  ctx.effect(() => {
    process.on('message', hear)
    process.once('disconnect', leave) // the test is gone, on whatever way: so is its host
    process.channel?.unref() // what keeps dsh alive has to be dsh
    return () => {
      process.off('message', hear)
      process.off('disconnect', leave)
    }
  }, 'commands of the test')
}
