/** The statement that appends sealed events after a stream's head, and its parameters. */
import type { NewEvent, StreamHead } from "../../application/ports/EventStore.ts"
import type * as HashChain from "../../domain/audit/HashChain.ts"
import type { Statement } from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"
import * as StreamKeys from "./StreamKeys.ts"

export interface AppendOptions {
  /** ISO 8601, UTC. */
  readonly recordedAt: string
  /** `undefined`: payloads are stored as plaintext. */
  readonly key: StreamKeys.AppendKey | undefined
}

/**
 * Statement that appends events at a stream's head. It answers with a row for each event; with none
 * where the stream is no longer at that head.
 */
export const appendStatement = (
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
  for (const { data, draft, metadataText, seal } of rowsOf(head, sealed, key)) {
    const { eventId, schemaVersion, type } = draft
    parameters.push(eventId, type, schemaVersion, data, metadataText, `\\x${seal}`)
  }
  return [statement, parameters]
}

/** Appends as the JSON parameter of `GroupAppend`. Texts that are JSON stand as they are. */
export const groupOf = (
  appends: ReadonlyArray<
    AppendOptions & {
      readonly head: StreamHead
      readonly sealed: ReadonlyArray<HashChain.Sealed<NewEvent>>
    }
  >
): string =>
  `[${
    appends.map(({ head, key, recordedAt, sealed }, index) => {
      const { hash, ref, streamId, version } = head
      const events = rowsOf(head, sealed, key).map(({ data, draft, metadataText, seal }, place) =>
        `{"ordinal":${place + 1},"id":"${draft.eventId}","type":${JSON.stringify(draft.type)},` +
        `"shape":${draft.schemaVersion},"seal":"${seal}","data":${data},"metadata":${metadataText}}`
      )
      const fields = JSON.stringify({
        ordinal: index,
        stream: streamId,
        version,
        count: sealed.length,
        next: sealed.at(-1)?.hash ?? hash,
        before: hash,
        at: recordedAt,
        tenant: ref.tenant_id,
        session: ref.session_id,
        wrapped: key?.wrapped ?? null
      })
      return `${fields.slice(0, -1)},"events":[${events.join(",")}]}`
    }).join(",")
  }]`

/** Events with payload and seal as they are stored; the seal in lower-case hex. */
const rowsOf = (
  head: StreamHead,
  sealed: ReadonlyArray<HashChain.Sealed<NewEvent>>,
  key: StreamKeys.AppendKey | undefined
) =>
  sealed.map(({ dataText, draft, hash, metadataText, payloadDigest, salt, version }) => {
    const { type } = draft
    // An encrypted salt leaves no guess of a payload to be tried against the digest.
    const [data, open] = key === undefined
      ? [dataText, salt]
      : [StreamKeys.encrypted(key.key, head, { dataText, salt, type, version }), ""]
    return { data, draft, metadataText, seal: `${payloadDigest}${hash}${open}` }
  })
