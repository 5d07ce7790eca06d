/** Settings of proof: who signs how the log stood, how often, where it goes; verification. */
import * as Setting from "./Setting.ts"

export const table = {
  ANCHOR_KEY: Setting.signingKey(
    "ANCHOR_KEY",
    "Ed25519 key that signs anchors; absent: none are made"
  ),
  ANCHOR_MINUTES: Setting.whole(
    "ANCHOR_MINUTES",
    { default: 60, minimum: 0, maximum: 10_080 },
    "Between two anchors while the service runs, where a key is set; 0: never"
  ),
  ANCHOR_FILE: Setting.optionalText(
    "ANCHOR_FILE",
    "File that each anchor is put at the end of as a line of JSON; keep it where the database's administrator cannot write"
  ),
  ANCHOR_COMMAND: Setting.optionalText(
    "ANCHOR_COMMAND",
    "Program and arguments, with spaces between, that get each anchor on standard input; no shell, no environment, 30 s"
  ),
  LOG_VERIFY_HOURS: Setting.whole(
    "LOG_VERIFY_HOURS",
    { default: 24, minimum: 0, maximum: 720 },
    "Between two verifications of the whole log while the service runs, every seventh of all payloads; 0: never"
  )
}
