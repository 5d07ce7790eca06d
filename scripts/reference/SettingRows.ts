/** The table of settings of `docs/operations.md`, as the settings' own tables say. */
import * as Settings from "../../src/infrastructure/Settings.ts"

const rows = Object.values(Settings.table).map(
  ({ bounds, default: fallback, holds, meaning, name }) =>
    `| \`${name}\` | ${fallback} | ${bounds} | ${meaning}${holds === "open" ? "" : ". Secret"} |`
)

/** The document with every setting's row in its place. */
export const withRows = (document: string): string =>
  document.replace(
    /^(\| Setting \| Default \|.*\n\| ---.*\n)(?:\|.*\n)*/m,
    (_, head: string) => `${head}${rows.join("\n")}\n`
  )
