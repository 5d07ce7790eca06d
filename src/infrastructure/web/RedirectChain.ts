/**
 * Follows an address over its redirects to a body; every hop is checked as if it were the first.
 */
import { Effect, Result, Scope } from "effect"
import * as BodyBytes from "./BodyBytes.ts"
import { FetchFailed, type FetchFault } from "./FetchFailed.ts"
import type { HeldBytes } from "./HeldBytes.ts"
import type { HostGate } from "./HostGate.ts"
import { exchange, type ExchangeOptions, type WebHead } from "./WebExchange.ts"
import { parseTarget, type WebTarget } from "./WebTarget.ts"

/** More are refused. */
const redirectsMax = 5
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** A body with the target and the header that it came with. */
export interface Answered {
  readonly target: WebTarget
  readonly contentType: string
  readonly body: Uint8Array
}

export interface Errand<A> {
  /** Asked before each hop. */
  readonly admit: (target: WebTarget) => Effect.Effect<void, FetchFailed>
  readonly bytesMax: number
  /** The body counts as held until this ends. Default: until it is read. */
  readonly holder?: Scope.Scope
  readonly read: (answered: Answered) => Effect.Effect<A, FetchFailed>
}

export interface RedirectChain {
  readonly follow: <A>(first: WebTarget, errand: Errand<A>) => Effect.Effect<A, FetchFailed>
}

export interface ChainOptions extends ExchangeOptions {
  readonly gate: HostGate
  readonly held: HeldBytes
}

export const make = (options: ChainOptions): RedirectChain => {
  /** Answers a function where the way goes on: the target is asked for after the socket is gone. */
  const hop = <A>(target: WebTarget, { bytesMax, holder, read }: Errand<A>) =>
    Effect.gen(function*() {
      const head = yield* exchange(target, options)
      if (redirects.has(head.status)) {
        return { next: yield* Effect.fromResult(nextOf(target, head.header("location"))) }
      }
      yield* refuseAtSight(head, bytesMax)
      const body = yield* BodyBytes.collect(head.body, head.header("content-encoding"), {
        bytesMax,
        held: options.held
      }).pipe(Effect.provideService(Scope.Scope, holder ?? (yield* Effect.scope)))
      return { value: yield* read({ target, contentType: head.header("content-type"), body }) }
    }).pipe(Effect.scoped, options.gate.pass(target.host))

  const from = <A>(
    target: WebTarget,
    errand: Errand<A>,
    left: number
  ): Effect.Effect<A, FetchFailed> =>
    Effect.gen(function*() {
      yield* errand.admit(target)
      const step = yield* hop(target, errand)
      if (step.next === undefined) return step.value
      if (left === 0) return yield* failed("too_many_redirects")
      return yield* from(step.next, errand, left - 1)
    })
  return { follow: (first, errand) => from(first, errand, redirectsMax) }
}

const failed = (fault: FetchFault) => Effect.fail(new FetchFailed({ fault }))

const refuseAtSight = ({ header, status }: WebHead, bytesMax: number) => {
  if (status < 200 || status > 299) {
    return Effect.fail(new FetchFailed({ fault: "http_status", status }))
  }
  return Number(header("content-length")) > bytesMax ? failed("too_large") : Effect.void
}

/** Relative to the hop that said so. What was asked for in secret is not told in the open. */
const nextOf = (
  { secure, url }: WebTarget,
  location: string
): Result.Result<WebTarget, FetchFailed> =>
  location === ""
    ? Result.fail(new FetchFailed({ fault: "malformed" }))
    : Result.flatMap(parseTarget(location, url.href), (target) =>
      secure && !target.secure
        ? Result.fail(new FetchFailed({ fault: "downgrade_forbidden" }))
        : Result.succeed(target))
