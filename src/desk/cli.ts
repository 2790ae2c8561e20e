#!/usr/bin/env node
// The program `dsh-ask-router`: which command does what. Each is loaded only when it is called.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { EXIT } from './exit.ts'
import { err, out, texts } from './terminal.ts'

/** Runs a command. @returns the exit code. */
type Command = (argv: readonly string[]) => Promise<number>

const COMMANDS: Readonly<Record<string, Command>> = {
  async desk(argv) {
    const { deskOptions, runDesk } = await import('./desk-command.ts')
    return runDesk(optionsOf(argv, deskOptions))
  },
  async status(argv) {
    const { runStatus, statusOptions } = await import('./status-command.ts')
    return runStatus(optionsOf(argv, statusOptions))
  },
  connect: async argv => (await import('./connect/index.ts')).connect(argv),
  disconnect: async argv => (await import('./connect/index.ts')).disconnect(argv),
  async mcp(argv) {
    optionsOf(argv, {})
    const [{ runMcpServer }, { version }] = await Promise.all([import('../sources/mcp/server.ts'), import('./version.ts')])
    try {
      await runMcpServer({ version })
    } catch (error) {
      err(`dsh-ask-router mcp: ${error instanceof Error ? error.message : String(error)}`)
      return EXIT.failed
    }
    return EXIT.done
  },
}

function optionsOf<T extends ParseArgsOptionsConfig>(argv: readonly string[], options: T) {
  return parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values
}

async function main([word, ...argv]: readonly string[]): Promise<number> {
  if (word === '--version' || word === '-v') {
    out((await import('./version.ts')).version)
    return EXIT.done
  }
  if (word === '--help' || word === '-h' || word === 'help' || argv.includes('--help')) {
    out(texts.help)
    return EXIT.done
  }
  if (word === undefined) {
    err(texts.help)
    return EXIT.usage
  }
  const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined
  if (!command) {
    err(texts.unknownCommand(word))
    return EXIT.usage
  }
  try {
    return await command(argv)
  } catch (error) {
    if (!(error instanceof TypeError && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS'))) throw error
    err(texts.usage(error.message.split('. ', 1)[0]!))
    return EXIT.usage
  }
}

// Not `exitCode` alone: what somebody's plugin forgot must not keep the program.
process.exit(await main(process.argv.slice(2)))
