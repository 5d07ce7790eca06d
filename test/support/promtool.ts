/** Prometheus' own tool for rules and metrics, where it is installed; Debian's package has it. */
import { spawnSync } from "node:child_process"

export const promtool = (args: ReadonlyArray<string>, input = "") =>
  spawnSync("promtool", [...args], { encoding: "utf8", input, timeout: 60_000 })

export const isInstalled = promtool(["--version"]).status === 0
