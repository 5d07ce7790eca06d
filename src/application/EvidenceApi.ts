/** Operations of the evidence store for every face; failures become public ones. */
import { Context, Effect, Layer, Option } from "effect"
import { type EvidenceFailure, InvalidInput } from "../contract/PublicFailure.ts"
import type { OutputOf, UseCase } from "../contract/ServiceOperations.ts"
import { asGiven } from "../domain/request/GivenFields.ts"
import * as SitePolicy from "../domain/search/SitePolicy.ts"
import * as WebAddress from "../domain/search/WebAddress.ts"
import type { EntryFilter } from "../domain/store/Entry.ts"
import * as CollectEvidence from "./evidence/CollectEvidence.ts"
import * as CollectPages from "./evidence/CollectPages.ts"
import { readPage } from "./evidence/CollectPages.ts"
import { Embedding } from "./evidence/Embedding.ts"
import type { PagesToCollect } from "./evidence/PagesToCollect.ts"
import * as ReembedEvidence from "./evidence/ReembedEvidence.ts"
import * as ReportedPages from "./evidence/ReportedPages.ts"
import * as SearchEvidence from "./evidence/SearchEvidence.ts"
import type { Caller } from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import type { Engines } from "./ports/Engines.ts"
import type { EventStore } from "./ports/EventStore.ts"
import { EvidenceStore, foundMax } from "./ports/EvidenceStore.ts"
import { Limits } from "./ports/Limits.ts"
import type { Digest, Ids, Sites } from "./ports/Platform.ts"
import * as StoredEvidence from "./ports/StoredEvidence.ts"

type EvidenceCaller = Pick<Caller, "actor" | "tenantId">

type EvidenceAnswer<A> = Effect.Effect<A, EvidenceFailure>

/** Each operation sees one tenant's entries alone. */
export class EvidenceApi extends Context.Service<EvidenceApi, {
  readonly CollectEvidence: UseCase<"CollectEvidence", EvidenceCaller>
  readonly CollectPage: UseCase<"CollectPage", EvidenceCaller>
  readonly SearchEvidence: UseCase<"SearchEvidence", EvidenceCaller>
  readonly PromoteEvidence: UseCase<"PromoteEvidence", EvidenceCaller>
  readonly RemoveEvidence: UseCase<"RemoveEvidence", EvidenceCaller>
  readonly ReportPage: UseCase<"ReportPage", EvidenceCaller>
  readonly ReembedEvidence: UseCase<"ReembedEvidence", EvidenceCaller>
  /** Collects the due pages that requests have read. */
  readonly gather: (caller: EvidenceCaller) => EvidenceAnswer<OutputOf<"GatherEvidence">>
  readonly gathering: Effect.Effect<void>
  readonly status: (caller: EvidenceCaller) => EvidenceAnswer<OutputOf<"GetEvidenceStatus">>
}>()("web-grounding/application/EvidenceApi") {}

export const layer = Layer.effect(
  EvidenceApi,
  Effect.gen(function*() {
    const services = yield* Effect.context<Needs>()
    const { counts, keepsVectors } = yield* EvidenceStore
    const { model } = yield* Embedding

    const answer = <A>(effect: Effect.Effect<A, InsideFailure, Needs>): EvidenceAnswer<A> =>
      effect.pipe(Effect.catchTag("EventErased", erased), Effect.provide(services), inPublic)

    return EvidenceApi.of({
      CollectEvidence: ({ collector, material, reading }, caller) =>
        answer(CollectEvidence.collect(material, keeperOf(caller, collector), reading)),
      CollectPage: ({ collector, source_url, ...about }, caller) =>
        answer(Effect.gen(function*() {
          const asked = yield* addressOf("source_url", source_url)
          const sites = yield* StoredEvidence.sitesOf(caller.tenantId)
          const { material, ...reading } = yield* readPage(asked, sites)
          const keeper = keeperOf(caller, collector)
          return yield* CollectEvidence.collect({ ...material, ...about }, keeper, reading)
        })),
      SearchEvidence: ({ query: question, ...sought }, { tenantId }) =>
        answer(
          Effect.gen(function*() {
            const filter = yield* canonicalFilter(sought.filter)
            const sites = yield* StoredEvidence.sitesOf(tenantId)
            // Entries of forbidden sites must not use up the limit.
            const limit = sites === undefined ? sought.limit : foundMax
            const all = yield* SearchEvidence.search(tenantId, {
              ...sought,
              limit,
              question,
              filter
            })
            const { kept } = SitePolicy.keepFirst(sites, all.found, {
              addressesOf: ({ source_url = "" }) => [source_url],
              most: sought.limit
            })
            return { ...all, found: kept }
          })
        ),
      PromoteEvidence: ({ collector, node, source_url }, caller) =>
        answer(Effect.gen(function*() {
          const { href } = yield* addressOf("source_url", source_url)
          return yield* CollectEvidence.promote(
            href,
            { source_type: "kg_node", node: { source_url: href, ...node } },
            keeperOf(caller, collector)
          )
        })),
      RemoveEvidence: ({ collector, source_id, source_type }, caller) =>
        answer(Effect.gen(function*() {
          const id = source_type === "web_search"
            ? (yield* addressOf("source_id", source_id)).href
            : source_id
          return yield* CollectEvidence.remove(
            { source_type, source_id: id },
            keeperOf(caller, collector)
          )
        })),
      ReportPage: ({ collector, source_url, withdraw = false }, caller) =>
        answer(Effect.gen(function*() {
          const { href } = yield* addressOf("source_url", source_url)
          return yield* ReportedPages.report(href, withdraw, keeperOf(caller, collector))
        })),
      ReembedEvidence: ({ collector }, caller) =>
        answer(ReembedEvidence.reembed(keeperOf(caller, collector))),
      gather: ({ tenantId }) => answer(CollectPages.drain(tenantId)),
      gathering: Effect.provide(CollectPages.follow, services),
      status: ({ tenantId }) =>
        answer(Effect.map(counts(tenantId), (counted) => ({
          ...counted,
          keepsVectors,
          embedder: model
        })))
    })
  })
)

type Needs =
  | Digest
  | Embedding
  | Engines
  | EventStore
  | EvidenceStore
  | Ids
  | Limits
  | PagesToCollect
  | StoredEvidence.ReportedPages
  | Sites

const keeperOf = (
  { actor, tenantId }: EvidenceCaller,
  collector = actor
): CollectEvidence.Keeper => ({ tenantId, actor, collector })

const addressOf = (
  field: string,
  address: string
): Effect.Effect<WebAddress.WebAddress, InvalidInput> =>
  Option.match(WebAddress.canonical(address), {
    onNone: () => new InvalidInput({ field, problem: "Expected an http or https address" }),
    onSome: Effect.succeed
  })

/** Addresses are compared in the canonical spelling; callers may use any. */
const canonicalFilter = Effect.fnUntraced(function*(filter: EntryFilter) {
  const { source_id, source_type, source_url } = filter
  const isPage = source_type === "web_search" && source_id !== undefined
  const url = source_url === undefined
    ? undefined
    : yield* addressOf("filter.source_url", source_url)
  const id = isPage ? yield* addressOf("filter.source_id", source_id) : undefined
  return { ...filter, ...asGiven({ source_url: url?.href, source_id: id?.href }) }
})

type InsideFailure = EvidenceFailure | Effect.Error<ReturnType<typeof CollectEvidence.collect>>

const inPublic = InPublic.inPublic("the evidence store failed")

/** The record of a source is erased like a session's, and then takes no more events. */
const erased = () =>
  new InvalidInput({
    field: "source_id",
    problem: "The record of this source was erased; nothing can be added to it"
  })
