import { assert, describe, it } from "@effect/vitest"
import { entryIdOf, sourceIdOf, sourceKeyOf } from "../../src/domain/store/Entry.ts"

describe("an entry's id", () => {
  it.each(["handbook.md~0f3a", "a:3", "übung: eins"])("leads back to its source: %s", (id) => {
    const doc = sourceKeyOf({ source_type: "user_note", source_id: id }, (text) => text)
    assert.strictEqual(sourceIdOf(entryIdOf(doc, 12)), id)
    const node = sourceKeyOf({ source_type: "kg_node", source_id: id }, (text) => text)
    assert.strictEqual(sourceIdOf(entryIdOf(node, 0)), id)
    assert.strictEqual(sourceIdOf(id), id)
  })
})
