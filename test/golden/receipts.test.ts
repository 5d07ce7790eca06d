/** Receipts that were made before are made the same and still verify. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { folder, vectors } from "../../scripts/receiptVectors.ts"
import { byPage } from "../support/receiptVerifiers.ts"

const read = (name: string) => readFileSync(join(folder, name), "utf8")

describe("the test vectors of receipts", () => {
  it("are what `node scripts/receiptVectors.ts` makes", () => {
    for (const [name, content] of Object.entries(vectors)) assert.strictEqual(read(name), content)
  })

  it("verify, but the one whose claim was changed under a right signature", async () => {
    const names = ["whole.json", "claim.json", "refused.json"]
    const told = await byPage(names.map(read), read("public.pem"))
    assert.deepStrictEqual(told.slice(0, 2), ["ok", "ok"])
    assert.match(told[2] ?? "", /a claim is not in the receipt's tree/)
  })
})
