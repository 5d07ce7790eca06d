/** Faults of what reads the log into the read models. */
import type { Mutant } from "./Mutant.ts"

const page = "src/application/projections/HandlePage.ts"
const runner = "src/application/projections/ProjectionRunner.ts"
const rebuild = "src/application/projections/RebuildModels.ts"
const projection = "src/application/projections/Projection.ts"
const keys = "src/application/projections/KeyHealthModel.ts"
const minutes = "src/application/projections/SearchHealthModel.ts"
const read = "src/application/projections/ReadRows.ts"
const pageTests = ["test/application/HandlePage.test.ts"] as const
const followTests = ["test/application/FollowedLog.test.ts"] as const
const anewTests = ["test/application/RebuildModels.test.ts"] as const
const runnerTests = ["test/application/ProjectionRunner.test.ts"] as const
const rebuildTests = ["test/faults/rebuiltModels.test.ts"] as const
const healthTests = [
  "test/application/AskHealth.test.ts",
  "test/application/HealthModels.test.ts"
] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "page-never-tried-again",
    file: page,
    text: "times: attempts - 1",
    replacement: "times: 0",
    means: "one lost race of the database sets a good event aside",
    tests: pageTests
  },
  {
    id: "page-whole-set-aside",
    file: page,
    text: `events.length > 1
`,
    replacement: `events.length > 1_000_000
`,
    means: "a thousand events are passed for the sake of one",
    tests: runnerTests
  },
  {
    id: "page-half-lost",
    file: page,
    text: "handleHalf(consumer, half, events.slice(middle))",
    replacement: "handleHalf(consumer, half, events.slice(middle + 1))",
    means: "each spoilt page loses good events without a word",
    tests: runnerTests
  },
  {
    id: "page-parks-all",
    file: page,
    text: `consumer.whenPoison === "park" && (yield* parkedBefore(lease)) < parkedMax`,
    replacement: `consumer.whenPoison === "park"`,
    means: "a broken projection sets the whole log aside and seems up to date",
    tests: runnerTests
  },
  {
    id: "page-parks-any",
    file: page,
    text: `consumer.whenPoison === "park" && (yield*`,
    replacement: `consumer.whenPoison !== "never" && (yield*`,
    means: "a model that may not miss an event misses one",
    tests: runnerTests
  },
  {
    id: "page-halts-all",
    file: page,
    text: "(yield* parkedBefore(lease)) < parkedMax",
    replacement: "(yield* parkedBefore(lease)) > parkedMax",
    means: "one event that does not decode stops a report for ever",
    tests: runnerTests
  },
  {
    id: "page-halt-untold",
    file: page,
    text: `yield* readModels.halt(lease, \`at \${to}: \${error}\`)`,
    replacement: "",
    means: "an operator sees no reason why a read model stands still",
    tests: runnerTests
  },
  {
    id: "page-of-another",
    file: page,
    text: "own.id.model === id.model && own.id.version === id.version",
    replacement: "own.id.model === id.model",
    means: "what an old version set aside halts the new one",
    tests: pageTests
  },
  {
    id: "projection-all-types",
    file: projection,
    text: `on.some((tag) => tag === stored.type)
      ? decoded`,
    replacement: `on.length > 0
      ? decoded`,
    means: "an unknown event of a newer release spoils every page",
    tests: runnerTests
  },
  {
    id: "projection-erased",
    file: projection,
    text: `        Effect.catchTag("EventErased", () => Effect.succeed([])),
`,
    replacement: "",
    means: "an erased session stops every report",
    tests: healthTests
  },
  {
    id: "projection-twice",
    file: projection,
    text: `[...new Set(typeof keys === "string" ? [keys] : keys)].map`,
    replacement: `[typeof keys === "string" ? [keys] : keys].flat().map`,
    means: "a call with two attempts at one key is counted twice over",
    tests: healthTests
  },
  {
    id: "projection-unguarded",
    file: projection,
    text: `      yield* guarded(() =>
        all.forEach`,
    replacement: `      yield* Effect.sync(() =>
        all.forEach`,
    means: "one event that a projection throws on ends its loop",
    tests: runnerTests
  },
  {
    id: "projection-tells",
    file: projection,
    text: `\`\${type} does not decode\${placeOf(problem)}\``,
    replacement: `\`\${type} does not decode \${problem}\``,
    means: "what a person wrote stands in the table of errors",
    tests: healthTests,
    equivalent:
      "The messages of these schemas name what they expected and not what they met; the cut is " +
      "for one that quotes it."
  },
  {
    id: "runner-never-live",
    file: runner,
    text: `after.state === "rebuilding" ? yield* readModels.goLive(after) : after`,
    replacement: "after",
    means: "a rebuilt model is never shown",
    tests: runnerTests
  },
  {
    id: "runner-keeps-leases",
    file: runner,
    text: "onSome: ({ lease }) => readModels.release(lease)",
    replacement: "onSome: () => Effect.void",
    means: "after each deployment reports stand still until the lease has ended",
    tests: runnerTests
  },
  {
    id: "runner-lease-lapses",
    file: runner,
    text: "const renewAfterMs = leaseMs / 3",
    replacement: "const renewAfterMs = leaseMs * 3",
    means: "on a quiet log the read models change hands between processes all the time",
    tests: followTests
  },
  {
    id: "runner-lease-always",
    file: runner,
    text: "const renewAfterMs = leaseMs / 3",
    replacement: "const renewAfterMs = 0",
    means: "each look at a quiet log writes to the table of leases",
    tests: followTests
  },
  {
    id: "runner-deaf",
    file: runner,
    text: "yield* next.isDeaf ? pause : Effect.raceFirst(pause, gathered)",
    replacement: "yield* pause",
    means: "reports are seconds behind",
    tests: followTests
  },
  {
    id: "runner-dies-of-outage",
    file: runner,
    text: `isDeaf: true,
                waitMs: Math.min`,
    replacement: `isDeaf: true,
                isOver: true,
                waitMs: Math.min`,
    means: "an outage of a second ends the reports until a restart",
    tests: runnerTests
  },
  {
    id: "runner-shows-retired",
    file: runner,
    text: `filter(({ state }) => state !== "retired")`,
    replacement: `filter(({ state }) => state !== "halted")`,
    means: "an operator is warned of models that nobody needs, and not of those that stand still",
    tests: followTests
  },
  {
    id: "rebuild-odd-rows",
    file: rebuild,
    text: "return new Map([...wrong, ...odd.map((key) => [key, undefined] as const)])",
    replacement: "return new Map<string, Schema.Json | undefined>(wrong)",
    means: "rows that no event calls for stay in the reports",
    tests: rebuildTests
  },
  {
    id: "rebuild-ahead",
    file: rebuild,
    text: "Stream.takeWhile((event) => event.position <= until),",
    replacement: "",
    means: "events after the checkpoint are counted twice",
    tests: anewTests
  },
  {
    id: "rebuild-oldest",
    file: rebuild,
    text: "known.recorded_at_ms >= entry.recorded_at_ms",
    replacement: "known.recorded_at_ms <= entry.recorded_at_ms",
    means: "an older answer is put back into the cache over the newer",
    tests: anewTests
  },
  {
    id: "rebuild-dead",
    file: rebuild,
    text: "if (isDead || (known",
    replacement: "if ((known",
    means: "answers of last year are given again after a rebuild",
    tests: anewTests
  },
  {
    id: "rebuild-over-newer",
    file: rebuild,
    text: "Difference.firstDifference(compared.get(key), rows.get(key)) === undefined",
    replacement: "key !== undefined",
    means: "what was folded while the rows were compared is lost from the reports",
    tests: anewTests
  },
  {
    id: "rebuild-compared-once",
    file: rebuild,
    text: "const roundsMax = 8",
    replacement: "const roundsMax = 1",
    means: "rows that changed while they were compared stay wrong",
    tests: anewTests
  },
  {
    id: "rebuild-twice-at-once",
    file: rebuild,
    text: "const turn = yield* Semaphore.make(1)",
    replacement: "const turn = yield* Semaphore.make(2)",
    means: "each call for a rebuild folds the whole log beside the others",
    tests: anewTests
  },
  {
    id: "rebuild-other-version",
    file: rebuild,
    text: `if (state !== "running") return told(state)`,
    replacement: "",
    means: "rows of the version that is being built are compared with those of another",
    tests: anewTests
  },
  {
    id: "rebuild-stops-at-poison",
    file: rebuild,
    text: `"PagePoisoned", () =>
          Effect.forEach(
            events,`,
    replacement: `"PagePoisoned", () =>
          Effect.forEach(
            events.slice(0, 0),`,
    means: "one bad event takes a thousand good ones out of the reports",
    tests: anewTests
  },
  {
    id: "health-other-keys",
    file: keys,
    text: "key_slot !== undefined && keyOf(provider, key_slot) === key",
    replacement: "key_slot !== undefined",
    means: "a key is shown as broken for what another one met",
    tests: healthTests
  },
  {
    id: "health-loaded-first",
    file: keys,
    text: "return event.key_slots.map((slot) => keyOf(event.provider, slot))",
    replacement: "return event.key_slots.slice(0, 1).map((slot) => keyOf(event.provider, slot))",
    means: "keys beyond the first are missing in the report",
    tests: healthTests
  },
  {
    id: "health-other-minutes",
    file: minutes,
    text: "if (keyOf(attempt) === key) return [attempt]",
    replacement: "if (!key.startsWith(\"~\")) return [attempt]",
    means: "each attempt is counted in every row of its call",
    tests: healthTests
  },
  {
    id: "rows-of-any-version",
    file: read,
    text: "Effect.mapError(() => new RowsUnreadable({ model, version }))",
    replacement: "Effect.orElseSucceed(() => [])",
    means: "during a deployment a report shows no searches instead of saying that it cannot tell",
    tests: healthTests
  },
  {
    id: "projections-out-of-step",
    file: "src/application/projections/ProjectionRunner.ts",
    text: "waitMs - nowMs % waitMs",
    replacement: "waitMs",
    means: "read models of a process at rest ask one after the other what one statement answers",
    tests: ["test/application/FollowedLog.test.ts"]
  },
  {
    id: "projections-each-append",
    file: "src/application/projections/ProjectionRunner.ts",
    text: "Effect.andThen(appended, Effect.sleep(gatherEvery))",
    replacement: "Effect.andThen(appended, Effect.void)",
    means: "every read model reads the log after each of a grounding's ten appends",
    tests: ["test/application/FollowedLog.test.ts"]
  }
]
