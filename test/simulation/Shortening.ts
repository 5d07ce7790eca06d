/** Makes a scenario that fails shorter: fewer faults, commands and requests that fail alike. */
import type { Scenario } from "./Scenario.ts"
import type { Played } from "./Simulation.ts"

/** Scenarios played to shorten one. */
const playedMax = 120

/** The scenario with one thing less, each in turn. */
const shorter = (scenario: Scenario): ReadonlyArray<Scenario> => {
  const { commands, faults } = scenario
  const half = Math.ceil(commands.length / 2)
  return [
    ...(commands.length < 4 ? [] : [
      { ...scenario, commands: commands.slice(0, half) },
      { ...scenario, commands: commands.slice(half) }
    ]),
    ...faults.map((_, place) => ({ ...scenario, faults: without(faults, place) })),
    ...commands.map((_, place) => ({ ...scenario, commands: without(commands, place) }))
  ]
}

const without = <A>(items: ReadonlyArray<A>, place: number): ReadonlyArray<A> =>
  items.filter((_, other) => other !== place)

/** The shortest that was found to violate the same invariant. */
export const shortened = (
  scenario: Scenario,
  failed: Played,
  play: (scenario: Scenario) => Played
): readonly [Scenario, Played] => {
  let best: readonly [Scenario, Played] = [scenario, failed]
  let left = playedMax
  for (let isShorter = true; isShorter && left > 0;) {
    isShorter = false
    for (const candidate of shorter(best[0])) {
      if (left === 0) break
      left -= 1
      const played = play(candidate)
      if (played.violation?.invariant !== failed.violation?.invariant) continue
      best = [candidate, played]
      isShorter = true
      break
    }
  }
  return best
}
