/**
 * A tenant moved to another PostgreSQL by export and import, under the login of the service.
 *
 * Promise: what was erased stays erased and takes no event, what is held cannot be erased, and the
 * list of erasures is the same there; an export that hides this is refused.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Result } from "effect"
import * as OutsideAnchors from "../../src/adapters/anchors/OutsideAnchors.ts"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import * as PostgresLogRows from "../../src/adapters/postgres/PostgresLogRows.ts"
import * as ExportSessions from "../../src/application/audit/ExportSessions.ts"
import * as ImportSessions from "../../src/application/audit/ImportSessions.ts"
import * as VerifyLog from "../../src/application/audit/VerifyLog.ts"
import { EraseSessions } from "../../src/application/EraseSessions.ts"
import * as EraseSession from "../../src/application/erasure/EraseSession.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import * as ExportLines from "../../src/domain/audit/ExportLines.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import * as Erasable from "../support/erasableService.ts"
import { caller, plain } from "../support/grounding.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import * as PayloadKeys from "../support/payloadKeys.ts"
import * as TestDatabase from "../support/testDatabase.ts"
import { digest } from "../support/verifiedHistory.ts"

const as = (role: "wg_app" | "wg_eraser") =>
  Effect.flatMap(TestDatabase.TestDatabase, ({ url }) => Erasable.loginOf(url, role))

const erasing = Layer.unwrap(Effect.map(as("wg_eraser"), Erasable.erasures))

const auditing = Layer.mergeAll(
  ImportSessions.layer.pipe(Layer.provide(OutsideAnchors.layerSigningKey(Option.none()))),
  VerifyLog.layer.pipe(Layer.provide(Layer.merge(PostgresLogRows.layer, MemoryAnchors.none)))
).pipe(
  Layer.provideMerge(PostgresEventStore.layer),
  Layer.provide(PayloadKeys.layer),
  Layer.provideMerge(Layer.merge(digest, plain))
)

/** A database of its own with what audits and erases it. */
const database = () =>
  Layer.fresh(
    Layer.mergeAll(erasing, auditing).pipe(
      Layer.provideMerge(Layer.unwrap(Effect.map(as("wg_app"), Erasable.database))),
      Layer.provideMerge(TestDatabase.layerOf("migrated"))
    )
  )

const erase = (session: number) =>
  Effect.flatMap(
    EraseSessions,
    ({ EraseSession }) => EraseSession({ session_id: Erasable.sessionOf("moved", session) }, caller)
  )

const exported = ExportSessions.part(caller.tenantId, { part: 1, limit: 100 }).pipe(
  Effect.map(({ jsonl }) => jsonl.trimEnd().split("\n"))
)

const take = (lines: ReadonlyArray<string>) =>
  Effect.flatMap(
    ImportSessions.ImportSessions,
    ({ take }) => take(caller.tenantId, lines, Option.none())
  )

const erasures = Effect.flatMap(EraseSessions, ({ ListErasures }) => ListErasures({}, caller)).pipe(
  Effect.map(({ erasures }) =>
    erasures.map(({ recorded: { position: _, ...recorded }, ...told }) => ({ ...told, recorded }))
  )
)

type Content = Exclude<ExportLines.Line, ExportLines.End>

/** The lines after an edit by an expert of the format: counts and digest are made again. */
const edited = (lines: ReadonlyArray<string>, edit: (lines: Array<Content>) => Array<Content>) => {
  const parsed = lines.map((text) => Result.getOrThrow(ExportLines.parse(text)))
  const end = parsed.find((line) => line.line === "end")
  const content = edit(parsed.filter((line) => line.line !== "end"))
  const count = (kind: string) => content.filter(({ line }) => line === kind).length
  return ExportLines.partOf(sha256, content, {
    sessions: count("session"),
    events: count("event"),
    erased: count("erased"),
    rules_versions: end?.rules_versions ?? [],
    next: null
  }).text.trimEnd().split("\n")
}

const placeOf = (lines: ReadonlyArray<Content>, kind: string) =>
  lines.findIndex(({ line }) => line === kind)

/** What is changed, and the field by which it is refused. */
const refusals: ReadonlyArray<
  readonly [string, (lines: Array<Content>) => Array<Content>, string]
> = [
  ["an erased session as one that is there", (lines) =>
    lines.map((line) =>
      line.line === "erased"
        ? {
          line: "session",
          session_id: line.session_id,
          stream_id: line.stream_id,
          version: line.version,
          head_hash: line.head_hash
        }
        : line
    ), "salt"],
  [
    "a session that is there as an erased one",
    (lines) =>
      lines.map((line) =>
        line.line === "session"
          ? { ...line, line: "erased", erased_at: "2026-01-01T00:00:00.000Z" }
          : line
      ),
    "salt"
  ],
  ["a payload in an erased session", (lines) => {
    const place = placeOf(lines, "erased") + 1
    const event = lines[place]
    return event?.line === "event" ? lines.with(place, { ...event, data: { topic: "x" } }) : []
  }, "data"],
  [
    "an event less of an erased session",
    (lines) => lines.toSpliced(placeOf(lines, "erased") + 1, 1),
    "version"
  ],
  [
    "an event less of a record",
    (lines) => lines.toSpliced(placeOf(lines, "record") + 1, 1),
    "version"
  ],
  [
    "another matter",
    (lines) =>
      lines.map((line) =>
        line.line === "event" && line.type === "WEB_GROUNDING_LEGAL_HOLD_SET"
          ? { ...line, data: { ...Object(line.data), matter: "none" } }
          : line
      ),
    "data"
  ],
  ["a record of another session", (lines) => {
    const record = lines[placeOf(lines, "record")]
    return record?.line === "record"
      ? lines.with(placeOf(lines, "record"), { ...record, session_id: "another" })
      : []
  }, "session_id"],
  ["a record before all sessions", (lines) => {
    const place = placeOf(lines, "record")
    const record = lines[place]
    return record === undefined ? [] : lines.toSpliced(place, 1).toSpliced(1, 0, record)
  }, "session_id"],
  ["a session as its record", (lines) => {
    const [session] = lines.flatMap((line, place) => line.line === "session" ? [place] : [])
    const own = lines[session ?? 0]
    const newer = lines[placeOf(lines, "erased")]
    if (own?.line !== "session" || newer?.line !== "erased") return []
    const { line: _, ...about } = own
    return lines.with(session ?? 0, { line: "record", ...about, session_id: newer.session_id })
  }, "session_id"]
]

describe("a tenant that is moved by export and import", () => {
  it.live("keeps its erasures and its legal holds", () =>
    Effect.gen(function*() {
      const moved = yield* Effect.gen(function*() {
        yield* Erasable.groundAll("moved", 3)
        yield* erase(0)
        const { SetLegalHold: hold } = yield* EraseSessions
        const session_id = Erasable.sessionOf("moved", 1)
        yield* hold({ session_id, held: true, matter: "case 7" }, caller)
        const lifted = Erasable.sessionOf("moved", 2)
        yield* hold({ session_id: lifted, held: true, matter: "case 8" }, caller)
        yield* hold({ session_id: lifted, held: false }, caller)
        return { lines: yield* exported, erasures: yield* erasures }
      }).pipe(Effect.provide(database()))
      assert.lengthOf(moved.erasures, 1)

      yield* Effect.gen(function*() {
        for (const [what, edit, field] of refusals) {
          const refused = yield* Effect.flip(take(edited(moved.lines, edit)))
          assert.deepInclude(refused, { _tag: "ExportRefused", field }, what)
        }
        assert.deepInclude(yield* take(moved.lines), { sessions: 2, erased: 1, held: 1 })
        const { verify } = yield* VerifyLog.VerifyLog
        assert.deepStrictEqual((yield* verify({}, { mode: "full" })).faults, [])
        assert.deepStrictEqual(yield* erasures, moved.erasures)
        const told = yield* Effect.flip(Erasable.ground("moved", 0, "r2"))
        assert.strictEqual(told._tag, "SessionErased")
        assert.strictEqual((yield* Effect.flip(erase(1)))._tag, "SessionHeld")
        assert.deepInclude(yield* erase(2), { reason: "requested" })
        // The session goes on, and its record too.
        yield* Erasable.ground("moved", 1, "r2")
        const { SetLegalHold: hold } = yield* EraseSessions
        const session_id = Erasable.sessionOf("moved", 1)
        yield* hold({ session_id, held: false }, caller)
        yield* erase(1)

        const store = yield* EventStore
        const record = yield* store.read(
          EraseSession.streamOf({ tenant_id: caller.tenantId, session_id })
        )
        assert.deepStrictEqual(record.events.map(({ type }) => type.slice(14)), [
          "LEGAL_HOLD_SET",
          "LEGAL_HOLD_LIFTED",
          "CONTENT_ERASED"
        ])
        assert.deepStrictEqual((yield* verify({}, { mode: "full" })).faults, [])
      }).pipe(Effect.provide(database()))

      // From there it goes on as it came.
      yield* Effect.gen(function*() {
        yield* take(moved.lines)
        const own = (lines: ReadonlyArray<string>) =>
          lines.map((line) => JSON.parse(line)).filter(({ line }) => line !== "end")
            .map(({ position: _, ...line }) => line)
        assert.deepStrictEqual(own(yield* exported), own(moved.lines))
      }).pipe(Effect.provide(database()))
    }), 120_000)
})
