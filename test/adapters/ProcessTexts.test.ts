/** Metrics of several processes, told as one text. */
import { assert, describe, it } from "@effect/vitest"
import { mergedText } from "../../src/adapters/telemetry/ProcessTexts.ts"

const calls = (count: number) =>
  "# HELP calls_total Calls by kind\n# TYPE calls_total counter\n" +
  `calls_total{kind="a {b}"} ${count}\n`

describe("metrics of several processes", () => {
  it("stand in one family each, every sample with its process", () => {
    const own = "# HELP up Start\n# TYPE up gauge\nup 1\n"
    const text = mergedText([
      { number: 1, text: calls(3) + own },
      { number: 2, text: calls(4) }
    ])
    assert.deepStrictEqual(text.split("\n"), [
      "# HELP calls_total Calls by kind",
      "# TYPE calls_total counter",
      "calls_total{process=\"1\",kind=\"a {b}\"} 3",
      "calls_total{process=\"2\",kind=\"a {b}\"} 4",
      "# HELP up Start",
      "# TYPE up gauge",
      "up{process=\"1\"} 1",
      ""
    ])
  })
})
