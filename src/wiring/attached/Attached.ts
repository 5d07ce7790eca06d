/**
 * The use cases of a running service, asked over RPC: for the commands of a machine on which a
 * service holds the data directory. Loaded when it is needed.
 */
import { Effect, Layer, Predicate, Schema, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { RpcClient, type RpcClientError, RpcSerialization } from "effect/rpc"
import type { Erasures, Tokens, VerifyInput, Wiring } from "../../adapters/cli/Wiring.ts"
import { sentSchema } from "../../adapters/rpc/GroundingRpc.ts"
import { ServiceRpc } from "../../adapters/rpc/ServiceRpc.ts"
import { AuditApi } from "../../application/AuditApi.ts"
import type { CheckReadiness } from "../../application/CheckReadiness.ts"
import { EvidenceApi } from "../../application/EvidenceApi.ts"
import * as SessionLog from "../../application/log/SessionLog.ts"
import { LogPosition, type StoredEvent } from "../../application/ports/EventStore.ts"
import type { Lag } from "../../application/projections/ProjectionRunner.ts"
import type { Rebuilt } from "../../application/projections/RebuildModels.ts"
import { PublicApi } from "../../application/PublicApi.ts"
import { QueryReadModels } from "../../application/QueryReadModels.ts"
import { ResearchTopic } from "../../application/ResearchTopic.ts"
import type { EventView } from "../../contract/EventView.ts"
import type { LogVerification } from "../../contract/LogVerification.ts"
import { operations } from "../../contract/Operations.ts"
import { operatorOperations } from "../../contract/OperatorOperations.ts"
import { InternalFailure, StoreUnavailable } from "../../contract/PublicFailure.ts"

/** Milliseconds after which a service that did not answer may be asked again. */
const retryAfterMs = 1_000

export interface Attached {
  readonly api: PublicApi["Service"]
  readonly topic: ResearchTopic["Service"]
  readonly audit: AuditApi["Service"]
  readonly evidence: EvidenceApi["Service"]
  readonly records: QueryReadModels["Service"]
  readonly check: CheckReadiness["Service"]["check"]
  readonly tokens: Tokens
  readonly erasures: Erasures
  readonly verified: (input: VerifyInput) => Effect.Effect<LogVerification, Error>
  readonly receipted: Wiring["receipt"]
  readonly lags: Effect.Effect<ReadonlyArray<Lag>, Error>
  readonly rebuilt: Effect.Effect<ReadonlyArray<Rebuilt>, Error>
}

/** Open until the scope closes. The tenant is the service's own, whatever the caller says. */
export const attachTo = Effect.fnUntraced(function*(_url: string, _secret: string) {
  const rpc = yield* RpcClient.make(ServiceRpc)
  /** The service checks what it is sent. */
  const taken = <S extends Schema.Json>(schema: { readonly Encoded: S }) => {
    const decode = Schema.decodeUnknownEffect(sentSchema(schema))
    // What a command sends came from its flags: text, numbers and lists of them.
    return (input: unknown) => Effect.orDie(decode(JSON.parse(JSON.stringify(input))))
  }
  const asking = <S extends Schema.Json, A, E>(
    { input }: { readonly input: { readonly Encoded: S } },
    send: (input: S) => Effect.Effect<A, E | RpcClientError.RpcClientError>
  ) => {
    const take = taken(input)
    return (given: unknown) => reached(Effect.flatMap(take(given), send))
  }
  const takeGround = taken(operations.Ground.input)

  const api = PublicApi.of({
    ground: (input, _, report) =>
      reached(
        Stream.unwrap(Effect.map(takeGround(input), (request) => rpc.Ground(request))).pipe(
          Stream.tap((element) =>
            element._tag === "Fact" ? told(element.event, report) : Effect.void
          ),
          Stream.runLast
        )
      ).pipe(
        Effect.flatMap((last) =>
          last._tag === "Some" && last.value._tag === "Outcome"
            ? Effect.succeed(last.value.outcome)
            : Effect.fail(new InternalFailure({}))
        )
      ),
    session: asking(operations.GetSession, (input) => rpc.GetSession(input)),
    pack: asking(operations.GetPack, (input) => rpc.GetPack(input)),
    view: asking(operations.GetPackView, (input) => rpc.GetPackView(input)),
    shown: asking(operations.RecordShown, (input) => rpc.RecordShown(input)),
    replay: asking(operatorOperations.ReplaySession, (input) => rpc.ReplaySession(input)),
    health: asking(operations.GetHealth, (input) => rpc.GetHealth(input))
  })
  const evidence = EvidenceApi.of({
    collect: asking(operatorOperations.CollectEvidence, (input) => rpc.CollectEvidence(input)),
    collectPage: asking(operatorOperations.CollectPage, (input) => rpc.CollectPage(input)),
    search: asking(operations.SearchEvidence, (input) => rpc.SearchEvidence(input)),
    promote: asking(operatorOperations.PromoteEvidence, (input) => rpc.PromoteEvidence(input)),
    remove: asking(operatorOperations.RemoveEvidence, (input) => rpc.RemoveEvidence(input)),
    reembed: asking(operatorOperations.ReembedEvidence, (input) => rpc.ReembedEvidence(input)),
    gather: () => reached(rpc.GatherEvidence({})),
    // The service gathers by itself.
    gathering: () => Effect.never,
    status: () => reached(rpc.GetEvidenceStatus({}))
  })
  const records = QueryReadModels.of({
    sessions: asking(operatorOperations.ListSessions, (input) => rpc.ListSessions(input)),
    timeline: asking(
      operatorOperations.GetSessionTimeline,
      (input) => rpc.GetSessionTimeline(input)
    ),
    citedPack: asking(operatorOperations.GetCitedPack, (input) => rpc.GetCitedPack(input)),
    activity: asking(operatorOperations.GetActivity, (input) => rpc.GetActivity(input)),
    usage: asking(operatorOperations.GetUsage, (input) => rpc.GetUsage(input)),
    alerts: asking(operatorOperations.ListAlerts, (input) => rpc.ListAlerts(input))
  })
  const attached: Attached = {
    api,
    topic: ResearchTopic.of({
      research: asking(operations.Research, (input) => rpc.Research(input)),
      outline: asking(operations.Outline, (input) => rpc.Outline(input))
    }),
    audit: AuditApi.of({
      replays: asking(operatorOperations.ReplaySessions, (input) => rpc.ReplaySessions(input)),
      whatIf: asking(operatorOperations.WhatIfSession, (input) => rpc.WhatIfSession(input)),
      exported: asking(operatorOperations.ExportSessions, (input) => rpc.ExportSessions(input)),
      whatIfs: asking(operatorOperations.WhatIfSessions, (input) => rpc.WhatIfSessions(input))
    }),
    evidence,
    records,
    check: () => reached(rpc.CheckReadiness({})),
    tokens: {
      create: asking(operatorOperations.CreateToken, (input) => rpc.CreateToken(input)),
      list: reached(rpc.ListTokens({})),
      revoke: asking(operatorOperations.RevokeToken, (input) => rpc.RevokeToken(input))
    },
    erasures: {
      erase: asking(operatorOperations.EraseSession, (input) => rpc.EraseSession(input)),
      eraseSubject: asking(operatorOperations.EraseSubject, (input) => rpc.EraseSubject(input)),
      hold: asking(operatorOperations.SetLegalHold, (input) => rpc.SetLegalHold(input)),
      list: asking(operatorOperations.ListErasures, (input) => rpc.ListErasures(input))
    },
    verified: asking(operatorOperations.VerifyLog, (input) => rpc.VerifyLog(input)),
    receipted: asking(operatorOperations.GetReceipt, (input) => rpc.GetReceipt(input)),
    lags: Effect.map(reached(rpc.GetProjections({})), ({ projections }) => projections),
    rebuilt: Effect.map(reached(rpc.RebuildProjections({})), ({ rebuilt }) => rebuilt)
  }
  return attached
}, (making, url, secret) => Effect.provide(making, protocolAt(url, secret)))

const protocolAt = (url: string, secret: string) =>
  RpcClient.layerProtocolHttp({
    url: `${url}/rpc`,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(secret))
  }).pipe(
    Layer.provide([FetchHttpClient.layer, RpcSerialization.layerNdjson])
  )

/** A service that went away meanwhile is a store that is not there. */
const reached = <A, E>(
  call: Effect.Effect<A, E | RpcClientError.RpcClientError>
): Effect.Effect<A, E | StoreUnavailable> =>
  Effect.catchIf(
    call,
    (failure): failure is RpcClientError.RpcClientError =>
      Predicate.isTagged(failure, "RpcClientError"),
    () =>
      Effect.fail(new StoreUnavailable({ retry_after_ms: retryAfterMs, may_have_searched: true }))
  )

const told = (view: EventView, report: Parameters<PublicApi["Service"]["ground"]>[2]) => {
  const stored = storedOf(view)
  return SessionLog.codec.decode(stored).pipe(
    Effect.flatMap((event) => report({ event, stored }, noTexts)),
    // An event of a later release is told by nobody, and the answer comes all the same.
    Effect.ignore
  )
}

/** No texts: those that the service read and may not keep stay with it. */
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
