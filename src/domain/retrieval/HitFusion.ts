/**
 * Merges hits of several queries and providers by rank (reciprocal rank fusion): their scores do
 * not compare. Each address once.
 */
import { asGiven } from "../request/GivenFields.ts"
import type { SearchHit } from "../search/SearchStatus.ts"

const rankOffset = 60

interface Provenance {
  readonly provider: SearchHit["provider"]
  readonly queryIndex: number
  readonly rank: number
}

export interface FusedHit {
  /** The best ranked of the merged hits, with the longest snippet among them. */
  readonly hit: SearchHit
  readonly provenances: readonly [Provenance, ...ReadonlyArray<Provenance>]
}

export interface HitList {
  readonly queryIndex: number
  readonly hits: ReadonlyArray<SearchHit>
}

/** Best first, whatever the order of the lists; ties are broken by address. */
export const fuse = (lists: ReadonlyArray<HitList>): ReadonlyArray<FusedHit> => {
  const merged = new Map<string, FusedHit>()
  for (const { hits, queryIndex } of lists) {
    for (const hit of hits) {
      const known = merged.get(hit.url)
      const provenance = { provider: hit.provider, queryIndex, rank: hit.rank }
      merged.set(hit.url, {
        hit: known === undefined ? hit : better(known.hit, hit),
        provenances: known === undefined ? [provenance] : [...known.provenances, provenance]
      })
    }
  }
  return [...merged.values()].sort((left, right) =>
    weight(right) - weight(left) || (left.hit.url < right.hit.url ? -1 : 1)
  )
}

const weight = ({ provenances }: FusedHit): number => scoreOf(provenances.map(({ rank }) => rank))

/** Summed in the order of ranks: a sum of fractions depends on the order in its last digit. */
export const scoreOf = (ranks: ReadonlyArray<number>): number =>
  ranks.toSorted((left, right) => left - right)
    .reduce((sum, rank) => sum + 1 / (rankOffset + rank), 0)

const better = (left: SearchHit, right: SearchHit): SearchHit => {
  const isLeft = left.rank < right.rank || left.rank === right.rank && !later(right, left)
  const [best, other] = isLeft ? [left, right] : [right, left]
  const date = best.published_date ?? other.published_date
  return {
    ...best,
    content: other.content.length > best.content.length ? other.content : best.content,
    ...asGiven({ published_date: date })
  }
}

/** Total order of hits, so that the result does not depend on which list came first. */
const later = (left: SearchHit, right: SearchHit): boolean =>
  left.provider + left.title + left.content < right.provider + right.title + right.content
