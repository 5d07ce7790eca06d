/** Exports verify on their own, are refused whatever is changed in them, and come in as they were. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Result, Stream } from "effect"
import * as OutsideAnchors from "../../src/adapters/anchors/OutsideAnchors.ts"
import * as ImportSessions from "../../src/application/audit/ImportSessions.ts"
import * as InclusionProofs from "../../src/application/audit/InclusionProofs.ts"
import { MakeAnchors, type PublicKey } from "../../src/application/audit/MakeAnchors.ts"
import { EventStore, logStart } from "../../src/application/ports/EventStore.ts"
import type { Exported } from "../../src/contract/SessionRange.ts"
import * as ExportLines from "../../src/domain/audit/ExportLines.ts"
import * as HashChain from "../../src/domain/audit/HashChain.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { anchoring, newKey } from "../support/anchoredLog.ts"
import {
  askedRequest,
  caller,
  instance,
  limits,
  providers,
  sandbox,
  sandboxProviders
} from "../support/grounding.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryLogRows from "../support/memory/MemoryLogRows.ts"
import { AuditApi, PublicApi } from "../support/sent.ts"
import { digest } from "../support/verifiedHistory.ts"

/** Three sessions of the tenant, an anchor over the first two, and one of another tenant. */
const recorded = (held: MemoryAnchors.Held) =>
  Effect.gen(function*() {
    const api = yield* PublicApi
    const { make } = yield* MakeAnchors
    const ground = (session_id: string, tenantId = caller.tenantId, request_id = "r") =>
      api.ground({
        ...askedRequest,
        request_id,
        session_id,
        topic: `${askedRequest.topic} Ort ${session_id}, 서울`
      }, { ...caller, tenantId })
    yield* ground("x", "else")
    yield* ground("a")
    yield* ground("b")
    yield* make
    // Of a session that goes on the anchor covers what it had.
    yield* ground("a", caller.tenantId, "r2")
    yield* ground("c")
    const { exported } = yield* AuditApi
    const parts: Array<Exported> = []
    for (let cursor: string | undefined, isDone = false; !isDone;) {
      const before = parts.at(-1)
      const made: Exported = yield* exported({
        limit: 2,
        ...(before === undefined ? {} : { part: before.part + 1, previous: before.digest, cursor })
      }, caller)
      parts.push(made)
      cursor = made.next
      isDone = cursor === undefined
    }
    const store = yield* EventStore
    const events = yield* Stream.runCollect(store.all(logStart))
    return {
      parts,
      lines: parts.map(({ jsonl }) => jsonl).join("").trimEnd().split("\n"),
      events: [...events].filter(({ tenantId }) => tenantId === caller.tenantId),
      key: Option.fromUndefinedOr(held.keys[0])
    }
  })

const source = Effect.suspend(() => {
  const held = MemoryAnchors.held()
  return recorded(held).pipe(
    Effect.provide(
      useCases.pipe(
        Layer.provide(InclusionProofs.layer),
        Layer.provide(MemoryLogRows.ofStore),
        Layer.provideMerge(anchoring(held, newKey())),
        Layer.provideMerge(Layer.mergeAll(
          sandboxProviders,
          MemoryEventStore.layer,
          instance("p1"),
          limits()
        )),
        Layer.provide(digest),
        Layer.provide(sandbox)
      ),
      { local: true }
    )
  )
})

const target = Layer.mergeAll(
  ImportSessions.layer.pipe(
    Layer.provide(OutsideAnchors.layerSigningKey(Option.none())),
    Layer.provide(digest)
  ),
  useCases
).pipe(
  Layer.provideMerge(Layer.mergeAll(providers(), MemoryEventStore.layer, instance("p2"), limits()))
)

/** Into a store that was never written to. */
const into = <A, E>(question: Effect.Effect<A, E, Layer.Success<typeof target>>) =>
  Effect.provide(question, target, { local: true })

const take = (
  lines: ReadonlyArray<string>,
  key: Option.Option<PublicKey> = Option.none(),
  tenantId = caller.tenantId,
  // The third session was recorded after the anchor.
  unproven: "allowed" | "refused" = "allowed"
) =>
  Effect.flatMap(ImportSessions.ImportSessions, ({ take }) => take(tenantId, lines, key, unproven))

const isAscii = (text: string) => /^[\n\x20-\x7e]*$/.test(text)

describe("an export", () => {
  it.live("comes into an empty store as it was, in its order, and replays there", () =>
    Effect.gen(function*() {
      const { events, key, lines, parts } = yield* source
      assert.deepStrictEqual(parts.map(({ sessions }) => sessions), [2, 1])
      assert.isTrue(isAscii(lines.join("\n")))
      yield* into(Effect.gen(function*() {
        const { extents, ...totals } = yield* take(lines, key)
        assert.deepStrictEqual(totals, {
          parts: 2,
          sessions: 3,
          events: events.length,
          erased: 0,
          held: 0
        })
        // Of "a" its first request was recorded before the anchor, of "c" nothing.
        assert.deepStrictEqual(
          extents.map((one) => [one.session_id, one.proven > 0, one.proven < one.events]),
          [["c", false, true], ["b", true, false], ["a", true, true]]
        )
        const store = yield* EventStore
        const restored = [...yield* Stream.runCollect(store.all(logStart))]
        const without = events.map(({ position: _, ...event }) => event)
        assert.deepStrictEqual(restored.map(({ position: _, ...event }) => event), without)
        const { replays } = yield* AuditApi
        const { sessions } = yield* replays({}, caller)
        assert.deepStrictEqual(
          sessions.map(({ session_id, verdict }) => [session_id, verdict]),
          ["c", "b", "a"].map((name) => [name, "identical"])
        )
        const again = yield* Effect.flip(take(lines))
        assert.strictEqual(again._tag, "StoreNotEmpty")
        // And exports the same events again.
        const { exported } = yield* AuditApi
        const { jsonl } = yield* exported({ session_id: "a" }, caller)
        const own = (text: string) =>
          text.split("\n").filter((line) => line.includes("\"salt\""))
            .map((line) => ({ ...JSON.parse(line), position: "" }))
        const first = parts.map(({ jsonl }) => jsonl).join("")
        for (const event of own(jsonl)) assert.deepInclude(own(first), event)
      }))
    }))

  it.live("of a session that is not there is refused", () =>
    into(Effect.gen(function*() {
      const { exported } = yield* AuditApi
      const missing = yield* Effect.flip(exported({ session_id: "nobody" }, caller))
      assert.strictEqual(missing._tag, "SessionNotFound")
      const empty = yield* exported({}, caller)
      assert.deepStrictEqual([empty.sessions, empty.next], [0, undefined])
    })))
})

type Lines = ReadonlyArray<string>
type Edit = (lines: Lines) => Lines

const kindOf = (line: string): string => JSON.parse(line).line
const placeOf = (lines: Lines, kind: string, nth = 0): number =>
  lines.flatMap((line, place) => kindOf(line) === kind ? [place] : [])[nth] ?? -1

/** Edits one line, and leaves all digests as they are. */
const edited =
  (kind: string, edit: (line: Record<string, any>) => void, nth = 0): Edit => (lines) => {
    const place = placeOf(lines, kind, nth)
    const line = JSON.parse(lines[place] ?? "")
    edit(line)
    return lines.with(place, JSON.stringify(line))
  }

/** As an expert of the format would: counts and digests of all parts computed again. */
const resealed = (edit: Edit): Edit => (lines) => {
  const parts: Array<Array<ExportLines.Line>> = []
  for (const text of edit(lines)) {
    const line = Result.getOrThrow(ExportLines.parse(text))
    if (line.line === "header") parts.push([])
    parts.at(-1)?.push(line)
  }
  let previous: string | null = null
  return parts.flatMap((part, index) => {
    const content = part.filter((line) => line.line !== "end")
    const end = part.find((line) => line.line === "end")
    const count = (kind: string) => content.filter(({ line }) => line === kind).length
    const made = ExportLines.partOf(
      sha256,
      content.map((line) => line.line === "header" ? { ...line, part: index + 1, previous } : line),
      {
        sessions: count("session"),
        events: count("event"),
        erased: count("erased"),
        rules_versions: end?.rules_versions ?? [],
        next: end?.next ?? null
      }
    )
    previous = made.digest
    return made.text.trimEnd().split("\n")
  })
}

/** The events of the session chained again after an edit: the chain is valid, the anchor is not. */
const rechained = (edit: (data: Record<string, any>) => void): Edit => (lines) => {
  const start = placeOf(lines, "proof") - 1
  const first = lines.findLastIndex((line, place) => place < start && kindOf(line) === "session")
  const session = JSON.parse(lines[first] ?? "")
  const events = lines.slice(first + 1, start + 1).map((line) => JSON.parse(line))
  edit(events[0].data)
  let hash = HashChain.genesis({ sha256, canonical }, session.stream_id)
  const again = events.map((event, place) => {
    const sealed = Result.getOrThrow(HashChain.seal(
      { sha256, canonical },
      { streamId: session.stream_id, version: place, hash },
      [{
        eventId: event.event_id,
        type: event.type,
        schemaVersion: event.schema_version,
        data: event.data,
        metadata: event.metadata
      }],
      { recordedAt: event.recorded_at, salt: () => event.salt }
    ))[0]
    hash = sealed?.hash ?? ""
    return JSON.stringify({ ...event, payload_digest: sealed?.payloadDigest, hash })
  })
  return [
    ...lines.slice(0, first),
    JSON.stringify({ ...session, head_hash: hash }),
    ...again,
    ...lines.slice(start + 1)
  ]
}

const withoutProof: Edit = (lines) => lines.toSpliced(placeOf(lines, "proof"), 1)

const swapped = (kind: string, one: number, other: number): Edit => (lines) => {
  const [left, right] = [placeOf(lines, kind, one), placeOf(lines, kind, other)]
  return lines.with(left, lines[right] ?? "").with(right, lines[left] ?? "")
}

const blockOf = (lines: Lines, nth: number): readonly [number, number] => {
  const first = placeOf(lines, "session", nth)
  const end = lines.findIndex((line, place) =>
    place > first && ["session", "end"].includes(kindOf(line))
  )
  return [first, end]
}

const repeatedSession: Edit = (lines) => {
  const [first, end] = blockOf(lines, 0)
  return [...lines.slice(0, end), ...lines.slice(first, end), ...lines.slice(end)]
}

const refusals: ReadonlyArray<readonly [string, Edit, string]> = [
  ["an edited payload", edited("event", ({ data }) => void (data.topic = "else")), "data"],
  [
    "an edited payload, resealed",
    resealed(edited("event", ({ data }) => void (data.requested_at = "2020-01-01"))),
    "data"
  ],
  [
    "an edited actor",
    resealed(edited("event", (one) => void (one["metadata"].actor = "x"))),
    "hash"
  ],
  ["an edited time", resealed(edited("event", (one) => void (one["recorded_at"] = "x"))), "hash"],
  [
    "an edited session id",
    edited("session", (one) => void (one["session_id"] = "other")),
    "digest"
  ],
  [
    "another stream",
    resealed(edited("session", (one) => {
      one["stream_id"] = one["stream_id"].replace(/^.{8}/, "00000000")
    })),
    "hash"
  ],
  ["a field too many", edited("event", (one) => void (one["approved"] = true)), "approved"],
  ["a field too few", edited("event", (one) => delete one["salt"]), "salt"],
  ["a later format", edited("header", (one) => void (one["format_version"] = 3)), "format_version"],
  [
    "another tenant in it",
    edited("header", (one) => void (one["tenant_id"] = "else")),
    "tenant_id"
  ],
  ["no JSON", (lines) => lines.with(3, "{"), ""],
  ["a line more", (lines) => [...lines, lines[0] ?? ""], "line"],
  ["an empty line", (lines) => ["", ...lines], ""],
  ["no last line", (lines) => lines.slice(0, -1), ""],
  ["no last part", (lines) => lines.slice(0, placeOf(lines, "header", 1)), ""],
  ["no first part", (lines) => lines.slice(placeOf(lines, "header", 1)), "part"],
  ["its parts in another order", (lines) => {
    const second = placeOf(lines, "header", 1)
    return [...lines.slice(second), ...lines.slice(0, second)]
  }, "part"],
  ["an event less", (lines) => lines.toSpliced(placeOf(lines, "event", 2), 1), "version"],
  [
    "a last event less, resealed",
    resealed((lines) => lines.toSpliced(blockOf(lines, 0)[1] - 1, 1)),
    "version"
  ],
  ["two events swapped", swapped("event", 1, 2), "version"],
  ["an event twice", (lines) => {
    const place = placeOf(lines, "event", 1)
    return lines.toSpliced(place, 0, lines[place] ?? "")
  }, "event_id"],
  ["a session twice", resealed(repeatedSession), "session_id"],
  ["a session less", (lines) => {
    const [first, end] = blockOf(lines, 1)
    return lines.toSpliced(first, end - first)
  }, "digest"],
  ["other counts", edited("end", (one) => void (one["events"] += 1)), "digest"],
  ["another end", edited("end", (one) => void (one["next"] = null)), "digest"],
  [
    "positions that go back",
    resealed((lines) => {
      const place = placeOf(lines, "event", 3)
      const line = JSON.parse(lines[place] ?? "")
      return lines.with(place, JSON.stringify({ ...line, position: "1" }))
    }),
    "position"
  ]
]

describe("an export with", () => {
  it.live("whatever was changed in it is refused by its line and field, and nothing is recorded", () =>
    Effect.gen(function*() {
      const { key, lines } = yield* source
      for (const [what, edit, field] of refusals) {
        yield* into(Effect.gen(function*() {
          const changed = edit(lines)
          assert.notDeepEqual(changed, lines, what)
          const refused = yield* Effect.flip(take(changed, key))
          assert.strictEqual(refused._tag, "ExportRefused", what)
          if (refused._tag !== "ExportRefused") return
          assert.strictEqual(refused.field, field, `${what}: ${refused.message}`)
          assert.isAtLeast(refused.line, 1, what)
          const { streams } = yield* EventStore
          assert.deepStrictEqual(yield* streams(caller.tenantId, 1), [], what)
        }))
      }
    }))

  it.live("a session whose chain was computed again is refused by the anchor alone", () =>
    Effect.gen(function*() {
      const { key, lines } = yield* source
      const forged = resealed(rechained((data) => void (data["request"].topic = "else")))(lines)
      const refused = yield* into(Effect.flip(take(forged, key)))
      assert.deepInclude(refused, { _tag: "ExportRefused", field: "hashes" })
      // Without its proof it is not proven, and with the key refused by its name and line.
      const unanchored = resealed((lines) =>
        lines.filter((line) => kindOf(line) !== "proof")
          .map((line) => line.replace(/"anchor":\{.*\}\]\}\}$/, "\"anchor\":null}"))
      )(forged)
      for (const without of [unanchored, resealed(withoutProof)(forged)]) {
        const unproven = yield* into(Effect.flip(take(without, key, caller.tenantId, "refused")))
        assert.include(unproven.message, `"b" (line ${placeOf(without, "session", 1) + 1})`)
      }
      // Without the key nothing gives it away: who imports must have it from elsewhere.
      const { extents } = yield* into(take(forged))
      assert.isTrue(extents.every(({ proven }) => proven === 0))
      const other = MemoryAnchors.held()
      yield* Effect.provide(
        Effect.flatMap(MakeAnchors, ({ make }) => Effect.exit(make)),
        anchoring(other, newKey()).pipe(Layer.provide(MemoryEventStore.layer))
      )
      const [stranger] = other.keys
      const unknown = yield* into(Effect.flip(take(lines, Option.fromUndefinedOr(stranger))))
      assert.deepInclude(unknown, { _tag: "ExportRefused", line: 1, field: "anchor" })
    }))

  it.live("another tenant's sessions is refused", () =>
    Effect.gen(function*() {
      const { key, lines } = yield* source
      const refused = yield* into(Effect.flip(take(lines, key, "else")))
      assert.deepInclude(refused, { _tag: "ExportRefused", line: 1, field: "tenant_id" })
    }))
})
