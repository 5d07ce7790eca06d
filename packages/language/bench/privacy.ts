/**
 * What leaves of requests that hold personal data, and what harmless ones lose on the way out.
 *
 * Reads `training/privacy` or the folder given first. The tagger of names was fitted to all of it:
 * `fitNames.ts --check` leaves a third, chosen by a hash of its text, out. Prints a line a language
 * and a kind of row; `--show` names the rows of the other two thirds that leak or lose a word, `--show-personal` also
 * personal ones that lose one.
 */
import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { strip } from "../src/privacy/QueryPrivacy.ts"

interface Row {
  readonly text: string
  readonly secrets: ReadonlyArray<string>
  readonly needed: ReadonlyArray<string>
  /** How a person is named there, in rows that were written for one way of naming. */
  readonly kind?: string
}

const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"))
const [folder = join(import.meta.dirname, "../fit/training/privacy")] = process.argv.slice(2)
  .filter((argument) => !argument.startsWith("--"))

/** Parts of a secret that reveal nothing alone. */
const generic = new Set(
  ("the and von van der den los del das dos school primary high hospital lane road crescent rue " +
    "calle colegio dr. dra. lic. don sons sur clinique bar hospital frau herr general autohaus bäckerei padaria prof prof. university université talleres")
    .split(" ")
)
const partsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  ...secret.split(/[\s,]+/u).filter((part) =>
    /^(?:\p{Lu}[\p{L}'’-]{2,}|\S*\d\S{2,})/u.test(part) && !generic.has(part.toLowerCase())
  )
]

const holds = (text: string, part: string): boolean => {
  const [all, one] = [text, part].map((side) => side.normalize("NFKC").toLowerCase())
  if (all === undefined || one === undefined) return false
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(one)) {
    return all.includes(one)
  }
  const plain = one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  return new RegExp(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`, "u").test(all)
}

const isHeldOut = (text: string): boolean =>
  (createHash("sha256").update(text).digest()[0] ?? 0) % 3 === 0

const rows = globSync(`${folder}/*.jsonl`).sort().flatMap((file) =>
  readFileSync(file, "utf8").trim().split("\n").map((line) => ({
    language: basename(file, ".jsonl"),
    ...JSON.parse(line) as Row
  }))
)

const judged = rows.map((row) => {
  const left = strip(row.text)
  const leaks = row.secrets.filter((secret) => partsOf(secret).some((part) => holds(left, part)))
  const lost = row.needed.filter((term) =>
    !left.normalize("NFKC").toLowerCase().includes(term.normalize("NFKC").toLowerCase())
  )
  return { ...row, left, leaks, lost, side: isHeldOut(row.text) ? "held out" : "seen" }
})

const share = (part: number, whole: number): string =>
  `${part}/${whole} ${(whole === 0 ? 0 : 100 * part / whole).toFixed(1)} %`

const report = (title: string, some: typeof judged): void => {
  const personal = some.filter(({ secrets }) => secrets.length > 0)
  const harmless = some.filter(({ secrets }) => secrets.length === 0)
  console.log(
    title.padEnd(44),
    `leaking ${share(personal.filter(({ leaks }) => leaks.length > 0).length, personal.length)}`
      .padEnd(26),
    `personal that lose ${
      share(personal.filter(({ lost }) => lost.length > 0).length, personal.length)
    }`
      .padEnd(36),
    `harmless that lose ${
      share(harmless.filter(({ lost }) => lost.length > 0).length, harmless.length)
    }`
  )
}

for (const [key, some] of Map.groupBy(judged, ({ language, side }) => `${language} ${side}`)) {
  report(key, some)
}
for (
  const [key, some] of Map.groupBy(judged, ({ kind, side }) => `${kind ?? "any kind"}, ${side}`)
) {
  report(key, some)
}
for (const [side, some] of Map.groupBy(judged, ({ side }) => side)) report(`all ${side}`, some)

if (flags.length > 0) {
  const isPersonalShown = flags.includes("--show-personal")
  for (const { lost, left, leaks, secrets, side, text } of judged) {
    if (side !== "seen") continue
    const isLosing = lost.length > 0 && (isPersonalShown || secrets.length === 0)
    if (leaks.length === 0 && !isLosing) continue
    const what = leaks.length > 0 ? `LEAK ${leaks.join(" | ")}` : `LOST ${lost.join(" | ")}`
    console.log(`${what}\n   ${text.replaceAll("\n", "\\n")}\n   → ${left}`)
  }
}
