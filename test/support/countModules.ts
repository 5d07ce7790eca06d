/** Preloaded by `--import`: names on standard error, at the end, how many modules were loaded. */
import { writeSync } from "node:fs"
import { registerHooks } from "node:module"

let count = 0
registerHooks({
  load: (url, context, next) => {
    if (!url.startsWith("node:")) count += 1
    return next(url, context)
  }
})
process.on("exit", () => writeSync(2, `modules: ${count}\n`))
