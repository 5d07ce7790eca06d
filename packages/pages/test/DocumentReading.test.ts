/** Plain text, Markdown and PDF as pages; bytes and types that lie. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as DocumentReading from "../src/DocumentReading.ts"
import type { ExtractedPage } from "../src/ExtractedPage.ts"
import { pdfOf } from "./support/pdfDocument.ts"

const read = (body: string | Uint8Array, contentType: string, url = "https://a.example/page") =>
  DocumentReading.readDocument({
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    contentType,
    url
  })

const headingsOf = ({ headings, text }: ExtractedPage) =>
  headings.map(({ end, start }) => text.slice(start, end))

describe("DocumentReading", () => {
  it.effect("joins lines that plain text only wrapped, and leaves tables and lists as they are", () =>
    Effect.gen(function*() {
      const page = yield* read(
        "A tenant of an ordinary flat has to give one month\nof notice, in writing, before the flat is left.\n\n" +
          "Place      Notice\nJapan      1 month\n\n- one\n- two\n",
        "text/plain; charset=utf-8"
      )
      assert.strictEqual(
        page.text,
        "A tenant of an ordinary flat has to give one month of notice, in writing, before the flat is " +
          "left.\nPlace      Notice\nJapan      1 month\n- one\n- two"
      )
    }))

  it.effect("takes the marks off Markdown and keeps its code", () =>
    Effect.gen(function*() {
      const page = yield* read(
        `---\ntitle: "Notice"\n---\n# Giving notice\n\nA **tenant** gives [one month](https://b.example/x) of\n` +
          `notice. ![beacon](https://evil.example/p.png)<script>\n\n## How\n\n1. Write\n2. Send\n\n` +
          "```js\nconst a = **1**\n  [b](c)\n```\n\n| Place | Notice |\n| --- | --- |\n| Japan | 1 month |\n",
        "text/markdown"
      )
      assert.strictEqual(page.title, "Notice")
      assert.deepStrictEqual(headingsOf(page), ["Giving notice", "How"])
      assert.strictEqual(
        page.text,
        "Giving notice\nA tenant gives one month of notice.\nHow\n1. Write\n2. Send\n" +
          "const a = **1**\n  [b](c)\nPlace | Notice\nJapan | 1 month"
      )
    }))

  it.effect("reads a PDF's lines as paragraphs, by their distance, and its title", () =>
    Effect.gen(function*() {
      const page = yield* read(
        pdfOf([[0, "A tenant gives one"], [14, "month of no-"], [14, "tice."], [
          40,
          "Then the flat is left."
        ]]),
        "application/octet-stream"
      )
      assert.strictEqual(page.text, "A tenant gives one month of notice.\nThen the flat is left.")
      assert.strictEqual(page.title, "Giving notice")
    }))

  it.effect("knows HTML that is called text, and text in the charset that is named", () =>
    Effect.gen(function*() {
      const html = yield* read(
        "<!DOCTYPE html><html><body><p>One month.</p></body></html>",
        "text/plain"
      )
      assert.strictEqual(html.text, "One month.")
      const bytes = yield* read(Uint8Array.of(0x82, 0xa0), "text/plain; charset=shift_jis")
      assert.strictEqual(bytes.text, "あ")
      const raw = yield* read("# One", "text/plain", "https://a.example/README.md")
      assert.deepStrictEqual(headingsOf(raw), ["One"])
    }))

  it.effect("reads past byte order marks and zeros that a file is filled up with", () =>
    Effect.gen(function*() {
      const page = yield* read("\uFEFF\uFEFF\n<html><p>One mo\0nth.</p></html>\0\0\0", "")
      assert.strictEqual(page.text, "One month.")
      const text = yield* read("\uFEFFOne month.\0\0", "text/plain")
      assert.strictEqual(text.text, "One month.")
    }))

  it.effect("finds the language by the script, where only one is written in it", () =>
    Effect.gen(function*() {
      for (
        const [text, language] of [
          ["登記の手数料は四十円である。", "ja"],
          ["登记费用为四十元。", "zh"],
          ["등기 수수료는 40원이다.", "ko"],
          ["Ο τίτλος κοστίζει.", "el"],
          ["Пошлина 40 крон.", undefined],
          ["The fee of 登記 is 40 crowns.", undefined]
        ] as const
      ) {
        assert.strictEqual((yield* read(text, "text/plain")).language, language)
        const page = yield* read(`<html lang=fr><p>${text}`, "text/html")
        assert.strictEqual(page.language, language ?? "fr")
      }
    }))

  it.effect("says why it does not read what it cannot", () =>
    Effect.gen(function*() {
      const cases = [
        [new TextEncoder().encode("%PDF-1.4 and nothing else"), "application/pdf", "malformed"],
        [pdfOf([[0, " "]]), "application/pdf", "no_text"],
        ["%PDF-1.7 \uFFFD\uFFFD", "text/html", "malformed"],
        ["\u0089PNG\r\n\u001A\n\0\0", "text/html", "malformed"],
        ["{}", "application/json", "unsupported_type"],
        ["<svg xmlns=\"http://www.w3.org/2000/svg\"><text>x</text></svg>", "text/html", "no_text"],
        [" \n\u200B ", "text/plain", "no_text"]
      ] as const
      for (const [body, contentType, reason] of cases) {
        const result = yield* Effect.result(read(body, contentType))
        assert.isTrue(Result.isFailure(result) && result.failure.reason === reason, reason)
      }
    }))

  it.effect("says that a PDF goes on behind the last page that is read", () =>
    Effect.gen(function*() {
      const line = [[0, "A tenant gives one month of notice."]] as const
      const whole = yield* read(pdfOf(line, 200), "application/pdf")
      assert.lengthOf(whole.text.match(/one month/g) ?? [], 200)
      assert.notProperty(whole, "truncated")
      const long = yield* read(pdfOf(line, 201), "application/pdf")
      assert.lengthOf(long.text.match(/one month/g) ?? [], 200)
      assert.isTrue(long.truncated)
    }))

  it.effect("says that Markdown has more elements than are read, and keeps long tables' rows", () =>
    Effect.gen(function*() {
      const many = yield* read("- word\n".repeat(130_000), "text/markdown")
      assert.isTrue(many.truncated)
      const rows = Array.from({ length: 8_100 }, (_, row) => `| k${row} | v${row} |\n`)
      const table = yield* read(`| a | b |\n| - | - |\n${rows.join("")}`, "text/markdown")
      assert.include(table.text, "\nk8099 | v8099")
      assert.notProperty(table, "truncated")
    }))
})
