/** The statement that appends sealed events after a stream's head, and its parameters. */
import type { NewEvent, StreamHead } from "../../application/ports/EventStore.ts"
import type * as HashChain from "../../domain/audit/HashChain.ts"
import type { Statement } from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"
import * as StreamKeys from "./StreamKeys.ts"

interface AppendOptions {
  /** ISO 8601, UTC. */
  readonly recordedAt: string
  /** `undefined`: payloads are stored as plaintext. */
  readonly key: StreamKeys.AppendKey | undefined
}

/** Answers with a row an event; with none where the stream is no longer at that head. */
export const of = (
  head: StreamHead,
  sealed: ReadonlyArray<HashChain.Sealed<NewEvent>>,
  { key, recordedAt }: AppendOptions
): readonly [Statement, ReadonlyArray<string | number>] => {
  const { hash, ref, streamId, version } = head
  const keyed = key?.wrapped === undefined ? "without key" : "with key"
  const statement = version === 0
    ? LogStatements.startStream(sealed.length, keyed)
    : LogStatements.continueStream(sealed.length, keyed)
  const next = `\\x${sealed.at(-1)?.hash ?? hash}`
  const parameters: Array<string | number> = [
    streamId,
    version,
    next,
    recordedAt,
    ref.tenant_id,
    ref.session_id
  ]
  if (version > 0) parameters.push(`\\x${hash}`)
  if (key?.wrapped !== undefined) parameters.push(key.wrapped)
  for (const { dataText, draft, hash, metadataText, payloadDigest, salt, version } of sealed) {
    const { eventId, schemaVersion, type } = draft
    // An encrypted salt leaves no guess of a payload to be tried against the digest.
    const [data, open] = key === undefined
      ? [dataText, salt]
      : [StreamKeys.encrypted(key.key, head, { dataText, salt, type, version }), ""]
    const seal = `\\x${payloadDigest}${hash}${open}`
    parameters.push(eventId, type, schemaVersion, data, metadataText, seal)
  }
  return [statement, parameters]
}
