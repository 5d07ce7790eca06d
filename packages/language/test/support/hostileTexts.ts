/** Texts of public sets outside the repository that break careless code. */
import { Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const data = join(import.meta.dirname, "../../../../../shared/data")

const linesOf = (file: string): ReadonlyArray<string> =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").filter((line) => line !== "") : []

/** One field of every line; none, and a line that says so, where the set is absent. */
export const textsOf = (file: string, field: string): ReadonlyArray<string> => {
  const path = join(data, file)
  const Line = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
  const texts = linesOf(path).map((line) => Schema.decodeUnknownSync(Line)(line)[field])
  if (texts.length === 0) console.warn(`Skipped: nothing at ${path}`)
  return texts.filter((text) => typeof text === "string")
}

/** A few in their place where these sets are absent. */
const own: ReadonlyArray<string> = [
  ...["e\u0301\u0323", "👨‍👩‍👧‍👦", "🇯🇵🇰🇷🇩🇪", "👍🏽", "각", "क्षि", "\u0600 7", " \u0308a", "\r\n", "\u200d"],
  ...[
    "\ud800",
    "a\udc00",
    "\u{e0041}",
    "ﷺ",
    "\u202eabc\u202c",
    "Ａ",
    "\u2028",
    "\u0000",
    "﷽",
    "1\u0338"
  ],
  ...["これは。", "통보를 한다.", "他说：“好。”", "Mr. A. went. He came.", "[...]", "\t\n\n "]
]

export const hostileTexts: ReadonlyArray<string> = [
  ...own,
  ...textsOf("unicode/dev/grapheme_break_test.jsonl", "text"),
  ...textsOf("unicode/dev/normalization_test.jsonl", "source"),
  ...textsOf("unicode/dev/confusables_sample.jsonl", "char"),
  ...textsOf("naughty_strings/dev/blns.jsonl", "text")
]
