/**
 * Rows of the source documents over RPC: one running service is asked once for all of them, with
 * the sandbox's faults, and each row's promise is held against what it answered.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { readFileSync } from "node:fs"
import { SandboxServer } from "../../packages/sandbox/src/SandboxServer.ts"
import { sourceCalls } from "../support/sourceCalls.ts"
import { shown, type Told, unshown } from "../support/sourceRows.ts"
import { type Answer, call, service } from "../support/sourcesService.ts"

/** `A. Its first cell` of every row, in the order of the document. */
const rowsIn = (text: string): ReadonlyArray<string> =>
  text.split(/^## /m).slice(1).flatMap((section) =>
    section.split("\n")
      .filter((line) => line.startsWith("| ") && !/^\| (---|It names)/.test(line))
      .map((line) => `${section[0]}. ${line.slice(2).split(" | ")[0]}`)
  )

/** Rows that stand nowhere, at two places, or nowhere in the document. */
const misplaced = (
  rows: ReadonlyArray<string>,
  places: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...rows.filter((row) => places.filter((place) => place === row).length !== 1),
  ...places.filter((place) => !rows.includes(place))
]

const shownRows = shown.flatMap(({ rows }) => rows)
const unshownRows = unshown.flatMap(({ rows }) => rows)

describe("the rows of the source documents", () => {
  const rows = rowsIn(readFileSync("docs/sources.md", "utf8"))

  it("are each shown over RPC, or the reason is told why not", () => {
    assert.isAtLeast(rows.length, 200)
    assert.deepStrictEqual(misplaced(rows, [...shownRows, ...unshownRows]), [])
    assert.isAtLeast(shownRows.length, 120)
    for (const { because, rows } of unshown) assert.isNotEmpty(rows, because)
  })

  it("would be missed", () => {
    const [first = assert.fail()] = rows
    const [told = assert.fail()] = shownRows
    const places = [...shownRows, ...unshownRows]
    assert.deepStrictEqual(misplaced(rows, places.filter((row) => row !== first)), [first])
    assert.deepStrictEqual(misplaced(rows, [...places, told]), [told])
    assert.deepStrictEqual(misplaced(rows, [...places, "A. Nothing"]), ["A. Nothing"])
  })
})

/** Every call once, in its order, with the sandbox's fault of it. */
const asking = Effect.gen(function*() {
  const { hits, setFault, setPageFault } = yield* SandboxServer
  const answers = yield* Effect.forEach(
    Object.entries(sourceCalls),
    ([name, { input, operation, ...how }]) =>
      Effect.gen(function*() {
        yield* setFault("fault" in how ? how.fault ?? "" : "")
        yield* setPageFault("pageFault" in how ? how.pageFault : "")
        return [name, yield* call(operation, input)] as const
      })
  )
  yield* setFault("")
  const { recent } = yield* hits
  const told: Told = {
    answers: Object.fromEntries(answers) as Told["answers"],
    sent: recent.flatMap(({ body, path, provider }) =>
      provider === "tavily" && path === "/search" ? [Object(body)] : []
    )
  }
  return told
})

it.layer(service, { timeout: "60 seconds", excludeTestServices: true })(
  "rows of the source documents over RPC",
  (it) => {
    const known = Ref.makeUnsafe<Told | undefined>(undefined)
    const told = Effect.flatMap(Ref.get(known), (told) =>
      told === undefined
        ? Effect.tap(asking, (told) => Ref.set(known, told))
        : Effect.succeed(told))

    it.effect.each(shown)("$rows.0", ({ holds }) => Effect.map(told, holds), 60_000)

    it.effect("would not hold of a service that answers nothing", () =>
      Effect.gen(function*() {
        const { sent } = yield* told
        const nothing: Answer = { facts: [], value: { pack: {}, searches: [{}] } }
        const silent: Told = {
          answers: Object.fromEntries(
            Object.keys(sourceCalls).map((name) => [name, nothing])
          ) as Told["answers"],
          sent: sent.slice(0, 0)
        }
        const held = shown.filter(({ holds }) => {
          try {
            holds(silent)
            return true
          } catch {
            return false
          }
        })
        assert.deepStrictEqual(held.map(({ rows }) => rows[0]), [])
      }))
  }
)
