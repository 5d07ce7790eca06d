/** Figures of ratings next to the truth, a line a set. */
import { answerableWeight, type Judged } from "./fitting.ts"

const bands = [0, 0.15, 0.3, 0.45, 0.6, 0.7, 1.01]

export const mean = (list: ReadonlyArray<number>): number =>
  list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length)

/** The chance that a right one is rated above a wrong one; ties count half. */
const auroc = (
  list: ReadonlyArray<{ readonly score: number; readonly isRight: boolean }>
): number => {
  const sorted = list.toSorted((left, right) => left.score - right.score)
  const right = sorted.filter(({ isRight }) => isRight).length
  let ranks = 0
  for (let start = 0; start < sorted.length;) {
    let end = start
    while (sorted[end]?.score === sorted[start]?.score) end += 1
    const rank = (start + 1 + end) / 2
    ranks += rank * sorted.slice(start, end).filter(({ isRight }) => isRight).length
    start = end
  }
  return (ranks - right * (right + 1) / 2) / (right * (sorted.length - right))
}

/** Packs without a claim have no first one: they would be separated without any rating. */
const firsts = (list: ReadonlyArray<Judged>) =>
  list.filter(({ seen }) => seen.claims.length > 0).map(({ first, isFirstRight }) => ({
    score: first,
    isRight: isFirstRight
  }))

export const answerable = (list: ReadonlyArray<Judged>) =>
  list.filter(({ seen }) => !seen.isUnanswerable)

const unanswerable = (list: ReadonlyArray<Judged>) => list.filter(({ seen }) => seen.isUnanswerable)

export const refused = (list: ReadonlyArray<Judged>, below: number): number =>
  mean(list.map(({ pack }) => pack < below ? 1 : 0))

/** With the mixture of questions that the model was fitted for. */
const mixed = (list: ReadonlyArray<Judged>, of: (one: Judged) => number): number => {
  const [yes, no] = [answerable(list), unanswerable(list)]
  if (no.length === 0) return mean(yes.map(of))
  return (answerableWeight * mean(yes.map(of)) + mean(no.map(of))) / (answerableWeight + 1)
}

const squared = (chance: number, isTrue: boolean): number => (chance - (isTrue ? 1 : 0)) ** 2

/** Of unanswerable questions, the share refused when as many answerable ones are as given. */
const refusedAt = (list: ReadonlyArray<Judged>, wrongShare: number): number => {
  const yes = answerable(list).map(({ pack }) => pack).toSorted((left, right) => left - right)
  const count = Math.round(wrongShare * yes.length)
  const bound = yes[count] ?? Number.POSITIVE_INFINITY
  return refused(unanswerable(list), bound)
}

export const figureNames = [
  "first claim right: AUROC of answerable questions",
  "first claim right: AUROC of all",
  "first claim right",
  "Brier of the first claim",
  "Brier of the pack",
  "refused wrongly",
  "refused rightly",
  "refused rightly at the table's rate of wrong ones"
] as const

export const figures = (
  list: ReadonlyArray<Judged>,
  below: number,
  wrongShare: number
): ReadonlyArray<number> => [
  auroc(firsts(answerable(list))),
  auroc(firsts(list)),
  mean(answerable(list).map(({ isFirstRight }) => isFirstRight ? 1 : 0)),
  mixed(list, ({ first, isFirstRight }) => squared(first, isFirstRight)),
  mixed(list, ({ isAnyRight, pack }) => squared(pack, isAnyRight)),
  refused(answerable(list), below),
  refused(unanswerable(list), below),
  refusedAt(list, wrongShare)
]

export const line = (name: string, values: ReadonlyArray<number>): void =>
  console.log(`${name.padEnd(28)} ${values.map((value) => value.toFixed(3)).join("  ")}`)

/** How often what is rated within a band is right, each set weighing alike. */
export const calibration = (title: string, lists: ReadonlyArray<ReadonlyArray<Judged>>): void => {
  for (const [place, low] of bands.slice(0, -1).entries()) {
    const high = bands[place + 1] ?? 1
    const share = (of: (one: Judged) => number, isTrue: (one: Judged) => boolean) => {
      let [sum, right, chance, count] = [0, 0, 0, 0]
      for (const list of lists) {
        for (const one of list) {
          const value = of(one)
          if (value < low || value >= high) continue
          const group = one.seen.isUnanswerable ? unanswerable(list) : answerable(list)
          const weight = (one.seen.isUnanswerable ? 1 : answerableWeight) / group.length
          sum += weight
          chance += weight * value
          right += isTrue(one) ? weight : 0
          count += 1
        }
      }
      return count === 0
        ? "-"
        : `${(right / sum).toFixed(3)} (rated ${(chance / sum).toFixed(2)}, n ${count})`
    }
    console.log(
      `${title} ${low}-${Math.min(1, high)}: first claim right ` +
        `${share(({ first }) => first, ({ isFirstRight }) => isFirstRight)}, pack right ` +
        share(({ pack }) => pack, ({ isAnyRight }) => isAnyRight)
    )
  }
}

const curveBounds = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6]

/** Wrong and right refusals, each set weighing alike. */
export const curve = (title: string, lists: ReadonlyArray<ReadonlyArray<Judged>>): void => {
  for (const below of curveBounds) {
    const wrong = mean(lists.map((list) => refused(answerable(list), below)))
    const right = mean(lists.map((list) => refused(unanswerable(list), below)))
    console.log(
      `${title} below ${below}: refused wrongly ${wrong.toFixed(3)}, rightly ${right.toFixed(3)}`
    )
  }
}
