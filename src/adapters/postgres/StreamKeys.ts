/**
 * Data keys of streams, cached, so that an append to a known stream needs no query. A stream whose
 * key was deleted in the database leaves the cache at its next read, and accepts no append by then.
 */
import { Effect, Option, Result, type Schema } from "effect"
import type { StreamHead } from "../../application/ports/EventStore.ts"
import * as PayloadCipher from "../../infrastructure/encryption/PayloadCipher.ts"
import { PayloadKeyMissing, PayloadKeys } from "../../infrastructure/encryption/PayloadKeys.ts"
import { Postgres, type PostgresError } from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"

/** Streams whose keys are cached, least recently used evicted. */
const heldMax = 10_000

/** Hex digits of payload digest and hash: a seal without a salt. */
const unsaltedDigits = 128
const saltDigits = 32

type DataKey = PayloadCipher.DataKey["key"]

export interface StreamKey {
  readonly streamId: string
  readonly tenantId: string
  readonly wrapped: string | null
}

export interface KeptPayload {
  readonly version: number
  readonly type: string
  readonly data: Payload["data"]
  /** Lower-case hex. */
  readonly seal: string
}

export interface Payload {
  readonly data: Schema.Json | null
  readonly salt: string | null
}

export interface AppendKey {
  readonly key: DataKey
  /** Absent: already stored. */
  readonly wrapped?: string
}

/** Identity that a wrapped data key is bound to. */
export const boundKey = ({ streamId, tenantId }: Omit<StreamKey, "wrapped">): string =>
  `wg:1:data-key\0${JSON.stringify([tenantId, streamId])}`

const boundPayload = (
  { streamId, tenantId }: Omit<StreamKey, "wrapped">,
  { type, version }: Pick<KeptPayload, "type" | "version">
): string => `wg:1:payload-cipher\0${JSON.stringify([tenantId, streamId, version, type])}`

/** The service's own streams hold no content; the evidence store's hold names. */
const isEncrypted = (tenantId: string): boolean =>
  !tenantId.startsWith("_") || tenantId.startsWith("_evidence/")

/** Data in stored form: one JSON string, including the salt. */
export const encrypted = (
  key: DataKey,
  head: StreamHead,
  { dataText, salt, type, version }: {
    readonly version: number
    readonly type: string
    readonly dataText: string
    readonly salt: string
  }
): string => {
  const stream = { streamId: head.streamId, tenantId: head.ref.tenant_id }
  const bound = boundPayload(stream, { type, version })
  return JSON.stringify(PayloadCipher.encryptText(key, `${salt}${dataText}`, bound))
}

/** Matches no digest, so that verification reports the event. */
const damaged: Payload = { data: {}, salt: "" }
const erased: Payload = { data: null, salt: null }

const parsed = Option.liftThrowable((text: string): Schema.Json => JSON.parse(text))

export type StreamKeys = Effect.Success<typeof make>

/** Data keys of streams, read from the database and unwrapped; recently used ones are cached. */
export const make = Effect.gen(function*() {
  const postgres = yield* Postgres
  const wrapping = yield* PayloadKeys
  const held = new Map<string, { readonly wrapped: string; readonly key: DataKey }>()

  const keep = (streamId: string, { key, wrapped }: PayloadCipher.DataKey): void => {
    held.delete(streamId)
    held.set(streamId, { key, wrapped })
    const [oldest] = held.keys()
    if (held.size > heldMax && oldest !== undefined) held.delete(oldest)
  }

  const unwrapped = (
    { streamId, tenantId }: StreamKey,
    wrapped: string
  ): Result.Result<DataKey, PayloadCipher.NotUnwrapped> => {
    const known = held.get(streamId)
    if (known?.wrapped === wrapped) return Result.succeed(known.key)
    if (Option.isNone(wrapping)) return Result.fail("unknown")
    const key = PayloadCipher.unwrap(wrapping.value, wrapped, boundKey({ streamId, tenantId }))
    if (Result.isSuccess(key)) keep(streamId, { key: key.success, wrapped })
    return key
  }

  const missing = (wrapped: string) =>
    new PayloadKeyMissing({ key_id: PayloadCipher.wrappingIdOf(wrapped) })

  /** The payload as recorded; empty if erased or if its key was deleted. */
  const opened = (
    row: KeptPayload,
    stream: StreamKey
  ): Result.Result<Payload, PayloadKeyMissing> => {
    const { data, seal } = row
    const salt = seal.slice(unsaltedDigits)
    if (salt !== "") return Result.succeed({ data, salt })
    if (stream.wrapped === null) held.delete(stream.streamId)
    if (data === null || stream.wrapped === null) return Result.succeed(erased)
    const key = unwrapped(stream, stream.wrapped)
    if (Result.isFailure(key)) {
      return key.failure === "unknown"
        ? Result.fail(missing(stream.wrapped))
        : Result.succeed(damaged)
    }
    const text = typeof data === "string"
      ? PayloadCipher.decryptText(key.success, data, boundPayload(stream, row))
      : Option.none()
    return Result.succeed(Option.match(text, { onNone: () => damaged, onSome: payloadOf }))
  }

  /** `undefined`: the stream's payloads are stored as plaintext. */
  const forAppend = Effect.fnUntraced(function*(
    { ref: { tenant_id: tenantId }, streamId, version }: StreamHead
  ): Effect.fn.Return<AppendKey | undefined, PostgresError | PayloadKeyMissing> {
    if (Option.isNone(wrapping) || !isEncrypted(tenantId)) return undefined
    const known = held.get(streamId)
    if (known !== undefined && version > 0) return { key: known.key }
    const rows = version === 0
      ? []
      : yield* LogStatements.idempotent(
        postgres.prepared<{ readonly wrapped: string }>(LogStatements.readKey, [streamId])
      )
    const [row] = rows
    if (row === undefined) {
      return PayloadCipher.drawDataKey(wrapping.value, boundKey({ streamId, tenantId }))
    }
    const key = unwrapped({ streamId, tenantId, wrapped: row.wrapped }, row.wrapped)
    if (Result.isFailure(key)) return yield* missing(row.wrapped)
    return { key: key.success }
  })

  const appended = (streamId: string, { key, wrapped }: AppendKey): void => {
    if (wrapped !== undefined) keep(streamId, { key, wrapped })
  }

  return { appended, forAppend, opened }
})

const payloadOf = (text: string): Payload =>
  Option.match(parsed(text.slice(saltDigits)), {
    onNone: () => damaged,
    onSome: (data) => ({ data, salt: text.slice(0, saltDigits) })
  })
