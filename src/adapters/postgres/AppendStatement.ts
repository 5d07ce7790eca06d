/** Statements that append sealed events at their streams' heads, and their parameters. */
import type { NewEvent, StreamHead } from "../../application/ports/EventStore.ts"
import type * as HashChain from "../../domain/audit/HashChain.ts"
import type { Statement } from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"
import type { Keyed } from "./LogStatements.ts"
import * as StreamKeys from "./StreamKeys.ts"

interface AppendOptions {
  /** ISO 8601, UTC. */
  readonly recordedAt: string
  /** `undefined`: payloads are stored as plaintext. */
  readonly key: StreamKeys.AppendKey | undefined
  /** The stream's row exists, though without events. */
  readonly isBegun?: boolean
}

/** Appends events at a stream's head. Returns a row for each event; none if the head has moved. */
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

export interface GroupedAppend extends AppendOptions {
  readonly head: StreamHead
  readonly sealed: ReadonlyArray<HashChain.Sealed<NewEvent>>
}

/** All new or all existing streams. Returns no row for a stream whose head has moved. */
export const groupStatement = (
  kind: GroupKind,
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
  return [groupStatements[kind][keyed], parameters]
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

// Statements that append to many streams at once, prepared once for each connection. New and
// existing streams have one each, as each checks heads by its own trigger. Streams are arrays in
// `$1` to `$7`, events in `$8` to `$16`, new wrapped data keys in `$17` and `$18`. Events depend on
// their stream's row: a stream that loses the race leaves no events, the others are unaffected.

export type GroupKind = "start" | "continue"

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
        where given.version > 0 and given.count > 0 and own.stream_id = given.stream
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

const append = (kind: GroupKind, keyed: Keyed): Statement => ({
  name: `wg_${kind}_group${keyed === "with key" ? "_keyed" : ""}`,
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
export const groupStatements: Readonly<Record<GroupKind, Readonly<Record<Keyed, Statement>>>> = {
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
