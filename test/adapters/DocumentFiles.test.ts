import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PageExtraction from "../../packages/pages/src/PageExtraction.ts"
import * as LocalPageReader from "../../src/adapters/pages/LocalPageReader.ts"
import { DocumentReader } from "../../src/application/ports/Embedder.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

const prose = "Most tenants in Japan have to give one month's notice before they move out. ".repeat(
  9
)

it.layer(LocalPageReader.layer.pipe(Layer.provide(PageExtraction.layer)), {
  timeout: "60 seconds",
  excludeTestServices: true
})("files as documents", (it) => {
  it.effect("are read by their kind, with the title they give", () =>
    Effect.gen(function*() {
      const { read } = yield* DocumentReader
      const markdown = yield* read({ name: "a.MD", bytes: bytes(`# Notice\n\n${prose}`) })
      assert.strictEqual(markdown.title, "Notice")
      assert.include(markdown.text, "one month's notice")
      const html = `<html><head><title>Notice</title></head><body><p>${prose}</p></body></html>`
      const page = yield* read({ name: "b/c.html", bytes: bytes(html) })
      assert.notInclude(page.text, "<p>")
      assert.include(page.text, "one month's notice")
      const text = yield* read({ name: "d.txt", bytes: bytes(prose) })
      assert.notProperty(text, "title")
    }))

  it.effect("are refused with a reason when they hold no text we can read", () =>
    Effect.gen(function*() {
      const { read } = yield* DocumentReader
      const refused = (name: string, given: Uint8Array) =>
        Effect.map(Effect.flip(read({ name, bytes: given })), ({ reason }) => reason)
      assert.strictEqual(yield* refused("a.exe", bytes("x")), "unknown_kind")
      assert.strictEqual(yield* refused("a.txt", bytes(" \n")), "no_text")
      assert.strictEqual(yield* refused("a.txt", new Uint8Array([0xff, 0xfe, 0x00])), "not_utf8")
      assert.strictEqual(yield* refused("a.pdf", bytes("no such document")), "malformed")
      assert.strictEqual(yield* refused("a.md", new Uint8Array(17 * 1_048_576)), "too_large")
    }))

  it.effect.each(
    [
      [
        "windows-1252",
        "Die Kündigungsfrist beträgt einen Monat – “schriftlich”.",
        "446965204bfc6e646967756e677366726973742062657472e467742065696e656e204d6f6e617420" +
        "962093736368726966746c696368942e"
      ],
      [
        "shift_jis",
        "賃貸契約の解約予告は一か月前までに行う必要があります。",
        "92c091dd8c5f96f182cc89f096f1975c8d9082cd88ea82a98c8e914f82dc82c582c98d7382a4954b" +
        "977682aa82a082e882dc82b78142"
      ],
      [
        "euc-kr",
        "전세 계약을 갱신하려면 두 달 전까지 통지해야 합니다.",
        "c0fcbcbc20b0e8bee0c0bb20b0bbbdc5c7cfb7c1b8e920b5ce20b4de20c0fcb1eec1f620c5ebc1f6" +
        "c7d8bedf20c7d5b4cfb4d92e"
      ],
      [
        "gb18030",
        "租户必须提前一个月通知房东才能终止租约。",
        "d7e2bba7b1d8d0ebcce1c7b0d2bbb8f6d4c2cda8d6aab7bfb6abb2c5c4dcd6d5d6b9d7e2d4bca1a3"
      ]
    ] as const
  )(
    "of HTML in %s are read in the charset that they name: %s",
    ([charset, sentence, hex]) =>
      Effect.gen(function*() {
        const { read } = yield* DocumentReader
        const html = (meta: string) =>
          Buffer.concat([
            bytes(`<html><head>${meta}</head><body><p>`),
            Buffer.from(hex, "hex"),
            bytes(`</p><p>${prose}</p></body></html>`)
          ])
        const named = yield* read({ name: "a.html", bytes: html(`<meta charset="${charset}">`) })
        assert.include(named.text, sentence)
        const older = `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`
        assert.include((yield* read({ name: "a.htm", bytes: html(older) })).text, sentence)
      })
  )

  it.effect("say that they go on where their text is cut, and what was taken out of it", () =>
    Effect.gen(function*() {
      const { read } = yield* DocumentReader
      const line = `${prose}\n\n`
      const whole = yield* read({ name: "a.txt", bytes: bytes(line.repeat(900)) })
      assert.isAbove(whole.text.length, 500_000)
      assert.notProperty(whole, "truncated")
      const cut = yield* read({ name: "a.txt", bytes: bytes(line.repeat(1_700)) })
      assert.isAtMost(cut.text.length, 1_000_000)
      assert.isTrue(cut.truncated)
      const odd = yield* read({ name: "a.txt", bytes: bytes(`A\u200B\u202Eb. ${prose}`) })
      assert.strictEqual(odd.removed_chars_count, 2)
    }))

  it.effect("bring the dates that a page gives", () =>
    Effect.gen(function*() {
      const { read } = yield* DocumentReader
      const meta = `<meta property="article:published_time" content="2019-03-01">` +
        `<meta property="article:modified_time" content="2026-02-03">`
      const html = `<html><head>${meta}</head><body><p>${prose}</p></body></html>`
      assert.deepInclude(yield* read({ name: "a.html", bytes: bytes(html) }), {
        published_date: "2019-03-01",
        modified_date: "2026-02-03"
      })
    }))
})
