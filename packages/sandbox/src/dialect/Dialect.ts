/** Protocol of a provider as the sandbox speaks it: how it is asked and how it answers. */
import type { Effect, Option, Result } from "effect"
import type { HttpServerError, HttpServerRequest } from "effect/http"
import type { PlainAnswer, PlainAnswers } from "./PlainFault.ts"
import type { Searcher, Service } from "./SandboxKey.ts"
import type { Parameters } from "./SandboxProtocol.ts"

export interface Asked<P = Parameters> {
  readonly query: string
  /** Request as sent, without the key: for the ledger. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Secret that came in the key's place, good or not; empty where none did. */
  readonly secret: string
  /** None for a key that is no good; empty for a provider without keys. */
  readonly key: Option.Option<string>
  /**
   * Parameters of the request, such as the words to look for in the corpus, or the provider's
   * refusal.
   */
  readonly parameters: Result.Result<P, PlainAnswer>
}

/** An answer in Tavily's shape, whole or bent by a fault. */
export type Answer = Readonly<Record<string, unknown>>

export interface Dialect<P = Parameters> {
  readonly provider: Service
  readonly contentType: string
  readonly noKey: PlainAnswer
  /**
   * Faults that this provider tells in its own words, by the fault's name, each with a status, a
   * body and headers; those left out are told as `PlainFault.answers` has them. A fault that no
   * name stands for, such as a second meaning of one status, gets one in `Fault.ts` and its answer
   * in `PlainFault.ts`.
   */
  readonly plainFaults: PlainAnswers
  readonly errorBody: (error: string) => string
  readonly asked: Effect.Effect<
    Asked<P>,
    HttpServerError.HttpServerError,
    HttpServerRequest.HttpServerRequest
  >
  /** Credits of an honest answer; absent where the ledger counts none. */
  readonly charges?: (parameters: P, answer: Answer) => number
  /** Total: a fault may have put anything in the place of a result. */
  readonly render: (answer: Answer, asked: Asked<P>) => string
}

export interface Route {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
}

/** Protocol of a search provider. */
export interface SearchDialect extends Dialect {
  readonly provider: Searcher
  /** Ways to ask for a search; what was recorded at one of the paths is a search, too. */
  readonly routes: readonly [Route, ...ReadonlyArray<Route>]
}

/** The results of an answer, if it has a list of them. */
export const resultsOf = ({ results }: Answer): ReadonlyArray<unknown> =>
  Array.isArray(results) ? results : []

/** A field of what may be a result; empty where there is no such text. */
export const textAt = (result: unknown, name: string): string => {
  const value: unknown = typeof result === "object" && result !== null
    ? Reflect.get(result, name)
    : undefined
  return typeof value === "string" ? value : ""
}

/** A field of what may be a result; empty where there is no list of numbers. */
export const numbersAt = (result: unknown, name: string): ReadonlyArray<number> => {
  const value: unknown = typeof result === "object" && result !== null
    ? Reflect.get(result, name)
    : undefined
  return Array.isArray(value) ? value.filter((item) => typeof item === "number") : []
}
