import { assert, describe, it } from "@effect/vitest"
import { textOf } from "../src/Charset.ts"

const bytes = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding)

describe("the characters of a page", () => {
  it("are those of its mark, its header, its own words, else UTF-8 or the West's", () => {
    const sjis = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
    const meta = (charset: string, rest: Buffer) =>
      Buffer.concat([bytes(`<html><head><meta charset="${charset}"><p>`), rest])
    const table: ReadonlyArray<readonly [Buffer, string, string]> = [
      [bytes("caf\u00e9"), "text/html", "café"],
      [bytes("caf\u00e9", "latin1"), "text/html", "café"],
      [bytes("caf\u00e9", "latin1"), "text/html; charset=ISO-8859-1", "café"],
      [bytes("caf\u00e9"), "text/html; charset=\"UTF-8\"", "café"],
      [bytes("\u{feff}caf\u00e9"), "text/html; charset=windows-1252", "café"],
      [Buffer.concat([Buffer.from([0xff, 0xfe]), bytes("café", "utf16le")]), "text/html", "café"],
      [sjis, "text/html; charset=Shift_JIS", "日本"],
      [bytes("ab\xff", "latin1"), "text/html; charset=utf-8", "ab\ufffd"],
      [bytes("caf\u00e9"), "text/html; charset=x-no-such", "café"],
      [bytes("caf\u00e9"), "text/html; charset=utf-7", "café"]
    ]
    for (const [body, type, text] of table) assert.strictEqual(textOf(body, type), text)
    assert.isTrue(textOf(meta("shift_jis", sjis), "text/html").endsWith("日本"))
    assert.isTrue(textOf(meta("utf-16", bytes("é")), "text/html").endsWith("é"))
    const korean = "<?xml version=\"1.0\" encoding='euc-kr'?><p>"
    const hangul = Buffer.concat([bytes(korean), Buffer.from([0xc7, 0xd1])])
    assert.isTrue(textOf(hangul, "application/xhtml+xml").endsWith("한"))
    const hidden = bytes("<!-- <meta charset=shift_jis> --><p>é")
    assert.isTrue(textOf(hidden, "text/html").endsWith("é"))
  })

  it("are declared by an element of the page, as browsers read it", () => {
    const declared: ReadonlyArray<readonly [head: string, isBig5: boolean]> = [
      ["<META CHARSET=\"Big5\">", true],
      ["<meta charset = big5 >", true],
      ["<meta/charset=big5>", true],
      ["<meta charset=nonsense><meta charset=big5>", true],
      ["<meta content='text/html; charset=big5' http-equiv=Content-Type>", true],
      ["<meta name=description content='charset=big5'>", false],
      ["<p title='<meta charset=big5>'>", false],
      ["<meta name=a charset=big5", false]
    ]
    for (const [head, isBig5] of declared) {
      const body = Buffer.concat([bytes(head), Buffer.from([0xa4, 0xa4])])
      assert.strictEqual(textOf(body, "text/html").endsWith("中"), isBig5, head)
    }
  })
})
