/** Time stamps on anchors (RFC 3161), by an authority that speaks the protocol. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as OutsideAnchors from "../../src/adapters/anchors/OutsideAnchors.ts"
import * as TimestampRequest from "../../src/adapters/anchors/TimestampRequest.ts"
import { AnchorOutlets } from "../../src/application/audit/AnchorOutlets.ts"
import * as Authority from "../support/timestampAuthority.ts"

const envelope = (payload: string) => ({
  payloadType: "application/vnd.web-grounding.anchor+json",
  payload,
  signatures: [{ keyid: "00".repeat(32), sig: "c2ln" }]
})

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "wg-timestamps-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const served = (...answer: Parameters<typeof Authority.serve>) =>
  Effect.acquireRelease(
    Effect.promise(() => Authority.serve(...answer)),
    ({ end }) => Effect.sync(end)
  )

const outlets = (options: Partial<OutsideAnchors.Outlets>) =>
  Effect.provide(
    AnchorOutlets,
    Layer.fresh(OutsideAnchors.layer({
      file: Option.none(),
      command: Option.none(),
      timestamps: Option.none(),
      ...options
    }))
  )

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([
    Buffer.from([tag, 0x82, content.length >> 8, content.length & 255]),
    content
  ])
}

/** What an authority would say: its status, and a token that repeats the request. */
const reply = (status: number, repeated: Uint8Array): Buffer =>
  der(0x30, der(0x30, Buffer.from([2, 1, status])), der(0x30, repeated))

const end = (response: ServerResponse, body: Uint8Array | string, status = 200) => {
  response.writeHead(status, { "content-type": "application/timestamp-reply" }).end(body)
}

describe("time stamps on anchors", () => {
  it("are asked for as RFC 3161 has it", () => {
    const stamped = Buffer.from("an anchor")
    const { body } = TimestampRequest.timestampRequest(
      stamped,
      Buffer.from("4102030405060708", "hex")
    )
    const digest = createHash("sha256").update(stamped).digest("hex")
    assert.strictEqual(
      Buffer.from(body).toString("hex"),
      `3043020101` + `3031300d060960864801650304020105000420${digest}` +
        "02084102030405060708" + "0101ff"
    )
    const drawn = [
      TimestampRequest.timestampRequest(stamped),
      TimestampRequest.timestampRequest(stamped)
    ]
    assert.notDeepEqual(drawn[0]?.body, drawn[1]?.body)
    // Positive, and in as many bytes as DER gives it: some authorities send the shorter form back.
    for (const { body } of drawn) assert.isTrue((body[58] ?? 0) >= 0x40 && (body[58] ?? 0) < 0x80)
  })

  it.live.skipIf(!Authority.hasOpenssl)(
    "are those that OpenSSL gives and verifies, skipped without it",
    () =>
      Effect.gen(function*() {
        const path = yield* folder
        Authority.prepare(path)
        const { address } = yield* served((query, contentType, response) =>
          contentType === "application/timestamp-query"
            ? end(response, Authority.answerTo(path, query))
            : end(response, "", 415)
        )
        const { isSet, ship } = yield* outlets({
          timestamps: Option.some({ address, folder: path })
        })
        assert.isTrue(isSet)
        yield* ship(envelope("one"), 12)
        const file = join(path, "anchor-12.json")
        assert.strictEqual(readFileSync(file, "utf8"), `${JSON.stringify(envelope("one"))}\n`)
        assert.include(Authority.verified(path, file, `${file}.tsr`), "Verification: OK")
        writeFileSync(file, readFileSync(file, "utf8").replace("one", "two"))
        assert.throws(() => Authority.verified(path, file, `${file}.tsr`))
      }).pipe(Effect.scoped)
  )

  it.live("are refused where they are of something else, and nothing is kept", () =>
    Effect.gen(function*() {
      const path = yield* folder
      let answer: (query: Uint8Array, response: ServerResponse) => void = () => {}
      const { address } = yield* served((query, _, response) => answer(query, response))
      const { ship } = yield* outlets({ timestamps: Option.some({ address, folder: path }) })
      const other = TimestampRequest.timestampRequest(Buffer.from("another anchor"))
      const cases: ReadonlyArray<readonly [typeof answer, RegExp]> = [
        [(query, response) => end(response, reply(2, query)), /refused it \(status 2\)/],
        [(_, response) => end(response, reply(0, other.body)), /of something else/],
        [(query, response) => end(response, reply(0, query.subarray(0, 56))), /something else/],
        [(_, response) => end(response, "<html>Sign in</html>"), /no time-stamp response/],
        [(_, response) => end(response, ""), /no time-stamp response/],
        [(query, response) => end(response, reply(0, query).subarray(0, 60)), /no time-stamp/],
        [(query, response) => end(response, reply(0, query), 503), /answered with 503/],
        [(_, response) => end(response, Buffer.alloc(300_000)), /cut off or too large/],
        [(_, response) => response.destroy(), /cannot be reached/]
      ]
      for (const [answers, problem] of cases) {
        answer = answers
        const failed = yield* Effect.flip(ship(envelope("one"), 1))
        assert.match(failed.message, problem)
        assert.isTrue(failed.message.startsWith("ANCHOR_TIMESTAMP_URL: "))
        assert.isFalse(existsSync(join(path, "anchor-1.json.tsr")))
      }
      answer = (query, response) => end(response, reply(0, query))
      yield* ship(envelope("one"), 1)
      assert.isTrue(existsSync(join(path, "anchor-1.json.tsr")))
    }).pipe(Effect.scoped))

  it.live("that fail keep no anchor from the file, and do not put it there twice", () =>
    Effect.gen(function*() {
      const path = yield* folder
      let isAway = true
      const { address } = yield* served((query, _, response) =>
        isAway ? end(response, "", 503) : end(response, reply(0, query))
      )
      const file = join(path, "anchors.jsonl")
      const { ship } = yield* outlets({
        file: Option.some(file),
        timestamps: Option.some({ address, folder: path })
      })
      for (const _ of ["first", "second"]) yield* Effect.flip(ship(envelope("one"), 1))
      isAway = false
      yield* ship(envelope("one"), 1)
      assert.strictEqual(readFileSync(file, "utf8"), `${JSON.stringify(envelope("one"))}\n`)
      assert.isTrue(existsSync(join(path, "anchor-1.json.tsr")))
    }).pipe(Effect.scoped))
})
