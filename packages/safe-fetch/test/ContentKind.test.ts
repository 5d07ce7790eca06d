import { assert, describe, it } from "@effect/vitest"
import { kindOf } from "../src/PageKind.ts"

const bytes = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding)

describe("the kind of a page", () => {
  it("is what its first bytes say, and what its header says where they do not", () => {
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
      ["application/pdf", html, "html"],
      ...[
        "text/html",
        "application/octet-stream",
        "binary/octet-stream",
        "application/x-pdf",
        "image/jp2"
      ]
        .map((type) => [type, bytes("%PDF-1.7\n%\xe2\xe3"), "pdf"] as const),
      ["application/pdf", bytes("\ufeff\r\n%PDF-1.7\n"), "pdf"],
      ["text/html", bytes("\ufeff\r\n%PDF-1.7\n"), "pdf"],
      ["application/pdf", bytes("HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n"), "pdf"],
      ["text/plain", bytes("As in %PDF-1.4\n"), "text"],
      ["text/markdown", bytes("%PDF-1.4 is the mark of a PDF."), "markdown"],
      ["text/html", bytes("<meta name=description content='%PDF-1.7'>"), "html"],
      ["application/pdf", bytes("<p>%PDF-1.7 could not be found"), "html"],
      ["text/html", Buffer.from("PK\x03\x04 archive", "latin1"), undefined],
      ["text/html", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), undefined],
      ["text/html", Buffer.from("\x7FELF", "latin1"), undefined],
      ["text/html", Buffer.from("GIF89a", "latin1"), undefined],
      ["text/plain", Buffer.from("a\x00b", "latin1"), undefined],
      ["text/html", bytes("<svg xmlns=\"http://www.w3.org/2000/svg\">"), undefined],
      ["text/html", bytes("<?xml version=\"1.0\"?>\n<!-- x -->\n<svg onload=\"x\">"), undefined],
      ["", bytes("<html>", "utf16le"), "text"],
      ["text/html", bytes("<html>", "utf16le").swap16(), "html"],
      ["text/html", bytes("<p>words</p>\0\0\0\0"), "html"],
      ["image/svg+xml", bytes("<svg>"), undefined],
      ["application/json", bytes("{}"), undefined],
      ["application/octet-stream", html, "html"],
      ["application/octet-stream", bytes("words"), "text"],
      ["application/octet-stream", Buffer.from("\x7FELF", "latin1"), undefined],
      ["application/zip", html, undefined],
      ["image/png", html, undefined],
      ["text/html; charset=utf-16le", bytes("<p>a", "utf16le"), "html"],
      ["text/html", bytes(""), "html"],
      ["nonsense", html, "html"]
    ]
    for (const [type, body, kind] of table) {
      assert.strictEqual(kindOf(type, body), kind, `${type} ${body.toString("latin1", 0, 30)}`)
    }
  })
})
