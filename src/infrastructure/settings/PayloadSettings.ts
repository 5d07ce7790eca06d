/** Settings of stored payloads: what encrypts them. */
import * as Setting from "./Setting.ts"

export const table = {
  PAYLOAD_KEY: Setting.encryptionKey(
    "PAYLOAD_KEY",
    "Key that wraps the sessions' data keys. Absent: the embedded store makes a key file, PostgreSQL gets payloads as plaintext"
  ),
  PAYLOAD_KEYS_FORMER: Setting.encryptionKeys(
    "PAYLOAD_KEYS_FORMER",
    "Keys that were `PAYLOAD_KEY` before and still unwrap, until `payloads rewrap` was run"
  )
}
