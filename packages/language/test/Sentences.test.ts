import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { sentences } from "../src/text/Sentences.ts"

const cut = (text: string) => sentences(text).map(({ end, start }) => text.slice(start, end))

describe("sentences", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["Mr. Smith of the U.S. left. He went.", ["Mr. Smith of the U.S. left.", "He went."]],
    ["It costs approx. 5 yen. Fine!", ["It costs approx. 5 yen.", "Fine!"]],
    ["လူကြီးများ၊ ကလေးများ ဝင်နိုင်သည်။ ပိတ်သည်။", ["လူကြီးများ၊ ကလေးများ ဝင်နိုင်သည်။", "ပိတ်သည်။"]],
    ["शुल्क रु. १५० है। डॉ. मीना कमरा सं. ७ में मिलें॥", ["शुल्क रु. १५० है।", "डॉ. मीना कमरा सं. ७ में मिलें॥"]],
    ["Πόσο κάνει; Κάνει 4 κορώνες· «Πού;» Εδώ, στις 9 π.μ. και μετά.", [
      "Πόσο κάνει;",
      "Κάνει 4 κορώνες· «Πού;»",
      "Εδώ, στις 9 π.μ. και μετά."
    ]],
    ["Τα a; b είναι δύο.", ["Τα a; b είναι δύο."]],
    ["यह घर है. वह घर था.", ["यह घर है.", "वह घर था."]],
    ["A heading\nA sentence.", ["A heading", "A sentence."]],
    ["3. Give notice", ["3. Give notice"]],
    ["これは文です。「そうですか。」と言った。次の文！", [
      "これは文です。",
      "「そうですか。」と言った。",
      "次の文！"
    ]],
    ["통보해야 합니다. 다만 예외가 있다.", ["통보해야 합니다.", "다만 예외가 있다."]],
    ["他说：“好。”然后走了。第二句？", ["他说：“好。”", "然后走了。", "第二句？"]],
    ["Sie kam am 4. Mai 1869 zur Welt und starb im 19. Jahrhundert. Danach schwieg man.", [
      "Sie kam am 4. Mai 1869 zur Welt und starb im 19. Jahrhundert.",
      "Danach schwieg man."
    ]],
    [
      "Die Frist nach § 556 Abs. 3 BGB läuft, bzw. z. B. ab dem 1. Januar. Es waren 12. Nun gilt sie.",
      [
        "Die Frist nach § 556 Abs. 3 BGB läuft, bzw. z. B. ab dem 1. Januar.",
        "Es waren 12.",
        "Nun gilt sie."
      ]
    ],
    ["Der Ort hat 1,2 Mio. Menschen. Brandt (geb. 4. Mai 1873) malte.", [
      "Der Ort hat 1,2 Mio. Menschen.",
      "Brandt (geb. 4. Mai 1873) malte."
    ]],
    ["Voir p. 14 et chap. 3. Me Durand plaide.", ["Voir p. 14 et chap. 3.", "Me Durand plaide."]],
    ["Vive en la Avda. Mayor núm. 5. Es así.", ["Vive en la Avda. Mayor núm. 5.", "Es así."]],
    ["Il sig. Rossi paga l'art. 3. È così.", ["Il sig. Rossi paga l'art. 3.", "È così."]],
    ["A Dra. Silva atende na Av. Paulista. É longe.", [
      "A Dra. Silva atende na Av. Paulista.",
      "É longe."
    ]],
    ["Живёт на ул. Ленина, д. 5. Там тихо.", ["Живёт на ул. Ленина, д. 5.", "Там тихо."]],
    ["The light is on. Tell me. It is an art. No. It took 5 min. Then it ended.", [
      "The light is on.",
      "Tell me.",
      "It is an art.",
      "No.",
      "It took 5 min.",
      "Then it ended."
    ]],
    ["  \n ", []],
    ["", []]
  ])("%j", (text, expected) => assert.deepStrictEqual(cut(text), [...expected]))

  it.prop(
    "law: spans are in order, apart, trimmed and cover every word",
    [Schema.String],
    ([text]) => {
      const spans = sentences(text)
      const pieces = cut(text)
      assert.isTrue(spans.every(({ start }, place) => start >= (spans[place - 1]?.end ?? 0)))
      assert.isTrue(pieces.every((piece) => piece !== "" && piece === piece.trim()))
      assert.strictEqual(pieces.join("").replace(/\s/g, ""), text.replace(/\s/g, ""))
    }
  )
})
