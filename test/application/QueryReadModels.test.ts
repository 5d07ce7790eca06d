/** Lists, timelines and charts of the read models against a count of the log by other means. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import * as Projection from "../../src/application/projections/Projection.ts"
import {
  ActivityModel,
  GroundingsModel,
  PacksModel,
  SearchHealthModel,
  SessionsModel
} from "../../src/application/projections/SessionsModel.ts"
import * as Queries from "../../src/application/QueryReadModels.ts"
import type { SessionEvent } from "../../src/domain/session/SessionEvent.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import { append, attempt } from "../support/attempts.ts"
import { draw, makeDice } from "../support/dice.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { runnerOf } from "../support/projections.ts"
import * as Sent from "../support/sent.ts"
import {
  called,
  callStarted,
  evidenceRead,
  finished,
  hit,
  planned,
  requested
} from "../support/sessionFacts.ts"
import { walk } from "../support/sessionHistories.ts"
import { timePasses } from "../support/testTime.ts"

const consumers = [
  Projection.consumer(SessionsModel),
  Projection.consumer(GroundingsModel),
  Projection.consumer(PacksModel),
  Projection.consumer(ActivityModel),
  Projection.consumer(SearchHealthModel)
]

const layer = Queries.layer.pipe(
  Layer.provide(runnerOf("a", ...consumers)),
  Layer.provideMerge(Layer.merge(MemoryEventStore.layer, MemoryReadModels.layer))
)

const metadata = { correlation_id: "r", causation_id: "c", actor: "test" }

const recorded = (sessionId: string, events: ReadonlyArray<SessionEvent>, tenantId = "bank") =>
  Effect.flatMap(
    Effect.forEach(events, (event) => SessionLog.codec.encode(event, uuidv7(1_000), metadata)),
    (encoded) =>
      Effect.forEach(
        encoded,
        (event) => Effect.andThen(timePasses("10 millis"), append(sessionId, [event], tenantId))
      )
  )

const bank = { tenantId: "bank" }

const everySession = Effect.fnUntraced(function*(input: object, limit: number) {
  const { sessions } = yield* Sent.QueryReadModels
  const pages = [yield* sessions({ ...input, limit }, bank)]
  while (pages.at(-1)?.next !== undefined && pages.length < 100) {
    pages.push(yield* sessions({ ...input, limit, cursor: pages.at(-1)?.next }, bank))
  }
  return pages.flatMap(({ sessions }) => sessions)
})

/** Counted event by event, without the product's folds. */
const countedIn = (events: ReadonlyArray<SessionEvent>) => {
  const of = (tag: SessionEvent["_tag"]) => events.filter(({ _tag }) => _tag === tag).length
  return {
    requests: of("WEB_GROUNDING_REQUESTED"),
    answers: of("WEB_GROUNDING_FINISHED"),
    searches: of("WEB_GROUNDING_CALL_STARTED"),
    credits: events.reduce(
      (sum, event) =>
        event._tag === "WEB_GROUNDING_CALLED"
          ? sum + event.attempts.reduce((own, { credits }) => own + (credits ?? 0), 0)
          : sum,
      0
    )
  }
}

const histories = Array.from({ length: 60 }, (_, seed) => {
  const dice = makeDice(seed)
  return {
    sessionId: `s ${seed}`,
    tenantId: draw(dice, ["agency", "bank", "bank", "clinic"]),
    events: walk(dice, 60).flatMap(({ recorded }) => recorded)
  }
})

const sumOf = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0)

describe("read models of sessions", () => {
  it.effect("say of drawn histories what a count of the log says", () =>
    Effect.gen(function*() {
      const { activity, tenants, timeline, usage } = yield* Sent.QueryReadModels
      for (const { events, sessionId, tenantId } of histories) {
        yield* recorded(sessionId, events, tenantId)
      }
      const own = histories.filter(({ events, tenantId }) =>
        tenantId === "bank" && events.length > 0
      )
      const sessions = yield* everySession({}, 7)
      assert.sameMembers(
        sessions.map(({ session_id }) => session_id),
        own.map(({ sessionId }) => sessionId)
      )
      for (const { events, sessionId } of own) {
        const counted = countedIn(events)
        const { groundings, session } = yield* timeline({ session_id: sessionId }, bank)
        const { unfinished = 0, ...answered } = session.states
        assert.deepInclude(session, {
          requests: counted.requests,
          searches: counted.searches,
          credits: counted.credits
        })
        assert.strictEqual(sumOf(Object.values(answered)), counted.answers)
        assert.strictEqual(unfinished, counted.requests - counted.answers)
        assert.lengthOf(groundings, counted.requests)
        const entries = groundings.flatMap(({ timeline }) => timeline)
        const attempts = sumOf(
          events.map((event) => event._tag === "WEB_GROUNDING_CALLED" ? event.attempts.length : 0)
        )
        assert.lengthOf(entries, events.length + attempts, sessionId)
      }
      const all = countedIn(own.flatMap(({ events }) => events))
      const { total } = yield* activity({ hours: 1 }, bank)
      assert.deepInclude(total, {
        requests: all.requests,
        searches: all.searches,
        credits: all.credits
      })
      assert.strictEqual(sumOf(Object.values(total.by_state)), all.answers)
      assert.deepStrictEqual((yield* usage({}, bank)).total, total)
      yield* recorded("one", [requested({ topic: "Rent" })], "bank ~ 2")
      const { tenants: listed } = yield* tenants({}, bank)
      assert.deepStrictEqual(
        listed.map(({ tenant_id, total: { requests } }) => [tenant_id, requests]),
        ["agency", "bank", "bank ~ 2", "clinic"].map((name) => {
          const asked = histories.filter(({ tenantId }) => tenantId === name)
          return [name, countedIn(asked.flatMap(({ events }) => events)).requests || 1]
        })
      )
      assert.deepStrictEqual(listed[1]?.total, total)
    }).pipe(Effect.provide(layer)))

  it.effect("are listed the latest first, by state and by words, and never another tenant's", () =>
    Effect.gen(function*() {
      const { citedPack, sessions, timeline } = yield* Sent.QueryReadModels
      const outcome = finished().outcome
      const failed = { ...outcome, mode: "ungrounded", reason: "search_failed" } as const
      yield* recorded("old", [requested({ topic: "Ferry times" }), finished({ outcome: failed })])
      yield* recorded("open", [requested({ topic: "Opening hours of the FÄHRE" })])
      yield* recorded("theirs", [requested({ topic: "Ferry times" }), finished()], "agency")
      yield* recorded("old", [requested({ request_id: "r2", topic: "Rent" })])
      const idsOf = (input: object) =>
        Effect.map(sessions(input, bank), ({ sessions }) => sessions.map((row) => row.session_id))
      assert.deepStrictEqual(yield* idsOf({}), ["old", "open"])
      assert.deepStrictEqual(yield* idsOf({ state: "failed" }), ["old"])
      assert.deepStrictEqual(yield* idsOf({ state: "unfinished" }), ["old", "open"])
      assert.deepStrictEqual(yield* idsOf({ state: "answered" }), [])
      assert.deepStrictEqual(yield* idsOf({ words: "fähre" }), ["open"])
      assert.deepStrictEqual(yield* idsOf({ words: "FERRY" }), ["old"])
      assert.deepStrictEqual(yield* idsOf({ words: "%" }), [])
      const unseen = yield* Effect.flip(timeline({ session_id: "theirs" }, bank))
      assert.strictEqual(unseen._tag, "SessionNotFound")
      const pack = yield* Effect.flip(citedPack({ session_id: "theirs", request_id: "r" }, bank))
      assert.strictEqual(pack._tag, "PackNotFound")
      assert.strictEqual(
        (yield* Effect.flip(sessions({ cursor: "~x" }, bank)))._tag,
        "InvalidInput"
      )
    }).pipe(Effect.provide(layer)))

  it.effect("are named by how they began, and rated by the last search", () =>
    Effect.gen(function*() {
      const { sessions } = yield* Sent.QueryReadModels
      const { outcome } = finished()
      const found = {
        ...outcome,
        mode: "grounded",
        pack: { ...outcome.pack, confidence: 0.7 }
      } as const
      yield* recorded("s", [requested({ topic: "Ferry times" }), finished({ outcome: found })])
      yield* recorded("s", [requested({ request_id: "r2", topic: "Thanks" }), finished()])
      const { sessions: [row] } = yield* sessions({ words: "thanks" }, bank)
      assert.deepInclude(row, { question: "Ferry times", confidence: 0.7, requests: 2 })
    }).pipe(Effect.provide(layer)))

  it.effect("count what each search of a request was charged", () =>
    Effect.gen(function*() {
      const { activity, timeline } = yield* Sent.QueryReadModels
      yield* recorded("s", [
        requested(),
        callStarted(0),
        called(0, [], {
          attempts: [attempt({ credits: 1 }), attempt({ key_slot: 2, credits: 1 })]
        }),
        callStarted(1),
        called(1, [], { attempts: [attempt({ credits: 2 })] }),
        callStarted(2),
        called(2, [], { attempts: [attempt({ status: "invalid_key", detail: "keys_resting" })] }),
        finished()
      ])
      const { groundings: [grounding], session } = yield* timeline({ session_id: "s" }, bank)
      assert.deepInclude(grounding, { credits: 4, searches: 2, state: "not_searched" })
      assert.deepInclude(grounding?.timeline[2], { detail: "key 1 · 4 results · 1 credit" })
      assert.deepInclude(session, { credits: 4, searches: 2 })
      assert.notProperty(session, "confidence")
      assert.deepInclude((yield* activity({ hours: 1 }, bank)).total, { credits: 4, searches: 2 })
    }).pipe(Effect.provide(layer)))

  it.effect("show a quotation in the text around it, and the query that found its source", () =>
    Effect.gen(function*() {
      const { citedPack } = yield* Sent.QueryReadModels
      const url = "https://city.example/ferry"
      const text = "Boats.\u202e The ferry leaves at nine. It is small."
      const start = text.indexOf("The ferry")
      const quote = { text: "The ferry leaves at nine.", start, end: start + 25, match: "exact" }
      const reading = evidenceRead(url)
      const [page] = reading.pages
      if (page === undefined) throw new Error("no page")
      const source = {
        source_id: page.source_id,
        url,
        title: page.title,
        site: page.site,
        official: false,
        text_sha256: page.text_sha256,
        quotes: [quote]
      }
      const claim = {
        text: quote.text,
        sources: [source],
        confidence: 0.7,
        support: "supported"
      } as const
      const { outcome } = finished()
      const pack = { ...outcome.pack, key_points: [claim], confidence: 0.7 }
      for (const [sessionId, kept] of [["kept", { text }], ["erased", {}]] as const) {
        const { text: _, ...rest } = page
        yield* recorded(sessionId, [
          requested({ session_id: sessionId }),
          planned(["ferry times"]),
          callStarted(0),
          called(0, [hit(url)], { attempts: [attempt({ credits: 1 })] }),
          { ...reading, pages: [{ ...rest, reader: "web", ...kept }] },
          // @ts-expect-error the quote's match is widened in the test
          finished({ outcome: { ...outcome, mode: "grounded", pack } })
        ])
        const cited = yield* citedPack({ session_id: sessionId, request_id: "r" }, bank)
        assert.deepStrictEqual(cited.sources[0]?.found_by, [
          { query: "ferry times", provider: "tavily", rank: 1 }
        ])
        assert.deepStrictEqual(
          cited.contexts,
          sessionId === "erased" ? [] : [{
            section: "key_points",
            claim: 0,
            source: 0,
            quote: 0,
            before: "Boats. ",
            quoted: quote.text,
            after: " It is small."
          }]
        )
      }
    }).pipe(Effect.provide(layer)))
})
