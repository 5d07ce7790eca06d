/** Keeps secrets out of what is written: the last belt, at the sink, for what nobody foresaw. */
import { Logger } from "effect"
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

/** One `key=value` line an entry on standard error, without anything that a terminal obeys. */
export const logger = (secrets: ReadonlyArray<string>): Logger.Logger<unknown, void> => {
  const clean = redact(secrets)
  return Logger.withConsoleError(
    Logger.map(Logger.formatLogFmt, (line) => TerminalText.plain(clean(line)))
  )
}
