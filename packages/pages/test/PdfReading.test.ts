/** Lines, signs and words of PDFs, drawn for the tests. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Dice, draw, makeDice } from "../../language/test/support/dice.ts"
import * as DocumentReading from "../src/DocumentReading.ts"
import { encodedIn } from "./support/legacyBytes.ts"
import { pdfDocument, pdfOf } from "./support/pdfDocument.ts"

const read = (body: Uint8Array) =>
  DocumentReading.readDocument({ body, contentType: "application/pdf", url: "https://a.example/" })

const shown = (drawn: string, font?: string) =>
  pdfDocument({
    shown: Buffer.from(`BT ${drawn} ET`, "latin1"),
    isDeflated: false,
    ...(font === undefined ? {} : { font })
  })

/** Lines below one another. */
const textOf = (...lines: ReadonlyArray<string>) =>
  Effect.map(
    read(pdfOf(lines.map((line, place) => [place === 0 ? 0 : 14, line]))),
    ({ text }) => text
  )

describe("a raised or lowered sign of a PDF", () => {
  const line = (
    parts: ReadonlyArray<string>,
    sign: string,
    [rise, size]: readonly [number, number]
  ) =>
    `/F1 12 Tf 50 700 Td ${
      parts.map((part) => `0 Ts /F1 12 Tf (${part}) Tj`).join(
        ` ${rise} Ts /F1 ${size} Tf (${sign}) Tj `
      )
    }`
  const sup = [5, 7] as const
  const sub = [-3, 7] as const

  it.effect.each(
    [
      [["It holds 10", " deeds."], "6", sup, "It holds 10^6 deeds."],
      [["It costs $500", " since May."], "3", sup, "It costs $500 since May."],
      [["It has 40 m", " of land."], "2", sup, "It has 40 m^2 of land."],
      [["The deeds", " are old."], "12", sup, "The deeds are old."],
      [["On the 1", " of May."], "st", sup, "On the 1st of May."],
      [["Of 5 kg CO", " a day."], "2", sub, "Of 5 kg CO2 a day."],
      [["The number 101", " is five."], "2", sub, "The number 101_2 is five."]
    ] as const
  )("is not run into the text: %j %s", ([parts, sign, form, expected]) =>
    Effect.gen(function*() {
      const { text } = yield* read(shown(line(parts, sign, form)))
      assert.strictEqual(text, expected)
    }))

  it.effect("is known where it is placed by itself", () =>
    Effect.gen(function*() {
      const { text } = yield* read(shown(
        "/F1 12 Tf 50 700 Td (It costs $500) Tj /F1 7 Tf 74 5 Td (3) Tj /F1 12 Tf 6 -5 Td (since May.) Tj"
      ))
      assert.strictEqual(text, "It costs $500 since May.")
    }))
})

describe("an accent that is drawn over its letter", () => {
  const dieresis =
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding " +
    "/BaseEncoding /WinAnsiEncoding /Differences [1 /dieresis /dotlessi] >> >>"
  it.effect.each([
    ["[(f)-112(\x01)445(ur die Geb)-112(\x01)445(uhr)]", "für die Gebühr"],
    ["[(fr)-112(\x01)445(uh.)-278 -194(\x01)527(Uber)]", "früh. Über"],
    ["[(f\x01)445(ur die)-278(\x01)445(altere)]", "für die ältere"],
    ["[(na\x01)305(\x02ve)]", "naïve"],
    ["[(Of 5 \x01 and more)]", "Of 5 ¨ and more"]
  ])("is the letter's: %s", ([drawn, expected]) =>
    Effect.gen(function*() {
      const { text } = yield* read(shown(`/F1 11 Tf 50 700 Td ${drawn}TJ`, dieresis))
      assert.strictEqual(text, expected)
    }))
})

describe("the title of a PDF", () => {
  const titleOf = (title: string, size = 20) =>
    Effect.map(
      read(pdfDocument({
        shown: Buffer.from(
          `BT /F1 11 Tf 50 780 Td (Town of Halvern) Tj /F1 ${size} Tf 0 -40 Td (Rules of the) Tj ` +
            "0 -24 Td (quay) Tj /F1 11 Tf 0 -40 Td (A berth costs 40 crowns for each season.) Tj ET"
        ),
        isDeflated: false,
        title
      })),
      (page) => page.title
    )
  it.effect.each(
    [
      ["Rules of 2026", 20, "Rules of 2026"],
      ["Microsoft Word - quay_def2.doc", 20, "Rules of the quay"],
      ["quay final.indd", 20, "Rules of the quay"],
      ["", 20, "Rules of the quay"],
      ["untitled", 11, undefined]
    ] as const
  )(
    "is no file's name, but what is largest: %s %i",
    ([title, size, expected]) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* titleOf(title, size), expected)
      })
  )
})

describe("a hyphen at the end of a line", () => {
  it.effect.each(
    [
      [["Fees rest on price-", "determining factors."], "Fees rest on price-determining factors."],
      [["Half is paid by self-", "employed people."], "Half is paid by self-employed people."],
      [["It is the fee of non-", "residents here."], "It is the fee of non-residents here."],
      [["It is a long-", "term lease for all of us."], "It is a long-term lease for all of us."],
      [["It is up-to-", "date for all of us."], "It is up-to-date for all of us."],
      [["The infor-", "mation on the house is free."], "The information on the house is free."],
      [["It is a misunder-", "standing of the rules."], "It is a misunderstanding of the rules."],
      [
        ["The Halvern-", "wide register is for the town."],
        "The Halvern-wide register is for the town."
      ],
      [["The skirt is an A-", "line one by e-", "mail."], "The skirt is an A-line one by e-mail."],
      [["It is of Smith-", "Jones, the owner."], "It is of Smith-Jones, the owner."],
      [["It was in 2024-", "2025 that it rose."], "It was in 2024-2025 that it rose."],
      [["It is for pre-", "and post-war houses."], "It is for pre- and post-war houses."],
      [
        ["Der Vermieter ist der Eigen-", "tum und der Besitz ist es nicht."],
        "Der Vermieter ist der Eigentum und der Besitz ist es nicht."
      ],
      [
        ["Die Miete und die Neben-", "und Heizkosten sind es nicht."],
        "Die Miete und die Neben- und Heizkosten sind es nicht."
      ]
    ] as const
  )("leaves the word as the page has it: %j", ([lines, expected]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* textOf(...lines), expected)
    }))

  it.effect("is judged by the document's own words before a list", () =>
    Effect.gen(function*() {
      const text = yield* textOf(
        "A co-op is a co-",
        "op. A coop is a hen-",
        "house; the henhouse is old."
      )
      assert.strictEqual(text, "A co-op is a coop. A coop is a henhouse; the henhouse is old.")
    }))
})

describe("columns of a page", () => {
  /** Rows as they are drawn, each cell at its column's left side. */
  const drawn = (rows: ReadonlyArray<ReadonlyArray<string>>, width: number) =>
    shown(
      "/F1 9 Tf " + rows.flatMap((cells, row) =>
        cells.map((cell, column) =>
          `1 0 0 1 ${40 + column * width} ${760 - row * 12} Tm (${cell}) Tj`
        )
      ).join(" ")
    )
  const lineOf = (dice: Dice, place: number) =>
    [
      place === 0 ? "The" : "and",
      draw(dice, ["deed", "fee"]),
      draw(dice, ["of a house", "by mail"])
    ]
      .concat(place % 5 === 4 ? "ends." : "is").join(" ")

  it.effect.each([[1, 2], [2, 2], [3, 3], [4, 3], [5, 2]] as const)(
    "are read one by one where they hold prose, from seed %d: %d",
    ([seed, count]) =>
      Effect.gen(function*() {
        const dice = makeDice(seed)
        const columns = Array.from({ length: count }, () =>
          Array.from({ length: 10 }, (_, place) => lineOf(dice, place)))
        const rows = Array.from({ length: 10 }, (_, row) =>
          columns.map((lines) => lines[row] ?? ""))
        const over =
          "What stands over all of the columns goes from one side of the page to the other one."
        const { text } = yield* read(drawn([[over], ...rows, [over], ...rows], 540 / count))
        const whole = columns.map((lines) => lines.join(" "))
        assert.deepStrictEqual(
          text.split("\n").join(" "),
          [over, ...whole, over, ...whole].join(" ")
        )
      })
  )

  it.effect.each([
    [["Fee for a house", "40 crowns"], ["Fee for a flat", "20 crowns"]],
    [["1. deed of a house.", "It is to be handed in"], [
      "2. proof of the fee.",
      "It is sent by mail."
    ]],
    [["The deed is old", "Yes. The clerk knows."], ["The fee is paid", "No. The clerk asks."]]
  ])("are left as rows where they are a table's: %j", (pair) =>
    Effect.gen(function*() {
      const rows = [...pair, ...pair, ...pair]
      const { text } = yield* read(drawn(rows, 200))
      assert.strictEqual(text, rows.map((cells) => cells.join(" ")).join(" "))
    }))
})

describe("a PDF of East Asia", () => {
  it.effect.each(
    [
      ["90ms-RKSJ-H", "Japan1", "shift_jis", "登記の手数料は四十円である。"],
      ["EUC-H", "Japan1", "euc-jp", "登記の手数料は四十円である。"],
      ["KSCms-UHC-H", "Korea1", "euc-kr", "등기수수료는사십크라운이다."],
      ["GBK-EUC-H", "GB1", "gb18030", "房屋登记费为四十克朗。"],
      ["ETen-B5-H", "CNS1", "big5", "房屋登記費為四百克朗。"]
    ] as const
  )(
    "is read by the map that its font names: %s",
    ([map, ordering, charset, sentence]) =>
      Effect.gen(function*() {
        const hex = Buffer.from(encodedIn(charset, sentence)).toString("hex")
        const font =
          `<< /Type /Font /Subtype /Type0 /BaseFont /Gothic /Encoding /${map} /DescendantFonts [` +
          "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Gothic /DW 1000 /CIDSystemInfo " +
          `<< /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor ` +
          "<< /Type /FontDescriptor /FontName /Gothic /Flags 4 /FontBBox [0 -200 1000 900] " +
          "/ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >> >>] >>"
        const { text } = yield* read(
          shown(`/F1 12 Tf 50 700 Td <${hex}> Tj 0 -14 Td <${hex}> Tj`, font)
        )
        assert.strictEqual(text.replaceAll(" ", ""), sentence + sentence)
      })
  )
})
