/** The page of all settings, as their own tables have them. */
import * as Settings from "../../src/infrastructure/Settings.ts"

const rows = Object.values(Settings.table).map(
  ({ bounds, default: fallback, holds, meaning, name }) =>
    `| \`${name}\` | ${fallback} | ${bounds} | ${meaning}${holds === "open" ? "" : ". Secret"} |`
)

export const text = `# Settings

Read from the environment once, at start: [operations.md](../operations.md#settings) has the rules. This
page is made of \`src/infrastructure/settings/\`.

| Setting | Default | Bounds | Meaning |
| --- | --- | --- | --- |
${rows.join("\n")}
`
