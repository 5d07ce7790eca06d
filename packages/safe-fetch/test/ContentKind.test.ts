import { assert, describe, it } from "@effect/vitest"
import { mediaTypeOf } from "../src/PageKind.ts"

const bytes = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding)

describe("the type of a page", () => {
  it("is what its first bytes say, and what its header says where they do not", () => {
    const html = bytes("<!doctype html><p>A page.")
    const table: ReadonlyArray<readonly [string, Buffer, string | undefined]> = [
      ["text/html; charset=utf-8", html, "text/html"],
      ["TEXT/HTML", html, "text/html"],
      [
        "application/xhtml+xml",
        bytes("<?xml version=\"1.0\"?><html xmlns=\"x\">"),
        "application/xhtml+xml"
      ],
      ["text/plain", bytes("words"), "text/plain"],
      ["text/markdown", bytes("# words"), "text/markdown"],
      ["application/pdf", bytes("%PDF-1.7\n\x00\x01"), "application/pdf"],
      ["", html, "text/html"],
      ["", bytes("words"), "text/plain"],
      ["", bytes("%PDF-1.7"), "application/pdf"],
      ["application/pdf", html, "text/html"],
      ...[
        "text/html",
        "application/octet-stream",
        "binary/octet-stream",
        "application/x-pdf",
        "image/jp2"
      ]
        .map((type) => [type, bytes("%PDF-1.7\n%\xe2\xe3"), "application/pdf"] as const),
      ["application/pdf", bytes("\ufeff\r\n%PDF-1.7\n"), "application/pdf"],
      ["text/html", bytes("\ufeff\r\n%PDF-1.7\n"), "application/pdf"],
      ["application/pdf", bytes("HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n"), "application/pdf"],
      ["text/plain", bytes("As in %PDF-1.4\n"), "text/plain"],
      ["text/markdown", bytes("%PDF-1.4 is the mark of a PDF."), "text/markdown"],
      ["text/html", bytes("<meta name=description content='%PDF-1.7'>"), "text/html"],
      ["application/pdf", bytes("<p>%PDF-1.7 could not be found"), "text/html"],
      ["text/html", Buffer.from("PK\x03\x04 archive", "latin1"), undefined],
      ["text/html", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), undefined],
      ["text/html", Buffer.from("\x7FELF", "latin1"), undefined],
      ["text/html", Buffer.from("GIF89a", "latin1"), undefined],
      ["text/plain", Buffer.from("a\x00b", "latin1"), undefined],
      ["text/html", bytes("<svg xmlns=\"http://www.w3.org/2000/svg\">"), undefined],
      ["text/html", bytes("<?xml version=\"1.0\"?>\n<!-- x -->\n<svg onload=\"x\">"), undefined],
      ["", bytes("<html>", "utf16le"), "text/plain"],
      ["text/html", bytes("<html>", "utf16le").swap16(), "text/html"],
      ["text/html", bytes("<p>words</p>\0\0\0\0"), "text/html"],
      ["image/svg+xml", bytes("<svg>"), undefined],
      ["application/json", bytes("{}"), undefined],
      ["application/octet-stream", html, "text/html"],
      ["application/octet-stream", bytes("words"), "text/plain"],
      ["application/octet-stream", Buffer.from("\x7FELF", "latin1"), undefined],
      ["application/zip", html, undefined],
      ["image/png", html, undefined],
      ["text/html; charset=utf-16le", bytes("<p>a", "utf16le"), "text/html"],
      ["text/html", bytes(""), "text/html"],
      ["nonsense", html, "text/html"]
    ]
    for (const [sent, body, type] of table) {
      assert.strictEqual(mediaTypeOf(sent, body), type, `${sent} ${body.toString("latin1", 0, 30)}`)
    }
  })
})
