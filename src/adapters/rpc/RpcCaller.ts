/** The caller of a running RPC, and when its HTTP request came in. */
import { Effect } from "effect"
import { callerOf, type RemoteCaller } from "../../application/Access.ts"
import { ArrivedAt } from "./ArrivedAt.ts"

/** Runs a handler for its caller, whom the server's guard has identified before. */
export const withCaller = <A, E, R>(
  call: (caller: RemoteCaller) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function*() {
    const caller = yield* Effect.orDie(callerOf("rpc"))
    const arrivedAtMs = yield* ArrivedAt
    return yield* call(arrivedAtMs === undefined ? caller : { ...caller, arrivedAtMs })
  })
