/**
 * Documents that are sent to the service over HTTP, by honest and by hostile callers.
 *
 * Promise: one is collected whole or not at all, within a bound of bytes and of time, and in places
 * of its own.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Socket } from "node:net"
import { pdfOf } from "../../packages/pages/test/support/pdfDocument.ts"
import { scripted } from "../support/grounding.ts"
import { dial, failureIn, frame, linesOf, post, serving, url } from "../support/service.ts"

const prose = "The reading room of the museum opens at half past seven and has sixty-four desks.\n"

type Query = Readonly<Record<string, string>>

const pathOf = (query: Query) => `/documents?${new URLSearchParams(query)}`

const note = (source_id: string): Query => ({ source_type: "user_note", source_id })

interface Upload {
  readonly query: Query
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers?: Query
}

const put = ({ body, headers = {}, query }: Upload) =>
  Effect.flatMap(url, (service) =>
    Effect.promise(async () => {
      const response = await fetch(`${service}${pathOf(query)}`, {
        method: "PUT",
        headers: { "content-type": "text/plain", ...headers },
        body
      })
      const text = await response.text()
      return {
        status: response.status,
        retryAfter: response.headers.get("retry-after"),
        json: text === "" ? {} : JSON.parse(text)
      }
    }))

/** Ids of the sources that the store holds on these words. */
const found = (query: string) =>
  Effect.gen(function*() {
    const { text } = yield* post(yield* url, frame("1", "SearchEvidence", { query }))
    const [line] = linesOf(text)
    const entries: ReadonlyArray<{ source_id: string }> = line?.["exit"].value.found
    return entries.map(({ source_id }) => source_id)
  })

/** The head of an upload, and no body yet. */
const headOf = (source_id: string, framing: string): string =>
  `PUT ${pathOf(note(source_id))} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
  `Content-Type: text/plain\r\n${framing}\r\n\r\n`

/** An upload of which the first bytes are there and the others never come. */
const begun = (source_id: string) =>
  Effect.gen(function*() {
    const socket = yield* dial(yield* url)
    socket.write(`${headOf(source_id, "Content-Length: 4000")}${prose}`)
    return socket
  })

/** What the service says first, or `undefined` when it says nothing in time. */
const firstAnswer = (socket: Socket, waitMs: number) =>
  Effect.promise(() =>
    new Promise<string | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), waitMs)
      socket.once("data", (data) => {
        clearTimeout(timer)
        resolve(String(data))
      }).resume()
    })
  )

const bytesMax = 65_536
const uploadMsMax = 1_500
const small = { bytesMax, uploadMsMax }
/** Twice the documents' time, and the bounds' absence must show within it. */
const patienceMs = 4_000

const invalid = (field: string): Query => ({ _tag: "InvalidInput", field })
const unreadable = (reason: string): Query => ({ _tag: "DocumentUnreadable", reason })
const typed = (type: string) => ({ headers: { "content-type": type } })

describe("documents over HTTP", () => {
  it.layer(serving(scripted("hangs")), { excludeTestServices: true })((it) => {
    it.effect(
      "are collected by their content type, found, and replaced when sent again",
      () =>
        Effect.gen(function*() {
          const html = `<html><head><title>Desks</title></head><body><p>${prose}</p></body></html>`
          const uploads: ReadonlyArray<Upload> = [
            { query: note("text"), body: prose },
            {
              query: { source_type: "paper", source_id: "markdown", published_date: "2026-03-02" },
              headers: { "content-type": "text/markdown; charset=UTF-8" },
              body: `# Desks\n\n${prose}`
            },
            { query: note("html"), headers: { "content-type": "text/html" }, body: html },
            {
              query: { ...note("pdf"), collector: "librarian", source_url: "https://a.example/x" },
              headers: { "content-type": "application/pdf" },
              body: new Uint8Array(
                pdfOf([[14, "The reading room of the museum has sixty-four desks."]])
              )
            }
          ]
          for (const upload of uploads) {
            const { json, status } = yield* put(upload)
            assert.strictEqual(status, 200, JSON.stringify(json))
            assert.deepInclude(json, {
              source_type: upload.query["source_type"],
              source_id: upload.query["source_id"],
              entries: 1,
              removed: 0
            })
          }
          assert.sameMembers([...(yield* found("reading room desks"))], [
            "text",
            "markdown",
            "html",
            "pdf"
          ])
          const again = yield* put({
            query: note("text"),
            body: "Bicycles are kept in the cellar."
          })
          assert.deepInclude(again.json, { entries: 1, removed: 1 })
          assert.notInclude(yield* found("reading room desks"), "text")
        }),
      60_000
    )

    it.effect.each<readonly [number, told: Query, query: Query, more?: Partial<Upload>]>([
      [400, invalid("source_id"), {}],
      [400, invalid("titel"), { ...note("a"), titel: "x" }],
      [400, invalid("source_type"), { source_type: "web_search", source_id: "a" }],
      [400, invalid("source_url"), { ...note("a"), source_url: "javascript:x" }],
      [415, unreadable("unknown_kind"), note("a"), typed("image/png")],
      [415, unreadable("not_utf8"), note("a"), typed("text/plain; charset=shift_jis")],
      [415, unreadable("not_utf8"), note("a"), { body: new Uint8Array([0xff, 0xfe, 0x00]) }],
      [422, unreadable("no_text"), note("a"), { body: " \n" }],
      [422, unreadable("malformed"), note("a"), typed("application/pdf")],
      [403, {}, note("a"), { headers: { origin: "http://evil.example" } }]
    ])(
      "are refused with %i and %j where they do not fit",
      ([status, told, query, more]) =>
        Effect.gen(function*() {
          const refused = yield* put({ query, body: prose, ...more })
          assert.strictEqual(refused.status, status, JSON.stringify(refused.json))
          assert.deepInclude(refused.json, told)
        }),
      60_000
    )
  })
})

describe("a document that is too large", () => {
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`
  /** Four times the bound, of which most need not be read. */
  const flood = (socket: Socket) => socket.write(chunk.repeat(16))

  const answers = Effect.gen(function*() {
    const service = yield* url
    const declared = yield* dial(service)
    declared.write(headOf("declared", `Content-Length: ${bytesMax + 1}`))
    const streamed = yield* dial(service)
    streamed.write(headOf("streamed", "Transfer-Encoding: chunked"))
    flood(streamed)
    return yield* Effect.all([
      firstAnswer(declared, patienceMs),
      firstAnswer(streamed, patienceMs)
    ], { concurrency: 2 })
  })

  it.layer(serving(scripted("hangs"), { documents: small }), { excludeTestServices: true })(
    (it) => {
      it.effect(
        "is refused before its body when it says so, and else in the middle of it",
        () =>
          Effect.gen(function*() {
            const [declared, streamed] = yield* answers
            assert.match(declared ?? "", /^HTTP\/1\.1 413 /)
            assert.match(streamed ?? "", /^HTTP\/1\.1 413 /)
          }).pipe(Effect.scoped),
        60_000
      )
    }
  )
})

describe("a document that is too slow or breaks off", () => {
  const places = { grounding: 4, read: 4, health: 1, document: 2 }

  it.layer(serving(scripted("hangs"), { documents: small, places }), {
    excludeTestServices: true
  })((it) => {
    it.effect(
      "keeps only other documents waiting, and gives its place back",
      () =>
        Effect.gen(function*() {
          const service = yield* url
          const slow = yield* Effect.forEach(["s1", "s2"], begun)
          yield* Effect.sleep("200 millis")
          const third = yield* Effect.forkChild(put({ query: note("third"), body: prose }))
          const read = yield* post(service, frame("1", "GetSession", { session_id: "none" }))
          assert.deepInclude(failureIn(read.text, "1"), { _tag: "SessionNotFound" })
          const shed = yield* Fiber.join(third)
          assert.strictEqual(shed.status, 429)
          assert.strictEqual(shed.retryAfter, "1")
          assert.deepInclude(shed.json, { _tag: "Overloaded", retry_after_ms: 1_000 })
          for (const socket of slow) {
            assert.match((yield* firstAnswer(socket, patienceMs)) ?? "", /^HTTP\/1\.1 408 /)
          }
          assert.strictEqual((yield* put({ query: note("fourth"), body: prose })).status, 200)
          assert.deepStrictEqual(yield* found("reading room desks"), ["fourth"])
        }).pipe(Effect.scoped),
      60_000
    )

    it.effect("is not collected in part, however often", () =>
      Effect.gen(function*() {
        yield* Effect.forEach(Array.from({ length: 6 }), (_, index) =>
          Effect.gen(function*() {
            const socket = yield* begun(`half${index}`)
            yield* Effect.sleep("50 millis")
            socket.destroy()
          }))
        const whole = yield* put({
          query: note("whole"),
          body: "Umbrellas dry in the entrance hall."
        })
        assert.strictEqual(whole.status, 200)
        const ids = yield* found("reading room desks umbrellas entrance hall")
        assert.include(ids, "whole")
        assert.isEmpty(ids.filter((id) => id.startsWith("half")))
        // The same bytes as a whole document would have been found.
        yield* put({ query: note("half-kept"), body: prose })
        assert.include(yield* found("reading room desks"), "half-kept")
      }).pipe(Effect.scoped), 60_000)
  })
})
