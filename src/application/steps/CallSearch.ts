/**
 * A search in two facts: the intent, which reserves budget, then what came of it.
 *
 * Whoever recorded the intent makes the call. Everybody else who finds it unanswered waits until
 * its time is up, and then records it as in doubt: spent, and never sent again.
 */
import { Clock, DateTime, Effect, Ref } from "effect"
import type { Call } from "../../domain/session/Grounding.ts"
import { RecordCall, type SessionCommand, StartCall } from "../../domain/session/SessionCommand.ts"
import * as Deadline from "./Deadline.ts"
import { Ids } from "../ports/Ids.ts"
import { Instance } from "../ports/Instance.ts"
import type { SearchRequest } from "../ports/SearchProvider.ts"
import { SearchWeb } from "./SearchWeb.ts"
import type { StepOf } from "./Step.ts"

/** How much longer than promised a call is waited for: clocks of two machines differ. */
const graceMs = 2_000

/** Between two looks at a call that someone else is making. */
const lookEvery = "100 millis"

/** The calls one run of a request reserved itself. */
export const make = Effect.gen(function*() {
  const ids = yield* Ids
  const instance = yield* Instance
  const searchWeb = yield* SearchWeb
  const reserved = yield* Ref.make<ReadonlySet<string>>(new Set())

  const reserve = Effect.fn("CallSearch.reserve")(
    function*({ grounding, query, queryIndex }: StepOf<"Search">, deadline: Deadline.Deadline) {
      const call_id = yield* ids.uuid
      yield* Ref.update(reserved, (before) => new Set(before).add(call_id))
      return StartCall.make({
        request_id: grounding.request.request_id,
        call_id,
        query_index: queryIndex,
        query,
        owner: instance.id,
        expires_at: DateTime.formatIso(DateTime.makeUnsafe(yield* endOfSearch(deadline)))
      })
    }
  )

  /** Whoever finds the call unanswered waits no longer than the search itself may take. */
  const endOfSearch = (deadline: Deadline.Deadline) =>
    Effect.map(
      Clock.currentTimeMillis,
      (nowMs) => Math.min(deadline.atMs, nowMs + searchWeb.durationMsMax)
    )

  const isOwn = (call: Call): Effect.Effect<boolean> =>
    Effect.map(Ref.get(reserved), (own) => own.has(call.call_id))

  const send = Effect.fn("CallSearch.send")(
    function*({ call, grounding }: StepOf<"AwaitCall">, deadline: Deadline.Deadline) {
      const searched = yield* searchWeb.search(
        searchRequestOf({ call, grounding }),
        yield* Deadline.leftMs(deadline)
      )
      return RecordCall.make({ ...identityOf(call), ...searched })
    }
  )

  /** `undefined`: still in other hands, look again. */
  const settle = Effect.fn("CallSearch.settle")(
    function*(step: StepOf<"AwaitCall">, deadline: Deadline.Deadline) {
      if (yield* isOwn(step.call)) return yield* send(step, deadline)
      const now = yield* DateTime.now
      const isDead = instance.sole && step.call.owner !== instance.id
      const expiresMs = DateTime.makeUnsafe(step.call.expires_at).epochMilliseconds
      if (isDead || now.epochMilliseconds > expiresMs + graceMs) {
        return unanswered(step.call, "in_doubt")
      }
      return yield* Effect.as(Effect.sleep(lookEvery), undefined)
    }
  )

  /** What to record when the caller goes away during its own call. */
  const abandoned = (step: StepOf<"AwaitCall">): Effect.Effect<SessionCommand | undefined> =>
    Effect.map(isOwn(step.call), (own) => own ? unanswered(step.call, "interrupted") : undefined)

  return { reserve, settle, abandoned }
})

const identityOf = ({ call_id, query_index, request_id }: Call) => ({
  request_id,
  call_id,
  query_index
})

const unanswered = (call: Call, detail: "in_doubt" | "interrupted"): SessionCommand =>
  RecordCall.make({
    ...identityOf(call),
    status: "unknown_error",
    detail,
    attempts: [],
    hits: [],
    fallback_used: false,
    duration_ms: 0
  })

const searchRequestOf = (
  { call, grounding }: Pick<StepOf<"AwaitCall">, "call" | "grounding">
): SearchRequest => {
  const { decision, request } = grounding
  const { overrides, region } = request
  return {
    query: call.query,
    hitsMax: decision?.need.max_sources_per_query ?? 5,
    depth: decision?.need.search_depth ?? "basic",
    topic: decision?.need.topic ?? "general",
    locale: request.locale,
    ...(region === undefined ? {} : { region }),
    ...(overrides?.time_range === undefined ? {} : { timeRange: overrides.time_range }),
    includeDomains: overrides?.include_domains ?? [],
    excludeDomains: overrides?.exclude_domains ?? []
  }
}
