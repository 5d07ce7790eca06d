/**
 * Writes the pages of `docs/reference` that are made of the code; without `--write` prints what
 * differs.
 */
import { Effect } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as CommandLine from "./reference/CommandLine.ts"
import * as Operations from "./reference/Operations.ts"
import * as Reasons from "./reference/Reasons.ts"
import * as SettingRows from "./reference/SettingRows.ts"

const pages = {
  "docs/reference/cli.md": await Effect.runPromise(CommandLine.text),
  "docs/reference/reasons.md": Reasons.text,
  "docs/reference/operations.md": Operations.text,
  "docs/reference/settings.md": SettingRows.text
}

for (const [file, text] of Object.entries(pages)) {
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue
  console.log(file)
  if (process.argv.includes("--write")) writeFileSync(file, text)
  else process.exitCode = 1
}
