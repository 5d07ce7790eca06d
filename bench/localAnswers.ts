/**
 * The local writer on questions with a page of six to nine sentences, in ten languages.
 *
 * Reads `answers`: `plain` pages answer in the question's words; `hidden` ones in other words, next
 * to a sentence that has the question's words and does not answer; `absent` ones do not answer.
 * Prints a line for each language and kind; `--show` names the plain ones whose answer is missing.
 */
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { plain } from "../packages/language/bench/heldWords.ts"
import { writtenHere } from "./adapters/claimQuality.ts"

const languages = ["en", "de", "fr", "es", "it", "pt", "ru", "ja", "ko", "zh"]
const withoutBlanks = new Set(["ja", "zh"])

const Row = Schema.fromJsonString(Schema.Struct({
  kind: Schema.Literals(["plain", "hidden", "absent"]),
  question: Schema.String,
  sentences: Schema.Array(Schema.String),
  /** Places of the sentences that answer, and of those that only look so. */
  answers: Schema.Array(Schema.Number),
  decoys: Schema.Array(Schema.Number)
}))

const rowsOf = (language: string) =>
  readFileSync(join(import.meta.dirname, "answers", `${language}.jsonl`), "utf8")
    .split("\n").filter((line) => line !== "").map((line) => Schema.decodeUnknownSync(Row)(line))

const seen = await Promise.all(languages.map(async (language) => {
  const rows = rowsOf(language)
  return Promise.all(rows.map(async ({ answers, decoys, kind, question, sentences }) => {
    const page = sentences.join(withoutBlanks.has(language) ? "" : " ")
    const claims = (await writtenHere(question, page)).map(({ text }) => plain(text))
    const stands = (places: ReadonlyArray<number>, some: ReadonlyArray<string>) =>
      some.some((text) => places.some((place) => text.includes(plain(sentences[place] ?? "\n"))))
    if (process.argv.includes("--show") && kind === "plain" && !stands(answers, claims)) {
      console.log(
        `${language} ${question}\n   ${answers.map((place) => sentences[place]).join(" | ")}`
      )
    }
    return {
      name: `${language} ${kind}`,
      isAnswered: stands(answers, claims),
      isFirst: stands(answers, claims.slice(0, 1)),
      isDecoyed: stands(decoys, claims),
      isEmpty: claims.length === 0
    }
  }))
}))

const share = <A>(rows: ReadonlyArray<A>, is: (row: A) => boolean): string =>
  (rows.filter(is).length / rows.length).toFixed(3)

for (const [name, rows] of Map.groupBy(seen.flat(), ({ name }) => name)) {
  console.log(
    name.padEnd(10),
    `answer stands ${share(rows, ({ isAnswered }) => isAnswered)}`,
    `first ${share(rows, ({ isFirst }) => isFirst)}`,
    `decoy stands ${share(rows, ({ isDecoyed }) => isDecoyed)}`,
    `nothing stands ${share(rows, ({ isEmpty }) => isEmpty)} of ${rows.length}`
  )
}
