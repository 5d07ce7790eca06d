import { assert, describe, it } from "@effect/vitest"
import * as Degradation from "../../src/domain/search/Degradation.ts"
import * as SearchStatus from "../../src/domain/search/SearchStatus.ts"

type Failed = Exclude<SearchStatus.SearchStatus, "success">

const failed = SearchStatus.SearchStatus.literals.filter((status): status is Failed =>
  status !== "success"
)
const advice = (status: Failed, locale = "en") =>
  Degradation.advice(status, "dentist fees", Degradation.languageOf(locale))

/** Which word of the reason tells the status, in the text of each language. */
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

describe("what a model is told when a search brought nothing", () => {
  it.each(failed)("%s says so, and what to go on with", (status) => {
    const [en, ko] = tellingWords[status]
    assert.include(advice(status), en)
    assert.match(advice(status), /existing knowledge|knowledge base and the conversation/)
    assert.include(advice(status, "ko-KR"), ko)
    assert.include(advice(status, "ko"), "바탕으로 답변하세요.")
  })

  it("begins with a mark that tells nothing found from no search", () => {
    for (const status of failed) {
      const isFinished = status === "no_results"
      const [en, ko] = isFinished
        ? ["[Search finished]", "[검색 완료]"]
        : ["[Web search unavailable]", "[웹 검색 사용 불가]"]
      assert.isTrue(advice(status).startsWith(en), status)
      assert.isTrue(advice(status, "ko").startsWith(ko), status)
      assert.strictEqual(advice(status).includes("dentist fees"), isFinished)
    }
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
