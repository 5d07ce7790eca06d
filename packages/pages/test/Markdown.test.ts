/** Markdown as plain text: what a reader sees stays, what only leads elsewhere goes. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chunksOfText } from "../../language/src/passages/Chunking.ts"
import { type Dice, draw, makeDice } from "../../language/test/support/dice.ts"
import { hostileTexts } from "../../language/test/support/hostileTexts.ts"
import { cpuMsSince } from "../../language/test/support/machine.ts"
import { readConverted } from "../src/DocumentReading.ts"

const isFull = process.env["WG_TEST_FULL"] === "1"

const nothing = { text: "", headings: [], removed_chars_count: 0 }
const pageOf = (markdown: string) => Result.getOrElse(readConverted(markdown), () => nothing)
const textOf = (markdown: string) => pageOf(markdown).text

describe("Markdown becomes plain text", () => {
  it.each([
    [
      "links become their words",
      "See [the *tram* map](https://a.example/x_(1) \"Map\").",
      "See the tram map."
    ],
    ["a link in a link's place", "[a [b](https://b.example) c](https://c.example)", "a b c"],
    ["images are gone", "a ![Image 1: x](https://a.example/x.png) b", "a b"],
    [
      "a linked image",
      "[![Image 1](https://a.example/i.png)](https://a.example/) Halvern",
      "Halvern"
    ],
    ["an image with its data", `a ![x](data:image/png;base64,${"A".repeat(5_000)}) b`, "a b"],
    ["reference links", "[Map][m], [m], [o]\n\n[m]: /m \"t\"", "Map, m, [o]"],
    ["a link around blocks", "[\n\n### Head\n\ntext\n\n](https://a.example/x)", "Head\ntext"],
    ["an address that was cut off", "more [at the office](https://a.exam", "more at the office"],
    ["an address with spaces", "[a](/x y z) b", "a b"],
    ["a script's address", "[a](javascript:alert(1)) b", "a b"],
    ["an address in angle brackets", "<https://a.example/x>", "https://a.example/x"],
    ["emphasis", "**a** *b* ***c*** __d__ _e_ **g *h***", "a b c d e g h"],
    ["what is struck out", "It costs ~~$90~~ $40, <del>not</del> a lot", "It costs $40, a lot"],
    ["raised signs", "10<sup>6</sup> deeds, $500<sup>3</sup> each", "10^6 deeds, $500 each"],
    ["lowered signs", "CO<sub>2</sub>, 101<sub>2</sub>5", "CO2, 101_2 5"],
    [
      "what only looks like it",
      "2*3*4, snake_case_name, 5 * 3, **open, a\\*b\\*c",
      "2*3*4, snake_case_name, 5 * 3, **open, a*b*c"
    ],
    ["escapes", "1986\\. A \\[note\\] \\_x\\_ C:\\dir", "1986. A [note] _x_ C:\\dir"],
    ["code in a line", "run `a *b* [c](d)` now ``x ` y``", "run a *b* [c](d) now x ` y"],
    ["entities", "&amp; &lt;i&gt; &#44032; &#x1F600; &#0; &bogus;", "& <i> 가 😀 \uFFFD &bogus;"],
    [
      "entities by name",
      "3&nbsp;500 &euro; &ndash; caf&eacute; AT&T; R&D",
      "3 500 € – café AT&T; R&D"
    ],
    [
      "tags",
      "a<br>b <a href=\"https://x.example\">c</a> <!-- d --> List<String> 1 < 2",
      "a b c List<String> 1 < 2"
    ],
    ["wrapped lines", "one\ntwo  \nthree\\\nfour", "one two three four"],
    ["wrapped lines of Chinese", "漢字\n漢字\nwords", "漢字漢字 words"],
    ["lists", "*   a\n*   b\n    more\n1. c\n2) d\n- [x] e", "a\nb more\n1. c\n2) d\ne"],
    [
      "tables",
      "| a | b\\|c | |\n| :-- | --- | --- |\n| 1 | | 2 |\n|  |  |  |",
      "a | b|c\n1 |  | 2"
    ],
    ["quotes and rulers", "> a\n> b\n\n* * *\n\n---\nc", "a b\nc"],
    ["not a word", "\n\n[](https://a.example) ![](x) \n***\n", ""]
  ])("%s", (_, markdown, text) => assert.strictEqual(textOf(markdown), text))

  it("code is kept as it is, a link in it apart", () => {
    const code = "const a = b[i](x) * *c\n\n  # no heading | <br>"
    assert.strictEqual(textOf(`a\n\`\`\`js\n${code}\n\`\`\`\nb`), `a\n${code}\nb`)
    assert.strictEqual(textOf("`[x](https://a.example)`"), "[x] (https://a.example)")
    assert.strictEqual(textOf(`~~~~\n${code}\n~~~\n`), `${code}\n~~~`)
  })

  it("headings are spans of the text", () => {
    const { headings, text } = pageOf(
      "Title\n=====\n\na\n\n## [Fares](https://a.example) ##\n\nb\n\nSub\n---\n\n### C#\n\n####### no"
    )
    assert.deepStrictEqual(
      headings.map(({ end, start }) => text.slice(start, end)),
      ["Title", "Fares", "Sub", "C#"]
    )
  })

  it("invisible characters are taken out and counted, and hide no mark", () => {
    const page = pageOf(
      "a\u200B b\u202E [c]\u200B(https://a.example) &#8203;d"
    )
    assert.deepStrictEqual([page.text, page.removed_chars_count], ["a b c d", 4])
  })
})

const fragments = [
  "word",
  "two words",
  "\n",
  "\n\n",
  " ",
  "*",
  "**",
  "_",
  "~~",
  "`",
  "``",
  "```\n",
  "[",
  "]",
  "![",
  "](",
  "](https://evil.example/x)",
  "[ref]",
  "[r]: https://evil.example\n",
  "(",
  ")",
  "<",
  ">",
  "<a href='https://evil.example'>",
  "</a>",
  "<!--",
  "-->",
  "&amp;",
  "&#x41;",
  "\\",
  "|",
  "| --- |",
  "\n# ",
  "\n- ",
  "\n> ",
  "\n===\n",
  "\n---\n",
  "漢字",
  "한국어",
  "12.5",
  "e\u0301",
  "\u200B",
  "😀"
]

/** Without entities, which the check on invention cannot follow. */
const hostile = hostileTexts.filter((text) => !text.includes("&"))

const markdownBy = (dice: Dice): string =>
  Array.from(
    { length: 1 + Math.floor(dice() * 40) },
    () => dice() < 0.05 ? draw(dice, hostile) : draw(dice, fragments)
  ).join("")

/** In order, and none that was not there: entities aside, which name one. */
const isWithin = (text: string, markdown: string): boolean => {
  const source = markdown.replaceAll("&#x41;", "A").normalize("NFKD")
  let at = 0
  for (
    const [word] of text.replaceAll("&#x41;", "A").normalize("NFKD").matchAll(/[\p{L}\p{N}]/gu)
  ) {
    at = source.indexOf(word, at)
    if (at < 0) return false
    at += word.length
  }
  return true
}

/** What would still be followed as a link or fetched as an image. */
const leadsAway = (text: string): boolean => /\]\([a-z]+:/.test(text)

describe("whatever the Markdown", () => {
  const rounds = isFull ? 100_000 : 2_000

  it("nothing is invented, every span is in the text, and reading is repeatable", () => {
    const dice = makeDice(18)
    for (let round = 0; round < rounds; round++) {
      const markdown = markdownBy(dice)
      const { headings, text } = pageOf(markdown)
      assert.isTrue(isWithin(text, markdown), JSON.stringify({ markdown, text }))
      let last = 0
      for (const { end, start } of headings) {
        assert.isTrue(start >= last && end > start && end <= text.length)
        assert.isTrue(start === 0 || text.charAt(start - 1) === "\n")
        last = end
      }
      for (const { end, start } of chunksOfText(text, headings)) {
        assert.isTrue(start >= 0 && end > start && end <= text.length)
      }
      assert.isFalse(leadsAway(text), JSON.stringify({ markdown, text }))
    }
  })

  it("the check on invention would see a word that was added, and one that was moved", () => {
    assert.isFalse(isWithin("tram free", "tram fare"))
    assert.isFalse(isWithin("fare tram", "tram fare"))
    assert.isTrue(leadsAway("[a](https://b.example)"))
  })

  /** Built against careless patterns: what opens and never closes, again and again. */
  const units = [
    ..."[ ![ [a]( [a](b[a](b <!-- ` > - \\ ~~a &#1 <a [a][b] *a_b".split(" "),
    ...["` `` ", "_a b* ", " ", "# ", "| ", "[a](b \"c ", "[a](b(( ", "* ", "\n", "[x](y) "]
  ]
  const charsMax = isFull ? 400_000 : 50_000
  const textMsMax = isFull ? 1_500 : 150
  /** CPU time of a text on the average, in milliseconds. */
  const averageMs = (read: (markdown: string) => unknown, texts: ReadonlyArray<string>): number => {
    const before = process.cpuUsage()
    for (const text of texts) read(text)
    return cpuMsSince(before) / texts.length
  }
  const textsOf = (unit: string): ReadonlyArray<string> =>
    ([["", ""], ["# a", "x"], ["|", "x"]] as const).map(([before, after]) =>
      before + unit.repeat(Math.trunc(charsMax / unit.length)) + after
    )

  it("no page makes reading slow", () => {
    assert.isBelow(averageMs(textOf, units.flatMap(textsOf)), textMsMax)
  })
})
