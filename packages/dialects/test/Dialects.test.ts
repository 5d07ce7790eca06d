/** Laws of every dialect: what is written for a wire is read back from it. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result, Schema } from "effect"
import {
  carried,
  type EngineResult,
  type EngineSearch,
  honouredOf,
  inRanges,
  type SearchDialect
} from "../src/Dialect.ts"
import { dialects, type Engine, engines } from "../src/Dialects.ts"

const now = DateTime.makeUnsafe("2026-11-27T12:00:00Z")

const Host = Schema.Literals([
  "a.example",
  "city.gov.example",
  "news.b.example",
  "xn--bcher-kva.de"
])
const Hosts = Schema.Array(Host).check(Schema.isMaxLength(3), Schema.isUnique())
const Query = Schema.Array(
  Schema.Literals([
    "rent",
    "보증금",
    "敷金",
    "2026",
    "tram's",
    "\"fare zone\"",
    "a+b&c=d",
    "50%",
    "é"
  ])
).check(Schema.isMinLength(1), Schema.isMaxLength(6))
const Country = Schema.Literals(["US", "GB", "DE", "KR", "JP", "BR", "CH", "AQ"])
const Drawn = Schema.Struct({
  words: Query,
  hitsMax: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })),
  depth: Schema.Literals(["basic", "advanced"]),
  topic: Schema.Literals(["general", "news", "finance"]),
  locale: Schema.Literals(["en", "en-US", "ko-KR", "zh-TW", "pt-BR", "de", "he", "xx"]),
  country: Schema.optionalKey(Country),
  timeRange: Schema.optionalKey(Schema.Literals(["day", "week", "month", "year"])),
  from: Schema.optionalKey(Schema.Literals(["1999-12-31", "2024-02-29", "2026-11-20"])),
  until: Schema.optionalKey(Schema.Literals(["2026-11-25", "2026-12-01"])),
  includeDomains: Hosts,
  excludeDomains: Hosts
})

/** A range or days: no request has both. */
const askedOf = ({ timeRange, words, ...fields }: typeof Drawn.Type): EngineSearch => ({
  query: words.join(" "),
  ...fields,
  ...((fields.from ?? fields.until) === undefined && timeRange !== undefined ? { timeRange } : {})
})

const sentOf = (dialect: SearchDialect, asked: EngineSearch): EngineSearch =>
  dialect.days === undefined ? asked : inRanges(asked, now)

const Day = Schema.Literals(["2026-11-01", "2024-02-29", "1999-12-31"])
const Text = Schema.Literals([
  "T",
  "보증금 & 敷金",
  "<b>5 > 3</b>",
  "a \"quote\"",
  "50 % of 1,200 €"
])
const Results = Schema.Array(Schema.Struct({
  url: Schema.Literals([
    "https://a.example/",
    "https://b.example/x?y=1&z=%C3%A9",
    "http://city.gov.example/a-b_c"
  ]),
  title: Text,
  content: Text,
  score: Schema.Literals([0, 0.25, 1]),
  published_date: Schema.optionalKey(Day)
})).check(Schema.isMaxLength(5))

const rows: ReadonlyArray<readonly [string, SearchDialect]> = Object.entries(dialects)

describe.each(rows)("the dialect of %s", (_, dialect) => {
  it.prop("law: a request that is read asks for what was asked", [Drawn], ([drawn]) => {
    const asked = sentOf(dialect, askedOf(drawn))
    const fields = dialect.fieldsOf(asked, now)
    const read = Result.getOrThrow(dialect.askedOf(carried(dialect, fields)))
    assert.strictEqual(read.query, asked.query)
    assert.deepStrictEqual(read.includeDomains, asked.includeDomains)
    assert.deepStrictEqual(read.excludeDomains, asked.excludeDomains)
    // A wire without ranges has the first day of one.
    assert.strictEqual(read.timeRange, read.from === undefined ? asked.timeRange : undefined)
    if (asked.from !== undefined) assert.strictEqual(read.from, asked.from)
    if (asked.until !== undefined) assert.strictEqual(read.until, asked.until)
    // What a wire has no field for does not come through; all that did is written alike.
    assert.deepStrictEqual(dialect.fieldsOf(read, now), fields)
  })

  it.prop("law: an answer that is read holds what was found", [Results], ([withRepeats]) => {
    const drawn = [...new Map(withRepeats.map((result) => [result.url, result])).values()]
    const body = dialect.bodyOf({ results: drawn }, { query: "rent", fields: {} })
    const { results } = Result.getOrThrow(dialect.answerOf(body, now))
    const read = results.map((result) => Option.getOrThrow(result))
    assert.deepStrictEqual(
      read,
      drawn.map(({ score, ...found }): EngineResult => (read[0]?.score === undefined
        ? found
        : { ...found, score })
      )
    )
    assert.isTrue(Option.isNone(dialect.faultOf(200, body)))
  })

  it.prop("law: any text is no answer, or one that can be read", [Schema.String], ([body]) => {
    assert.isTrue(Result.isResult(dialect.answerOf(body, now)))
    for (const status of [200, 302, 400, 401, 429, 500]) {
      assert.isTrue(Option.isOption(dialect.faultOf(status, body)))
    }
  })

  it("asks for no more domains than it takes, the first first", () => {
    const many = Array.from({ length: 2_000 }, (_, place) => `d${place}.example`)
    for (const names of ["includeDomains", "excludeDomains"] as const) {
      const fields = dialect.fieldsOf({ query: "tram", [names]: many }, now)
      const read = Result.getOrThrow(dialect.askedOf(carried(dialect, fields)))
      assert.strictEqual(read[names]?.[0], many[0])
    }
  })

  it("reads each refusal of its own as a fault", () => {
    const told = [dialect.noKey, ...Object.values(dialect.faults)]
    for (const { body = "", status } of told.filter(({ status }) => status !== 200)) {
      assert.isTrue(Option.isSome(dialect.faultOf(status, body)), `${status} ${body}`)
    }
  })

  it("refuses a search without words, and reads none from what is no request", () => {
    for (const odd of [null, 7, "q", [], {}, { q: " ", query: " " }]) {
      assert.isTrue(Result.isFailure(dialect.askedOf(odd)), JSON.stringify(odd))
    }
  })
})

describe("what a wire honours", () => {
  const kenya = { query: "rent", country: "KE", locale: "ja" }
  const days = { from: "2026-11-01", until: "2026-11-20" }
  const honours = (dialect: SearchDialect, asked: EngineSearch) =>
    honouredOf(dialect, { asked, sent: sentOf(dialect, asked), now })

  type Honour = "applied" | "approximated" | "ignored"
  /** Days of publication, a country that not all know, a language other than English. */
  const table: Readonly<Record<Engine, readonly [Honour, Honour, Honour]>> = {
    tavily: ["applied", "applied", "ignored"],
    duckduckgo: ["approximated", "ignored", "ignored"],
    serpapi: ["applied", "applied", "applied"],
    searxng: ["approximated", "applied", "applied"],
    brave: ["applied", "ignored", "applied"],
    brave_context: ["applied", "ignored", "applied"],
    exa: ["applied", "applied", "ignored"],
    serper: ["applied", "applied", "applied"]
  }

  it.each(engines)("is what %s can be asked for", (name) => {
    const [published, country, language] = table[name]
    const dialect = dialects[name]
    assert.deepStrictEqual(honours(dialect, { ...kenya, ...days }), {
      published,
      country,
      language
    })
    assert.deepStrictEqual(honours(dialect, { query: "rent", locale: "en" }), {})
    assert.deepStrictEqual(honours(dialect, { query: "rent", timeRange: "week" }), {
      time_range: "applied"
    })
    // No range ends before today, and none begins before a year.
    for (const open of [{ until: days.until }, { from: "2019-01-01" }]) {
      assert.deepStrictEqual(honours(dialect, { query: "rent", ...open }), {
        published: published === "applied" ? "applied" : "ignored"
      })
    }
  })
})
