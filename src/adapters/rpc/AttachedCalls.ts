/** Operations of the service that holds the data directory, over RPC. Loaded on use. */
import { Effect, Layer, Predicate, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { RpcClient, type RpcClientError, RpcSerialization } from "effect/rpc"
import type { Report } from "../../application/GroundQuestion.ts"
import * as SessionLog from "../../application/log/SessionLog.ts"
import { type AskedCalls, askedCallsOf } from "../../application/operations/Calls.ts"
import { LogPosition, type StoredEvent } from "../../application/ports/EventStore.ts"
import type { EventView } from "../../contract/EventView.ts"
import { InternalFailure, StoreUnavailable } from "../../contract/PublicFailure.ts"
import type {
  FailureOf,
  OperationName,
  OutputOf,
  SentOf
} from "../../contract/ServiceOperations.ts"
import { ServiceRpc } from "./ServiceRpc.ts"

/** Milliseconds before the next call to a service that did not answer. */
const retryAfterMs = 1_000

type Send = <Name extends OperationName>(
  name: Name,
  input: SentOf<Name>
) => Effect.Effect<OutputOf<Name>, FailureOf<Name> | RpcClientError.RpcClientError>

/** Open until the scope closes. The tenant is the service's own; the caller's is ignored. */
export const attachTo = Effect.fnUntraced(function*(_url: string, _secret: string) {
  const rpc = yield* RpcClient.make(ServiceRpc, { flatten: true })
  const sending: unknown = rpc
  const send = sending as Send
  const asked: AskedCalls = {
    ...askedCallsOf((name) => (input) => reached(send(name, input))),
    Ground: (input, report = silent) =>
      reached(
        rpc("Ground", input).pipe(
          Stream.tap((element) =>
            element._tag === "Fact" ? reportFact(element.event, report) : Effect.void
          ),
          Stream.runLast
        )
      ).pipe(
        Effect.flatMap((last) =>
          last._tag === "Some" && last.value._tag === "Outcome"
            ? Effect.succeed(last.value.outcome)
            : new InternalFailure({})
        )
      )
  }
  return asked
}, (making, url, secret) => Effect.provide(making, protocolAt(url, secret)))

const silent: Report = () => Effect.void

const protocolAt = (url: string, secret: string) =>
  RpcClient.layerProtocolHttp({
    url: `${url}/rpc`,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(secret))
  }).pipe(Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson]))

/** A service that stopped meanwhile is reported as an unavailable store. */
const reached = <A, E>(
  call: Effect.Effect<A, E | RpcClientError.RpcClientError>
): Effect.Effect<A, E | StoreUnavailable> =>
  Effect.catchIf(
    call,
    (failure): failure is RpcClientError.RpcClientError =>
      Predicate.isTagged(failure, "RpcClientError"),
    () => new StoreUnavailable({ retry_after_ms: retryAfterMs, may_have_searched: true })
  )

const reportFact = (view: EventView, report: Report) => {
  const stored = storedOf(view)
  return SessionLog.codec.decode(stored).pipe(
    Effect.flatMap((event) => report({ event, stored }, noTexts)),
    // An event of a later release is not shown; the result still arrives.
    Effect.ignore
  )
}

/** No texts: a service does not return texts that it may not keep. */
const noTexts: ReadonlyMap<string, string> = new Map()

const storedOf = (view: EventView): StoredEvent => ({
  eventId: view.event_id,
  type: view.type,
  schemaVersion: view.schema_version,
  metadata: {
    correlation_id: view.correlation_id,
    causation_id: view.causation_id,
    actor: view.actor
  },
  streamId: view.stream_id,
  version: view.stream_version,
  position: LogPosition.make(BigInt(view.global_position)),
  recordedAt: view.recorded_at,
  data: view.data,
  salt: null,
  payloadDigest: view.payload_digest,
  hash: view.hash
})
