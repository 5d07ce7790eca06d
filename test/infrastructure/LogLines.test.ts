/**
 * Lines of the log: one an entry and each readable by a machine, whatever it holds; no stack, no
 * flood.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Schema } from "effect"
import { TestConsole } from "effect/testing"
import { logger } from "../../src/infrastructure/Redaction.ts"

const breaks = [
  "\n",
  "\r\n",
  "\u2028",
  "\u2029",
  "\u0085",
  "\u0000",
  "\u001b[31m",
  "\u001b]8;;x\u0007"
]
const forged = [
  "level=ERROR message=forged",
  "\",\"level\":\"ERROR\"",
  "{\"level\":\"ERROR\"}",
  "' OR 1=1 --",
  "${jndi:ldap://x}",
  "%0d%0aSet-Cookie: a=b",
  "<script>alert(1)</script>",
  "\\u000alevel=ERROR",
  "\u202eEVIL",
  "\u200b"
]

const naughtyTexts: ReadonlyArray<string> = breaks.flatMap((one) =>
  forged.flatMap((text) => [`a${one}${text}`, `${text}${one}b`])
)

class Lost extends Schema.TaggedError<Lost>()("Lost", { cause: Schema.Defect() }) {}

const written = (
  format: "json" | "logfmt" | "pretty",
  log: Effect.Effect<void>,
  secrets: ReadonlyArray<string> = []
) =>
  Effect.gen(function*() {
    yield* log.pipe(Effect.provide(Logger.layer([logger(secrets, format)])))
    return (yield* TestConsole.errorLines).map(String)
  })

const wait = Effect.logWarning("the read model waits", new Lost({ cause: new Error("no server") }))

describe("a line of the log", () => {
  it.effect("holds ids, and of an error its tag and messages, without a stack", () =>
    Effect.gen(function*() {
      const [line = ""] = yield* written(
        "json",
        Effect.annotateLogs(wait, { session_id: "s", request_id: "r" })
      )
      const { timestamp, ...fields } = JSON.parse(line)
      assert.match(timestamp, /^\d{4}-.*Z$/)
      assert.deepStrictEqual(fields, {
        level: "WARN",
        message: "the read model waits",
        session_id: "s",
        request_id: "r",
        error: "Lost",
        error_cause: "Error no server"
      })
    }))

  it.effect("names the position of a bug, without the machine's paths", () =>
    Effect.gen(function*() {
      const bug = new Error("cannot be\n    at nowhere")
      bug.stack = "Error: cannot be\n    at f (file:///home/me/node_modules/x/src/A.ts:3:4)\n" +
        "    at g (file:///home/me/wg/src/domain/session/Session.ts:120:7)"
      const [line = ""] = yield* written("json", Effect.logError("a bug", bug))
      assert.deepInclude(JSON.parse(line), {
        error: "Error",
        error_message: "cannot be",
        error_at: "domain/session/Session.ts:120"
      })
      assert.notMatch(line, /home|stack/)
    }))

  it.effect("is one object of JSON, whatever text is in it", () =>
    Effect.gen(function*() {
      const logged = Effect.forEach(
        naughtyTexts,
        (text) => Effect.annotateLogs(Effect.logInfo(text), { session_id: text }),
        { discard: true }
      )
      const lines = yield* written("json", logged)
      assert.strictEqual(lines.length, naughtyTexts.length)
      for (const [place, line] of lines.entries()) {
        assert.notMatch(line, /[\n\r\u001b\u2028]/)
        assert.strictEqual(JSON.parse(line).session_id, naughtyTexts[place])
      }
    }))

  it.effect("names every field once, also where an annotation is called like one of ours", () =>
    Effect.gen(function*() {
      const [line = ""] = yield* written(
        "logfmt",
        Effect.annotateLogs(Effect.logError("a request failed", "because"), {
          message: "forged",
          "b c": "x=y"
        })
      )
      assert.match(line, /^timestamp=\S+ level=ERROR message="a request failed because" /)
      assert.strictEqual(line.match(/message=/g)?.length, 1)
      assert.include(line, " b_c=\"x=y\"")
    }))

  it.effect("is for people to read where they ask for it", () =>
    Effect.gen(function*() {
      const [line = ""] = yield* written(
        "pretty",
        Effect.annotateLogs(Effect.logInfo("request ended"), { searches: 2 })
      )
      assert.match(line, /^\d\d:\d\d:\d\d\.\d{3} INFO {2}request ended {2}searches=2$/)
    }))

  it.effect("comes once for the same warning of a minute, and then with its number", () =>
    Effect.gen(function*() {
      const flood = Effect.forEach(
        Array.from({ length: 20 }, (_, place) => `s${place}`),
        (session_id) => Effect.annotateLogs(wait, { session_id }),
        { discard: true }
      )
      const other = Effect.logWarning("something else")
      const told = Effect.logInfo("request ended")
      const lines = yield* written(
        "json",
        flood.pipe(Effect.andThen(other), Effect.andThen(told), Effect.andThen(told))
      )
      const entries = lines.map((line) => JSON.parse(line))
      assert.deepStrictEqual(entries.map(({ message, repeated }) => [message, repeated]), [
        ["the read model waits", undefined],
        ["something else", undefined],
        ["request ended", undefined],
        ["request ended", undefined],
        ["the read model waits", 19]
      ])
      assert.strictEqual(entries.at(-1).session_id, "s19")
    }))

  it.effect("holds no secret in any format", () =>
    Effect.gen(function*() {
      const secret = "canary/\"12+34"
      const logged = Effect.logError(`got ${secret}`, new Error(secret)).pipe(
        Effect.annotateLogs({ url: encodeURIComponent(secret) })
      )
      for (const format of ["json", "logfmt", "pretty"] as const) {
        const lines = (yield* written(format, logged, [secret])).join()
        assert.notInclude(lines, "canary")
        assert.include(lines, "[redacted]")
      }
    }))
})
