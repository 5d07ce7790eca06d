/**
 * Loaded before a benchmark (`node --import`): the module of one piece is loaded with that piece
 * replaced, and nothing else is touched. `WG_BENCH_WITHOUT` names it.
 */
import { registerHooks } from "node:module"
import { pathToFileURL } from "node:url"
import { pieces } from "./pieces.ts"

const left = pieces.find(({ id }) => id === process.env["WG_BENCH_WITHOUT"])

if (left !== undefined) {
  const place = pathToFileURL(left.file).href
  let isReplaced = false
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      if (url !== place) return loaded
      const declared = `export const ${left.name} =`
      const [before, after, ...more] = String(loaded.source).split(declared)
      if (before === undefined || after === undefined || more.length > 0) {
        throw new Error(`${left.id} is not declared once in ${left.file}`)
      }
      isReplaced = true
      const whole = `${before}const ${left.name}Whole =${after}`
      return { ...loaded, source: `${whole}\nexport const ${left.name}: any = ${left.neutral}\n` }
    }
  })
  process.on("exit", (code) => {
    if (code === 0 && !isReplaced) process.exitCode = 3
  })
}
