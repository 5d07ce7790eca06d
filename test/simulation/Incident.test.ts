import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { viewOf } from "../../src/application/log/SessionPages.ts"
import type { LoggedEvent } from "../../src/application/ports/EventStore.ts"
import { disturbed, scenarioOf } from "./Incident.ts"
import { drawn, type Scenario } from "./Scenario.ts"
import { sealed } from "./Sealed.ts"
import { play } from "./Simulation.ts"

const seedsMax = 40
const disturbedCount = 3
/** After every answer. */
const lateMs = 10_000

/** One a line, after a line that is none. */
const linesOf = (events: ReadonlyArray<LoggedEvent>): string =>
  ["not an event", ...events.map((event) => JSON.stringify(viewOf(event)))].join("\n")

/** As `session --json` prints them. */
const listOf = (events: ReadonlyArray<LoggedEvent>): string =>
  JSON.stringify(events.map(viewOf), undefined, 2)

const ofSession = (log: ReadonlyArray<LoggedEvent>, sessionId: string) =>
  log.filter((event) => event.sessionId === sessionId)

const typesOf = (events: ReadonlyArray<LoggedEvent>) => events.map(({ type }) => type)

/** One request of a seed, asked for once. */
const alone = (seed: number, faults: Scenario["faults"]): Scenario => ({
  ...drawn(seed),
  faults,
  sharesPacks: false,
  creditsMax: 1_000,
  commands: [{ atMs: 100, operation: "ground", request: 0, replica: 1 }]
})

const incidentOf = (scenario: Scenario) => {
  const log = ofSession(sealed(() => play(scenario)).log, "s1")
  const incident = Option.getOrUndefined(scenarioOf(linesOf(log)))
  return incident === undefined ? assert.fail("no incident") : { incident, log }
}

const isReached = (line: string): boolean => line.includes(" reaches ")

/** The first whose only request is searched for. */
const searchingSeed = (): number => {
  for (let seed = 1; seed < seedsMax; seed++) {
    if (sealed(() => play(alone(seed, []))).trace.some(isReached)) return seed
  }
  return assert.fail("no seed searches")
}

describe("the events of a session", () => {
  it("become a scenario that records the same again", () => {
    const { incident, log } = incidentOf(alone(searchingSeed(), []))
    const { plans, searches } = incident.recorded ?? assert.fail("nothing is recorded")
    assert.strictEqual(searches.size, plans.get("s1-r1")?.queries.length)
    assert.deepStrictEqual(Option.getOrUndefined(scenarioOf(listOf(log))), incident)
    const again = sealed(() => play(incident))
    assert.isUndefined(again.violation)
    assert.deepStrictEqual(typesOf(ofSession(again.log, "s1")), typesOf(log))
  })

  it("report the process that was lost in a search, which is lost again", () => {
    const seed = searchingSeed()
    const killedAt = (atMs: number) => alone(seed, [{ kind: "kill", replica: 1, atMs }])
    // A fault that comes too late draws as much as one in time.
    const reached = sealed(() => play(killedAt(lateMs))).trace.find(isReached) ?? ""
    const { incident, log } = incidentOf(killedAt(Number.parseInt(reached)))
    assert.include(JSON.stringify(log.map(({ data }) => data)), "in_doubt")
    assert.strictEqual(incident.recorded?.lost.size, 1)
    const again = sealed(() => play(incident))
    assert.isUndefined(again.violation)
    assert.strictEqual(again.figures.uncertain, 1)
  })

  it("are disturbed in another way by each seed", () => {
    const { incident } = incidentOf(alone(1, []))
    const traces = Array.from({ length: disturbedCount }, (_, place) => {
      const played = sealed(() => play(disturbed(incident, place + 1)))
      assert.isUndefined(played.violation)
      return played.fingerprint
    })
    assert.strictEqual(new Set(traces).size, disturbedCount)
  })

  it("make no scenario without a request", () => {
    assert.isTrue(Option.isNone(scenarioOf("not an event\n{}\n")))
  })
})
