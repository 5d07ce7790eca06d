#!/usr/bin/env node
/** Plain JavaScript, so that a Node too old for the sources can still say so. */
import { existsSync } from "node:fs"
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
await import(isClone ? source.href : new URL("../dist/src/main.js", import.meta.url).href)
