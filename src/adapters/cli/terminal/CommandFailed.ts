/** A command that could not do its work, told to the person at the terminal in one sentence. */
import { type PlatformError, Runtime, Schema } from "effect"

export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  sentence: Schema.String,
  /** Exit code of the process. Default 1. */
  code: Schema.optionalKey(Schema.Int)
}) {
  override readonly [Runtime.errorExitCode] = this.code ?? 1

  override get message(): string {
    return this.sentence
  }
}

export const commandFailed = (failure: Error): CommandFailed =>
  new CommandFailed({ sentence: failure.message })

const faultTexts: Partial<Record<string, string>> = {
  NotFound: "no such file or folder",
  PermissionDenied: "it may not be read"
}

/** Turns an error of the file system into a failure that names the file or folder a person gave. */
export const becauseOfFile =
  (place: string) => ({ message, reason }: PlatformError.PlatformError): CommandFailed =>
    new CommandFailed({ sentence: `${place}: ${faultTexts[reason._tag] ?? message}` })
