/**
 * Writes the pages of reference that are made of the code: `docs/cli.md`, `docs/reasons.md`, the tables
 * of `docs/api.md` and that of the settings in `docs/operations.md`.
 *
 * `node scripts/references.ts` prints what differs; `--write` writes the pages anew.
 */
import { Effect } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as CommandLine from "./reference/CommandLine.ts"
import * as Operations from "./reference/Operations.ts"
import * as Reasons from "./reference/Reasons.ts"
import * as SettingRows from "./reference/SettingRows.ts"

const pages = {
  "docs/cli.md": await Effect.runPromise(CommandLine.text),
  "docs/reasons.md": Reasons.text,
  "docs/api.md": Operations.text,
  "docs/operations.md": SettingRows.withRows(readFileSync("docs/operations.md", "utf8"))
}

for (const [file, text] of Object.entries(pages)) {
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue
  console.log(file)
  if (process.argv.includes("--write")) writeFileSync(file, text)
  else process.exitCode = 1
}
