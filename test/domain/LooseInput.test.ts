/** Input that agents' clients write loosely is what they mean, and nothing else is changed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Predicate, Result, Schema } from "effect"
import { agentTools } from "../../src/contract/AgentTools.ts"
import * as Input from "../../src/contract/Input.ts"
import { isTopicAlone } from "../../src/domain/need/Eligibility.ts"
import { requestOf } from "../support/sessionFacts.ts"

const read = (input: unknown) =>
  Effect.runSync(Effect.result(Input.decode(agentTools.web_grounding.input)(input)))

const topic = "How much notice must a tenant give?"

const strict = Schema.Struct({
  topic: Schema.Literal(topic),
  deadline_ms: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 250, maximum: 120_000 }))
  ),
  user_asked_for_facts: Schema.optionalKey(Schema.Boolean),
  known_facts: Schema.optionalKey(
    Schema.Array(Schema.Literals(["It is a flat.", "12", "true", "[x]", "a, b"]))
  ),
  overrides: Schema.optionalKey(Schema.Struct({
    max_queries: Schema.optionalKey(Schema.Literals([0, 1, 2, 3])),
    include_domains: Schema.optionalKey(Schema.Array(Schema.Literals(["a.example", "b.example"])))
  }))
})

/** Everything but texts as text, each level of it. */
const asText = (value: unknown): unknown => {
  if (typeof value === "string") return value
  if (!Predicate.isObject(value)) return JSON.stringify(value)
  return JSON.stringify(Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, asText(part)])
  ))
}

describe("a topic", () => {
  const request = requestOf({})
  it.each([
    ["Fees of Halvern", true],
    ["Fees; deeds; taxes", true],
    ["What does it cost?", false],
    ["Πόσο κοστίζει;", false],
    ["Τέλη και φόροι", true],
    ["Որքա՞ն է վճարը", false],
    ["كم الرسم؟", false],
    ["手数料はいくらですか？", false],
    ["how much does a parking permit cost", false],
    ["Which office issues dive permits", false],
    ["Was kostet das Bewohnerparken", false],
    ["汐見市では何日前までに知らせる必要がありますか", false],
    ["주차장 요금은 얼마인가요", false],
    ["How tenancy works in Japan", true],
    ["What tenants can do", true],
    ["Will writing in Scotland", true],
    ["WHO guidelines on salt", true],
    ["Do's and don'ts at work", true],
    ["日本の賃貸契約", true]
  ])("asks by a mark, or by words that only questions begin or end with: %s", (topic, isAlone) => {
    const { user_question: _, ...asked } = request
    assert.strictEqual(isTopicAlone({ ...asked, topic }), isAlone)
  })
})

describe("input that is written loosely", () => {
  it.prop("is read as its strict form, whatever of it came as text", [strict], ([input]) => {
    const loose = Object.fromEntries(
      Object.entries(input).map(([name, value]) => [name, asText(value)])
    )
    assert.deepStrictEqual(
      read({ ...loose, region: null, locale: "", session_id: null }),
      read(input)
    )
  })

  it.each([
    [{ topic, deadline_ms: " 30000 " }, { deadline_ms: 30_000 }],
    [{ topic, user_asked_for_facts: "True" }, { user_asked_for_facts: true }],
    [{ topic, overrides: { time_range: null, max_queries: "" } }, {
      overrides: { include_domains: [], exclude_domains: [] }
    }],
    [{ topic, overrides: { include_domains: "a.example, b.example" } }, {
      overrides: { include_domains: ["a.example", "b.example"], exclude_domains: [] }
    }],
    [{ topic, locale: "  ", region: " " }, { locale: "en" }],
    [{ topic, locale: "ko-KR\n" }, { locale: "ko-KR" }],
    [{ topic, overrides: { include_domains: [" a.example"] } }, {
      overrides: { include_domains: ["a.example"], exclude_domains: [] }
    }],
    [{ topic, known_facts: [" It is a flat. "] }, { known_facts: [" It is a flat. "] }],
    [{ topic: "123" }, { topic: "123" }],
    [{ topic: "[\"a\"]" }, { topic: "[\"a\"]" }],
    [{ topic, known_facts: ["7"] }, { known_facts: ["7"] }]
  ])("means what it can only mean: %j", (input, meant) => {
    assert.deepInclude(Result.getOrThrow(read(input)), meant)
  })

  it.each([
    [{ topic, deadline_ms: "soon" }, "deadline_ms", /Expected number/],
    [{ topic, deadline_ms: "1e999" }, "deadline_ms", /Expected/],
    [{ topic, phase: "later, or never" }, "phase", /Expected "session_setup"/],
    [{ topic, overrides: "{\"max_queries\":9}" }, "overrides.max_queries", /Expected/],
    [{ topic, overrides: "{max_queries:1}" }, "overrides", /Expected object/],
    [{ topic: null }, "topic", /Expected string/],
    [{ topic: "" }, "topic", /not blank/],
    [{ topic: " \n" }, "topic", /not blank/],
    [null, "", /Expected object/],
    ["", "", /Expected object/],
    [{ topic, unheard_of: "1" }, "unheard_of", /./]
  ])("is refused by its field where it can mean nothing: %j", (input, field, problem) => {
    const failure = Result.getOrThrow(Result.flip(read(input)))
    assert.strictEqual(failure.field, field)
    assert.match(failure.problem, problem)
  })
})
