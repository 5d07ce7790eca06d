/** Answers `ServiceRpc` by the calls of the service; no rule lives here. */
import { type Cause, Effect, Queue, Stream } from "effect"
import type { Rpc, RpcGroup } from "effect/rpc"
import { callerOf, type RemoteCaller } from "../../application/Access.ts"
import * as SessionLog from "../../application/log/SessionLog.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import { waitingFactsMax } from "../../application/ports/Limits.ts"
import type { GroundProgress } from "../../contract/Operations.ts"
import type { InvalidInput, PublicFailure } from "../../contract/PublicFailure.ts"
import {
  type InputOf,
  type OperationName,
  operationNames
} from "../../contract/ServiceOperations.ts"
import { ArrivedAt } from "./ArrivedAt.ts"
import { ServiceRpc } from "./ServiceRpc.ts"

type Methods = RpcGroup.Rpcs<typeof ServiceRpc>
type Handlers = { readonly [Method in Methods as Method["_tag"]]: Rpc.ToHandlerFn<Method, never> }

/** Runs a handler for its caller, whom the server's guard has identified before. */
const withCaller = <A, E, R>(
  call: (caller: RemoteCaller) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.gen(function*() {
    const caller = yield* Effect.orDie(callerOf("rpc"))
    const arrivedAtMs = yield* ArrivedAt
    return yield* call(arrivedAtMs === undefined ? caller : { ...caller, arrivedAtMs })
  })

/** Decodes the payload of a call, where the protocol has not done so. */
type Decode = <Name extends OperationName>(
  name: Name,
  payload: InputOf<Name>
) => Effect.Effect<InputOf<Name>, InvalidInput>

const handlersBy = (decode: Decode) =>
  Effect.map(ServiceCalls, ({ calls }) => {
    const grounding = (
      input: InputOf<"Ground">,
      queue: Queue.Queue<GroundProgress, PublicFailure | Cause.Done>
    ) =>
      withCaller((caller) =>
        Effect.flatMap(decode("Ground", input), (decoded) =>
          calls.Ground(decoded, caller, ({ stored }) =>
            Effect.asVoid(
              Queue.offer(queue, { _tag: "Fact", event: SessionLog.viewOf(stored) })
            )))
      ).pipe(
        Effect.flatMap((outcome) =>
          Queue.offer(queue, { _tag: "Outcome", outcome })
        ),
        Effect.andThen(Queue.end(queue)),
        Effect.catch((failure) => Queue.fail(queue, failure))
      )

    const answered = <Name extends OperationName>(name: Name) => (input: InputOf<Name>) =>
      withCaller((caller) =>
        Effect.flatMap(decode(name, input), (decoded) => calls[name](decoded, caller))
      )
    // Each name has the handler of its row.
    const handlers: unknown = {
      ...Object.fromEntries(operationNames.map((name) => [name, answered(name)])),
      Ground: (input: InputOf<"Ground">) =>
        Stream.callback<GroundProgress, PublicFailure>((queue) => grounding(input, queue), {
          bufferSize: waitingFactsMax,
          strategy: "dropping"
        })
    }
    return handlers as Handlers
  })

/** Handlers behind a protocol that decodes payloads, or behind another with `decode`. */
export const layer = (decode: Decode) => ServiceRpc.toLayer(handlersBy(decode))
