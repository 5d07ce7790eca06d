#!/usr/bin/env node
/** Plain JavaScript, so that a Node too old for the sources can still say so. */
import * as nodeModule from "node:module"

const major = Number(process.versions.node.split(".")[0])
if (major < 24) {
  console.error(
    `web-grounding needs Node 24 or newer and this is ${process.versions.node}: run it through npm ` +
      "(npm run ground, npm start, npm run wg), which uses the Node that npm ci installed."
  )
  process.exit(1)
}
nodeModule.enableCompileCache?.()
await import("../src/main.ts")
