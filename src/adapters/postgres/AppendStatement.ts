/** Statements that append sealed events at their streams' heads, and their parameters. */
import type { NewEvent, StreamHead } from "../../application/ports/EventStore.ts"
import type * as HashChain from "../../domain/audit/HashChain.ts"
import type { Statement } from "../../infrastructure/postgres/Postgres.ts"
import * as StreamKeys from "./StreamKeys.ts"

export interface Append {
  readonly head: StreamHead
  readonly sealed: ReadonlyArray<HashChain.Sealed<NewEvent>>
  /** ISO 8601, UTC. */
  readonly recordedAt: string
  /** `undefined`: payloads are stored as plaintext. */
  readonly key: StreamKeys.AppendKey | undefined
}

/** Whether the streams' rows are inserted, or exist. */
export type AppendKind = "start" | "continue"

/** Appends events at their streams' heads. Returns no row for a stream whose head has moved. */
export const appendStatement = (
  kind: AppendKind,
  appends: ReadonlyArray<Append>
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
  return [appendStatements[kind][keyed], parameters]
}

const rowsOf = (
  head: StreamHead,
  sealed: ReadonlyArray<HashChain.Sealed<NewEvent>>,
  key: StreamKeys.AppendKey | undefined
) =>
  sealed.map(({ dataText, draft, hash, metadataText, payloadDigest, salt, version }) => {
    const { type } = draft
    // With the salt encrypted, guesses of a payload cannot be checked against the digest.
    const [data, open] = key === undefined
      ? [dataText, salt]
      : [StreamKeys.encrypted(key.key, head, { dataText, salt, type, version }), ""]
    return { data, draft, metadataText, seal: `${payloadDigest}${hash}${open}`, version }
  })

// Statements that append to one or many streams, prepared once for each connection. New and
// existing streams have one each, as each checks heads by its own trigger. Streams are arrays in
// `$1` to `$7`, events in `$8` to `$16`, new wrapped data keys in `$17` and `$18`. The stream's row
// is the optimistic lock, and events depend on it: a stream that loses the race leaves no events
// and draws no positions, the others are unaffected.

/** Whether an append brings a stream's data key. */
type Keyed = "with key" | "without key"

/** A key inserted concurrently is a conflict, and leaves no row. */
const started = `
      insert into wg.streams (stream_id, version, head_hash, created_at, tenant_id, session_id)
        select stream, version + count, next, at, tenant, session
          from unnest($1::uuid[], $2::int[], $3::int[], $4::bytea[], $5::text[], $6::text[],
            $7::timestamptz[]) as given (stream, version, count, next, tenant, session, at)
          order by tenant, session
        on conflict do nothing returning stream_id, tenant_id`

/**
 * The heads imply both bounds. With them the planner uses the index, not a scan, even for a table
 * that was small when it planned.
 */
const continued = `
      update wg.streams as own
        set version = given.version + given.count, head_hash = given.next
        from unnest($1::uuid[], $2::int[], $3::int[], $4::bytea[], $5::text[], $6::text[],
          $7::bytea[]) as given (stream, version, count, next, tenant, session, before)
        where given.version >= 0 and given.count > 0 and own.stream_id = given.stream
          and own.version = given.version and own.head_hash = given.before
          and own.tenant_id = given.tenant and own.session_id = given.session
          and own.erased_at is null
        returning own.stream_id, own.tenant_id`

const keyInserted = `
    keyed as (
      insert into wg.payload_keys (stream_id, wrapped)
        select head.stream_id, given.wrapped
          from unnest($17::uuid[], $18::text[]) as given (stream, wrapped)
          join head on head.stream_id = given.stream
    )`

const append = (kind: AppendKind, keyed: Keyed): Statement => ({
  name: `wg_${kind}${keyed === "with key" ? "_keyed" : ""}`,
  text: `
    with head as (${kind === "start" ? started : continued}
    )${keyed === "with key" ? `,${keyInserted}` : ""}
    insert into wg.events (stream_id, version, tenant_id, recorded_at, event_id, type,
        schema_version, data, metadata, seal)
      select head.stream_id, event.version, head.tenant_id, event.at, event.id, event.type,
          event.shape, event.data, event.metadata, event.seal
        from unnest($8::uuid[], $9::int[], $10::timestamptz[], $11::uuid[], $12::text[],
            $13::int2[], $14::jsonb[], $15::jsonb[], $16::bytea[]) with ordinality
          as event (stream, version, at, id, type, shape, data, metadata, seal, place)
          join head on head.stream_id = event.stream
        order by event.place
      returning stream_id, position`
})

/** They return a row for each event, the events of a stream in order. */
export const appendStatements: Readonly<Record<AppendKind, Readonly<Record<Keyed, Statement>>>> = {
  start: {
    "with key": append("start", "with key"),
    "without key": append("start", "without key")
  },
  continue: {
    "with key": append("continue", "with key"),
    "without key": append("continue", "without key")
  }
}

// Texts use the server's binary form, which needs no escapes; other values are literals.

const elementTypes = { text: 25, jsonb: 3_802 } as const

/** Version byte of binary `jsonb`, before the text. */
const jsonbVersion = 1

const int32Bytes = 4
const headerBytes = 5 * int32Bytes

/** Array of values without quotes: numbers, ids and times, but no words such as NULL. */
export const plainArray = (values: ReadonlyArray<string | number>): string =>
  `{${values.join(",")}}`

export const byteaArray = (hexes: ReadonlyArray<string>): string =>
  hexes.length === 0 ? "{}" : `{"\\\\x${hexes.join(`","\\\\x`)}"}`

/** Array of texts without NUL. */
export const textArray = (texts: ReadonlyArray<string>): Uint8Array => binary("text", texts)

export const jsonbArray = (texts: ReadonlyArray<string>): Uint8Array => binary("jsonb", texts)

/** One dimension from index 1, and no nulls. */
const binary = (type: keyof typeof elementTypes, texts: ReadonlyArray<string>): Buffer => {
  const versionBytes = type === "jsonb" ? 1 : 0
  const sizes = texts.map((text) => Buffer.byteLength(text) + versionBytes)
  const bytes = sizes.reduce((sum, size) => sum + int32Bytes + size, headerBytes)
  const buffer = Buffer.allocUnsafe(bytes)
  const header = [1, 0, elementTypes[type], texts.length, 1]
  let at = header.reduce((place, field) => buffer.writeInt32BE(field, place), 0)
  texts.forEach((text, index) => {
    at = buffer.writeInt32BE(sizes[index] ?? 0, at)
    if (versionBytes > 0) at = buffer.writeUInt8(jsonbVersion, at)
    at += buffer.write(text, at)
  })
  return buffer
}
