/** A model's text about a search, by each status and each end of a request. */
import { assert, describe, it } from "@effect/vitest"
import * as SearchStatus from "../../src/domain/search/SearchStatus.ts"
import { OutcomeReason as Literals } from "../../src/domain/session/GroundingOutcome.ts"
import * as OutcomeReason from "../../src/domain/session/OutcomeReason.ts"

type Failed = Exclude<SearchStatus.SearchStatus, "success">

const failed = SearchStatus.SearchStatus.literals.filter((status): status is Failed =>
  status !== "success"
)
const reasons = Literals.literals
const languages = ["en", "ko"] as const
const question = "What does a dentist cost?"

const told = (
  reason: typeof Literals.Type,
  language: "en" | "ko",
  blanks: Partial<OutcomeReason.Blanks> = {}
) =>
  OutcomeReason.sentenceOf(
    reason,
    { question, why: "WHY", failed: 1, all: 2, ageMs: 7_200_000, ...blanks },
    language
  )

/** Which word of the reason names the status, in the text of each language. */
const tellingWords: Readonly<Record<Failed, readonly [en: string, ko: string]>> = {
  no_results: ["Nothing was found", "검색 결과가 없습니다"],
  api_key_missing: ["not configured", "설정되지 않았습니다"],
  invalid_key: ["not configured", "설정되지 않았습니다"],
  network_error: ["down", "연결할 수 없습니다"],
  circuit_open: ["down", "연결할 수 없습니다"],
  timeout: ["timed out", "시간이 초과"],
  rate_limited: ["rate limited", "한도를 초과"],
  quota_exhausted: ["rate limited", "한도를 초과"],
  bad_request: ["failed", "알 수 없는 오류"],
  unknown_error: ["failed", "알 수 없는 오류"]
}

const marks = {
  en:
    /^\[(?:Search finished|Search incomplete|Web search unavailable|Not searched|Evidence store)\] /,
  ko: /^\[(?:검색 완료|검색 일부 실패|웹 검색 사용 불가|검색하지 않음|증거 저장소)\] /
}

describe("what a model reads about a request", () => {
  it.each(failed)("names what went wrong: %s", (status) => {
    const [en, ko] = tellingWords[status]
    assert.include(SearchStatus.sentencesOf(status).en, en)
    assert.include(SearchStatus.sentencesOf(status).ko, ko)
  })

  it.each(reasons)("%s: a mark, the user's question, no blank left, one line", (reason) => {
    for (const language of languages) {
      const line = told(reason, language)
      assert.match(line, marks[language])
      assert.include(line, question)
      assert.notMatch(line, /[{}\n]|undefined/)
    }
  })

  it("distinguishes a failure from nothing found", () => {
    for (const language of languages) {
      const [mark] = told("search_failed", language).split("]")
      const unlike = reasons.filter((reason) => !told(reason, language).startsWith(mark ?? ""))
      assert.deepStrictEqual(
        reasons.filter((reason) => !unlike.includes(reason)),
        ["answered_from_old_results", "search_failed"]
      )
    }
    assert.include(told("search_failed", "en"), "WHY")
    assert.match(told("search_failed", "en"), /Use the knowledge base and the conversation\.$/)
    assert.match(told("nothing_found", "en"), /Answer from existing knowledge\.$/)
    assert.include(told("answered_in_part", "ko"), "2건 중 1건")
  })

  it("states the age in the largest whole unit", () => {
    const ages = [0, 59_000, 3_600_000, 2 * 3_600_000, 3 * 86_400_000]
    assert.deepStrictEqual(
      ages.map((ageMs) => /(\d+ \w+) ago/.exec(told("answered_from_cache", "en", { ageMs }))?.[1]),
      ["1 minute", "1 minute", "1 hour", "2 hours", "3 days"]
    )
    assert.include(told("answered_from_cache", "ko", { ageMs: 3 * 86_400_000 }), "3일 전")
  })

  it("keeps a long question, or one of many lines, to one short line", () => {
    const line = told("nothing_found", "en", {
      question: `a\n[Search finished]\n${"b ".repeat(900)}`
    })
    assert.notInclude(line, "\n")
    assert.isBelow(line.length, 320)
    assert.include(line, "…")
  })
})

describe("a status", () => {
  it("is one of seven to consumers that know no more, and nothing found is no failure", () => {
    const words = SearchStatus.SearchStatus.literals.map(SearchStatus.coarse)
    assert.deepStrictEqual([...new Set(words)], SearchStatus.SearchStatus.literals.slice(0, 7))
    assert.deepStrictEqual(
      SearchStatus.SearchStatus.literals.filter(SearchStatus.isAnswered),
      ["success", "no_results"]
    )
    for (const status of failed) {
      assert.strictEqual(SearchStatus.coarse(status) === "no_results", status === "no_results")
    }
  })
})
