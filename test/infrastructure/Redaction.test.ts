import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestConsole } from "effect/testing"
import { logger, redact } from "../../src/infrastructure/Redaction.ts"

const key = "tvly-canary/12+34"
const password = "p\"w\\d-secret"

describe("redaction", () => {
  it("replaces a secret in plain text, in a URL and in JSON", () => {
    const clean = redact([key, password])
    const text = `${key} ?api_key=${encodeURIComponent(key)} ${JSON.stringify({ password })}`
    assert.strictEqual(clean(text), "[redacted] ?api_key=[redacted] {\"password\":\"[redacted]\"}")
  })

  it("replaces the longer of two secrets that begin alike", () => {
    assert.strictEqual(redact(["secret-1", "secret-12"])("secret-12"), "[redacted]")
  })

  it("leaves texts alone when a setting is too short to be a secret", () => {
    assert.strictEqual(redact(["a", ""])("banana"), "banana")
  })

  it.effect("holds for whatever is logged: messages, causes, annotations, lines", () =>
    Effect.gen(function*() {
      yield* Effect.logError(`got ${key}`, new Error(`bug with ${key}`)).pipe(
        Effect.annotateLogs({ url: `https://x/?k=${encodeURIComponent(key)}` }),
        Effect.provide(Logger.layer([logger([key])]))
      )
      yield* Effect.logInfo("forged\nlevel=INFO message=fake \u001b[31m").pipe(
        Effect.provide(Logger.layer([logger([])]))
      )
      const lines = (yield* TestConsole.errorLines).map(String)
      assert.strictEqual(lines.length, 2)
      assert.notInclude(lines.join(), key)
      assert.notInclude(lines.join(), encodeURIComponent(key))
      // One entry is one line, whatever a page or a caller put into it.
      for (const line of lines) assert.notMatch(line, /[\n\u001b]/)
    }))
})
