/** What every queue of pages to collect owes the application. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import {
  PagesToCollect,
  type Waiting,
  waitingMax
} from "../../src/application/evidence/PagesToCollect.ts"
import { collectedAt, webPage } from "../support/evidenceEntries.ts"

const waiting = (name: string, text = `Naïve “text” of ${name}, 한국어 and 🙂.`): Waiting => ({
  key: `web:${name}`,
  page: { material: webPage(`https://${name}.example/`, text), read_at: collectedAt }
})

const leaseMs = 60_000
const namesOf = (taken: ReadonlyArray<Waiting>) => taken.map(({ key }) => key).toSorted()

export const pagesToCollectContract = (name: string, layer: Layer.Layer<PagesToCollect, unknown>) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(
    `PagesToCollect: ${name}`,
    (it) => {
      it.effect("gives each due page to one caller, as it was put, until the lease ends", () =>
        Effect.gen(function*() {
          const { done, put, take } = yield* PagesToCollect
          assert.strictEqual(yield* put("a", "s", [waiting("one"), waiting("two")], 0), 2)
          const both = yield* Effect.all(
            Array.from({ length: 8 }, () => take("a", 1, 300)),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(namesOf(both.flat()), ["web:one", "web:two"])
          const one = both.flat().find(({ key }) => key === "web:one")
          assert.deepStrictEqual(one?.page, waiting("one").page)
          assert.strictEqual(one?.tries, 1)
          if (one !== undefined) yield* done("a", one)
          assert.deepStrictEqual(yield* take("a", 5, leaseMs), [])
          yield* Effect.sleep("400 millis")
          const again = yield* take("a", 5, leaseMs)
          assert.deepStrictEqual(again.map(({ key, tries }) => [key, tries]), [["web:two", 2]])
        }))

      it.effect("is another's of each tenant, and empty when it was cleared", () =>
        Effect.gen(function*() {
          const { clear, put, take, tenants } = yield* PagesToCollect
          yield* put("b", "s", [waiting("one")], 0)
          yield* put("c", "s", [waiting("one", "Theirs.")], 0)
          assert.includeMembers([...(yield* tenants)], ["b", "c"])
          assert.strictEqual(yield* clear("b"), 1)
          assert.deepStrictEqual(yield* take("b", 5, leaseMs), [])
          const [theirs] = yield* take("c", 5, leaseMs)
          assert.strictEqual(theirs?.page.material.text, "Theirs.")
        }))

      it.effect("holds pages back until they are due, or released with their session", () =>
        Effect.gen(function*() {
          const { put, release, take } = yield* PagesToCollect
          yield* put("d", "mine", [waiting("one")], 60_000)
          yield* put("d", "other", [waiting("two")], 60_000)
          assert.deepStrictEqual(yield* take("d", 5, leaseMs), [])
          yield* release("d", "mine")
          assert.deepStrictEqual(namesOf(yield* take("d", 5, leaseMs)), ["web:one"])
          // A page in work is not given again.
          yield* release("d", "mine")
          assert.deepStrictEqual(yield* take("d", 5, leaseMs), [])
        }))

      it.effect("keeps the newest reading of a source, also from an older one's end", () =>
        Effect.gen(function*() {
          const { done, put, take } = yield* PagesToCollect
          yield* put("e", "s", [waiting("one", "Old.")], 0)
          const [old] = yield* take("e", 5, leaseMs)
          assert.strictEqual(yield* put("e", "s2", [waiting("one", "New.")], 0), 1)
          if (old !== undefined) yield* done("e", old)
          const [newest] = yield* take("e", 5, leaseMs)
          assert.strictEqual(newest?.page.material.text, "New.")
        }))

      it.effect("leaves out what is too much, but not a newer reading", () =>
        Effect.gen(function*() {
          const { put, take } = yield* PagesToCollect
          const all = Array.from({ length: waitingMax }, (_, index) => waiting(`p${index}`, "x"))
          assert.strictEqual(yield* put("f", "s", all, 60_000), waitingMax)
          assert.strictEqual(yield* put("f", "s", [waiting("more")], 0), waitingMax)
          assert.strictEqual(yield* put("f", "s", [waiting("p7", "Newer.")], 0), waitingMax)
          const taken = yield* take("f", 5, leaseMs)
          assert.deepStrictEqual(taken.map(({ page }) => page.material.text), ["Newer."])
        }))
    }
  )
