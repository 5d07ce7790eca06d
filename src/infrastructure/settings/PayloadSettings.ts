/** Settings of stored payloads: encryption, erasure, retention. */
import * as Setting from "./Setting.ts"

export const table = {
  PAYLOAD_KEY: Setting.encryptionKey(
    "Key that wraps the sessions' data keys. Absent: the embedded store makes a key file, PostgreSQL gets payloads as plaintext"
  ),
  PAYLOAD_KEYS_FORMER: Setting.encryptionKeys(
    "Former values of `PAYLOAD_KEY`, needed until `payloads rewrap` was run"
  ),
  ERASURE_DATABASE_URL: Setting.databaseUrl(
    "Login of the same database that may erase, a member of `wg_eraser`. Absent: that of `DATABASE_URL`"
  ),
  ERASURE_FILE: Setting.optionalText(
    "File to which each erasure is appended as a line of JSON; keep it outside the database, to erase a restored backup again"
  ),
  RETENTION_SESSION_DAYS: Setting.whole(
    { default: 0, minimum: 0, maximum: 36_500 },
    "Days after its last event until a session is erased; 0: unlimited"
  ),
  RETENTION_CACHE_DAYS: Setting.whole(
    { default: 0, minimum: 0, maximum: 36_500 },
    "Days until searches and packs are removed from the caches; 0: unlimited"
  ),
  RETENTION_PAGE_DAYS: Setting.whole(
    { default: 0, minimum: 0, maximum: 36_500 },
    "Days after collection until a web page is removed from the evidence store; 0: unlimited"
  ),
  RETENTION_TENANTS: Setting.retentions(
    "The same for single tenants, in days of sessions, caches and pages: `shop=30/7/90`, with commas"
  ),
  RETENTION_HOURS: Setting.whole(
    { default: 24, minimum: 0, maximum: 720 },
    "Hours between two runs of retention, if any is set; 0: never"
  )
}

// Settings of proofs: signing of the log's state, interval, destination; verification.

export const anchorTable = {
  ANCHOR_KEY: Setting.signingKey("Ed25519 key that signs anchors. Absent: none are made"),
  ANCHOR_MINUTES: Setting.whole(
    { default: 60, minimum: 0, maximum: 10_080 },
    "Minutes between two anchors, if a key is set; 0: never"
  ),
  ANCHOR_FILE: Setting.optionalText(
    "File to which each anchor is appended as a line of JSON; keep it where the database's administrator cannot write"
  ),
  ANCHOR_COMMAND: Setting.optionalText(
    "Program and arguments, separated by spaces, that get each anchor on standard input; no shell, no environment, 30 s"
  ),
  LOG_VERIFY_HOURS: Setting.whole(
    { default: 24, minimum: 0, maximum: 720 },
    "Hours between two verifications of the whole log, every seventh with all payloads; 0: never"
  )
}
