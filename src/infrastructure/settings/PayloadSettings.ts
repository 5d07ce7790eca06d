/** Settings of stored payloads: what encrypts them, and who may erase them. */
import * as Setting from "./Setting.ts"

export const table = {
  PAYLOAD_KEY: Setting.encryptionKey(
    "PAYLOAD_KEY",
    "Key that wraps the sessions' data keys. Absent: the embedded store makes a key file, PostgreSQL gets payloads as plaintext"
  ),
  PAYLOAD_KEYS_FORMER: Setting.encryptionKeys(
    "PAYLOAD_KEYS_FORMER",
    "Keys that were `PAYLOAD_KEY` before and still unwrap, until `payloads rewrap` was run"
  ),
  ERASURE_DATABASE_URL: Setting.databaseUrl(
    "ERASURE_DATABASE_URL",
    "Login of the same database that may erase, a member of `wg_eraser`. Absent: that of `DATABASE_URL`"
  ),
  ERASURE_FILE: Setting.optionalText(
    "ERASURE_FILE",
    "File that the report of each erasure is put at the end of as a line of JSON; keep it outside the database, to erase a restored backup again"
  )
}
