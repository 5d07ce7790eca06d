import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { chunksOfSnippet } from "../src/passages/Chunking.ts"
import { locate } from "../src/statements/QuotedPassage.ts"

const text =
  "Tenants can’t leave at once — they must give 30 days’ notice (or pay 1,250 yen). [...] The " +
  "“standard” contract differs. A part of it is -5.5 percent. 借主は退去の１か月前までに、通知する。ガス料金。 " +
  "퇴거 한 달 전까지 통보해야 한다."
const chunks = chunksOfSnippet(text)

const found = (quote: string) =>
  Option.getOrUndefined(Option.map(locate(text, chunks, quote), ({ end, match, start }) => ({
    match,
    text: text.slice(start, end)
  })))

describe("locate", () => {
  it("gives the very words where they are", () => {
    assert.deepStrictEqual(found("they must give 30 days’ notice"), {
      match: "exact",
      text: "they must give 30 days’ notice"
    })
  })

  it.each<readonly [string, string]>([
    ["Tenants can't leave at once - they", "Tenants can’t leave at once — they"],
    ["TENANTS CAN'T LEAVE", "Tenants can’t leave"],
    ["they  must\u00a0give\n30 days' notice", "they must give 30 days’ notice"],
    ["pay １２５０ yen", "pay 1,250 yen"],
    ["the \"standard\" contract differs!", "The “standard” contract differs."],
    ["con\u00adtract dif\u200bfers", "contract differs"],
    ["**they** must give", "they must give"],
    ["con-\ntract differs", "contract differs"],
    ["A part of it is ... -5.5 percent", ""],
    [
      "Tenants can't leave … must give 30 days",
      "Tenants can’t leave at once — they must give 30 days"
    ],
    ["Tenants can&#39;t leave", "Tenants can’t leave"],
    ["借主は退去の1か月前までに 通知する", "借主は退去の１か月前までに、通知する"],
    ["ｶﾞｽ料金", "ガス料金"],
    ["퇴거 한달 전까지", "퇴거 한 달 전까지"],
    ["퇴거 한 달".normalize("NFD"), "퇴거 한 달"]
  ])("finds %j", (quote, expected) => assert.strictEqual(found(quote)?.text ?? "", expected))

  it.each([
    "they must give 31 days' notice",
    "they must not give 30 days' notice",
    "they give 30 days' notice",
    "they must give notice 30 days'",
    "yen). The “standard” contract",
    "yen [...] The standard",
    "art of it",
    "is 5.5 percent",
    "is -55 percent",
    "pay 12,50 yen and",
    "Tenants cant leave now",
    "借主は退去の２か月前",
    "カス料金",
    "퇴거 두 달",
    "",
    " ",
    "…",
    "... [...] ...",
    "\u200b"
  ])("refuses %j", (quote) => assert.isUndefined(found(quote)))

  it("takes the first of several positions", () => {
    const twice = "Give notice. Give notice."
    assert.deepStrictEqual(
      Option.getOrUndefined(locate(twice, [{ start: 0, end: twice.length }], "Give notice.")),
      { start: 0, end: 12, match: "exact" }
    )
  })
})
