/**
 * A typed client of the service. Pulls in no server, no database and no provider.
 *
 * It makes up a `request_id` when the caller gives none, sends a lost call again under the same
 * one, which pays for nothing twice, and names it on every failure.
 *
 * ```ts
 * import { Effect } from "effect"
 * import { GroundingClient, layer } from "@web-grounding/client/effect"
 *
 * const asked = Effect.gen(function*() {
 *   const client = yield* GroundingClient
 *   const question = "How much notice must a tenant give in Japan?"
 *   return yield* client.ground({ session_id: "chat-2", topic: question })
 * })
 * const url = "http://127.0.0.1:7420"
 * const { session_id } = await Effect.runPromise(Effect.provide(asked, layer({ url })))
 * session_id // => "chat-2"
 * ```
 */
import { Context, Effect, Layer, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { GroundingRpc } from "./adapters/rpc/GroundingRpc.ts"
import * as ClientCall from "./ClientCall.ts"
import { ServiceUnreachable, UnreachableCause } from "./ClientCall.ts"
import { type EventView, everyEvent } from "./contract/EventView.ts"
import type { EvidenceFound } from "./contract/EvidenceSearch.ts"
import type { HealthView } from "./contract/HealthView.ts"
import type { SessionInput } from "./contract/Input.ts"
import type { GroundProgress, operations } from "./contract/Operations.ts"
import {
  contractVersion,
  InternalFailure,
  type PublicFailure,
  type ResearchFailure,
  versionHeader
} from "./contract/PublicFailure.ts"
import { asGiven } from "./domain/request/GivenFields.ts"
import { deadlineMsMin, deadlineMsOf } from "./domain/request/GroundingRequest.ts"
import * as Research from "./domain/research/Research.ts"
import type { GroundingOutcome } from "./domain/session/GroundingOutcome.ts"
import type { PackView } from "./domain/view/ViewSchemas.ts"

type Operations = typeof operations

/** Grounding request; `session_id` and `topic` alone are required. */
export type GroundInput = Operations["Ground"]["input"]["Encoded"]

type ResearchInput = Operations["Research"]["input"]["Encoded"]

export type Failure = PublicFailure | ServiceUnreachable

/** Longest network time of an answer, in milliseconds. */
const marginMs = 2_000
/** Milliseconds for calls without a deadline. */
const timeoutMsDefault = 30_000

type CallOptions = ClientCall.CallOptions

export interface ClientOptions extends CallOptions {
  /** Address on which the service listens, e.g. `http://127.0.0.1:7420`. */
  readonly url: string
}

/** Options of a method take precedence over those of the client. */
type Method<Name extends keyof Operations> = (
  input: Operations[Name]["input"]["Encoded"],
  options?: CallOptions
) => Effect.Effect<
  Operations[Name]["output"]["Type"],
  Operations[Name]["failure"]["Type"] | ServiceUnreachable
>

export class GroundingClient extends Context.Service<GroundingClient, {
  /**
   * Facts as they are recorded, then the outcome. After a lost connection it continues with later
   * facts.
   */
  readonly progress: (
    input: GroundInput,
    options?: CallOptions
  ) => Stream.Stream<GroundProgress, Failure>
  /** The outcome alone. */
  readonly ground: Method<"Ground">
  /** Every event of the session, oldest first. */
  readonly session: (input: typeof SessionInput.Encoded, options?: CallOptions) => Effect.Effect<
    { readonly session_id: string; readonly events: ReadonlyArray<EventView> },
    Failure
  >
  readonly pack: Method<"GetPack">
  /** The pack as background of a role, or for a coach; the latter of premium requests only. */
  readonly view: Method<"GetPackView">
  readonly shown: Method<"RecordShown">
  /** Researches a course's subject on the web; check `is_usable` before using the result. */
  readonly research: Method<"Research">
  /** Outlines a course from internal documents and the research. */
  readonly outline: Method<"Outline">
  /** Health of the searches. Default: of the last 24 hours. */
  readonly health: (
    ...asked: Partial<Parameters<Method<"GetHealth">>>
  ) => ReturnType<Method<"GetHealth">>
  /** Entries of the evidence store, best first. */
  readonly searchEvidence: Method<"SearchEvidence">
}>()("web-grounding/client") {}

export const layer = (given: ClientOptions): Layer.Layer<GroundingClient> => {
  const url = given.url.replace(/\/+$/, "")

  const callOf = (
    options: CallOptions | undefined,
    of: { readonly requestId?: string | undefined; readonly deadlineMs?: number }
  ) => {
    const merged = { ...given, ...options, headers: { ...given.headers, ...options?.headers } }
    const fallbackMs = of.deadlineMs === undefined ? timeoutMsDefault : of.deadlineMs + marginMs
    return {
      url,
      requestId: of.requestId,
      options: merged,
      timeoutMs: merged.timeoutMs ?? fallbackMs
    }
  }

  return Layer.effect(
    GroundingClient,
    Effect.gen(function*() {
      const rpc = yield* RpcClient.make(GroundingRpc)

      const progress = (input: GroundInput, options?: CallOptions) => {
        const request = identified(input)
        const deadlineMs = deadlineMsOf({
          tier: input.tier ?? "standard",
          ...asGiven({ deadline_ms: input.deadline_ms })
        })
        const call = callOf(options, { requestId: request.request_id, deadlineMs })
        return ClientCall.stream(call, (leftMs) =>
          // A later try has what the earlier ones left of the deadline.
          rpc.Ground(
            leftMs >= call.timeoutMs ? request : { ...request, deadline_ms: deadlineIn(leftMs) }
          ))
      }

      /** A plain call; `request_id`: the input's, if it has one. */
      const asked = <A, E extends ClientCall.CallFailure>(
        input: { readonly request_id?: string },
        options: CallOptions | undefined,
        send: Effect.Effect<A, ClientCall.Sent<E>>,
        deadlineMs?: number
      ) =>
        ClientCall.run(
          callOf(options, { requestId: input.request_id, ...asGiven({ deadlineMs }) }),
          send
        )

      const researched = <A>(
        input: ResearchInput,
        options: CallOptions | undefined,
        send: (input: ResearchInput) => Effect.Effect<A, ClientCall.Sent<ResearchFailure>>
      ) => {
        const request = identified(input)
        return asked(request, options, send(request), Research.deadlineMsOf(input.timeout_ms))
      }

      return GroundingClient.of({
        progress,
        ground: (input, options) =>
          progress(input, options).pipe(
            Stream.runLast,
            Effect.flatMap((last) =>
              last._tag === "Some" && last.value._tag === "Outcome"
                ? Effect.succeed(last.value.outcome)
                // A stream of the service ends with an outcome or fails.
                : new InternalFailure({})
            )
          ),
        session: ({ session_id }, options) =>
          Effect.map(
            everyEvent((after) => asked({}, options, rpc.GetSession({ session_id, after }))),
            (events) => ({ session_id, events })
          ),
        pack: (input, options) => asked(input, options, rpc.GetPack({ ...input })),
        view: (input, options) => asked(input, options, rpc.GetPackView({ ...input })),
        shown: (input, options) => asked(input, options, rpc.RecordShown({ ...input })),
        research: (input, options) => researched(input, options, rpc.Research),
        outline: (input, options) => researched(input, options, rpc.Outline),
        health: (input, options) => asked({}, options, rpc.GetHealth({ ...input })),
        searchEvidence: (input, options) => asked({}, options, rpc.SearchEvidence({ ...input }))
      })
    })
  ).pipe(Layer.provide(
    RpcClient.layerProtocolHttp({ url: `${url}/rpc` }).pipe(
      Layer.provide([answering, RpcSerialization.layerNdjson])
    )
  ))
}

const identified = <Input extends { readonly request_id?: string }>(input: Input) => ({
  ...input,
  request_id: input.request_id ?? crypto.randomUUID()
})

/** A status that carries no answer becomes a failure. */
const answering = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (client) =>
    // A body whose frames are all refused is answered with 400 and their failures.
    HttpClient.filterStatus(client, (status) => status === 400 || (status >= 200 && status < 300))
      .pipe(
        HttpClient.mapRequestEffect((request) =>
          Effect.map(ClientCall.CallHeaders, (headers) =>
            HttpClientRequest.setHeaders(request, {
              [versionHeader]: contractVersion,
              ...headers
            }))
        )
      ))
).pipe(Layer.provide(FetchHttpClient.layer))

const deadlineIn = (leftMs: number): number =>
  Math.max(deadlineMsMin, Math.round(leftMs - marginMs))

export { ServiceUnreachable, UnreachableCause }
export type {
  CallOptions,
  EventView,
  EvidenceFound,
  GroundingOutcome,
  GroundProgress,
  HealthView,
  PackView,
  PublicFailure
}
