/** The statements that append sealed events after their streams' heads, and their parameters. */
import type { NewEvent, StreamHead } from "../../application/ports/EventStore.ts"
import type * as HashChain from "../../domain/audit/HashChain.ts"
import {
  byteaArray,
  jsonbArray,
  plainArray,
  textArray
} from "../../infrastructure/postgres/ArrayParameter.ts"
import type { Statement } from "../../infrastructure/postgres/Postgres.ts"
import * as GroupStatements from "./GroupStatements.ts"
import * as LogStatements from "./LogStatements.ts"
import * as StreamKeys from "./StreamKeys.ts"

export interface AppendOptions {
  /** ISO 8601, UTC. */
  readonly recordedAt: string
  /** `undefined`: payloads are stored as plaintext. */
  readonly key: StreamKeys.AppendKey | undefined
  /** The stream's row is there, though it has no event. */
  readonly isBegun?: boolean
}

/**
 * Statement that appends events at a stream's head. It answers with a row for each event; with none
 * where the stream is no longer at that head.
 */
export const appendStatement = (
  head: StreamHead,
  sealed: ReadonlyArray<HashChain.Sealed<NewEvent>>,
  { isBegun = false, key, recordedAt }: AppendOptions
): readonly [Statement, ReadonlyArray<string | number>] => {
  const { hash, ref, streamId, version } = head
  const keyed = key?.wrapped === undefined ? "without key" : "with key"
  const starts = version === 0 && !isBegun
  const statement = starts
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
  if (!starts) parameters.push(`\\x${hash}`)
  if (key?.wrapped !== undefined) parameters.push(key.wrapped)
  for (const { data, draft, metadataText, seal } of rowsOf(head, sealed, key)) {
    const { eventId, schemaVersion, type } = draft
    parameters.push(eventId, type, schemaVersion, data, metadataText, `\\x${seal}`)
  }
  return [statement, parameters]
}

/** An append among others. */
export interface GroupedAppend extends AppendOptions {
  readonly head: StreamHead
  readonly sealed: ReadonlyArray<HashChain.Sealed<NewEvent>>
}

/**
 * Statement that appends to many streams, all of which start or all of which go on. It answers with
 * a row for each event; with none for a stream that is no longer at the head given.
 */
export const groupStatement = (
  kind: GroupStatements.GroupKind,
  appends: ReadonlyArray<GroupedAppend>
): readonly [Statement, ReadonlyArray<string | Uint8Array>] => {
  const heads = appends.map(({ head }) => head)
  const events = appends.flatMap(({ head, key, recordedAt, sealed }) =>
    rowsOf(head, sealed, key).map((row) => ({ ...row, head, recordedAt }))
  )
  const wrapped = appends.flatMap(({ head: { streamId }, key }) =>
    key?.wrapped === undefined ? [] : [{ streamId, wrapped: key.wrapped }]
  )
  const keyed = wrapped.length > 0 ? "with key" : "without key"
  const parameters = [
    plainArray(heads.map(({ streamId }) => streamId)),
    plainArray(heads.map(({ version }) => version)),
    plainArray(appends.map(({ sealed }) => sealed.length)),
    byteaArray(appends.map(({ head, sealed }) => sealed.at(-1)?.hash ?? head.hash)),
    textArray(heads.map(({ ref }) => ref.tenant_id)),
    textArray(heads.map(({ ref }) => ref.session_id)),
    kind === "start"
      ? plainArray(appends.map(({ recordedAt }) => recordedAt))
      : byteaArray(heads.map(({ hash }) => hash)),
    plainArray(events.map(({ head }) => head.streamId)),
    plainArray(events.map(({ version }) => version)),
    plainArray(events.map(({ recordedAt }) => recordedAt)),
    plainArray(events.map(({ draft }) => draft.eventId)),
    textArray(events.map(({ draft }) => draft.type)),
    plainArray(events.map(({ draft }) => draft.schemaVersion)),
    jsonbArray(events.map(({ data }) => data)),
    jsonbArray(events.map(({ metadataText }) => metadataText)),
    byteaArray(events.map(({ seal }) => seal))
  ]
  if (wrapped.length > 0) {
    parameters.push(
      plainArray(wrapped.map(({ streamId }) => streamId)),
      textArray(wrapped.map((own) => own.wrapped))
    )
  }
  return [GroupStatements.groupStatement(kind, keyed), parameters]
}

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
    return { data, draft, metadataText, seal: `${payloadDigest}${hash}${open}`, version }
  })
