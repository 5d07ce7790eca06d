import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import * as Confidence from "../../src/domain/pack/Confidence.ts"
import { Claim, DraftClaim } from "../../src/domain/pack/GroundingPack.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { materialsOf, pageOf } from "../support/evidencePages.ts"

/** Code blocks of the page, in order. */
const blocks = Array.from(
  readFileSync("docs/answers.md", "utf8").replaceAll("\r\n", "\n").matchAll(
    /^```(?:text|json)\n([^]*?)\n```$/gm
  ),
  ([, block = ""]) => block
)

describe("the way of a claim", () => {
  it("is what docs/answers.md says of its example", () => {
    const [text = "", drafted = "", claimed = ""] = blocks
    const claims = Schema.decodeUnknownSync(Schema.Array(DraftClaim))(JSON.parse(drafted))
    const expected = Schema.decodeUnknownSync(Schema.Array(Claim))(JSON.parse(claimed))
    const page = pageOf(text, { site: "housing.example", title: "Moving out" })
    const pack = PackAssembly.assemble(materialsOf({
      claims,
      pages: [page],
      confidenceMax: Confidence.localMax
    }))
    assert.deepStrictEqual(pack.key_points, expected)
    assert.isEmpty(pack.disputed_or_uncertain)
    const [quote = assert.fail()] = expected.flatMap(({ sources }) =>
      sources.flatMap(({ quotes }) => quotes)
    )
    assert.strictEqual(text.slice(quote.start, quote.end), quote.text)
  })
})
