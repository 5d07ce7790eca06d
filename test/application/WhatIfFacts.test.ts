/** What a supposed run uses: recorded facts, this build's engines, and nothing outside. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Socket } from "node:net"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import type { Supposition } from "../../src/domain/audit/Supposition.ts"
import { rulesVersion } from "../../src/domain/session/RulesVersion.ts"
import { applicationOf } from "../support/chat.ts"
import {
  askedRequest,
  caller,
  inMemory,
  providers,
  readingBy,
  scripted
} from "../support/grounding.ts"
import { eventsIn } from "../support/recordedSession.ts"
import * as Sent from "../support/sent.ts"
import { AuditApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const ground = (fields: object = {}) =>
  Effect.flatMap(Sent.PublicApi, (api) => api.ground({ ...askedRequest, ...fields }, caller))

const suppose = (suppose: Supposition, session_id = "s") =>
  Effect.flatMap(AuditApi, ({ whatIf }) => whatIf({ session_id, suppose }, caller))

/** The connections that are opened meanwhile. */
const connections = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const { connect } = Socket.prototype
    let count = 0
    Socket.prototype.connect = function(this: Socket, ...args: Array<unknown>) {
      count += 1
      return Reflect.apply(connect, this, args)
    }
    return effect.pipe(
      Effect.map(() => count),
      Effect.ensuring(Effect.sync(() => void (Socket.prototype.connect = connect)))
    )
  })

describe("a supposed run", () => {
  it.live("asks neither provider nor model, where the run that was recorded asked both", () =>
    Effect.gen(function*() {
      assert.isAbove(yield* connections(ground()), 0)
      const all: ReadonlyArray<Supposition> = [
        {},
        { passages_max: 1, queries_max: 3 },
        { tier: "premium", engines: { gate: "local", planner: "local", writer: "local" } }
      ]
      assert.strictEqual(yield* connections(Effect.forEach(all, (one) => suppose(one))), 0)
    }).pipe(Effect.provide(applicationOf("good", { judge: "good" }))))

  it.live("takes a model's answer to the same question, and says whose it lacks to another", () =>
    Effect.gen(function*() {
      const { rungs } = yield* ground()
      assert.strictEqual(rungs["writer"]?.engine, "openai")
      const verdictOf = Effect.fnUntraced(function*(supposition: Supposition) {
        const { requests: [first] } = yield* suppose(supposition)
        return [
          first?.verdict,
          ...first?.needs.map(({ fact, step, what }) => `${step} ${fact} ${what}`) ?? []
        ]
      })
      const lacking = (step: string) => ["undetermined", `${step} engine_answer openai`]
      assert.deepStrictEqual(yield* verdictOf({}), ["same"])
      assert.deepStrictEqual(yield* verdictOf({ passages_max: 1 }), lacking("Write"))
      // The judge has seen another draft.
      assert.deepStrictEqual(yield* verdictOf({ engines: { writer: "local" } }), lacking("Judge"))
      const [unjudged] = yield* verdictOf({ engines: { judge: "local" } })
      assert.include(["same", "changed"], unjudged)
    }).pipe(Effect.provide(applicationOf("good", { judge: "good" }))))

  it.live("says of the local engines what a run with them alone said", () =>
    Effect.gen(function*() {
      const local = { gate: "local", planner: "local", writer: "local" } as const
      const { pack } = yield* ground()
      const { requests: [first] } = yield* suppose({ engines: local })
      // Plans differ, so that the local one's queries were never sent.
      if (first?.verdict === "undetermined") {
        assert.strictEqual(first.needs[0]?.fact, "search")
        assert.isDefined(first.change?.planned)
      } else {
        assert.isAtMost(first?.change?.confidence?.after ?? pack.confidence, pack.confidence)
      }
    }).pipe(Effect.provide(applicationOf("good"))))

  it.effect("rests on a ranking and a pack whose texts were not kept alone", () =>
    Effect.gen(function*() {
      yield* ground()
      assert.deepStrictEqual(
        (yield* suppose({})).requests.map(({ verdict }) => verdict),
        ["same"]
      )
      const { requests: [first] } = yield* suppose({ passages_max: 1 })
      assert.deepStrictEqual(first?.needs, [{ step: "Rank", fact: "page_texts", what: "" }])
    }).pipe(Effect.provide(inMemory(providers(search()), { readers }))))

  it.effect("reads no page that was not read, and no fewer than it can know", () =>
    Effect.gen(function*() {
      yield* ground({ consent_raw_content: true })
      const more = yield* suppose({ pages_max: 3 })
      assert.deepStrictEqual(more.requests[0]?.needs, [
        { step: "Read", fact: "page", what: "https://c.example/" }
      ])
      const fewer = yield* suppose({ pages_max: 1 })
      assert.deepStrictEqual(fewer.requests[0]?.needs, [])
      const { evidence_chars } = fewer.requests[0]?.change ?? {}
      assert.isBelow(evidence_chars?.after ?? 0, evidence_chars?.before ?? 0)
    }).pipe(Effect.provide(inMemory(providers(search()), { readers, limits: { pagesMax: 2 } }))))

  it.effect("takes other hits for unknown where a lower score would let them in", () =>
    Effect.gen(function*() {
      yield* ground()
      const { requests: [lower] } = yield* suppose({ score_min: 0.1 })
      assert.deepStrictEqual(lower?.needs.map(({ fact }) => fact), ["hits"])
      const { requests: [higher] } = yield* suppose({ score_min: 0.65 })
      assert.deepStrictEqual([higher?.verdict, higher?.needs], ["changed", []])
    }).pipe(Effect.provide(inMemory(providers(search()), {
      limits: { scoreMin: 0.5, hitsScarceMax: 0 }
    }))))

  it.live("computes a session of an older release by the rules of this one", () =>
    Effect.gen(function*() {
      yield* ground()
      const store = yield* EventStore
      const events = yield* eventsIn()
      const { head } = yield* store.read({ tenant_id: caller.tenantId, session_id: "older" })
      yield* store.append(
        head,
        events.map((event) => ({
          ...event,
          data: event.type === "WEB_GROUNDING_REQUESTED"
            ? { ...Object(event.data), rules_version: 3 }
            : event.type === "WEB_GROUNDING_PACK_CREATED"
            ? { ...Object(event.data), pack: { ...Object(event.data).pack, confidence: 0.11 } }
            : event.type === "WEB_GROUNDING_FINISHED"
            ? {
              ...Object(event.data),
              outcome: {
                ...Object(event.data).outcome,
                pack: { ...Object(event.data).outcome.pack, confidence: 0.11 }
              }
            }
            : event.data
        }))
      )
      const { requests: [first], rules } = yield* suppose({}, "older")
      assert.deepStrictEqual(rules, { from: 3, to: rulesVersion })
      assert.strictEqual(first?.change?.confidence?.before, 0.11)
      assert.isAbove(first?.change?.confidence?.after ?? 0, 0.11)
    }).pipe(Effect.provide(applicationOf("good"))))

  it.effect("says of no later request what hangs on one that is undetermined", () =>
    Effect.gen(function*() {
      const other = { request_id: "r2", topic: "How is notice given in Halvern?" }
      yield* ground()
      yield* ground(other)
      const { requests } = yield* suppose({ pages_max: 3 })
      assert.deepStrictEqual(
        requests.map(({ needs }) => needs.map(({ fact }) => fact)),
        [["page"], ["other_request"]]
      )
      assert.strictEqual(requests[1]?.needs[0]?.what, askedRequest.request_id)
    }).pipe(Effect.provide(inMemory(providers(search()), { readers, limits: { pagesMax: 2 } }))))

  it.effect("is refused for a session that is not there, and for a supposition out of bounds", () =>
    Effect.gen(function*() {
      const missing = yield* Effect.flip(suppose({}))
      assert.strictEqual(missing._tag, "SessionNotFound")
      const refused = yield* Effect.flip(suppose({ passages_max: 0 }))
      assert.deepInclude(refused, { _tag: "InvalidInput", field: "suppose.passages_max" })
    }).pipe(Effect.provide(inMemory(providers(search())))))
})

const notice = "A tenant must give one month's notice before moving out of an ordinary flat."
const found = (name: string, score: number, content: string) =>
  hit(`https://${name}.example/`, { site: `${name}.example`, score, content })

const search = () =>
  scripted(answerWith([
    found("a", 0.9, notice),
    found("b", 0.6, `${notice} It is given in writing.`),
    found("c", 0.3, "Rules of tenancies.")
  ]))

/** Reads every page as one text, which is kept with consent alone. */
const readers = readingBy(({ url }) => {
  const body = `${notice}\n\nRead at ${url}, where the notice is given in writing.`
  return Effect.succeed({ reader: "web", text: body, chunks: chunksOfText(body) })
})
