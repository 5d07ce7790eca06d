import { assert, describe, it } from "@effect/vitest"
import { Schema, SchemaTransformation } from "effect"
import * as WrittenJson from "../src/WrittenJson.ts"

/** Words with braces in which no object begins. */
const words = Schema.Array(Schema.Literals(["{this}", "{ x", "}", "[", "so:"])).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (parts) => parts.join(" "),
      encode: (text) => text === "" ? [] : ["so:" as const]
    })
  )
)

describe("JSON in a model's words", () => {
  it.each([
    ["{\"a\":1}"],
    ["\uFEFF {\"a\":1}\n"],
    ["```json\n{\"a\":1}\n```"],
    ["```\n{\"a\":1}\n```"],
    ["Here: {\"a\":1} as asked."],
    ["```sh\nls\n```\n```json\n{\"a\":1}```"],
    ["Of {x}:\n```json\n{\"a\":1}\n```\nand not {y}."],
    ["<think>{\"b\":2}</think>{\"a\":1}"],
    ["{\"b\": …} or {b}.\n</think>\n{\"a\":1}"],
    ["{\"b\":2} is wrong: {\"a\":1}"],
    ["{\"a\":1}\nNote: {this} follows."],
    ["[{\"a\":1}]"],
    ["{\"b\":\"{\"a\":1}"],
    [JSON.stringify("{\"a\":1}")],
    ["```json\n" + JSON.stringify("\n{\n \"a\": 1}") + "\n```"],
    [JSON.stringify(JSON.stringify("{\"a\":1}"))]
  ])("is found in %j", (text) => {
    assert.deepStrictEqual(WrittenJson.objectsIn(text)[0], { a: 1 })
  })

  it.each([[""], ["42"], ["[1]"], ["{\"a\":"], ["no"], ["}{"], ["```{```"], ["null"]])(
    "is not found in %j",
    (text) => assert.deepStrictEqual(WrittenJson.objectsIn(text), [])
  )

  it.prop(
    "is found whatever its texts hold and whatever stands around it",
    [Schema.Record(Schema.String, Schema.String), words, words],
    ([object, before, behind]) => {
      const [found] = WrittenJson.objectsIn(`${before}\n${JSON.stringify(object)}\n${behind}`)
      assert.deepStrictEqual(found, object)
    }
  )

  it("costs the text's length, however many objects begin and none ends", () => {
    const text = "{\"a\":".repeat(100_000)
    const start = performance.now()
    assert.deepStrictEqual(WrittenJson.objectsIn(text), [])
    assert.isBelow(performance.now() - start, 1_000)
  })
})
