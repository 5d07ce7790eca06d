import { assert, describe, it } from "@effect/vitest"
import { misplacedQuotes } from "../../src/application/replay/ReplaySession.ts"
import {
  type Claim,
  emptyPack,
  type GroundingPack,
  Section
} from "../../src/domain/pack/GroundingPack.ts"
import { pageOf } from "../support/evidencePages.ts"

const text = "A tenant gives notice of one month. A landlord gives notice of six."
const pages = [
  pageOf(text),
  pageOf(text, { source_id: "s2", site: "two.example" }),
  pageOf("", { source_id: "s3", site: "unkept.example" })
]
const [first, second, unkept] = pages

const quoteOf = (words: string, at = text.indexOf(words)) => ({
  text: words,
  start: at,
  end: at + words.length,
  match: "exact" as const
})

const claimOf = (...sources: Claim["sources"]): Claim => ({
  text: "One month.",
  sources,
  confidence: 0.5,
  support: "supported"
})

const right = quoteOf("notice of one month")
const moved = quoteOf("notice of one month", right.start + 1)
const invented = quoteOf("notice of nine months", 0)

const sections = [...Section.literals, "disputed_or_uncertain"] as const

const packWith = (section: typeof sections[number], ...claims: ReadonlyArray<Claim>) =>
  ({ ...emptyPack, [section]: claims }) satisfies GroundingPack

const cited = (page: typeof first, ...quotes: Claim["sources"][number]["quotes"]) => ({
  ...(page ?? pageOf("")),
  quotes
})

describe("the quotes of a recorded pack", () => {
  it.each(sections)("are found where each says, under %s", (section) => {
    const sound = claimOf(cited(first, right), cited(second, quoteOf("landlord"), right))
    assert.deepStrictEqual(misplacedQuotes(packWith(section, sound), pages), [])
  })

  it.each(sections)("are named when one is made up, under %s", (section) => {
    const sound = claimOf(cited(first, right))
    const forged = claimOf(cited(first, right), cited(second, right, invented))
    assert.deepStrictEqual(misplacedQuotes(packWith(section, sound, forged), pages), [{
      path: `pack.${section}.1.sources.1.quotes.1`,
      text: invented.text
    }])
  })

  it("are misplaced where their words are elsewhere in the text", () => {
    const pack = packWith("key_points", claimOf(cited(first, moved)))
    assert.deepStrictEqual(misplacedQuotes(pack, pages), [{
      path: "pack.key_points.0.sources.0.quotes.0",
      text: moved.text
    }])
  })

  it("cannot be known of pages whose texts the log does not hold", () => {
    const foreign = { ...cited(first, invented), url: "https://never-read.example/" }
    const pack = packWith("key_points", claimOf(cited(unkept, invented), foreign))
    assert.deepStrictEqual(misplacedQuotes(pack, pages), [])
  })
})
