/** Every read model either gives up the rows of an erased session, or holds counts alone. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"

/** Read models of figures: no row is of a session, and none has its words. */
const counting = ["activity", "engine_health", "pack_health", "search_health"]

const source = globSync("src/application/projections/*.ts")
  .map((file) => readFileSync(file, "utf8")).join("\n")

/** Definitions by name, which is a literal or a constant of the file. */
const definitions = source.split("Projection.define(").slice(1).map((text) => {
  const [, named = "name"] = /\bname(?:: ("?\w+"?))?[,\n]/.exec(text) ?? []
  const name = named.startsWith("\"")
    ? named
    : new RegExp(`const ${named} = ("\\w+")`).exec(source)?.[1] ?? named
  return { name: name.replaceAll("\"", ""), isErased: /\bon: \[[^\]]*\berasedType\b/.test(text) }
})

describe("read models", () => {
  it("give up the rows of an erased session, or count alone", () => {
    assert.isAbove(definitions.length, counting.length)
    assert.deepStrictEqual(
      definitions.filter(({ isErased }) => !isErased).map(({ name }) => name).sort(),
      counting
    )
  })
})
