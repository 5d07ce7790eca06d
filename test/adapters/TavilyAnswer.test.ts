import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isoDate } from "../../packages/dialects/src/Dialect.ts"
import * as Tavily from "../../packages/dialects/src/Tavily.ts"
import * as RetryAfter from "../../src/infrastructure/RetryAfter.ts"
import { assertPromised } from "../contract/searchProviderContract.ts"
import { readBy } from "../support/sandboxSearch.ts"

const readAnswer = (body: string) => readBy(Tavily.Tavily, body)

const now = DateTime.makeUnsafe("2026-11-21T12:00:00Z")
const day = RetryAfter.millisMax

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["1", 1_000],
    ["30", 30_000],
    [" 60 ", 60_000],
    ["1.5", 1_500],
    ["0.0001", 1],
    ["86400", day],
    ["86401", day],
    ["1000000000", day],
    ["999999999999", day],
    ["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 12:00:00 GMT", 0],
    ["Sat, 21 Nov 2026 11:59:59 GMT", 0],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["Fri, 31 Dec 9999 23:59:59 GMT", day]
  ])(
    "'%s' is %i ms",
    (header, ms) => assert.deepStrictEqual(RetryAfter.millis(header, now), Option.some(ms))
  )

  it.each([
    "",
    " ",
    "-5",
    "-1",
    "+5",
    "1e9",
    "0x10",
    "Infinity",
    "NaN",
    "soon",
    "30s",
    "30 seconds",
    "1,5",
    "1.",
    ".5",
    "1.2.3",
    "9999999999999",
    "٣٠",
    "null",
    "2026-11-21T12:00:30Z",
    "tomorrow",
    "Sat, 99 Nov 2026 12:00:30 GMT",
    "Sat, 21 Foo 2026 12:00:30 GMT",
    "Sat, 21 Nov 2026 12:00:30",
    "Saturday, 21-Nov-26 12:00:30 GMT",
    "Sat Nov 21 12:00:30 2026",
    "Bearer tvly-x",
    "30;q=1",
    "Sat, 21 Nov 2026 25:00:30 GMT",
    "5, 10",
    "🕐"
  ])(
    "'%s' is no time",
    (header) => assert.deepStrictEqual(RetryAfter.millis(header, now), Option.none())
  )

  it.prop("law: any header gives nothing, or 0 to a day", [Schema.String], ([header]) => {
    const ms = Option.getOrElse(RetryAfter.millis(header, now), () => 0)
    assert.isTrue(Number.isInteger(ms) && ms >= 0 && ms <= day)
  })
})

describe("the status table", () => {
  it("names a status for every HTTP status outside the two hundreds", () => {
    for (let status = 100; status < 600; status++) {
      const fault = Tavily.Tavily.faultOf(status, "")
      assert.strictEqual(Option.isNone(fault), status >= 200 && status < 300, String(status))
      if (Option.isNone(fault)) continue
      assert.notInclude(["success", "no_results", "api_key_missing", "timeout"], fault.value.status)
    }
  })

  it.each([
    ["Plan API usage limit reached. Please upgrade your plan", "quota_exhausted"],
    ["This request exceeds your usage limit", "quota_exhausted"],
    ["Too many requests", "rate_limited"],
    ["See our explanation of planets", "rate_limited"]
  ])("429 saying '%s' is %s", (error, status) =>
    assert.strictEqual(
      Option.getOrThrow(Tavily.Tavily.faultOf(429, JSON.stringify({ detail: { error } }))).status,
      status
    ))

  it.each(["", "<html>plan</html>", "{}", "[]", "null", "{\"detail\":\"plan\"}"])(
    "429 with the body '%s' is a rate limit",
    (body) => {
      const fault = Option.getOrThrow(Tavily.Tavily.faultOf(429, body))
      assert.strictEqual(fault.status, "rate_limited")
    }
  )
})

describe("dates", () => {
  it.each([
    ["2026-09-01", "2026-09-01"],
    ["2026-09-01T23:30:00-05:00", "2026-09-01"],
    ["2026-09-01 10:00:00", "2026-09-01"],
    ["Tue, 19 Nov 2024 02:05:14 GMT", "2024-11-19"],
    ["Tue, 19 Nov 2024 23:30:00 -0500", "2024-11-20"],
    ["Fri, 1 Mar 2024 00:00:00 UTC", "2024-03-01"]
  ])(
    "'%s' is %s",
    (text, date) => assert.deepStrictEqual(isoDate(text), Option.some(date))
  )

  it.each([
    "",
    "2026",
    "yesterday",
    "2026-13-01",
    "2026-02-30",
    "01/02/2026",
    "1700000000",
    "Foo, 99 Bar 2024 02:05:14 GMT",
    "2026-09-01junk"
  ])("'%s' is none", (text) => assert.deepStrictEqual(isoDate(text), Option.none()))
})

describe("answers", () => {
  const Json = Schema.Json

  it.prop("law: any JSON is no answer, or a promised one", [Json], ([body]) => {
    const answer = readAnswer(JSON.stringify(body))
    if (Option.isSome(answer)) assertPromised(answer.value, 5)
  })

  it.prop("law: any results make no answer, or a promised one", [
    Schema.Array(Schema.Struct({ url: Schema.String, title: Json, content: Json, score: Json }))
  ], ([found]) => {
    const results = found.map((result, place) => ({
      ...result,
      url: place % 2 === 0 ? `https://a.example/${result.url}` : result.url
    }))
    const answer = readAnswer(JSON.stringify({ results }))
    if (Option.isSome(answer)) assertPromised(answer.value, 5)
  })

  it("hidden characters are gone and what is too long is cut", () => {
    const results = [
      {
        url: "https://a.example",
        title: "A\u0000 \u202Etitle\u200B\r\ntwo",
        content: "Ig\u200Bnore\u0007"
      },
      { url: "https://b.example", title: "t".repeat(301), content: "c".repeat(8_001) }
    ]
    const answer = Option.getOrThrow(readAnswer(JSON.stringify({ results })))
    assert.deepStrictEqual(answer.hits.map(({ content, title }) => [title, content]), [
      ["A title two", "Ignore"],
      ["t".repeat(300), "c".repeat(8_000)]
    ])
  })

  it("no results is an honest answer; results that are all unusable are none", () => {
    assert.isTrue(Option.isSome(readAnswer("{\"results\":[]}")))
    assert.isTrue(Option.isNone(readAnswer("{\"results\":[{\"url\":\"x\"}]}")))
  })

  it("credits are reported as they are, and what is no number as such", () => {
    const told = (usage: string) => Option.getOrThrow(readAnswer(`{"results":[]${usage}}`)).credits
    const credits = (value: string) => told(`,"usage":{"credits":${value}}`)
    assert.deepStrictEqual(["-1", "1e9", "0.5", "1e400"].map(credits), [-1, 1e9, 0.5, Infinity])
    assert.deepStrictEqual(["\"1\"", "{}"].map(credits), [NaN, NaN])
    assert.deepStrictEqual([credits("null"), told(""), told(",\"usage\":{}")], [
      undefined,
      undefined,
      undefined
    ])
  })

  it("a score beyond all numbers is no score", () => {
    const body = `{"results":[{"url":"https://a.example","title":"t","score":1e400}]}`
    const answer = Option.getOrThrow(readAnswer(body))
    assert.deepStrictEqual(answer.hits.map((hit) => "score" in hit), [false])
  })

  it("deep nesting is survived", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
    assert.isTrue(Option.isNone(readAnswer(deep)))
    assert.isTrue(Option.isNone(readAnswer(`{"results":[${deep}]}`)))
  })
})

describe("countries", () => {
  it.each([
    ["US", "united states"],
    ["KR", "south korea"],
    ["CZ", "czech republic"],
    ["TR", "turkey"]
  ])(
    "%s is %s",
    (code, name) => assert.deepStrictEqual(Tavily.countryName(code), Option.some(name))
  )

  it.each(["", "us", "XX", "AQ", "CD", "toString", "__proto__"])(
    "'%s' has no name",
    (code) => assert.deepStrictEqual(Tavily.countryName(code), Option.none())
  )

  const openapi = join(import.meta.dirname, "../../../shared/data/tavily/openapi.json")
  it.skipIf(!existsSync(openapi))("every name of the OpenAPI document is known", () => {
    const { paths } = JSON.parse(readFileSync(openapi, "utf8"))
    const { schema } = paths["/search"].post.requestBody.content["application/json"]
    const listed: ReadonlyArray<string> = schema.properties.country.enum
    const codes = listed.flatMap((name) => Option.toArray(Tavily.countryCode(name)))
    assert.strictEqual(new Set(codes).size, 166)
    assert.strictEqual(listed.length, 166)
  })
})
