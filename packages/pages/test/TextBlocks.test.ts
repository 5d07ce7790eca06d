/** Lines of text: signs off the line, what is struck out, tables by their grid. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { build, type PageElement, type PageNode } from "../src/HtmlTree.ts"
import { blocksOf } from "../src/TextBlocks.ts"

const levels = 18
/** Twice as many levels cost at most four times as many looks; read twice a level, a thousand. */
const growthMax = 4.5

/** The element, which counts the requests for its children. */
const counted = (node: PageNode, looks: { count: number }): PageNode =>
  new Proxy(node, {
    get: (target, key) => {
      if (key === "firstChild") looks.count += 1
      const value: unknown = Reflect.get(target, key, target)
      return (key === "firstChild" || key === "nextSibling") && value !== null
        ? wrapped(value as PageNode, looks)
        : value
    }
  })

const known = new WeakMap<PageNode, PageNode>()
const wrapped = (node: PageNode, looks: { count: number }): PageNode => {
  const proxy = known.get(node) ?? counted(node, looks)
  known.set(node, proxy)
  return proxy
}

const looksAt = (html: string): number => {
  const looks = { count: 0 }
  blocksOf(wrapped(build(html).body, looks) as PageElement)
  return looks.count
}

const textOf = (html: string) => blocksOf(build(html).body).map(({ text }) => text)

describe("TextBlocks", () => {
  it.each([
    ["words", "<table><tr><td>w"],
    ["cells", "<table><tr><td>w<td>v"],
    ["words between the cells", "<table><tr>w<td>w"],
    ["headings and links", "<h2><table><tr><td><a>w<td>v"]
  ])("reads tables within tables once a level: %s", (_, level) => {
    const few = looksAt(level.repeat(levels / 2))
    assert.isBelow(looksAt(level.repeat(levels)), few * growthMax)
  })

  it("puts the short cells of a row into one line, and others into lines of their own", () => {
    const long = "A cell as long as a paragraph, which is no cell of a table. ".repeat(6).trim()
    assert.deepStrictEqual(
      textOf(`<table><tr><th>Year</th><th>Rate</th></tr><tr><td>2024</td><td>${long}</td></tr>
        <tr><td><table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table></td></tr></table>`),
      ["Year | Rate", "2024", long, "a | b", "c"]
    )
  })

  it("has a value under its own heading, however cells span and whichever are empty", () => {
    assert.deepStrictEqual(
      textOf(`<table>
        <tr><th rowspan=2>Kind<th colspan=2>2025<th colspan=2>2026
        <tr><th>net<th>gross<th>net<th>gross
        <tr><th>House<td>40<td><td>55<td>60
        <tr><td>Flat<td><td>30<td><td>35
        <tr><td rowspan=2>Field<td colspan=4>free
        <tr><td>1<td>2<td><td>
        <tr><td><td>7</table>`),
      [
        "Kind | 2025 | 2025 | 2026 | 2026",
        "Kind | net | gross | net | gross",
        "House | 40 |  | 55 | 60",
        "Flat |  | 30 |  | 35",
        "Field | free | free | free | free",
        "Field | 1 | 2",
        " | 7"
      ]
    )
    // A column that no row uses is for looks.
    assert.deepStrictEqual(textOf("<table><tr><td><td>a<td>b<tr><td> <td>c<td>d</table>"), [
      "a | b",
      "c | d"
    ])
    // A cell may reach further than the table does.
    assert.deepStrictEqual(
      textOf("<table><tr><td>a<td>b<tr><td rowspan=0>c<td colspan=9>d<tr><td>e</table>"),
      ["a | b", "c | d", "c | e"]
    )
    // As much as is visible, and no more.
    const wide = textOf(`<table><tr><td colspan=999999>a<td>b<tr><td rowspan=65534>c<td>d</table>`)
    assert.isBelow(wide.join("").length, 1_000)
  })

  it("has what a picture says where a cell has no words, and what a cell says on several lines", () => {
    assert.deepStrictEqual(
      textOf(`<table><tr><th>Plan<th>Free<th>Full
        <tr><td>Export<td><i class=x title=No></i><td><svg><title>Yes</title></svg>
        <tr><td>Sync<td><svg role=img aria-label=No></svg><td><img alt=Yes>
        <tr><td>Fee<td><ul><li>$5<li>$6 abroad</ul><td><p>$9<br>A year</p></table>`),
      [
        "Plan | Free | Full",
        "Export | No | Yes",
        "Sync | No | Yes",
        "Fee | $5; $6 abroad | $9; A year"
      ]
    )
  })

  it("is a table by its roles as by its elements", () => {
    const row = (kind: string, ...cells: ReadonlyArray<string>) =>
      `<div role=row>${cells.map((text) => `<span role=${kind}>${text}</span>`).join("")}</div>`
    assert.deepStrictEqual(
      textOf(`<div role=table>${row("columnheader", "Kind", "2025", "2026")}
        <div role=rowgroup>${row("cell", "House", "", "55")}</div></div>`),
      ["Kind | 2025 | 2026", "House |  | 55"]
    )
  })

  const cell = Schema.Struct({
    span: Schema.Literals([1, 1, 1, 2, 3]),
    rows: Schema.Literals([1, 1, 2, 3]),
    isEmpty: Schema.Boolean
  })
  it.prop(
    "puts the k-th part of a line under the k-th heading, whatever the cells",
    [Schema.Array(Schema.Array(cell))],
    ([rows]) => {
      const columns = 12
      const head = `<tr>${Array.from({ length: columns }, (_, at) => `<th>h${at}`).join("")}`
      /** Columns of each cell's text, laid out as browsers do. */
      const places = new Map<string, Set<number>>()
      const taken = rows.map(() => new Set<number>())
      const body = rows.map((cells, row) => {
        let column = 0
        return `<tr>${
          cells.map(({ isEmpty, rows: height, span }, at) => {
            while (taken[row]?.has(column)) column += 1
            const free = Array.from({ length: span }, (_, next) => column + next)
            const width = free.findIndex((place) => taken[row]?.has(place) || place >= columns)
            const used = width < 0 ? span : width
            if (used < 1) return ""
            const text = isEmpty ? "" : `c${row}x${at}`
            for (let down = row; down < Math.min(rows.length, row + height); down++) {
              for (let place = column; place < column + used; place++) {
                taken[down]?.add(place)
                if (!isEmpty) places.set(text, (places.get(text) ?? new Set()).add(place))
              }
            }
            column += used
            return `<td colspan=${used} rowspan=${height}>${text}`
          }).join("")
        }`
      })
      const html = `<table>${head}${body.join("")}</table>`
      const lines = textOf(html).filter((line) => /c\d+x\d/.test(line))
      for (const line of lines.filter((line) => line.includes(" | "))) {
        line.split(" | ").forEach((part, column) => {
          const isUnder = part === "" || places.get(part)?.has(column)
          assert.isTrue(isUnder, `${part} in ${column} of ${html}`)
        })
      }
      assert.isTrue([...places.keys()].every((text) => lines.join().includes(text)))
    }
  )

  it.each([
    ["10<sup>6</sup> deeds", "10^6 deeds"],
    ["10<sup>&minus;3</sup> m<sup>2</sup>", "10^−3 m^2"],
    ["$500<sup>3</sup> since May", "$500 since May"],
    ["40 %<sup>2</sup> of it", "40 % of it"],
    ["the deeds<sup>12</sup> are", "the deeds are"],
    ["登記<sup>3</sup>の手数料", "登記の手数料"],
    ["$500<sup><a href='#fn1'>1</a></sup>, or", "$500, or"],
    ["$500<a href='#fn1' id='r1'><sup>1</sup></a>, or", "$500, or"],
    ["500<a href='#note-1'>1</a>, or", "500, or"],
    ["500<sup class='reference'>1</sup>, or", "500, or"],
    ["500<span class='footnote-ref'><sup>1</sup></span>, or", "500, or"],
    ["500<a role='doc-noteref' href='/n#1'>1</a>, or", "500, or"],
    ["see <a href='#part-2'>2</a>, or", "see 2, or"],
    ["500<sup>[1]</sup>, or", "500, or"],
    ["on the 1<sup>st</sup>, M<sup>me</sup>", "on the 1st, Mme"],
    ["CO<sub>2</sub> and 101<sub>2</sub>5", "CO2 and 101_2 5"],
    ["log<sub>10</sub>100", "log10 100"],
    ["10<sup>6</sup>5", "10^6 5"],
    ["1<sup>1</sup>/<sub>2</sub> percent", "1 1/2 percent"],
    ["<sup>3</sup>&frasl;<sub>4</sub> of it", "3⁄4 of it"],
    ["<math><mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math> percent", "1 1/2 percent"],
    ["<math><msup><mn>10</mn><mn>6</mn></msup></math> deeds", "10^6 deeds"],
    [
      "<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mo>=</mo><msqrt><mn>2</mn></msqrt></math>",
      "x_1^2=√2"
    ],
    [
      "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math>",
      "(a+b)/2"
    ],
    ["It costs <del>$90</del> <ins>$40</ins> now", "It costs $40 now"],
    [
      "It costs <s>$90</s><span style='text-decoration:line-through'>$80</span> $40",
      "It costs $40"
    ],
    ["1<del>2</del>3", "1 3"],
    ["<ruby>漢<rt>かん</rt></ruby>字", "漢字"],
    ["He said <q>no</q>.", "He said “no”."],
    ["the <abbr title='Land Registry'>LR</abbr>", "the LR"],
    ["64<span style='vertical-align:top;font-size:60%'>50</span> Kč", "64^50 Kč"],
    ["64<span style='vertical-align:top'>50</span>", "6450"],
    ["10<span style='vertical-align:super'>6</span> deeds", "10^6 deeds"],
    ["<style>.up{position:relative;top:-.5em;font-size:.7em}</style>m<i class='a up'>2</i>", "m^2"],
    ["<style>.dn{vertical-align:sub}</style>101<b class=dn>2</b>5", "101_2 5"],
    ["1<span class=ref aria-describedby=n5>5</span> month", "1 month"],
    ["the fee<sup>2</sup> and word<sup>1,2</sup>", "the fee and word"],
    ["sin<sup>2</sup> of 3 cm<sup>2</sup>", "sin^2 of 3 cm^2"],
    ["€5<sup>,49</sup> each", "€5,49 each"],
    ["1<sup>1</sup>/2 and 10<sup>6</sup>/4", "1 1/2 and 10^6/4"],
    ["2 <span class=frac><b>1</b><i>/</i><b>3</b></span> cups", "2 1/3 cups"],
    [
      "<span><span style='display:block'>2</span><span style='display:block'>3</span></span> cup",
      "2/3 cup"
    ],
    [
      "so <img class=mwe-math-image aria-hidden=true alt='{\\displaystyle 10^{24}}'> kg",
      "so 10^24 kg"
    ],
    [
      "so <img class=latex alt='\\sum_{i}x'> kg <img alt='of 9'> <img class=emoji alt=✅>",
      "so kg ✅"
    ]
  ])("says what the page shows: %s", (html, expected) => {
    assert.deepStrictEqual(textOf(`<p>${html}</p>`), [expected])
    assert.deepStrictEqual(textOf(`<table><tr><td>a<td>${html}</table>`), [`a | ${expected}`])
  })

  const part = Schema.Struct({
    element: Schema.Literals(["", "sup", "sub", "del", "s", "strike", "msup"]),
    digits: Schema.Int.check(Schema.isBetween({ minimum: 10, maximum: 99 }))
  })
  it.prop(
    "joins no digit of one element to a digit of another line or of what is struck out",
    [Schema.NonEmptyArray(part)],
    ([parts]) => {
      const html = parts.map(({ digits, element }) =>
        element === "" ? `${digits}` : element === "msup"
          ? `<msup><mn>${digits}</mn><mn>${digits}</mn></msup>`
          : `<${element}>${digits}</${element}>`
      )
      // Pieces of plain text that follow one another are one.
      const plain = new Set(html.join(" ").replaceAll(/(\d) (?=\d)/g, "$1").match(/\d+/g))
      for (const number of textOf(`<p>${html.join("")}</p>`).join().match(/\d+/g) ?? []) {
        assert.isTrue(plain.has(number), `${number} of ${html.join("")}`)
      }
    }
  )
})
