import { assert, describe, it } from "@effect/vitest"
import { kindOf } from "../src/WebExchange.ts"

const bytes = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding)

describe("the kind of a page", () => {
  it("is what its header says, if its first bytes do not say otherwise", () => {
    const html = bytes("<!doctype html><p>A page.")
    const table: ReadonlyArray<readonly [string, Buffer, string | undefined]> = [
      ["text/html; charset=utf-8", html, "html"],
      ["TEXT/HTML", html, "html"],
      ["application/xhtml+xml", bytes("<?xml version=\"1.0\"?><html xmlns=\"x\">"), "xhtml"],
      ["text/plain", bytes("words"), "text"],
      ["text/markdown", bytes("# words"), "markdown"],
      ["application/pdf", bytes("%PDF-1.7\n\x00\x01"), "pdf"],
      ["", html, "html"],
      ["", bytes("words"), "text"],
      ["", bytes("%PDF-1.7"), "pdf"],
      ["application/pdf", html, undefined],
      ["text/html", bytes("%PDF-1.7"), undefined],
      ["text/html", Buffer.from("PK\x03\x04 archive", "latin1"), undefined],
      ["text/html", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), undefined],
      ["text/html", Buffer.from("\x7FELF", "latin1"), undefined],
      ["text/html", Buffer.from("GIF89a", "latin1"), undefined],
      ["text/plain", Buffer.from("a\x00b", "latin1"), undefined],
      ["text/html", bytes("<svg xmlns=\"http://www.w3.org/2000/svg\">"), undefined],
      ["text/html", bytes("<?xml version=\"1.0\"?>\n<!-- x -->\n<svg onload=\"x\">"), undefined],
      ["image/svg+xml", bytes("<svg>"), undefined],
      ["application/json", bytes("{}"), undefined],
      ["application/octet-stream", html, undefined],
      ["text/html; charset=utf-16le", bytes("<p>a", "utf16le"), "html"],
      ["text/html", bytes(""), "html"],
      ["nonsense", html, undefined]
    ]
    for (const [type, body, kind] of table) {
      assert.strictEqual(kindOf(type, body), kind, `${type} ${body.toString("latin1", 0, 30)}`)
    }
  })
})
