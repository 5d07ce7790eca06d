/** Wires the observers of a serving process; loaded only there. */
import { Layer } from "effect"
import * as MemoryBreakers from "../adapters/breakers/MemoryBreakers.ts"
import * as Problem from "../adapters/http/Problem.ts"
import type * as Meters from "../adapters/telemetry/Meters.ts"
import * as MetricsFace from "../adapters/telemetry/MetricsFace.ts"
import * as ObservedGrounding from "../adapters/telemetry/ObservedGrounding.ts"
import { Access } from "../application/Access.ts"
import * as GroundQuestion from "../application/GroundQuestion.ts"
import { EventStore } from "../application/ports/EventStore.ts"
import { Breakers, Credits } from "../application/ports/SearchProvider.ts"
import { Postgres } from "../infrastructure/postgres/Postgres.ts"
import { instrumented, type Instruments } from "./Storage.ts"

export const instruments = (meters: Meters.Meters): Instruments => ({
  breakers: instrumented(Breakers, (inner) => ObservedGrounding.breakers(meters, inner))(
    MemoryBreakers.layer
  ),
  grounding: instrumented(
    GroundQuestion.GroundQuestion,
    (inner) => ObservedGrounding.observedGrounding(meters, inner)
  )(GroundQuestion.layer),
  engines: (engines) => ObservedGrounding.layer(meters).pipe(Layer.provideMerge(engines)),
  log: instrumented(EventStore, (inner) => ObservedGrounding.eventStore(meters, inner)),
  credits: instrumented(Credits, (inner) => ObservedGrounding.credits(meters, inner)),
  database: instrumented(Postgres, (inner) => ObservedGrounding.postgres(meters, inner))
})

/** Paths outside of HTTP and JSON that are their own route. */
const ownPaths: ReadonlySet<string> = new Set([
  "/rpc",
  "/mcp",
  "/documents",
  "/search",
  "/extract",
  "/health",
  "/readyz",
  MetricsFace.path,
  Problem.documentPath,
  Problem.docsPath
])

/** The template of a path; empty without a route. */
export const routeOf = (method: string, path: string): string => {
  if (ownPaths.has(path)) return path
  const matched = Problem.match(method, path)
  return matched._tag === "Found" ? Problem.routeOf(matched.name).path : ""
}

export const served = (meters: Meters.Meters) => ({
  access: instrumented(Access, (inner) => ObservedGrounding.access(meters, inner)),
  beside: MetricsFace.metricsFace(meters),
  observed: {
    request: MetricsFace.measureRequests(meters, routeOf),
    call: ObservedGrounding.calls(meters)
  },
  tool: ObservedGrounding.tools(meters)
})
