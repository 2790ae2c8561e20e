// What these commands need of dsh's command registry (@deepseek-ai/dsh-commands), structurally. Type tests hold it
// against the real one.
import type { AskAgent } from '../protocol/request.ts'

/** What the person who sent a command is shown. */
export type CommandResult =
  | { readonly kind: 'success', readonly text?: string }
  | { readonly kind: 'error', readonly text: string }

/** One use of a command. */
export interface CommandInvocation {
  /** The agent in whose session the command was sent. */
  readonly agent: AskAgent
  /** What follows the command's name, the space between them included. */
  readonly rawInput: string
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal
}

/** A command as it is registered. */
export interface CommandDefinition {
  /** Lower case, without the slash. */
  readonly name: string
  /** One line for the list of commands. */
  readonly description: string
  /** Set for a command that may be followed by words; `hint` says which. */
  readonly input?: { readonly hint: string }
  readonly handler: (invocation: CommandInvocation) => CommandResult | Promise<CommandResult>
}

/** What is used of `ctx.commands`. */
export interface CommandRegistry {
  /**
   * Add a command; it goes with the plugin that added it.
   *
   * @returns takes it out again.
   * @throws when there is a command of that name.
   */
  register(definition: CommandDefinition): () => void
}
