import { assert, describe, it } from "@effect/vitest"
import * as PageOrigin from "../../src/domain/page/PageOrigin.ts"

const now = "2026-11-22T13:00:00.000Z"
const believed = (published_date: string | undefined, modified_date: string | undefined) => {
  const dates = PageOrigin.plausibleDates({
    ...(published_date === undefined ? {} : { published_date }),
    ...(modified_date === undefined ? {} : { modified_date })
  }, now)
  return [dates.published_date, dates.modified_date]
}

describe("a page's dates", () => {
  it("are believed as far as they can be true", () => {
    const edited = ["2019-03-01", "2026-11-02T08:00:00.000Z"] as const
    assert.deepStrictEqual(believed(...edited), [...edited])
    assert.deepStrictEqual(believed("2026-11-23", undefined), ["2026-11-23", undefined])
    assert.deepStrictEqual(believed("2019-03-01", "2099-01-01"), ["2019-03-01", undefined])
    assert.deepStrictEqual(believed("2019-03-01", "2018-12-31"), ["2019-03-01", undefined])
    assert.deepStrictEqual(believed("2019-03-01T09:00:00.000Z", "2019-03-01"), [
      "2019-03-01T09:00:00.000Z",
      "2019-03-01"
    ])
    assert.deepStrictEqual(believed("2099-01-01", "2026-11-01"), [undefined, "2026-11-01"])
    assert.deepStrictEqual(believed(undefined, undefined), [undefined, undefined])
  })

  it("make the newest day of several pages", () => {
    const pages = [
      { published_date: "2019-03-01", modified_date: "2026-11-02" },
      { published_date: "2025-01-01" },
      {}
    ]
    assert.strictEqual(PageOrigin.newest(pages), "2026-11-02")
    assert.isUndefined(PageOrigin.newest([{}]))
  })
})
