/** Which ids a new session or request may have. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { newId } from "../../src/domain/request/GroundingRequest.ts"

const taken = (id: string) => Option.isSome(Schema.decodeOption(newId)(id))

const usual = [
  "s",
  "0198f2d4-7c3e-7b52-8d33-5f6c0e1a9b77",
  "user@example.com/chat:42_a.b-c",
  "임대차-상담-1",
  "賃貸契約.1",
  "мама",
  "\u0939\u093f\u0928\u094d\u0926\u0940", // Hindi, with marks that belong to it
  "é",
  "x".repeat(200)
]

const strange = [
  ["a space", "a b"],
  ["a line feed", "a\nb"],
  ["an escape", "\u001b[2J"],
  ["the one-character form of ESC [", "a\u009b2J"],
  ["a bell", "a\u0007"],
  ["delete", "a\u007f"],
  ["a right-to-left override", "a\u202eb"],
  ["a zero-width space", "a\u200bb"],
  ["a zero-width joiner", "a\u200db"],
  ["a byte order mark", "\ufeffa"],
  ["a soft hyphen", "a\u00adb"],
  ["a variation selector, which is a mark", "a\ufe0fb"],
  ["a variation selector of the supplement", "a\u{e0100}b"],
  ["a Hangul filler, which is a letter", "a\u3164b"],
  ["a combining grapheme joiner, which is a mark", "a\u034fb"],
  ["a tag character", "a\u{e0061}b"],
  ["a no-break space", "a\u00a0b"],
  ["a quotation mark", "a\"b"],
  ["a semicolon", "a;b"],
  ["a backslash", "a\\b"],
  ["a currency sign", "a€b"],
  ["an emoji", "a🙂"],
  ["a decomposed letter, which looks like another id", "e\u0301"],
  ["a letter that stands for another one", "\u212bngström"],
  ["201 characters", "x".repeat(201)]
] as const

describe("a new id", () => {
  it.each(usual)("may be %s", (id) => {
    assert.isTrue(taken(id))
  })

  it.each(strange)("holds no %s", (_, id) => {
    assert.isFalse(taken(id))
  })

  it("is not empty, and no lone surrogate", () => {
    assert.isFalse(taken(""))
    assert.isFalse(taken("a\ud800"))
  })

  it("is refused with what it may hold", () => {
    const problemOf = (id: string) => String(Option.getOrThrow(failure(id)))
    assert.include(problemOf("a b"), "Expected letters, digits and . _ : @ / - alone")
    assert.include(problemOf("e\u0301"), "composed form (NFC)")
  })
})

const failure = (id: string) => {
  const exit = Schema.decodeUnknownExit(newId)(id)
  return exit._tag === "Failure" ? Option.some(exit.cause) : Option.none()
}
