/** Finds entries by words and, where vectors can be compared, by meaning (hybrid search). */
import { Effect, Layer, Option } from "effect"
import type { EvidenceFound, VectorUse } from "../../contract/EvidenceSearch.ts"
import { addressesOf } from "../../domain/page/PageOrigin.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { scoreOf } from "../../domain/retrieval/HitFusion.ts"
import * as SitePolicy from "../../domain/search/SitePolicy.ts"
import type { Entry, EntryFilter } from "../../domain/store/Entry.ts"
import { pageOfEntry } from "../../domain/store/StoredPage.ts"
import { EvidenceStore, foundMax } from "../ports/EvidenceStore.ts"
import { Sites } from "../ports/Platform.ts"
import { nothingFound, StoredEvidence, type Wanted } from "../ports/StoredEvidence.ts"
import { Embedding, embedOrNone } from "./Embedding.ts"

/** Entries of each ranking in the fusion, at least. */
const rankedMin = 50

interface ByVector extends Omit<EvidenceFound, "found"> {
  readonly entries: ReadonlyArray<Entry>
}

interface Sought extends Pick<Wanted, "limit" | "question" | "retrieval"> {
  readonly filter: EntryFilter
}

/** Best first, at most `limit`. `vectors` says whether meaning was compared, and if not, why. */
export const search = Effect.fn("SearchEvidence.search")(
  function*(tenantId: string, { filter, limit, question, retrieval }: Sought) {
    const store = yield* EvidenceStore
    const ranked = Math.max(rankedMin, limit)
    const [byText, byVector] = yield* Effect.all([
      store.byText(tenantId, question, filter, ranked),
      nearest(tenantId, question, filter, ranked)
    ], { concurrency: 2 })
    const entries = new Map([...byText, ...byVector.entries].map((entry) => [entry.id, entry]))
    const rankings = [byVector.entries, byText].map((list) => list.map(({ id }) => id))
    const ranking = retrieval === "hybrid"
      ? fuse(rankings)
      : inTurn(rankings)
    const answer: EvidenceFound = {
      found: ranking.slice(0, limit).flatMap(({ id, ranks: [vector_rank, text_rank], score }) => {
        const entry = entries.get(id)
        return entry === undefined ? [] : [{
          ...entry,
          score,
          ...asGiven({ text_rank, vector_rank })
        }]
      }),
      vectors: byVector.vectors,
      ...asGiven({ model: byVector.model })
    }
    return answer
  }
)

const nearest = Effect.fnUntraced(
  function*(tenantId: string, question: string, filter: EntryFilter, limit: number) {
    const store = yield* EvidenceStore
    const embedding = yield* Embedding
    const without = (vectors: VectorUse): ByVector => ({ entries: [], vectors })
    if (typeof embedding.model === "string") return without(embedding.model)
    const { model: live } = yield* store.counts(tenantId)
    const { dimensions, model } = embedding.model
    if (live === undefined || live.model !== model || live.dimensions !== dimensions) {
      return without("other_model")
    }
    const embedded = yield* embedOrNone(embedding, [question], "query")
    const [vector] = Option.match(embedded, { onNone: () => [], onSome: ({ values }) => values })
    if (vector === undefined) return without("failed")
    const entries = yield* store.byVector(tenantId, live, vector, filter, limit)
    const answer: ByVector = { entries, vectors: "compared", model: live }
    return answer
  }
)

// The evidence store as groundings use it.

export const layer = Layer.effect(
  StoredEvidence,
  Effect.gen(function*() {
    const { siteOf } = yield* Sites
    const services = yield* Effect.context<EvidenceStore | Embedding>()
    return StoredEvidence.of({
      find: (tenantId, { collected_from, limit, sites, ...wanted }) =>
        search(tenantId, {
          ...wanted,
          // Entries of forbidden sites must not use up the limit.
          limit: sites === undefined ? limit : foundMax,
          filter: asGiven({ collected_from })
        }).pipe(
          Effect.map(({ found }) => {
            const pages = found.map((entry, index) => pageOfEntry(`e${index + 1}`, entry, siteOf))
            return SitePolicy.keepFirst(sites, pages, { addressesOf, most: limit })
          }),
          Effect.catch((cause) =>
            Effect.as(Effect.logWarning("the evidence store was not asked", cause), nothingFound)
          ),
          Effect.provide(services)
        )
    })
  })
)

interface Fused {
  readonly id: string
  /** Sum of its reciprocal ranks; comparable within one fusion only. */
  readonly score: number
  /** 1-based rank in each ranking, in the order given; `undefined` where it is missing. */
  readonly ranks: ReadonlyArray<number | undefined>
}

/** Reciprocal rank fusion, best first. Rankings hold each id once; ties are broken by id. */
export const fuse = (rankings: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Fused> => {
  const ranked = rankings.map((ids) => new Map(ids.map((id, index) => [id, index + 1])))
  const ids = new Set(rankings.flat())
  return Array.from(ids, (id): Fused => {
    const ranks = ranked.map((ranking) => ranking.get(id))
    return { id, ranks, score: scoreOf(ranks.filter((rank) => rank !== undefined)) }
  }).sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}

/** Rankings one after the other, without repeats; the order of the rankings decides. */
export const inTurn = (
  rankings: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<Fused> => {
  const ranksOf = new Map(fuse(rankings).map(({ id, ranks }) => [id, ranks]))
  return Array.from(new Set(rankings.flat()), (id, index): Fused => ({
    id,
    ranks: ranksOf.get(id) ?? [],
    score: scoreOf([index + 1])
  }))
}
