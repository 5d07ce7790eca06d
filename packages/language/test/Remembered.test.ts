/** Results of short texts that are kept: the same, bounded, and without the pages they came from. */
import { assert, describe, it } from "@effect/vitest"
import { remembered } from "../src/language/Languages.ts"
import { heapUsedBytes } from "./support/heap.ts"

describe("a function that remembers", () => {
  it("works out a text once, until many others have come", () => {
    const asked: Array<string> = []
    const length = remembered((text) => {
      asked.push(text)
      return text.length
    })
    assert.deepStrictEqual(["one", "one", "three"].map(length), [3, 3, 5])
    assert.deepStrictEqual(asked, ["one", "three"])
    for (let number = 0; number < 10_000; number++) {
      length(`text ${number}`)
      // What is asked for again and again stays.
      length("one")
    }
    assert.strictEqual(length("three"), 5)
    assert.lengthOf(asked.filter((text) => text === "one"), 1)
    assert.lengthOf(asked.filter((text) => text === "three"), 2)
  })

  it("keeps neither a long text nor the page that a short one was cut out of", () => {
    const pagesMax = 60
    const pageChars = 1_000_000
    const length = remembered((text) => text.slice(1))
    const before = heapUsedBytes()
    for (let number = 0; number < pagesMax; number++) {
      const page = `${number} `.padEnd(pageChars, "A tenant must give notice. ")
      length(page)
      length(page.slice(0, 400))
    }
    assert.isBelow(heapUsedBytes() - before, pagesMax * pageChars / 4)
    assert.strictEqual(length("a"), "")
  })
})
