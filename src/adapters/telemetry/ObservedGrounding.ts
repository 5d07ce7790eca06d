/** Observed groundings: metrics, ids on their log lines, span attributes, one closing line. */
import { Clock, Effect, Exit, Layer, Option, Predicate, Tracer } from "effect"
import { Access } from "../../application/Access.ts"
import {
  type GroundingFailed,
  GroundQuestion,
  type Report
} from "../../application/GroundQuestion.ts"
import type { ObservedCall } from "../../application/operations/ServiceCalls.ts"
import { type Embedder, Embedders } from "../../application/ports/Embedder.ts"
import {
  type Chain,
  type Engine,
  type EngineFailed,
  type EngineInfo,
  Engines,
  mapChains
} from "../../application/ports/Engines.ts"
import { EventStore } from "../../application/ports/EventStore.ts"
import { UsageMeter } from "../../application/ports/Limits.ts"
import { Breakers, Credits } from "../../application/ports/SearchProvider.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { SearchAttempt } from "../../domain/search/SearchStatus.ts"
import type { ModelUsage } from "../../domain/session/EngineDetail.ts"
import type { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import type { SessionEvent } from "../../domain/session/SessionEvent.ts"
import * as SessionFacts from "../../domain/session/SessionFacts.ts"
import type { EngineName } from "../../domain/session/SessionFacts.ts"
import { Postgres } from "../../infrastructure/postgres/Postgres.ts"
import type { Meters } from "./Meters.ts"
import { outcomeOf } from "./MetricTable.ts"

const msInSecond = 1_000
const microsInDollar = 1_000_000

type Ended = Exit.Exit<GroundingOutcome, GroundingFailed>

const traceId = Effect.gen(function*() {
  if ((yield* Tracer.Tracer) === Tracer.nativeTracer) return {}
  const span = yield* Effect.option(Effect.currentSpan)
  return asGiven({
    trace_id: span.pipe(
      Option.filter(({ sampled }) => sampled),
      Option.map(({ traceId }) => traceId)
    )
  })
})

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
      const spent = { searches: 0, costMicros: 0 }
      const counted: Report = (fact, texts) =>
        Effect.suspend(() => {
          const { event } = fact
          count(meters, event)
          if (event._tag === "WEB_GROUNDING_CALL_STARTED") spent.searches += 1
          spent.costMicros += SessionFacts.modelCostMicros(event)
          return report(fact, texts)
        })
      const closed = (exit: Ended) =>
        Effect.gen(function*() {
          const durationMs = Math.max(0, (yield* Clock.currentTimeMillis) - startedMs)
          const { mode, status } = endOf(exit)
          meters.update("web_grounding_requests_total", { mode, status })
          meters.update(
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

// Counts the calls of every interface, and times those of agents' tools.

export const calls = (meters: Meters): ObservedCall => (operation) => (call) =>
  call.pipe(
    Effect.onExit((exit) =>
      Effect.sync(() =>
        meters.update("web_grounding_calls_total", { operation, outcome: outcomeOf(exit) })
      )
    ),
    Effect.withSpan("call", { attributes: { operation } })
  )

/** Counts calls whose caller could not be identified, so that no operation began. */
export const access = (meters: Meters, { identify }: Access["Service"]): Access["Service"] =>
  Access.of({
    identify: (credential) =>
      Effect.tapError(identify(credential), ({ _tag: outcome }) =>
        Effect.sync(() => {
          if (outcome === "Unauthenticated") return
          meters.update("web_grounding_calls_total", { operation: "unidentified", outcome })
        }))
  })

/** MCP tools: a failed one returns its failure as a result. */
export const tools =
  (meters: Meters) =>
  (gen_ai_tool_name: string) =>
  <A extends { readonly isError?: boolean | undefined }, E, R>(call: Effect.Effect<A, E, R>) => {
    const ended = (error_type: string) => (seconds: number) =>
      meters.update("mcp_server_operation_duration_seconds", {
        mcp_method_name: "tools/call",
        gen_ai_tool_name,
        error_type
      }, seconds)
    return timed((seconds, exit) => {
      if (exit._tag === "Failure") return ended(outcomeOf(exit))(seconds)
      const isError = Predicate.hasProperty(exit.value, "isError") && exit.value.isError === true
      return ended(isError ? "tool_error" : "")(seconds)
    })(call)
  }

const attempted = (
  meters: Meters,
  { duration_ms, hits_count, provider, status }: SearchAttempt
): void => {
  meters.update("web_search_total", { provider, status })
  if (status === "success") meters.update("web_search_results_total", { provider }, hits_count)
  if (status === "circuit_open" || status === "api_key_missing") return
  meters.update("web_search_duration_seconds", { provider }, duration_ms / msInSecond)
}

/** Lookups in caches, by the fact that shows them. */
const lookups: Partial<Record<SessionEvent["_tag"], Readonly<Record<string, "hit" | "miss">>>> = {
  WEB_GROUNDING_CALL_STARTED: { search: "miss" },
  WEB_GROUNDING_CACHE_USED: { search: "hit" },
  WEB_GROUNDING_CACHED_PACK_USED: { pack: "hit" },
  WEB_GROUNDING_PACK_REUSED: { session: "hit" },
  WEB_GROUNDING_QUERY_PLANNED: { session: "miss", pack: "miss" }
}

/** Counts one fact, once, in the process that recorded it. */
const count = (meters: Meters, event: SessionEvent): void => {
  meters.update("web_grounding_facts_total", { type: event._tag })
  for (const [step, { usage }] of SessionFacts.rungsOf(event)) {
    const micros = usage?.cost_micros ?? 0
    if (micros > 0) {
      meters.update("web_grounding_model_cost_usd_total", { step }, micros / microsInDollar)
    }
  }
  for (const [cache, result] of Object.entries(lookups[event._tag] ?? {})) {
    meters.update("web_grounding_cache_total", { cache, result })
  }
  if (event._tag === "WEB_GROUNDING_CALLED") {
    for (const attempt of event.attempts) attempted(meters, attempt)
  }
}

// Observed engines: a span and the time of each, with the GenAI conventions' attributes.

/** `ok`, the engine's failure reason, or the way it was ended. */
const reasonOf = (exit: Exit.Exit<unknown, EngineFailed>): string => {
  if (exit._tag === "Success") return "ok"
  const failed = exit.cause.reasons.find((reason) => reason._tag === "Fail")
  return failed?.error.reason ?? outcomeOf(exit)
}

/** Labels of the GenAI conventions; none for an engine without a model. */
const modelOf = (engine: string, model: string | undefined, operation: string) =>
  model === undefined ? undefined : {
    gen_ai_operation_name: operation,
    gen_ai_provider_name: engine,
    gen_ai_request_model: model
  }

interface ObservedEngine extends Pick<EngineInfo, "engine" | "model"> {
  readonly step: string
  /** Name of the operation in the conventions, for a model. */
  readonly operation: "chat" | "embeddings"
}

const asking = (meters: Meters, { engine, model, operation, step }: ObservedEngine) => {
  const ofModel = modelOf(engine, model, operation)

  const used = ({ completion_tokens, prompt_tokens }: ModelUsage): void => {
    if (ofModel === undefined) return
    const tokens = (gen_ai_token_type: string, count: number | undefined) =>
      count === undefined
        ? undefined
        : meters.update("gen_ai_client_token_usage", { ...ofModel, gen_ai_token_type }, count)
    tokens("input", prompt_tokens)
    tokens("output", completion_tokens)
  }

  const ended = (seconds: number, exit: Exit.Exit<unknown, EngineFailed>) => {
    const outcome = reasonOf(exit)
    meters.update("web_grounding_engine_duration_seconds", { step, engine, outcome }, seconds)
    if (ofModel === undefined) return
    meters.update("gen_ai_client_operation_duration_seconds", {
      ...ofModel,
      error_type: outcome === "ok" ? "" : outcome
    }, seconds)
  }

  return <A, E extends EngineFailed>(ask: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(UsageMeter, (outer) =>
      ask.pipe(
        Effect.provideService(UsageMeter, (usage) =>
          Effect.andThen(Effect.sync(() => used(usage)), outer(usage))),
        timed(ended),
        Effect.withSpan("engine", {
          attributes: { step, engine, ...ofModelSpan(ofModel) }
        })
      ))
}

const ofModelSpan = (labels: ReturnType<typeof modelOf>) =>
  labels === undefined ? {} : {
    "gen_ai.operation.name": labels.gen_ai_operation_name,
    "gen_ai.provider.name": labels.gen_ai_provider_name,
    "gen_ai.request.model": labels.gen_ai_request_model
  }

/** Wraps the engines of every step, and records their answers and failures. */
export const layer = (meters: Meters) => {
  const observed =
    <Name extends EngineName>(step: Name) =>
    <E extends EngineFailed>({ ask, info }: Engine<Name, E>): Engine<Name, E> => ({
      info,
      ask: (question) => asking(meters, { ...info, step, operation: "chat" })(ask(question))
    })
  const chain = <Name extends EngineName>(
    { last, preferred }: Chain<Name>,
    step: Name
  ): Chain<Name> => ({
    preferred: preferred.map(observed(step)),
    last: observed(step)(last)
  })
  const embedder = (one: Embedder): Embedder => ({
    ...one,
    embed: (texts, task) =>
      asking(meters, { ...one, step: "embedder", operation: "embeddings" })(one.embed(texts, task))
  })
  return Layer.mergeAll(
    Layer.effect(Engines, Effect.map(Engines, (chains) => mapChains(chains, chain))),
    Layer.effect(Embedders, Effect.map(Embedders, (all) => all.map(embedder)))
  )
}

// Observed ports: each function wraps a service, whose calls are timed and counted.

const nanosInSecond = 1e9

/** Runs the effect and reports its time in seconds and its outcome. */
export const timed = <Failed = unknown>(
  record: (seconds: number, exit: Exit.Exit<unknown, Failed>) => void
) =>
<A, E extends Failed, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    Clock.currentTimeNanos,
    (startedNs) =>
      Effect.onExit(effect, (exit) =>
        Effect.map(Clock.currentTimeNanos, (endedNs) =>
          record(Number(endedNs - startedNs) / nanosInSecond, exit)))
  )

/** Wraps an event store; times appends, and counts streams changed by others. */
export const eventStore = (
  meters: Meters,
  store: EventStore["Service"]
): EventStore["Service"] => {
  const appending = timed((seconds, exit) =>
    meters.update(
      "web_grounding_log_append_duration_seconds",
      { outcome: outcomeOf(exit) },
      seconds
    )
  )
  const tampered = Effect.sync(() => meters.update("web_grounding_log_tampered_total", {}))
  return EventStore.of({
    ...store,
    append: (head, events) => appending(store.append(head, events)),
    read: (ref, afterVersion, eventsMax) =>
      Effect.tapErrorTag(store.read(ref, afterVersion, eventsMax), "LogTampered", () => tampered)
  })
}

/** Wraps circuit breakers; reports open ones, and the number of requests not sent. */
export const breakers = (meters: Meters, { guard }: Breakers["Service"]): Breakers["Service"] =>
  Breakers.of({
    guard: (ask, options) =>
      Effect.onExit(guard(ask, options), (exit) =>
        Effect.sync(() => {
          const upstream = options.key
          // A call that was not made fails with the failure passed in.
          const isResting = Exit.isFailure(exit) &&
            exit.cause.reasons.some((reason) =>
              reason._tag === "Fail" && reason.error === options.resting
            )
          meters.update("web_grounding_circuit_open", { upstream }, isResting ? 1 : 0)
          if (isResting) meters.update("web_grounding_circuit_refused_total", { upstream })
        }))
  })

/** Wraps the credit ledger; counts reserved and returned credits. */
export const credits = (
  meters: Meters,
  { correct, reserve }: Credits["Service"]
): Credits["Service"] => {
  const took = (provider: string, keySlot: number, by: number) =>
    Effect.sync(() =>
      meters.update(
        by >= 0 ? "web_search_credits_reserved_total" : "web_search_credits_returned_total",
        { provider, key_slot: String(keySlot) },
        Math.abs(by)
      )
    )
  return Credits.of({
    reserve: (provider, keySlot, price) =>
      Effect.tap(
        reserve(provider, keySlot, price),
        (month) => month === undefined ? Effect.void : took(provider, keySlot, price)
      ),
    correct: (month, by) =>
      Effect.tap(correct(month, by), () => took(month.provider, month.keySlot, by))
  })
}

/** Wraps the database; times each statement by name, and whole transactions. */
export const postgres = (meters: Meters, inner: Postgres["Service"]): Postgres["Service"] => {
  const named = (summary: string) =>
    timed((seconds, exit) => {
      const outcome = outcomeOf(exit)
      meters.update("db_client_operation_duration_seconds", {
        db_system_name: "postgresql",
        db_query_summary: summary,
        error_type: outcome === "ok" ? "" : outcome
      }, seconds)
    })
  const statement = named("statement")
  meters.sample(Effect.map(inner.poolUse, ({ idle, max, open, waiting }) => {
    meters.update("db_client_connection_count", { db_client_connection_state: "idle" }, idle)
    meters.update("db_client_connection_count", { db_client_connection_state: "used" }, open - idle)
    meters.update("db_client_connection_max", {}, max)
    meters.update("db_client_connection_pending_requests", {}, waiting)
  }))
  const transaction = named("transaction")
  return Postgres.of({
    ...inner,
    run: (query) => statement(inner.run(query)),
    prepared: (prepared, parameters) => named(prepared.name)(inner.prepared(prepared, parameters)),
    transaction: (effect) => transaction(inner.transaction(effect))
  })
}
