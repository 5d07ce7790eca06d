/** Preloaded by `--import`: names on standard error, at the end, the most memory held at once, in MB. */
import { writeSync } from "node:fs"

process.on("exit", () => {
  writeSync(2, `peak: ${Math.round(process.resourceUsage().maxRSS / 1_000)}\n`)
})
