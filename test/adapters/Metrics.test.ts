/**
 * Metrics: one table, of which the text for Prometheus, the documents, the alerts and the dashboard
 * are; and few series, whatever callers send.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import * as Meters from "../../src/adapters/telemetry/Meters.ts"
import {
  conventionsVersion,
  methodOf,
  metrics,
  rows
} from "../../src/adapters/telemetry/MetricTable.ts"
import * as Telemetry from "../../src/wiring/Telemetry.ts"
import { isInstalled, promtool } from "../support/promtool.ts"

const read = (file: string): string => readFileSync(file, "utf8").replaceAll("\r\n", "\n")

const documentRows = rows.map(([name, { kind, labels, meaning, unit }]) =>
  `| \`${name}\` | ${kind} | \`${unit}\` | ${
    labels.map((label) => `\`${label}\``).join(", ")
  } | ${meaning} |`
)

/** A name of the table for each series of a metric of it. */
const seriesNames: ReadonlySet<string> = new Set(
  rows.flatMap(([name, { kind }]) =>
    kind === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
  )
)

/** Every metric with one value, so that promtool sees all of them. */
const everything = Effect.gen(function*() {
  const meters = yield* Meters.make
  for (const [name, { labels }] of rows) {
    const values: any = Object.fromEntries(labels.map((label) => [label, "x"]))
    const named: any = name
    meters.update(named, values, 1)
  }
  return yield* meters.text
})

/** The conventions name it so; the tool takes every `_count` for a histogram's. */
const conventional = "db_client_connection_count non-histogram and non-summary metrics " +
  "should not have \"_count\" suffix"

describe("the metrics", () => {
  it("are in the documents, word by word", () => {
    const text = read("docs/reference/metrics.md")
    const missing = documentRows.filter((row) => !text.split("\n").includes(row))
    assert.deepStrictEqual(missing, [])
    const named = Array.from(text.matchAll(/^\| `([a-z_]+)` \|/gm), ([, name]) => name ?? "")
    assert.deepStrictEqual(named.filter((name) => !(name in metrics)), [])
    assert.include(text, conventionsVersion)
  })

  it.effect("are a text that Prometheus reads, each with its kind and every label", () =>
    Effect.gen(function*() {
      const lines = (yield* everything).split("\n").filter((line) => line !== "")
      for (const [name, { kind, labels }] of rows) {
        assert.include(lines, `# TYPE ${name} ${kind}`)
        const line = lines.find((one) => one.startsWith(name) && !one.startsWith("#")) ?? ""
        for (const label of labels) assert.include(line, `${label}="x"`)
      }
      const strange = lines.filter((line) => !line.startsWith("#")).filter((line) =>
        !seriesNames.has(/^[a-z0-9_]+/.exec(line)?.[0] ?? "")
      )
      assert.deepStrictEqual(strange, [])
    }))

  it.effect.skipIf(!isInstalled)(
    "please promtool, which is skipped where Prometheus is not installed",
    () =>
      Effect.map(everything, (text) => {
        const { stderr } = promtool(["check", "metrics"], text)
        assert.deepStrictEqual(stderr.split("\n").filter((line) => line !== ""), [conventional])
      })
  )

  it.effect("never grow beyond a bound, whatever the labels hold", () =>
    Effect.gen(function*() {
      const meters = yield* Meters.make
      for (let place = 0; place < 10_000; place++) {
        meters.update("web_grounding_calls_total", { operation: `o${place}`, outcome: "ok" })
      }
      const text = yield* meters.text
      const series = text.split("\n").filter((line) =>
        line.startsWith("web_grounding_calls_total{")
      )
      assert.strictEqual(series.length, Meters.seriesMax + 1)
      const rest = 10_000 - Meters.seriesMax
      assert.include(text, `{operation="_OTHER",outcome="_OTHER"} ${rest}`)
    }))

  it.effect("count apart in each process's own registry", () =>
    Effect.gen(function*() {
      const one = yield* Meters.make
      const other = yield* Meters.make
      one.update("web_grounding_log_tampered_total", {}, 3)
      assert.include(yield* one.text, "\nweb_grounding_log_tampered_total 3\n")
      assert.include(yield* other.text, "\nweb_grounding_log_tampered_total 0\n")
    }))

  it.effect("forget a gauge without a source", () =>
    Effect.gen(function*() {
      const meters = yield* Meters.make
      meters.replace("web_search_success_rate", [[{}, 0.5]])
      assert.include(yield* meters.text, "\nweb_search_success_rate 0.5\n")
      meters.replace("web_search_success_rate", [])
      assert.notInclude(yield* meters.text, "web_search_success_rate")
    }))

  it("name routes by their templates and methods by their list", () => {
    assert.strictEqual(
      Telemetry.routeOf("GET", "/v1/groundings/my-session/my-request"),
      "/v1/groundings/{session_id}/{request_id}"
    )
    assert.strictEqual(Telemetry.routeOf("POST", "/rpc"), "/rpc")
    assert.strictEqual(Telemetry.routeOf("GET", "/v1/nobody/knows"), "")
    assert.strictEqual(methodOf("GET"), "GET")
    assert.strictEqual(methodOf("BREW"), "_OTHER")
  })
})
