/** Logistic regression by Newton's steps with L2, some weights held on one side of zero. */

export interface Row<Name extends string> {
  readonly features: Readonly<Record<Name, number>>
  readonly isTrue: boolean
  readonly weight: number
}

export interface Sum<Name extends string> {
  readonly bias: number
  readonly weights: Readonly<Record<Name, number>>
}

/** Required sign of a weight. Absent: either. */
export type Signs<Name extends string> = Readonly<Partial<Record<Name, 1 | -1>>>

const stepsMax = 40

export const logitOf = <Name extends string>(
  { bias, weights }: Sum<Name>,
  names: ReadonlyArray<Name>,
  features: Readonly<Record<Name, number>>
): number => names.reduce((sum, name) => sum + weights[name] * features[name], bias)

export const probabilityOf = (logit: number): number => 1 / (1 + Math.exp(-logit))

export const fit = <Name extends string>(
  names: ReadonlyArray<Name>,
  rows: ReadonlyArray<Row<Name>>,
  signs: Signs<Name>,
  shrink: number
): Sum<Name> => {
  const size = names.length + 1
  const inputs = rows.map(({ features }) => [...names.map((name) => features[name]), 1])
  const weights = new Float64Array(size)
  const active = names.map(() => true).concat(true)
  for (let step = 0; step < stepsMax; step++) {
    const slope = new Float64Array(size)
    const curve = Array.from({ length: size }, () => new Float64Array(size))
    rows.forEach(({ isTrue, weight }, place) => {
      const input = inputs[place] ?? []
      const chance = probabilityOf(input.reduce((sum, x, at) => sum + x * (weights[at] ?? 0), 0))
      const error = weight * (chance - (isTrue ? 1 : 0))
      const spread = weight * chance * (1 - chance)
      input.forEach((x, at) => {
        slope[at] = (slope[at] ?? 0) + error * x
        const line = curve[at]
        if (line === undefined || x === 0) return
        input.forEach((y, other) => (line[other] = (line[other] ?? 0) + spread * x * y))
      })
    })
    names.forEach((_, at) => {
      slope[at] = (slope[at] ?? 0) + shrink * (weights[at] ?? 0)
      const line = curve[at]
      if (line !== undefined) line[at] = (line[at] ?? 0) + shrink
    })
    const used = active.flatMap((is, at) => is ? [at] : [])
    const change = solved(
      used.map((at) => used.map((other) => curve[at]?.[other] ?? 0)),
      used.map((at) => slope[at] ?? 0)
    )
    used.forEach((at, place) => (weights[at] = (weights[at] ?? 0) - (change[place] ?? 0)))
    names.forEach((name, at) => {
      if ((weights[at] ?? 0) * (signs[name] ?? 0) >= 0) return
      weights[at] = 0
      active[at] = false
    })
  }
  const byName = Object.fromEntries(names.map((name, at) => [name, weights[at] ?? 0]))
  return { bias: weights[size - 1] ?? 0, weights: byName as Record<Name, number> }
}

/** Gauss with the largest pivot. */
const solved = (
  matrix: ReadonlyArray<ReadonlyArray<number>>,
  right: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const lines = matrix.map((line, at) => [...line, right[at] ?? 0])
  const size = lines.length
  for (let at = 0; at < size; at++) {
    const largest = lines.slice(at).reduce(
      (best, line, place) =>
        Math.abs(line[at] ?? 0) > Math.abs(lines[best]?.[at] ?? 0) ? at + place : best,
      at
    )
    const [first, second] = [lines[at], lines[largest]]
    if (first === undefined || second === undefined) continue
    lines[at] = second
    lines[largest] = first
    for (const [place, line] of lines.entries()) {
      if (place === at) continue
      const share = (line[at] ?? 0) / (second[at] || 1)
      for (let column = at; column <= size; column++) {
        line[column] = (line[column] ?? 0) - share * (second[column] ?? 0)
      }
    }
  }
  return lines.map((line, at) => (line[size] ?? 0) / (line[at] || 1))
}
