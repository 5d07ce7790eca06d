/**
 * Groundings that are observed: metrics of each and of its facts, ids on every log line below it,
 * attributes on its span, and one closing line.
 */
import { Clock, Effect, type Exit, Option, Tracer } from "effect"
import {
  type GroundingFailed,
  GroundQuestion,
  type Report
} from "../../application/GroundQuestion.ts"
import type { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import * as ModelCost from "../../domain/session/ModelCost.ts"
import * as FactMeasures from "./FactMeasures.ts"
import type { Meters } from "./Meters.ts"
import { outcomeOf } from "./Outcomes.ts"

const msInSecond = 1_000
const microsInDollar = 1_000_000

interface Spent {
  searches: number
  costMicros: number
}

type Ended = Exit.Exit<GroundingOutcome, GroundingFailed>

/** Id of the trace that is sent; empty where none is. */
const traceId = Effect.gen(function*() {
  if ((yield* Tracer.Tracer) === Tracer.nativeTracer) return {}
  return Option.match(yield* Effect.option(Effect.currentSpan), {
    onNone: () => ({}),
    onSome: ({ sampled, traceId }) => sampled ? { trace_id: traceId } : {}
  })
})

/** Mode and status of an answer; of a failure `failed` and its tag. */
const endOf = (exit: Ended) =>
  exit._tag === "Success"
    ? { mode: exit.value.mode, status: exit.value.status ?? "none" }
    : { mode: "failed", status: outcomeOf(exit) }

export const observedGrounding = (
  meters: Meters,
  { ground }: GroundQuestion["Service"]
): GroundQuestion["Service"] =>
  GroundQuestion.of({
    ground: Effect.fnUntraced(function*(request, caller, report) {
      const startedMs = caller.arrivedAtMs ?? (yield* Clock.currentTimeMillis)
      const ids = {
        tenant_id: caller.tenantId,
        session_id: request.session_id,
        request_id: request.request_id
      }
      const spent: Spent = { searches: 0, costMicros: 0 }
      const counted: Report = (fact, texts) =>
        Effect.suspend(() => {
          const { event } = fact
          FactMeasures.count(meters, event)
          if (event._tag === "WEB_GROUNDING_CALL_STARTED") spent.searches += 1
          spent.costMicros += ModelCost.modelCostMicros(event)
          return report(fact, texts)
        })
      const closed = (exit: Ended) =>
        Effect.gen(function*() {
          const durationMs = Math.max(0, (yield* Clock.currentTimeMillis) - startedMs)
          const { mode, status } = endOf(exit)
          meters.add("web_grounding_requests_total", { mode, status })
          meters.observe(
            "web_grounding_request_duration_seconds",
            { mode },
            durationMs / msInSecond
          )
          yield* Effect.annotateCurrentSpan({ mode, status, searches_count: spent.searches })
          yield* Effect.logInfo("request ended").pipe(Effect.annotateLogs({
            mode,
            status,
            duration_ms: durationMs,
            searches: spent.searches,
            cost_usd: spent.costMicros / microsInDollar
          }))
        })
      return yield* ground(request, caller, counted).pipe(
        Effect.onExit(closed),
        Effect.withSpan("grounding", { attributes: ids }),
        Effect.annotateLogs({ ...ids, ...yield* traceId })
      )
    })
  })
