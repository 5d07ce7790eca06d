/** Recorded answers from outside the repository. */
import { Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { OneAnswer } from "./oneAnswer.ts"

const Line = Schema.fromJsonString(Schema.Struct({
  id: Schema.String,
  body_file: Schema.String,
  kind: Schema.optionalKey(Schema.String),
  endpoint: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  headers: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.String)))
}))

export const linesOf = (file: string): ReadonlyArray<string> =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").filter((line) => line !== "") : []

const otherwise = "text/html; charset=utf-8"

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
  const answerOf = (id: string): OneAnswer => {
    const { body_file = "", headers, status } = recordings.find((one) => one.id === id) ?? {}
    const { "content-type": contentType = otherwise, "retry-after": wait } = headers ?? {}
    return {
      body: bodyOf(body_file),
      contentType,
      status: status ?? 200,
      headers: wait === undefined ? {} : { "retry-after": wait }
    }
  }
  return { directory, recordings, bodyOf, answerOf }
}
