/** Preloaded by `--import`: on standard error, at the end, the address of every module loaded. */
import { writeSync } from "node:fs"
import { registerHooks } from "node:module"

const addresses: Array<string> = []
registerHooks({
  load: (url, context, next) => {
    if (!url.startsWith("node:")) addresses.push(url)
    return next(url, context)
  }
})
process.on("exit", () => writeSync(2, addresses.map((url) => `module: ${url}\n`).join("")))
