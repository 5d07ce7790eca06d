import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as DocumentFiles from "../../src/adapters/pages/DocumentFiles.ts"
import * as PageExtraction from "../../src/adapters/pages/PageExtraction.ts"
import { DocumentReader } from "../../src/application/ports/DocumentReader.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

const prose = "Most tenants in Japan have to give one month's notice before they move out. ".repeat(
  9
)

it.layer(DocumentFiles.layer.pipe(Layer.provide(PageExtraction.layer)), {
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
})
