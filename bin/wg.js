#!/usr/bin/env node
/** Plain JavaScript, so that a Node too old for the sources can still say so. */
import { existsSync, readFileSync } from "node:fs"
import * as nodeModule from "node:module"

/** A clone has its sources; what was installed from a package has what was built of them. */
const source = new URL("../src/main.ts", import.meta.url)
const isClone = existsSync(source)

const major = Number(process.versions.node.split(".")[0])
if (major < 24) {
  const how = isClone ? "npm (npm run ground, npm start, npm run wg)" : "npx web-grounding"
  console.error(
    `web-grounding needs Node 24 or newer and this is ${process.versions.node}: run it through ` +
      `${how}, which uses the Node that was installed with it.`
  )
  process.exit(1)
}
nodeModule.enableCompileCache?.()

// Asked by scripts and installers: nothing else has to be loaded for it.
if (process.argv.slice(2).join(" ") === "--version") {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  console.log(`web-grounding v${version}`)
  process.exit()
}

const record = new URL("../dist/sources.sha256", import.meta.url)

/** What was built starts in a third of the time; in a clone it may be older than the sources. */
const isCurrent = async () => {
  if (!isClone) return true
  if (!existsSync(record)) return false
  const { digestOfSources } = await import("./sources.js")
  return readFileSync(record, "utf8") === digestOfSources()
}

await import(await isCurrent() ? new URL("../dist/src/main.js", import.meta.url).href : source.href)
