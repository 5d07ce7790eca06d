/** What must be quoted along with a sentence for it to be understood alone. */
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as QuotedPassage from "../src/statements/QuotedPassage.ts"

/** The passage around the quotation, as it is shown; `undefined` when there is none. */
const around = (text: string, quote: string): string | undefined => {
  const start = text.indexOf(quote)
  assert.isAtLeast(start, 0, quote)
  const passage = QuotedPassage.passageAround(
    QuotedPassage.readable(text, { start: 0, end: text.length }),
    { start, end: start + quote.length }
  )
  return Option.getOrUndefined(
    Option.map(passage, (span) => QuotedPassage.shown(text.slice(span.start, span.end)))
  )
}

describe("a quotation is completed by", () => {
  it.each<readonly [string, string, string, string]>([
    [
      "the whole sentence",
      "The pool opens at nine. Nobody may say that dogs are allowed inside the pool.",
      "dogs are allowed inside",
      "Nobody may say that dogs are allowed inside the pool."
    ],
    [
      "the sentence that a pronoun points at",
      "The Alder bridge was closed in May. It reopened on Monday.",
      "It reopened on Monday.",
      "The Alder bridge was closed in May. It reopened on Monday."
    ],
    [
      "nothing, where an opening only looks like a pronoun",
      "The shrine is old. It is customary to bow twice before the hall.",
      "bow twice",
      "It is customary to bow twice before the hall."
    ],
    [
      "nothing, as a numbered paragraph of a law",
      "(1) Notice is given by the third working day of a month.\n(2) It is given in writing.",
      "by the third working day",
      "(1) Notice is given by the third working day of a month."
    ],
    [
      "a list's lead-in",
      "What you may not bring:\n- glass bottles\n- tripods",
      "tripods",
      "What you may not bring: - glass bottles - tripods"
    ],
    [
      "a heading above a list",
      "Nicht erlaubt\n- Grillen am Ufer\n- Hunde ohne Leine",
      "Hunde ohne Leine",
      "Nicht erlaubt - Grillen am Ufer - Hunde ohne Leine"
    ],
    [
      "a table's head",
      "| Ligne | Jours sans service |\n|---|---|\n| 4 | dimanche et fêtes |",
      "dimanche et fêtes",
      "| Ligne | Jours sans service | |---|---| | 4 | dimanche et fêtes |"
    ],
    [
      "the question before an answer",
      "Q: Does the pass cover the ferry?\nA: No, not since the spring.",
      "not since the spring",
      "Q: Does the pass cover the ferry? A: No, not since the spring."
    ],
    [
      "a short sentence behind that takes it back",
      "Many say that the museum is free on Sundays. That is wrong. It costs six crowns.",
      "the museum is free on Sundays",
      "Many say that the museum is free on Sundays. That is wrong."
    ],
    [
      "a heading that takes it back",
      "Mito\nEl agua fría adelgaza y acelera la digestión de las comidas.",
      "El agua fría adelgaza",
      "Mito El agua fría adelgaza y acelera la digestión de las comidas."
    ],
    [
      "the rest of lines that were broken, without their hyphens",
      "It is no longer required that the employ-\nee gives a reason for the re-\nfusal in writing.",
      "gives a reason",
      "It is no longer required that the employee gives a reason for the refusal in writing."
    ],
    [
      "the sentence that says who is quoted",
      "The mayor spoke late. She said: \"We close in May. Nobody will lose a job.\" The hall was full.",
      "Nobody will lose a job",
      "The mayor spoke late. She said: \"We close in May. Nobody will lose a job.\""
    ],
    [
      "what a Japanese sentence points back at",
      "参道の茶屋は冬のあいだ休みます。ただし、元日だけは営業します。",
      "元日だけは営業します",
      "参道の茶屋は冬のあいだ休みます。ただし、元日だけは営業します。"
    ],
    [
      "what a Korean sentence points back at",
      "기숙사 주방은 밤 열 시에 닫습니다. 다만, 시험 기간에는 자정까지 엽니다.",
      "시험 기간에는",
      "기숙사 주방은 밤 열 시에 닫습니다. 다만, 시험 기간에는 자정까지 엽니다."
    ]
  ])("%s", (_, text, quote, expected) => assert.strictEqual(around(text, quote), expected))
})

it.each([
  "Wer nach Orrin zieht, muss sich innerhalb von zwei Wochen beim Amt anmelden.",
  "Every visitor of the portal may log in with the card that the town has issued.",
  "El Boletín Oficial del Estado publica cada año el índice de precios de alquiler.",
  "A lei deve entrar em vigor no dia 1 de março do próximo ano em todo o país.",
  "Pour s'abonner un an à la bibliothèque, il faut payer douze euros à l'accueil."
])("a statement that holds a menu's word is quoted: %s", (text) => {
  assert.strictEqual(around(text, text.slice(0, 20)), text)
})

it("a Japanese sentence of one stretch takes nothing back", () => {
  const text = "許可証は霧野事務所が発行する。犬を連れて入ることはできません。"
  assert.strictEqual(around(text, "許可証は"), "許可証は霧野事務所が発行する。")
})

describe("no quotation is", () => {
  it.each<readonly [string, string, string]>([
    ["cut off", "The fee rises to five crowns in July and ...", "fee rises"],
    ["a heading alone", "Opening hours of the baths\n\nThe baths open at six.", "Opening hours"],
    ["a question", "May I keep my deposit for the room?", "keep my deposit"],
    ["changed at the foot of the page", "Entry is free every day.* Come early.", "Entry is free"],
    ["changed by a numbered note", "Delivery is free everywhere (1).", "Delivery is free"],
    ["pointing back at what is not there", "These were repealed in the spring.", "repealed"],
    ["an answer without its question", "Yes, until the end of the month.", "until the end"],
    ["furniture of the page", "Subscribe to our newsletter for more prices.", "more prices"],
    ["longer than a reader bears", `The list holds ${"one thing and ".repeat(60)}more.`, "list"]
  ])("%s", (_, text, quote) => assert.isUndefined(around(text, quote)))
})

it("a quotation stays within what is one piece in its source", () => {
  const text = "What you may not bring:\n- glass bottles are heavy.\n- tripods"
  const from = text.indexOf("- glass")
  const passage = QuotedPassage.readable(text, { start: from, end: text.length })
  const quoted = { start: text.indexOf("tripods"), end: text.length }
  const span = Option.getOrUndefined(QuotedPassage.passageAround(passage, quoted))
  assert.isTrue(span === undefined || span.start >= from)
})
