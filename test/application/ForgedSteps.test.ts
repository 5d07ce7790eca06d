/** Replay of logs in which a step was forged that most sessions never take, chain and all. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { applicationOf } from "../support/chat.ts"
import { change, replayForged, type Tamper } from "../support/forgedLog.ts"
import { askedRequest, caller, overSandbox } from "../support/grounding.ts"
import { replays } from "../support/recordedSession.ts"
import * as Sent from "../support/sent.ts"

const ground = (fields: object) =>
  Effect.flatMap(Sent.PublicApi, (api) => api.ground({ ...askedRequest, ...fields }, caller))

/** A session that asks the web, and one that the first one's searches answer. */
const recorded = Effect.all([
  ground({}),
  ground({ request_id: "r2", topic: "What does a tram in Halvern cost?" }),
  ground({ request_id: "r3" }),
  ground({ session_id: "cached" })
])

/** Engines that fail are the point here; their warnings are dropped. */
const quietly = Effect.provideService(References.MinimumLogLevel, "None")

const inOrder = (...tampers: ReadonlyArray<Tamper>): Tamper => (events) =>
  tampers.reduce((changed, tamper) => tamper(changed), events)

/** The log is read by every test, and written by none. */
const recordedOnce = Layer.effectDiscard(recorded).pipe(Layer.provideMerge(overSandbox))

describe("a log with a forged step", () => {
  it.layer(recordedOnce, { excludeTestServices: true })((it) => {
    it.effect("is as it was recorded before it is forged", () =>
      Effect.gen(function*() {
        for (const [session, type] of [["s", "PACK_REUSED"], ["cached", "CACHE_USED"]] as const) {
          let types: ReadonlyArray<string> = []
          const { difference } = yield* replayForged(session, (events) => {
            types = events.map((event) => event.type)
            return events
          })
          assert.isUndefined(difference, JSON.stringify(difference))
          assert.include(types, `WEB_GROUNDING_${type}`)
        }
      }))

    it.effect("is seen by a cached answer to another query", () =>
      Effect.gen(function*() {
        const { difference } = yield* replayForged(
          "cached",
          change("WEB_GROUNDING_CACHE_USED", (data) => void (data["query"] = "something else"))
        )
        assert.deepInclude(difference, { type: "WEB_GROUNDING_CACHE_USED", path: "query" })
      }))

    it.effect("is seen by facts of a request that is missing", () =>
      Effect.gen(function*() {
        const { difference, other_rules } = yield* replayForged(
          "cached",
          ([, ...withoutRequest]) => withoutRequest
        )
        assert.deepInclude(difference, { version: 1, type: "WEB_GROUNDING_DECIDED", path: "" })
        assert.isUndefined(other_rules)
      }))

    it.effect("is seen by a pack that is reused from another question", () =>
      Effect.gen(function*() {
        const { difference } = yield* replayForged(
          "s",
          (events) =>
            events.map((event) =>
              event.type === "WEB_GROUNDING_PACK_REUSED"
                ? { ...event, data: { ...Object(event.data), from_request_id: "r2" } }
                : event
            )
        )
        assert.deepInclude(difference, {
          type: "WEB_GROUNDING_PACK_REUSED",
          path: "from_request_id",
          recorded: "r2",
          recomputed: "r"
        })
      }))

    it.effect.each([
      {
        what: "a search given up before it was planned",
        type: "WEB_GROUNDING_SEARCH_STOPPED",
        fields: { reason: "budget" }
      },
      {
        what: "an answer that no search asked for",
        type: "WEB_GROUNDING_CALLED",
        fields: {
          call_id: "never opened",
          query_index: 0,
          status: "success",
          attempts: [],
          hits: [],
          fallback_used: false,
          duration_ms: 1
        }
      }
    ])("is seen by $what", ({ fields, type }) =>
      Effect.gen(function*() {
        const { difference } = yield* replayForged("s", ([requested, ...rest]) => {
          assert.isDefined(requested)
          if (requested === undefined) return rest
          const eventId = requested.eventId.replace(/^.{8}/, "00000000")
          const data = { request_id: askedRequest.request_id, ...fields }
          return [requested, { ...requested, eventId, type, schemaVersion: 1, data }, ...rest]
        })
        assert.deepInclude(difference, { version: 2, type, path: "" })
      }))

    it.effect("is no log in which another version of a local engine answered", () =>
      Effect.gen(function*() {
        const older = "rules of another release"
        const { chain_fault, difference, engines_as_recorded } = yield* replayForged(
          "cached",
          inOrder(
            change("WEB_GROUNDING_QUERY_PLANNED", (data) => {
              Object.assign(data["rung"] ?? {}, { version: older })
              Object(data["plan"]).must_have_evidence.splice(0)
            }),
            change("WEB_GROUNDING_FINISHED", (data) => {
              const { plan, rungs } = Object(data["outcome"])
              Object.assign(rungs.planner, { version: older })
              plan.must_have_evidence.splice(0)
            })
          )
        )
        assert.deepStrictEqual([difference, chain_fault], [undefined, undefined])
        // It cannot be computed again, which an auditor has to know.
        assert.deepStrictEqual(engines_as_recorded, [
          { engine: "rules", version: older, answers: 1 }
        ])
      }))
  })

  it.live("is no log in which models failed before the local engines answered", () =>
    Effect.gen(function*() {
      const outcome = yield* ground({})
      assert.deepStrictEqual(outcome.rungs.gate?.faults, [
        { engine: "openai", reason: "unreachable", detail: "upstream_5xx" }
      ])
      yield* replays()
    }).pipe(Effect.provide(applicationOf("broken")), quietly))
})
