// TEST ONLY. The tool `write` needs its person's permission, so that dsh's own approvals run.
export const name = 'ask-gate'

export const apply = ctx => {
  ctx.on('tools/pre-execute', (call, next) => call.name === 'write' ? { kind: 'ask', reason: 'it touches production' } : next())
}
