/** Settings of stored payloads: encryption, erasure, retention. */
import * as Setting from "./Setting.ts"

export const table = {
  PAYLOAD_KEY: Setting.encryptionKey(
    "Key that wraps the sessions' data keys. Absent: the embedded store makes a key file, PostgreSQL gets payloads as plaintext"
  ),
  PAYLOAD_KEYS_FORMER: Setting.encryptionKeys(
    "Keys that were `PAYLOAD_KEY` before and still unwrap, until `payloads rewrap` was run"
  ),
  ERASURE_DATABASE_URL: Setting.databaseUrl(
    "Login of the same database that may erase, a member of `wg_eraser`. Absent: that of `DATABASE_URL`"
  ),
  ERASURE_FILE: Setting.optionalText(
    "File that the report of each erasure is put at the end of as a line of JSON; keep it outside the database, to erase a restored backup again"
  ),
  RETENTION_SESSION_DAYS: Setting.whole(
    { default: 0, minimum: 0, maximum: 36_500 },
    "Days after its last event for which a session is kept, then erased; 0: until an erasure"
  ),
  RETENTION_CACHE_DAYS: Setting.whole(
    { default: 0, minimum: 0, maximum: 36_500 },
    "Days for which searches and packs stay in the caches, used or not; 0: any"
  ),
  RETENTION_PAGE_DAYS: Setting.whole(
    { default: 0, minimum: 0, maximum: 36_500 },
    "Days after it was collected for which a web page stays in the evidence store; 0: until it is removed"
  ),
  RETENTION_TENANTS: Setting.retentions(
    "What holds for single tenants instead, in days of sessions, caches and pages: `shop=30/7/90`, with commas"
  ),
  RETENTION_HOURS: Setting.whole(
    { default: 24, minimum: 0, maximum: 720 },
    "Between two runs of retention while the service runs, where anything is set; 0: never"
  )
}

// Settings of proofs: signing of the log's state, interval, destination; verification.

export const anchorTable = {
  ANCHOR_KEY: Setting.signingKey("Ed25519 key that signs anchors; absent: none are made"),
  ANCHOR_MINUTES: Setting.whole(
    { default: 60, minimum: 0, maximum: 10_080 },
    "Between two anchors while the service runs, where a key is set; 0: never"
  ),
  ANCHOR_FILE: Setting.optionalText(
    "File that each anchor is put at the end of as a line of JSON; keep it where the database's administrator cannot write"
  ),
  ANCHOR_COMMAND: Setting.optionalText(
    "Program and arguments, with spaces between, that get each anchor on standard input; no shell, no environment, 30 s"
  ),
  LOG_VERIFY_HOURS: Setting.whole(
    { default: 24, minimum: 0, maximum: 720 },
    "Between two verifications of the whole log while the service runs, every seventh of all payloads; 0: never"
  )
}
