/**
 * Which results are about a course's title, by words: what it finds, what it misses, and its notes
 * on what it missed.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Disagreement from "../../src/domain/research/Disagreement.ts"
import * as Fit from "../../src/domain/research/Fit.ts"
import texts from "../support/courseTitles.json" with { type: "json" }

const { opinions, titles } = texts
type Titled = typeof titles[number]

const sourcesOf = ({ pages }: Titled) =>
  pages.map((page, place) => ({
    ...page,
    url: `https://p${place}.example/`,
    site: `p${place}.example`,
    official: false,
    headings: []
  }))

const isFound = (row: Titled): boolean => Fit.fitting(row.course, sourcesOf(row)).length > 0
const isNamed = (row: Titled): boolean => Fit.besideSubject(row.course, sourcesOf(row)).length > 0

const treated = titles.filter(({ isTreated }) => isTreated)
const empty = titles.filter(({ isTreated }) => !isTreated)
const titlesOf = (rows: ReadonlyArray<Titled>) => rows.map(({ course }) => course)

describe("results for a course's title", () => {
  it("are about it in none of 14 titles that share a word of another sense or place", () => {
    assert.lengthOf(empty, 14)
    assert.deepStrictEqual(titlesOf(empty.filter(isFound)), [])
    // Where a word that they centre on is enough, most of them would be.
    assert.isAbove(empty.filter(isNamed).length, empty.length / 2)
  })

  it("are about it in 4 of 14 that treat it in other words, and named in 9 others", () => {
    assert.lengthOf(treated, 14)
    assert.deepStrictEqual(titlesOf(treated.filter(isFound)), [
      "Tenancy deposits reform in Scotland",
      "Mülltrennung Grundlagen",
      "찜질방 예절",
      "盆栽 講座 初級"
    ])
    assert.lengthOf(treated.filter((row) => !isFound(row) && isNamed(row)), 9)
  })

  it("are named with the title's words that they have, and those that they lack", () => {
    const pages = [
      { title: "Onsen and chopsticks in Japan", text: "An onsen is a bath." },
      { title: "Onsen in Iceland", text: "An onsen in Iceland." }
    ]
    const told = (course: string) =>
      Fit.besideSubject(course, sourcesOf({ course, pages, isTreated: false }))
        .map(({ held, missing, source }) => [source.title, held, missing])
    assert.deepStrictEqual(told("Onsen manners in Japan"), [])
    assert.deepStrictEqual(told("Onsen manners, duties in Japan"), [
      ["Onsen and chopsticks in Japan", ["onsen"], ["manners", "duties"]]
    ])
  })
})

describe("what a page says against an official one", () => {
  const disagreed = (other: string, official: string, isOfficial: boolean) =>
    Disagreement.disagreementsOf(
      [{ title: "A", description: other, source_url: "https://p1.example/" }],
      [official, other].map((text, place) => ({
        title: "A",
        text,
        url: `https://p${place}.example/`,
        site: `p${place}.example`,
        official: place === 0 && isOfficial,
        headings: []
      }))
    )

  it("is reported in 5 of 6 pairs, and in none of 6 that speak of another thing", () => {
    const right = opinions.filter(({ isOpposed, official, other }) =>
      disagreed(other, official, true).length > 0 === isOpposed
    )
    assert.deepStrictEqual(
      opinions.filter((row) => !right.includes(row)).map(({ official }) => official),
      ["外国人は六か月待たなければ口座を開けない。"]
    )
    assert.lengthOf(right, 11)
  })

  it("is reported with both sites, and of no page where none is official", () => {
    const { official, other } = opinions[0] ?? assert.fail()
    assert.deepStrictEqual(disagreed(other, official, true), [{
      said: other,
      site: "p1.example",
      against: official,
      official_site: "p0.example"
    }])
    assert.deepStrictEqual(disagreed(other, official, false), [])
  })
})
