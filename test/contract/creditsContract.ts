/** What every credit ledger owes the application. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { Credits } from "../../src/application/ports/SearchProvider.ts"

type Reserve = Credits["Service"]["reserve"]

/** Of 64 that ask at once for one credit of a key, how many got it. */
const granted = (reserve: Reserve) =>
  Effect.map(
    Effect.forEach(Array.from({ length: 64 }), () => reserve("tavily", 1, 1), {
      concurrency: "unbounded"
    }),
    (months) => months.filter((month) => month !== undefined).length
  )

/** `layer` must have a ceiling of 10 for `tavily` and none for `serpapi`. */
export const creditsContract = (name: string, layer: Layer.Layer<Credits, unknown>) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(
    `Credits: ${name}`,
    (it) => {
      it.effect("grants up to the ceiling of a key, exactly, however many ask", () =>
        Effect.gen(function*() {
          const { reserve } = yield* Credits
          assert.strictEqual(yield* granted(reserve), 10)
        }))

      it.effect("grants mixed costs without passing the ceiling", () =>
        Effect.gen(function*() {
          const { reserve } = yield* Credits
          const costs = Array.from({ length: 40 }, (_, index) => 1 + (index % 2))
          const granted = yield* Effect.forEach(
            costs,
            (cost) =>
              Effect.map(reserve("tavily", 2, cost), (month) => month === undefined ? 0 : cost),
            { concurrency: "unbounded" }
          )
          const spent = granted.reduce((sum, cost) => sum + cost, 0)
          assert.isAtMost(spent, 10)
          assert.isAtLeast(spent, 9)
        }))

      it.effect("gives back what was not charged, and never goes below nothing", () =>
        Effect.gen(function*() {
          const { correct, reserve } = yield* Credits
          const month = yield* reserve("tavily", 3, 10)
          assert.isDefined(month)
          assert.isUndefined(yield* reserve("tavily", 3, 1))
          if (month === undefined) return
          yield* correct(month, -4)
          assert.isDefined(yield* reserve("tavily", 3, 4))
          assert.isUndefined(yield* reserve("tavily", 3, 1))
          yield* correct(month, -1_000)
          assert.isDefined(yield* reserve("tavily", 3, 10))
        }))

      it.effect("gives back to the key and the provider that it was taken from, alone", () =>
        Effect.gen(function*() {
          const { correct, reserve } = yield* Credits
          const taken = yield* reserve("tavily", 5, 10)
          assert.isDefined(yield* reserve("tavily", 6, 10))
          assert.isDefined(taken)
          if (taken === undefined) return
          yield* correct({ ...taken, provider: "serpapi" }, -10)
          yield* correct({ ...taken, month: "2000-01" }, -10)
          assert.isUndefined(yield* reserve("tavily", 5, 1))
          yield* correct(taken, -10)
          assert.isUndefined(yield* reserve("tavily", 6, 1))
          assert.isDefined(yield* reserve("tavily", 5, 10))
        }))

      it.effect("has no ceiling for a provider that was given none", () =>
        Effect.gen(function*() {
          const { reserve } = yield* Credits
          assert.match((yield* reserve("serpapi", 1, 1_000_000))?.month ?? "", /^\d{4}-\d{2}$/)
        }))

      it.effect("refuses more than the whole ceiling at once", () =>
        Effect.gen(function*() {
          const { reserve } = yield* Credits
          assert.isUndefined(yield* reserve("tavily", 4, 11))
        }))
    }
  )
