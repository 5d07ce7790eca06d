/**
 * Alerts and dashboard as code: every expression is of metrics and labels that exist, every alert
 * has a runbook, fires when it should and is silent when it should be.
 */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rows } from "../../src/adapters/telemetry/MetricTable.ts"
import { isInstalled, promtool } from "../support/promtool.ts"

const rulesFile = "ops/prometheus/alerts.yml"
const casesFile = "ops/prometheus/alerts.test.yml"
const dashboardFile = "ops/grafana/dashboard.json"

const read = (file: string): string => readFileSync(file, "utf8").replaceAll("\r\n", "\n")

/** What Prometheus adds to every series, and the labels of `up`. */
const addedLabels = ["job", "instance"]

/** By name of a series, its labels. */
const labelsBySeries: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["up", []],
  ...rows.flatMap(([name, { kind, labels }]) =>
    (kind === "histogram"
      ? [[`${name}_bucket`, [...labels, "le"]], [`${name}_sum`, labels], [`${name}_count`, labels]]
      : [[name, labels]]) as ReadonlyArray<[string, ReadonlyArray<string>]>
  )
])

const recordedIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^ {6}- record: (\S+)$/gm), ([, name = ""]) => name)

const words = new Set(
  ("sum max min avg rate increase absent vector histogram_quantile and or unless by without on" +
    " ignoring group_left group_right bool e").split(" ")
)

/** Series and labels that an expression names and that are not there. */
const strangersIn = (expr: string, recorded: ReadonlyArray<string>): ReadonlyArray<string> => {
  const bare = expr.replace(/"[^"]*"/g, "\"\"").replace(/\[\w+\]/g, "")
  const grouped = Array.from(
    bare.matchAll(/\b(?:by|without|on) ?\(([^)]*)\)/g),
    ([, list = ""]) => list.split(",").map((label) => label.trim())
  ).flat()
  const matched = Array.from(bare.matchAll(/([a-z_:][\w:]*)\{([^}]*)\}/g))
  const names = bare.replace(/\{[^}]*\}/g, "").replace(/\b(?:by|without|on) ?\([^)]*\)/g, "")
    .match(/(?<![\w.])[a-z_:][\w:]*/g) ?? []
  const series = names.filter((name) => !words.has(name))
  const all = series.flatMap((name) => labelsBySeries.get(name) ?? [])
  return [
    ...series.filter((name) => !labelsBySeries.has(name) && !recorded.includes(name)),
    ...grouped.filter((label) => !all.includes(label) && !addedLabels.includes(label)),
    ...matched.flatMap(([, name = "", list = ""]) =>
      (list.match(/[a-z_]+(?=[=!])/g) ?? []).filter((label) =>
        !(labelsBySeries.get(name) ?? []).includes(label) && !addedLabels.includes(label)
      )
    )
  ]
}

interface Dashboard {
  readonly panels: ReadonlyArray<{
    readonly title: string
    readonly targets: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>
  }>
}

const rules = read(rulesFile)
const recorded = recordedIn(rules)
const ruleExprs = Array.from(rules.matchAll(/^ +expr: (.+)$/gm), ([, expr = ""]) => expr)
const alerts = Array.from(
  rules.matchAll(/^ {6}- alert: (\w+)\n {8}expr: (.+)$/gm),
  ([, name = "", expr = ""]) => ({ name, expr })
)
const { panels }: Dashboard = JSON.parse(read(dashboardFile))
const targets = panels.flatMap(({ targets }) => targets)

/** Files in a directory of their own, until the check is done. */
const inDirectory = <A>(files: Readonly<Record<string, string>>, check: (at: string) => A): A => {
  const directory = mkdtempSync(join(tmpdir(), "wg-rules-"))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
    return check(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const testRules = (text: string) =>
  inDirectory(
    { "alerts.yml": text, "alerts.test.yml": read(casesFile) },
    (at) => promtool(["test", "rules", join(at, "alerts.test.yml")])
  )

describe("the alert rules", () => {
  it("ask for metrics and labels that exist", () => {
    assert.isAtLeast(ruleExprs.length, 20)
    assert.deepStrictEqual(ruleExprs.flatMap((expr) => strangersIn(expr, recorded)), [])
  })

  it("have a section of the runbooks each, and a case that fires and others that do not", () => {
    const headings = Array.from(
      read("ops/runbooks.md").matchAll(/^## (\w+)\n([^]*?)(?=^## |(?![^]))/gm),
      ([, name = "", text = ""]) => ({ name, text })
    )
    assert.deepStrictEqual(
      headings.map(({ name }) => name).toSorted(),
      alerts.map(({ name }) => name).toSorted()
    )
    for (const { name, text } of headings) {
      for (const part of ["**Symptom.**", "**Check.**", "**Do.**"]) assert.include(text, part)
      assert.include(rules, `runbook: ops/runbooks.md#${name.toLowerCase()}\n`)
      const cases = read(casesFile).split("\n  - name: ").filter((one) =>
        one.startsWith(`${name} `)
      )
      assert.lengthOf(cases.filter((one) => one.startsWith(`${name} fires`)), 1, name)
      assert.isAtLeast(cases.length, 2, name)
    }
  })

  it.skipIf(!isInstalled)(
    "pass promtool's checks and their cases, which are skipped where it is not installed",
    () => {
      assert.strictEqual(promtool(["check", "rules", rulesFile]).status, 0)
      const { status, stderr, stdout } = testRules(rules)
      assert.strictEqual(status, 0, `${stdout}${stderr}`)
    }
  )
})

describe("the dashboard", () => {
  it("asks for metrics and labels that exist", () => {
    assert.isAtLeast(targets.length, 30)
    for (const { expr } of targets) {
      assert.deepStrictEqual(strangersIn(expr, recorded), [], expr)
    }
    const labels = new Set([...rows.flatMap(([, { labels }]) => labels), ...addedLabels])
    for (const { legendFormat } of targets) {
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        assert.isTrue(labels.has(label), label)
      }
    }
  })

  it("shows every metric but those of alerts alone", () => {
    const text = [...targets.map(({ expr }) => expr), ...ruleExprs].join("\n")
    const unseen = rows.map(([name]) => name).filter((name) => !text.includes(name))
    assert.deepStrictEqual(unseen, [
      "web_grounding_build_info",
      "process_start_time_seconds"
    ])
  })

  it.skipIf(!isInstalled)("has expressions that parse, by promtool where it is installed", () => {
    const asRules = [
      "groups:\n  - name: panels\n    rules:",
      ...targets.map(({ expr }, place) =>
        `      - record: panel:${place}\n        expr: ${JSON.stringify(expr)}`
      )
    ].join("\n")
    const { status, stderr } = inDirectory(
      { "panels.yml": `${asRules}\n` },
      (at) => promtool(["check", "rules", join(at, "panels.yml")])
    )
    assert.strictEqual(status, 0, stderr)
  })
})
