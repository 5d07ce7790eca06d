import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { drawn, type Scenario } from "./Scenario.ts"
import { sealed } from "./Sealed.ts"
import { shortened } from "./Shortening.ts"
import { play, type Played } from "./Simulation.ts"

const isFull = process.env["WG_TEST_FULL"] === "1"

/** Each once showed a fault of the service, or one that was planted. */
const tellingSeeds = [1, 3, 4, 5, 7, 10, 13, 14, 18, 23, 31, 33, 60, 152, 154, 512, 565, 715]

const seedsCount = isFull ? 2_000 : 6
const twiceCount = isFull ? 100 : 2
const shownMax = 120

const playSeed = (seed: number): Played => sealed(() => play(drawn(seed)))

const played = new Map<number, Played>()

/** As it was played first: what only looks at it plays it no second time. */
const playedOf = (seed: number): Played => {
  const kept = played.get(seed) ?? playSeed(seed)
  if (seed <= twiceCount) played.set(seed, kept)
  return kept
}

/** What went wrong, the end of the way to it, and how to see it again. */
const tellingOf = ({ seed, trace, violation }: Played): string =>
  [
    `${violation?.invariant}: ${violation?.detail}`,
    ...trace.slice(-shownMax),
    `npm run simulate -- --seed ${seed}`
  ].join("\n")

const holds = (played: Played): void => {
  if (played.violation !== undefined) assert.fail(tellingOf(played))
}

describe("three replicas over one database, simulated", () => {
  it("keep what is promised, whatever fails in each seed", () => {
    const all: Record<string, number> = {}
    for (let seed = 1; seed <= seedsCount; seed++) {
      const once = playedOf(seed)
      holds(once)
      const { ended, events, searches, uncertain } = once.figures
      for (const [name, count] of Object.entries({ ...ended, events, searches, uncertain })) {
        all[name] = (all[name] ?? 0) + count
      }
    }
    // Seeds in which nothing happens show nothing.
    for (const name of ["Answered", "Lost", "Refused", "searches"]) {
      assert.isAbove(all[name] ?? 0, 0, name)
    }
    assert.isAbove(all["events"] ?? 0, 20 * seedsCount)
  })

  it("keep it in the seeds that once showed a fault", () => {
    for (const seed of tellingSeeds) if (seed > seedsCount) holds(playSeed(seed))
  })

  it("do the same for the same seed, step by step", () => {
    for (let seed = 1; seed <= twiceCount; seed++) {
      const [once, again] = [playedOf(seed), playSeed(seed)]
      assert.deepStrictEqual(again.trace, once.trace)
      assert.strictEqual(again.fingerprint, once.fingerprint)
    }
    assert.notStrictEqual(playedOf(1).fingerprint, playedOf(2).fingerprint)
  })

  // Two processes cost seconds, and what one process shows twice is mostly so in another.
  it.skipIf(!isFull)("do the same in another process", () => {
    const count = String(twiceCount)
    const told = () =>
      execFileSync(process.execPath, ["scripts/simulate.ts", "--seeds", count], {
        encoding: "utf8"
      })
        .split("\n").find((line) => line.startsWith("traces "))
    const first = told()
    assert.isDefined(first)
    assert.strictEqual(told(), first)
  })

  it("have no way to real time, chance, timers or the network", () => {
    const asked: ReadonlyArray<() => unknown> = [
      () => Date.now(),
      () => Math.random(),
      () => performance.now(),
      () => setTimeout(() => undefined, 0),
      () => fetch("http://127.0.0.1/"),
      () => crypto.getRandomValues(new Uint8Array(1))
    ]
    for (const ask of asked) assert.throws(() => sealed(ask), /a simulation asked for/)
    assert.isAbove(Date.now(), 0)
    assert.isBelow(Math.random(), 1)
  })
})

describe("a scenario that fails", () => {
  /** Fails while replica 1 is killed and request 3 is asked for. */
  const failing = (scenario: Scenario): Played => {
    const isFailing = scenario.faults.some(({ kind }) => kind === "kill") &&
      scenario.commands.some(({ request }) => request === 3)
    const violation = isFailing ? { invariant: "a budget holds", detail: "" } : undefined
    const figures = { events: 0, searches: 0, ended: {}, uncertain: 0 }
    return {
      seed: scenario.seed,
      trace: [],
      fingerprint: "",
      steps: 0,
      log: [],
      violation,
      figures
    }
  }

  it("is shortened to what it takes", () => {
    const scenario = Array.from({ length: 400 }, (_, seed) => drawn(seed))
      .find((one) => one.faults.length > 4 && failing(one).violation !== undefined)
    if (scenario === undefined) return assert.fail("no seed has a kill and request 3")
    const [shortest, played] = shortened(scenario, failing(scenario), failing)
    assert.isDefined(played.violation)
    assert.deepStrictEqual(shortest.faults.map(({ kind }) => kind), ["kill"])
    assert.deepStrictEqual(shortest.commands.map(({ request }) => request), [3])
  })
})
