/**
 * A typed client of the service. Pulls in no server, no database and no provider.
 *
 * It makes up a `request_id` when the caller gives none; a caller that keeps its own can ask
 * again after a lost answer without paying again.
 */
import { Context, Effect, Layer, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { RpcClient, type RpcClientError, RpcSerialization } from "effect/rpc"
import { GroundingRpc, type GroundProgress } from "./adapters/rpc/GroundingRpc.ts"
import type { EventView } from "./application/EventView.ts"
import type { EvidenceFailure } from "./application/evidence/EvidenceFailure.ts"
import type { EvidenceSearchInput } from "./application/evidence/EvidenceInput.ts"
import type { EvidenceFound } from "./application/evidence/SearchEvidence.ts"
import type { HealthView } from "./application/HealthView.ts"
import type {
  HealthInput,
  PackInput,
  SessionInput,
  ShownInput,
  ViewInput
} from "./application/Input.ts"
import { InternalFailure, type PublicFailure } from "./application/PublicFailure.ts"
import type { OutlineAnswer } from "./application/ResearchTopic.ts"
import type { Research } from "./domain/research/Research.ts"
import type { ResearchInput } from "./domain/research/ResearchInput.ts"
import type { GroundingRequest } from "./domain/session/GroundingRequest.ts"
import type { GroundingOutcome } from "./domain/session/Outcome.ts"
import type { PackView } from "./domain/view/PackView.ts"

type Encoded = typeof GroundingRequest.Encoded

/** A grounding request; all but `session_id` and `topic` have defaults. */
export type GroundInput = Omit<Encoded, "request_id"> & Partial<Pick<Encoded, "request_id">>

/** What the service refused, or why it could not be reached. */
export type Failure = PublicFailure | RpcClientError.RpcClientError

export class GroundingClient extends Context.Service<GroundingClient, {
  /** Facts as they are recorded; the last element is the outcome. */
  readonly progress: (input: GroundInput) => Stream.Stream<GroundProgress, Failure>
  /** The outcome alone. */
  readonly ground: (input: GroundInput) => Effect.Effect<GroundingOutcome, Failure>
  readonly session: (input: typeof SessionInput.Encoded) => Effect.Effect<
    { readonly session_id: string; readonly events: ReadonlyArray<EventView> },
    Failure
  >
  readonly pack: (input: typeof PackInput.Encoded) => Effect.Effect<GroundingOutcome, Failure>
  /** The pack as background of a role, or for a coach; the latter of premium requests only. */
  readonly view: (input: typeof ViewInput.Encoded) => Effect.Effect<PackView, Failure>
  readonly shown: (
    input: typeof ShownInput.Encoded
  ) => Effect.Effect<{ readonly recorded: boolean }, Failure>
  /** What the web says of a course's subject; asks `is_usable` before it is used. */
  readonly research: (input: typeof ResearchInput.Encoded) => Effect.Effect<Research, Failure>
  /** An outline from internal documents and from what research found. */
  readonly outline: (input: typeof ResearchInput.Encoded) => Effect.Effect<OutlineAnswer, Failure>
  /** How the searches of the last hours went; 24 when not told. */
  readonly health: (
    input?: typeof HealthInput.Encoded
  ) => Effect.Effect<HealthView, Failure>
  /** Entries of the evidence store, best first. */
  readonly searchEvidence: (
    input: typeof EvidenceSearchInput.Encoded
  ) => Effect.Effect<EvidenceFound, Failure | EvidenceFailure>
}>()("web-grounding/client") {}

/** `url`: where the service listens, e.g. `http://127.0.0.1:7420`. */
export const layer = ({ url }: { readonly url: string }): Layer.Layer<GroundingClient> =>
  Layer.effect(
    GroundingClient,
    Effect.gen(function*() {
      const rpc = yield* RpcClient.make(GroundingRpc)
      const progress = (input: GroundInput) => rpc.Ground({ ...input })
      return GroundingClient.of({
        progress,
        ground: (input) =>
          progress(input).pipe(
            Stream.runLast,
            Effect.flatMap((last) =>
              last._tag === "Some" && last.value._tag === "Outcome"
                ? Effect.succeed(last.value.outcome)
                // A stream of the service ends with an outcome or fails.
                : Effect.fail(new InternalFailure())
            )
          ),
        session: (input) => rpc.GetSession({ ...input }),
        pack: (input) => rpc.GetPack({ ...input }),
        view: (input) => rpc.GetPackView({ ...input }),
        shown: (input) => rpc.RecordShown({ ...input }),
        research: (input) => rpc.Research({ ...input }),
        outline: (input) => rpc.Outline({ ...input }),
        health: (input) => rpc.GetHealth({ ...input }),
        searchEvidence: (input) => rpc.SearchEvidence({ ...input })
      })
    })
  ).pipe(Layer.provide(
    RpcClient.layerProtocolHttp({ url: `${url.replace(/\/+$/, "")}/rpc` }).pipe(
      Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson])
    )
  ))

export type {
  EventView,
  EvidenceFound,
  GroundingOutcome,
  GroundProgress,
  HealthView,
  PackView,
  PublicFailure
}
