import { assert, describe, it } from "@effect/vitest"
import { isSame, quantities } from "../src/text/Quantities.ts"
import { nameTerms } from "../src/text/Words.ts"

const read = (text: string) =>
  quantities(text).map(({ kind, unit, value }) =>
    `${value} ${kind === "number" ? unit : kind}`.trim()
  )

describe("quantities", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["at least one month's notice", ["1 month"]],
    ["the six-month period", ["6 month"]],
    ["one of the tenants", []],
    ["twenty-five years", ["25 year"]],
    ["$1.5 million, or 5%", ["1500000 money", "5 percent"]],
    ["in March 2024", ["2024 year", "3 month"]],
    ["180 to 300 days", ["180 day", "300 day"]],
    ["5-10 % in 2019-2021", ["5 percent", "2019 year"]],
    ["30から60日", ["30 day", "60 day"]],
    ["COVID-19 and N95 masks", []],
    ["COVID-19 may spread", []],
    ["on 19 May", ["19", "5 month"]],
    ["1か月前までに通知", ["1 month"]],
    ["一か月前、三ヶ月、２週間", ["2 week", "1 month", "3 month"]],
    ["十分な理由", []],
    ["10万円", ["100000 money"]],
    ["9万8千人", ["98000 person"]],
    ["3억 2천만 원, 1만5000명", ["320000000 money", "15000 person"]],
    ["1개월 전", ["1 month"]],
    ["한 달, 두 달 전", ["1 month", "2 month"]],
    ["일주일 안에", ["1 week"]],
    ["이주 노동자", []]
  ])("%j", (text, expected) => assert.deepStrictEqual(read(text), [...expected]))

  it.each<readonly [string, string, boolean]>([
    ["one month", "1か月", true],
    ["12 months", "a period of one year, 1 year", true],
    ["two weeks", "14 days", true],
    ["30 days", "30 months", false],
    ["one month", "두 달", false],
    ["1,250,000 people", "about 1.25 million", true],
    ["in 1999", "in 1998", false]
  ])("%s and %s: %s", (left, right, expected) => {
    const [said] = quantities(left)
    assert.isDefined(said)
    const found = quantities(right, "evidence").some((other) =>
      said !== undefined && isSame(said, other)
    )
    assert.strictEqual(found, expected)
  })
})

describe("nameTerms", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["The tenant met Mr. Sato in Osaka.", ["mr", "sato", "osaka"]],
    ["Tenants give notice.", []],
    ["How To Give Notice In Japan", []],
    ["大阪府の規則", ["大阪", "阪府"]]
  ])("%j", (text, expected) => assert.deepStrictEqual(nameTerms(text), [...expected]))
})
