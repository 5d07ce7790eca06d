/** Rows of a public data set outside the repository: JSON Lines, gzipped or not. */
import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"

/** Where the data sets lie; another place may be given as the script's first argument. */
const dataDirectory = process.argv[2] ?? "../shared/data"

const textOf = (path: string): string => {
  const bytes = readFileSync(`${dataDirectory}/${path}`)
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")
}

/** The whole of a text file. */
export const wholeText = textOf

/** Names in a folder, in order. */
export const namesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(`${dataDirectory}/${folder}`).toSorted()

/** Fields that the schema does not name are left out; a row that does not fit ends the script. */
export const jsonLines = <A>(path: string, row: Schema.Decoder<A>): ReadonlyArray<A> => {
  const decode = Schema.decodeUnknownSync(Schema.fromJsonString(row))
  return textOf(path).split("\n").filter((line) => line !== "").map((line) => decode(line))
}

/** A share as printed: "0.931 (27/29)". */
export const share = (part: number, whole: number): string =>
  `${whole === 0 ? "-" : (part / whole).toFixed(3)} (${part}/${whole})`
