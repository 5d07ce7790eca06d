/**
 * Imports an export into a log without sessions of the tenant: verified first, then recorded
 * unchanged, all or nothing. Erasures and legal holds are kept.
 */
import { Brand, Context, Effect, Layer, Option, Result, Schema } from "effect"
import * as ExportCheck from "../../domain/audit/ExportCheck.ts"
import * as ExportLines from "../../domain/audit/ExportLines.ts"
import * as MerkleTree from "../../domain/audit/MerkleTree.ts"
import * as ErasureRecord from "../../domain/erasure/ErasureRecord.ts"
import { counted } from "../../domain/session/FactText.ts"
import * as EraseSession from "../erasure/EraseSession.ts"
import {
  EventStore,
  type LoggedEvent,
  type LogPosition,
  type StreamState
} from "../ports/EventStore.ts"
import { Digest } from "../ports/Platform.ts"
import { AnchorKeys, decodeStatement, type PublicKey } from "./MakeAnchors.ts"

/** The file is not an export, or was changed. Nothing was recorded. */
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

const positionOf = Brand.nominal<LogPosition>()

const make = Effect.gen(function*() {
  const store = yield* EventStore
  const digests = yield* Digest
  const keys = yield* AnchorKeys

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
    const states = new Map<string, StreamState>()
    let session: ExportLines.Session | ExportLines.Erased | undefined
    let of = { sessionId: "", streamId: "", tenantId }
    let record = ErasureRecord.initial
    for (const [index, text] of lines.entries()) {
      const refuse = ({ field, problem }: ExportCheck.Fault) =>
        new ExportRefused({ line: index + 1, field, problem })
      const parsed = ExportLines.parse(text)
      if (Result.isFailure(parsed)) return yield* refuse(parsed.failure)
      const line = parsed.success
      const statement = yield* Effect.mapError(
        statementOf(line, key),
        (problem) => refuse({ field: "anchor", problem: problem.replaceAll("_", " ") })
      )
      const fault = check.take(line, text, statement)
      if (fault !== undefined) return yield* refuse(fault)
      switch (line.line) {
        case "session":
        case "erased": {
          const { session_id: sessionId, stream_id: streamId } = session = line
          of = { sessionId, streamId, tenantId }
          record = ErasureRecord.initial
          if (line.line === "erased" && line.erased_at !== undefined) {
            states.set(streamId, { erasedAt: line.erased_at, isHeld: false })
          }
          break
        }
        case "record":
          of = { ...of, streamId: line.stream_id, tenantId: EraseSession.tenantOf(tenantId) }
          break
        case "event": {
          const position = positionOf(BigInt(line.position))
          const event: LoggedEvent = { ...of, ...ExportCheck.linkOf(line), position }
          events.push(event)
          if (session === undefined || of.tenantId === tenantId) break
          record = ErasureRecord.evolve(
            record,
            yield* Effect.mapError(factOf(event, { session, tenantId }), refuse)
          )
          states.set(session.stream_id, {
            ...states.get(session.stream_id),
            isHeld: record.matter !== undefined
          })
        }
      }
    }
    const fault = check.ended()
    if (fault !== undefined) return yield* new ExportRefused({ line: lines.length + 1, ...fault })
    const held = [...states.values()].filter(({ isHeld }) => isHeld).length
    return { events, states, totals: { ...check.totals(), held } }
  })

  /**
   * `lines`: without line ends, held in memory. `key`: the expected signer of the anchor; without
   * one no proof is checked, and no session is proven. With one, a session without any proven event
   * is refused unless `unproven` allows it.
   */
  const take = Effect.fn("ImportSessions.take")(function*(
    tenantId: string,
    lines: ReadonlyArray<string>,
    key: Option.Option<PublicKey>,
    unproven: "refused" | "allowed" = "refused"
  ) {
    const { events, states, totals } = yield* verified(tenantId, lines, key)
    const isProofNeeded = Option.isSome(key) && unproven === "refused"
    const refused = isProofNeeded ? unprovenIn(totals.extents) : undefined
    if (refused !== undefined) return yield* refused
    if ((yield* store.streams(tenantId, 1)).length > 0) {
      return yield* new StoreNotEmpty({ tenant_id: tenantId })
    }
    // The order of their original log, over all sessions.
    yield* store.restore(
      events.toSorted((one, other) => one.position < other.position ? -1 : 1),
      states
    )
    return totals
  })

  return { take }
})

export class ImportSessions extends Context.Service<ImportSessions, Effect.Success<typeof make>>()(
  "web-grounding/application/audit/ImportSessions"
) {}

export const layer = Layer.effect(ImportSessions, make)

const sessionsNamedMax = 20

/** `undefined`: the anchor proves each session, at least in part. */
const unprovenIn = (extents: ExportCheck.Totals["extents"]): ExportRefused | undefined => {
  const sessions = extents.filter(({ proven }) => proven === 0)
  const [first] = sessions
  if (first === undefined) return undefined
  const named = sessions.slice(0, sessionsNamedMax)
    .map(({ line, session_id }) => `${JSON.stringify(session_id)} (line ${line})`)
  return new ExportRefused({
    line: first.line,
    field: "session_id",
    problem: `no anchor of this key proves ${counted(sessions.length, "session")}: ` +
      `${named.join(", ")}${sessions.length > named.length ? ", …" : ""}; ` +
      "--unproven imports them too"
  })
}

interface Recorded {
  readonly session: ExportLines.Session | ExportLines.Erased
  readonly tenantId: string
}

const factOf = Effect.fnUntraced(function*(event: LoggedEvent, { session, tenantId }: Recorded) {
  const fact = yield* Effect.mapError(
    EraseSession.codec.decode(event),
    (): ExportCheck.Fault => ({ field: "data", problem: "no erasure and no legal hold" })
  )
  const isOfSession = fact.tenant_id === tenantId && fact.session_id === session.session_id &&
    fact.stream_id === session.stream_id
  if (!isOfSession) return yield* Effect.fail({ field: "data", problem: "of another session" })
  if (fact._tag === "WEB_GROUNDING_CONTENT_ERASED" && session.line !== "erased") {
    return yield* Effect.fail({ field: "type", problem: "the erased session has its contents" })
  }
  return fact
})
