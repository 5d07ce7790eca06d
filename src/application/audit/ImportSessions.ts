/**
 * Takes an export into a log that holds nothing of the tenant yet: everything is verified first,
 * and then recorded as it was, all of it or nothing.
 */
import { Brand, Context, Effect, Layer, Option, Result, Schema } from "effect"
import * as ExportCheck from "../../domain/audit/ExportCheck.ts"
import * as ExportLines from "../../domain/audit/ExportLines.ts"
import * as MerkleTree from "../../domain/audit/MerkleTree.ts"
import { Digest } from "../ports/Digest.ts"
import {
  type EventNotStorable,
  EventStore,
  type EventStoreUnavailable,
  type LoggedEvent,
  type LogPosition,
  type StreamConflict
} from "../ports/EventStore.ts"
import { AnchorKeys, type PublicKey } from "./AnchorKeys.ts"
import { decodeStatement } from "./MakeAnchors.ts"

/** The file is not an export, or not as it was exported. Nothing was recorded. */
export class ExportRefused extends Schema.TaggedError<ExportRefused>()("ExportRefused", {
  /** Line at fault, from 1; one past the last where the file ends too early. */
  line: Schema.Int,
  /** Keys joined by dots; empty: the line as a whole. */
  field: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    const place = this.field === "" ? `line ${this.line}` : `line ${this.line}, ${this.field}`
    return `The export is refused at ${place}: ${this.problem}. Nothing was recorded`
  }
}

/** The tenant has sessions here. Nothing was recorded. */
export class StoreNotEmpty extends Schema.TaggedError<StoreNotEmpty>()("StoreNotEmpty", {
  tenant_id: Schema.String
}) {
  override get message(): string {
    return `The store holds sessions of the tenant ${this.tenant_id}: import into an empty one`
  }
}

export type ImportFailed =
  | ExportRefused
  | StoreNotEmpty
  | StreamConflict
  | EventNotStorable
  | EventStoreUnavailable

/** Import of an export into an empty tenant. A line that does not verify fails all of it. */
export class ImportSessions extends Context.Service<ImportSessions, {
  /**
   * `lines`: of the file, in their order, each without its end; held in memory. `key`: who may have
   * signed the anchor; without one proofs are not looked at, and `proven` is 0.
   */
  readonly take: (
    tenantId: string,
    lines: ReadonlyArray<string>,
    key: Option.Option<PublicKey>
  ) => Effect.Effect<ExportCheck.Totals, ImportFailed>
}>()("web-grounding/application/audit/ImportSessions") {}

const positionOf = Brand.nominal<LogPosition>()

export const layer = Layer.effect(
  ImportSessions,
  Effect.gen(function*() {
    const store = yield* EventStore
    const digests = yield* Digest
    const keys = yield* AnchorKeys

    /** Statement of the header's anchor. An anchor that the key did not sign is refused. */
    const statementOf = Effect.fnUntraced(function*(
      line: ExportLines.Line,
      key: Option.Option<PublicKey>
    ) {
      if (line.line !== "header" || line.anchor === null || Option.isNone(key)) return undefined
      const text = yield* keys.open(MerkleTree.payloadType, line.anchor, [key.value])
      return yield* Effect.mapError(decodeStatement(text), () => "unreadable" as const)
    })

    const verified = Effect.fnUntraced(function*(
      tenantId: string,
      lines: ReadonlyArray<string>,
      key: Option.Option<PublicKey>
    ) {
      const check = ExportCheck.make({ ...digests, hash: keys.hash, tenantId })
      const events: Array<LoggedEvent> = []
      let of = { sessionId: "", streamId: "" }
      for (const [place, text] of lines.entries()) {
        const refuse = ({ field, problem }: ExportCheck.Fault) =>
          new ExportRefused({ line: place + 1, field, problem })
        const parsed = ExportLines.parse(text)
        if (Result.isFailure(parsed)) return yield* refuse(parsed.failure)
        const line = parsed.success
        const statement = yield* Effect.mapError(
          statementOf(line, key),
          (problem) => refuse({ field: "anchor", problem: problem.replaceAll("_", " ") })
        )
        const fault = check.take(line, text, statement)
        if (fault !== undefined) return yield* refuse(fault)
        if (line.line === "session") of = { sessionId: line.session_id, streamId: line.stream_id }
        if (line.line === "event") events.push(eventOf(line, { ...of, tenantId }))
      }
      const fault = check.ended()
      if (fault !== undefined) return yield* new ExportRefused({ line: lines.length + 1, ...fault })
      return { events, totals: check.totals() }
    })

    return ImportSessions.of({
      take: Effect.fn("ImportSessions.take")(function*(tenantId, lines, key) {
        const { events, totals } = yield* verified(tenantId, lines, key)
        if ((yield* store.streams(tenantId, 1)).length > 0) {
          return yield* new StoreNotEmpty({ tenant_id: tenantId })
        }
        // The order of the log that they come from, over all sessions.
        yield* store.restore(
          events.toSorted((one, other) => one.position < other.position ? -1 : 1)
        )
        return totals
      })
    })
  })
)

const eventOf = (
  line: ExportLines.Event,
  of: Pick<LoggedEvent, "sessionId" | "streamId" | "tenantId">
): LoggedEvent => ({
  ...of,
  eventId: line.event_id,
  type: line.type,
  schemaVersion: line.schema_version,
  data: line.data,
  metadata: line.metadata,
  version: line.version,
  position: positionOf(BigInt(line.position)),
  recordedAt: line.recorded_at,
  salt: line.salt,
  payloadDigest: line.payload_digest,
  hash: line.hash
})
