/** Keeps secrets out of what is written: the last belt, at the sink, for what nobody foresaw. */
import { Console, Effect, Logger, type Scope } from "effect"
import * as LogEntry from "./log/LogEntry.ts"
import * as LogRepeats from "./log/LogRepeats.ts"
import * as LogText from "./log/LogText.ts"
import * as TerminalText from "./TerminalText.ts"

/** Shorter values would blot out ordinary words. */
const secretCharsMin = 6

const placeholder = "[redacted]"

/** Replaces each secret, also as it stands inside a URL or inside JSON. */
export const redact = (secrets: ReadonlyArray<string>): (text: string) => string => {
  const forms = secrets.filter(({ length }) => length >= secretCharsMin).flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1)
  ])
  // The longest first: a secret may be the beginning of another.
  const ordered = [...new Set(forms)].sort((left, right) => right.length - left.length)
  return (text) => ordered.reduce((clean, form) => clean.replaceAll(form, placeholder), text)
}

/**
 * Logger that writes an entry as one line on standard error, without anything that a terminal
 * obeys. The same warning is written at most once a minute, with how often it came.
 */
export const logger = (
  secrets: ReadonlyArray<string>,
  format: LogText.LogFormat = "logfmt"
): Effect.Effect<Logger.Logger<unknown, void>, never, Scope.Scope> => {
  const clean = redact(secrets)
  return Effect.gen(function*() {
    // What is told at the end of a minute goes where its entries went.
    let out = yield* Console.Console
    const repeats = LogRepeats.make((entry) =>
      out.error(TerminalText.plainText(clean(LogText.write(entry, format))))
    )
    yield* Effect.addFinalizer(() => Effect.sync(repeats.flush))
    return Logger.make((options) => {
      out = options.fiber.getRef(Console.Console)
      repeats.take(LogEntry.logEntryOf(options))
    })
  })
}
