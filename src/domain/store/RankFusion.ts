/** Ranks of several searches of the store as one. */

// Fuses several rankings of the same things: by reciprocal ranks, or one after the other.

/** Dampens the lead of first places. */
const rankOffset = 60

interface Fused {
  readonly id: string
  /** Sum of the reciprocals of its places; comparable within one fusion only. */
  readonly score: number
  /** 1-based place in each ranking, in the order given; `undefined` where it is not in. */
  readonly ranks: ReadonlyArray<number | undefined>
}

/**
 * Rankings merged by reciprocal rank fusion, best first. Each ranking lists ids, best first, each
 * once. The order of the rankings does not matter; ties are broken by id.
 */
export const fuse = (rankings: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Fused> => {
  const places = rankings.map((ids) => new Map(ids.map((id, place) => [id, place + 1])))
  const ids = new Set(rankings.flat())
  return Array.from(ids, (id): Fused => {
    const ranks = places.map((ranking) => ranking.get(id))
    return { id, ranks, score: scoreOf(ranks) }
  }).sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}

/**
 * Rankings one after the other: the first in its order, then what only the next one has, and so on.
 * The order of the rankings decides.
 */
export const inTurn = (
  rankings: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<Fused> => {
  const ranksOf = new Map(fuse(rankings).map(({ id, ranks }) => [id, ranks]))
  return Array.from(new Set(rankings.flat()), (id, place): Fused => ({
    id,
    ranks: ranksOf.get(id) ?? [],
    score: scoreOf([place + 1])
  }))
}

/**
 * Sum of reciprocal ranks, smallest first, so that it does not depend on the order of the rankings.
 */
const scoreOf = (ranks: ReadonlyArray<number | undefined>): number =>
  ranks.flatMap((rank) => rank === undefined ? [] : [1 / (rankOffset + rank)])
    .sort((left, right) => left - right)
    .reduce((sum, part) => sum + part, 0)
