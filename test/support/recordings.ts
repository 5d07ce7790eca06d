/** Recorded answers from outside the repository. */
import { Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const Line = Schema.fromJsonString(Schema.Struct({
  id: Schema.String,
  body_file: Schema.String,
  kind: Schema.optionalKey(Schema.String),
  endpoint: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.NullOr(Schema.Int))
}))

export const linesOf = (file: string): ReadonlyArray<string> =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").filter((line) => line !== "") : []

/** None, and one line that says so, where the set is absent. */
export const recordingsOf = (
  provider: "duckduckgo" | "jina" | "openai_compat" | "serpapi" | "tavily"
) => {
  const directory = join(import.meta.dirname, "../../../shared/data", provider, "dev")
  const recordings = linesOf(join(directory, "index.jsonl")).map((line) =>
    Schema.decodeUnknownSync(Line)(line)
  )
  if (recordings.length === 0) console.warn(`Skipped: no recorded bodies at ${directory}`)
  const bodyOf = (file: string) => readFileSync(join(directory, file), "utf8")
  return { directory, recordings, bodyOf }
}
