/** A command that could not do its work, told to the person at the terminal in one sentence. */
import { Runtime, Schema } from "effect"

export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  sentence: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = 1

  override get message(): string {
    return this.sentence
  }
}

export const because = (failure: Error): CommandFailed =>
  new CommandFailed({ sentence: failure.message })
