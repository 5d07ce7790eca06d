/** How often the elements of tables within tables are looked at, and what their rows become. */
import { assert, describe, it } from "@effect/vitest"
import { build, type PageElement, type PageNode } from "../src/HtmlTree.ts"
import { blocksOf } from "../src/TextBlocks.ts"

const levels = 18
/** Twice as many levels cost at most four times as many looks; read twice a level, a thousand. */
const growthMax = 4.5

/** The element, which counts how often somebody asks for the children below it. */
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
})
