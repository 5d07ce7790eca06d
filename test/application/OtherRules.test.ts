/**
 * Sessions that another release recorded, whose rules were others: they answer as they did, and
 * replay neither calls them different nor identical where the rules decide.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Languages from "@web-grounding/language/Languages"
import { Effect, Layer, type Schema } from "effect"
import { EventStore, type NewEvent } from "../../src/application/ports/EventStore.ts"
import { rulesVersion, rulesVersionUnrecorded } from "../../src/domain/session/RulesVersion.ts"
import { useCases } from "../../src/wiring/layers.ts"
import {
  askedRequest,
  caller,
  instance,
  limits,
  overSandbox,
  providers,
  scripted
} from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as Sent from "../support/sent.ts"

type Data = Record<string, Schema.Json>
type Edit = (type: string, data: Data) => void

const ref = { tenant_id: caller.tenantId, session_id: askedRequest.session_id }

/** What a grounding records today, and its answer. */
const recorded = Effect.gen(function*() {
  const api = yield* Sent.PublicApi
  const outcome = yield* api.ground(askedRequest, caller)
  const store = yield* EventStore
  return { outcome, events: (yield* store.read(ref)).events }
}).pipe(Effect.provide(overSandbox, { local: true }))

/** As the release before wrote them: without rules and without the answer itself. */
const asOlder = (event: NewEvent): ReadonlyArray<NewEvent> => {
  if (event.type === "WEB_GROUNDING_FINISHED") return []
  if (event.type !== "WEB_GROUNDING_REQUESTED") return [event]
  const { rules_version: _, ...data } = Object(event.data)
  return [{ ...event, schemaVersion: 1, data }]
}

/** Asks a service whose log holds these events and whose provider would be noticed. */
const over = <A, E>(
  events: ReadonlyArray<NewEvent>,
  question: (api: ReturnType<typeof Sent.sentApi>) => Effect.Effect<A, E>
) => {
  const provider = scripted("hangs")
  return Effect.gen(function*() {
    const store = yield* EventStore
    const { head } = yield* store.read(ref)
    yield* store.append(head, events)
    const answer = yield* question(yield* Sent.PublicApi)
    assert.deepStrictEqual(provider.queries, [])
    return answer
  }).pipe(
    Effect.provide(
      useCases.pipe(Layer.provideMerge(
        Layer.mergeAll(providers(provider), MemoryEventStore.layer, instance("p2"), limits())
      )),
      { local: true }
    )
  )
}

const edited = (events: ReadonlyArray<NewEvent>, edit: Edit): ReadonlyArray<NewEvent> =>
  events.map((event) => {
    const data: Data = JSON.parse(JSON.stringify(event.data))
    edit(event.type, data)
    return { ...event, data }
  })

const replayed = (events: ReadonlyArray<NewEvent>) =>
  over(events, (api) => api.replay({ session_id: askedRequest.session_id }, caller))

/** A gate and a confidence as other rules may have had them. */
const otherwise: Edit = (type, data) => {
  if (type === "WEB_GROUNDING_DECIDED") {
    Object(data["proposed"]).reason_codes = ["USER_ASKED"]
    Object(data["need"]).reason_codes = ["USER_ASKED"]
  }
  if (type === "WEB_GROUNDING_PACK_CREATED") Object(data["pack"]).confidence = 0.11
}

const misquoted: Edit = (type, data) => {
  if (type !== "WEB_GROUNDING_PACK_CREATED") return
  const claims = Object.values(Object(data["pack"])).filter(Array.isArray).flat()
  const quote = claims.flatMap((claim) => claim.sources ?? []).flatMap(({ quotes }) => quotes)[0]
  quote.text = `${quote.text} not`
}

describe("a session of an older release", () => {
  it.live("answers as it did, and replays", () =>
    Effect.gen(function*() {
      const { events, outcome } = yield* recorded
      const older = events.flatMap(asOlder)
      assert.isBelow(older.length, events.length)
      const answers = yield* over(older, (api) =>
        Effect.all([
          api.pack({ session_id: askedRequest.session_id, request_id: outcome.request_id }, caller),
          api.ground(askedRequest, caller)
        ]))
      assert.deepStrictEqual(answers, [outcome, outcome])
      const { difference, other_rules } = yield* replayed(older)
      assert.deepStrictEqual({ difference, other_rules }, {
        difference: undefined,
        other_rules: undefined
      })
    }))

  it.live("is not reported as different, nor as identical, where its rules decided otherwise", () =>
    Effect.gen(function*() {
      const { events } = yield* recorded
      const { difference, other_rules } = yield* replayed(
        edited(events.flatMap(asOlder), otherwise)
      )
      assert.isUndefined(difference)
      assert.deepInclude(other_rules, { from: rulesVersionUnrecorded, to: rulesVersion })
      assert.isAtLeast(other_rules?.not_recomputed ?? 0, 2)
    }))

  it.live("is neither where another version of the language package read its texts", () =>
    Effect.gen(function*() {
      const { events } = yield* recorded
      const read = edited(events, (type, data) => {
        otherwise(type, data)
        if (type === "WEB_GROUNDING_REQUESTED") data["language_version"] = "0.9.0"
      })
      const { difference, other_rules } = yield* replayed(read)
      assert.isUndefined(difference)
      assert.deepInclude(other_rules, {
        from: rulesVersion,
        to: rulesVersion,
        language: { from: "0.9.0", to: Languages.version }
      })
    }))

  it.live("of one without a number is as of the first that had one", () =>
    Effect.gen(function*() {
      const { events } = yield* recorded
      const { difference, other_rules } = yield* replayed(edited(events, (_, data) => {
        delete data["language_version"]
      }))
      assert.deepStrictEqual([difference, other_rules], [undefined, undefined])
    }))

  it.live("is reported as different under this build's own rules", () =>
    Effect.gen(function*() {
      const { events } = yield* recorded
      const { difference } = yield* replayed(edited(events, otherwise))
      assert.deepInclude(difference, { type: "WEB_GROUNDING_DECIDED" })
    }))

  it.live("is reported as different where a quote is not in its text", () =>
    Effect.gen(function*() {
      const { events } = yield* recorded
      const { difference } = yield* replayed(edited(events.flatMap(asOlder), misquoted))
      assert.strictEqual(difference?.type, "WEB_GROUNDING_PACK_CREATED")
      assert.match(difference?.path ?? "", /^pack\..*\.quotes\.0$/)
    }))

  it.live("is reported as different with a field that no release has written", () =>
    Effect.gen(function*() {
      const { events } = yield* recorded
      const older = edited(events.flatMap(asOlder), otherwise)
      for (const type of ["WEB_GROUNDING_REQUESTED", "WEB_GROUNDING_DECIDED"]) {
        const { difference } = yield* replayed(edited(older, (of, data) => {
          if (of === type) data["approved_by"] = "nobody"
        }))
        assert.deepInclude(difference, { type, path: "approved_by", recorded: "nobody" })
      }
    }))

  it.live("is reported as different where a search was beyond the budget", () =>
    Effect.gen(function*() {
      const { events } = yield* recorded
      const started = events.filter(({ type }) => type === "WEB_GROUNDING_CALL_STARTED")
      const called = events.find(({ type }) => type === "WEB_GROUNDING_CALLED")
      const more = [2, 3, 4].flatMap((query_index) =>
        started.slice(0, 1).map((event) => ({
          ...event,
          eventId: event.eventId.replace(/^.{8}/, `0000000${query_index}`),
          data: { ...Object(event.data), query_index, call_id: `more ${query_index}` }
        }))
      )
      const place = events.findIndex((event) => event === called)
      const beyond = [...events.slice(0, place), ...more, ...events.slice(place)]
      const { difference } = yield* replayed(beyond.flatMap(asOlder))
      assert.deepInclude(difference, {
        type: "WEB_GROUNDING_CALL_STARTED",
        recomputed: "no search is left"
      })
    }))
})
