// The part of dsh's command registry (@deepseek-ai/dsh-commands) that the commands use, as structural types. Type tests
// compare it with the real one.
import type { AskAgent } from '../protocol/request.ts'

/** What is shown to the person who sent a command. */
export type CommandResult =
  | { readonly kind: 'success', readonly text?: string }
  | { readonly kind: 'error', readonly text: string }

/** A command as a person sent it. */
export interface CommandInvocation {
  /** The agent in whose session the command was sent. */
  readonly agent: AskAgent
  /** What follows the command's name, with the space before it. */
  readonly rawInput: string
  /** Aborts when nobody waits for the result. */
  readonly signal: AbortSignal
}

/** A command to register. */
export interface CommandDefinition {
  /** Lower case, without the slash. */
  readonly name: string
  /** One line for the list of commands. */
  readonly description: string
  /** Only for a command that takes an argument; `hint` describes it. */
  readonly input?: { readonly hint: string }
  readonly handler: (invocation: CommandInvocation) => CommandResult | Promise<CommandResult>
}

/** The part of `ctx.commands` that is used. */
export interface CommandRegistry {
  /**
   * Add a command; it is removed with the plugin that added it.
   *
   * @returns removes it.
   * @throws when the name is taken.
   */
  register(definition: CommandDefinition): () => void
}
