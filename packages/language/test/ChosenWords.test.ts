/** Only the question leaves of a request, and of statements what identifies no person. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { strip } from "../src/privacy/QueryPrivacy.ts"

const gone: ReadonlyArray<readonly [text: string, secrets: ReadonlyArray<string>, left: string]> = [
  [
    "Can my landlord Gerald Pym evict me in Leeds? Gerald's never mentioned pets.",
    ["Gerald", "Pym"],
    "evict me in Leeds?"
  ],
  [
    "hi im marta from lidl in porto, can my boss make me work sundays?",
    ["marta", "lidl"],
    "can my boss make me work sundays?"
  ],
  ["Kenji, my husband, is Spanish. Does he need a visa?", ["Kenji"], "Does he need a visa?"],
  ["I work at Brightwater Logistics. How much notice in Ohio?", ["Brightwater"], "notice in Ohio?"],
  ["How long is probate in Ontario? Cheers, Kit", ["Kit"], "How long is probate in Ontario?"],
  ["Herr Dr. Klein, wie lange muss ich Clopidogrel nehmen?", ["Klein"], "Clopidogrel nehmen?"],
  [
    "Mein Sohn Jonte hat Scharlach. Wann darf Jonte wieder in die Kita?",
    ["Jonte"],
    "wieder in die Kita?"
  ],
  [
    "Mon patron M. Benoît Garrec refuse mes congés. A-t-il le droit ?",
    ["Benoît", "Garrec"],
    "A-t-il le droit"
  ],
  ["Trabajo en Mercadona y me han echado. ¿Qué hago?", ["Mercadona"], "¿Qué hago?"],
  ["Meu irmão Wesley foi demitido. Ele tem FGTS?", ["Wesley"], "Ele tem FGTS?"],
  ["Mia moglie Oksana è ucraina, quali documenti?", ["Oksana"], "quali documenti?"],
  ["Мой муж Дамир болеет. Как получить ВНЖ Дамиру?", ["Дамир"], "Как получить ВНЖ"],
  ["남편 재훈이가 아파요. 재훈이 비자는 어떻게 받나요?", ["재훈"], "비자는 어떻게 받나요"],
  ["夫の健太が休職しました。傷病手当金はいくらですか", ["健太"], "傷病手当金はいくらですか"],
  ["我老公李伟是德国人，需要什么材料？", ["李伟"], "需要什么材料"],
  ["My number is oh seven seven double four nine one. Is it a scam?", ["seven", "double"], "scam?"],
  [
    "Which network does zero seven seven four one five two nine three belong to?",
    ["seven", "nine"],
    "belong to?"
  ],
  [
    "제 번호 공일공 이삼사오 육칠팔구로 스팸이 오는데 어떻게 막나요?",
    ["공일공", "육칠팔구"],
    "어떻게 막나요"
  ],
  ["https://a.example/c?u=tom is it a scam?", ["tom"], "is it a scam?"],
  ["password quagga7 was leaked, what now?", ["quagga7"], "was leaked, what now?"],
  ["wifi password Quokka&Friends 大家さんに見られますか?", ["quokka"], "大家さんに見られますか"],
  ["booking reference HX7Q2PLM ANAの変更手数料はいくら?", ["hx7q"], "ANAの変更手数料はいくら"],
  ["senha: abacaxi*doce, como trocar no Gmail?", ["abacaxi", "doce"], "como trocar no Gmail?"],
  [
    "One more. My mate Brozza reckons you can claim VAT back on a bike in the UK, true or rubbish?",
    ["Brozza"],
    "claim VAT back on a bike in the UK"
  ],
  ["同事岑以宁推荐我去考软考高级,什么时候报名?", ["岑以宁"], "什么时候报名?"],
  ["My plate is KX19 ZRT. Is it legal?", ["KX19", "ZRT"], "Is it legal?"],
  ["My son is 9 and Vermont was cold. Tell me about Lyme.", [], "Vermont"],
  [
    "My son is ill since we met Thibaut Okoro there. What helps?",
    ["Thibaut", "Okoro"],
    "What helps?"
  ],
  ["Can Lotte swim with otitis? She is our daughter.", ["Lotte"], "swim with otitis?"]
]

const public_: ReadonlyArray<string> = [
  "What did Angela Merkel say about nuclear power in 2011?",
  "Is Henry VIII buried next to Jane Seymour?",
  "My Bosch dishwasher shows error E24, what does it mean?",
  "Is my iPhone 14 Pro affected by the iOS 18.2 bug?",
  "Can I stay 90/180 days in Schengen?",
  "Gilt § 573 BGB auch bei Eigenbedarf?",
  "Wann fliegt LH 400 nach New York?",
  "Airbus A350-1000 autonomie en km",
  "¿Qué dice el artículo 155 de la Constitución?",
  "Voo TP 1692 atrasado",
  "갤럭시 S24 배터리 용량",
  "羽生結弦さんは結婚していますか?",
  "GB 50016 疏散宽度",
  "张三丰真有其人吗"
]

const secret = "QX7LPM44"
/** One booking code as people and programs write it. */
const disguises: ReadonlyArray<string> = [
  `My booking is ${secret}.`,
  `My booking ref: ${secret}!`,
  `booking reference number ${secret}, please`,
  `My booking is "${secret}".`,
  `my booking is ${secret.toLowerCase()}.`,
  `My booking is (${secret}).`,
  `My booking is ${secret.slice(0, 4)}-${secret.slice(4)}.`,
  `My booking code = ${secret}.`,
  `My booking is #${secret}.`,
  `Meine Buchungsnummer ist ${secret}.`,
  `예약번호 ${secret} 입니다.`,
  `予約番号は${secret}です。`
]

describe("what leaves of a request", () => {
  it.each(gone)("is the question without whom it is about: %s", (text, secrets, left) => {
    const stripped = strip(text)
    for (const one of secrets) assert.notInclude(stripped.toLowerCase(), one.toLowerCase())
    assert.include(stripped, left)
    assert.strictEqual(strip(stripped), stripped)
  })

  it.each(public_)("is all of a question about public things: %s", (text) => {
    assert.strictEqual(strip(text), text.normalize("NFKC"))
  })

  it.each(disguises)("holds no booking code, however it is written: %s", (text) => {
    const stripped = strip(`${text} Can I get a refund?`).toLowerCase()
    assert.notInclude(stripped, secret.toLowerCase())
    assert.notInclude(stripped, "7lpm")
    assert.include(stripped, "refund")
  })

  it.prop(
    "is the same when chosen twice, and never longer",
    { text: Schema.String, at: Schema.Int },
    ({ at, text }) => {
      const [row] = gone[Math.abs(at) % gone.length] ?? [""]
      for (const whole of [text, `${row} ${text}`, `${text} ${row}`]) {
        const once = strip(whole)
        assert.strictEqual(strip(once), once)
        assert.isAtMost(once.length, whole.normalize("NFKC").length)
      }
    }
  )

  it("takes time in proportion to the text, and reads no more than 4,000 units", () => {
    const units = [
      "my son Tom, ",
      "a",
      "1 ",
      "null eins ",
      "@",
      "夫の",
      "我叫",
      "제 ",
      "Anna ",
      "( "
    ]
    for (const unit of units) {
      const once = (chars: number): number => {
        const text = unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars)
        const start = performance.now()
        strip(text)
        return performance.now() - start
      }
      // The least of three texts, each another one, so that a busy machine is not what is measured.
      const of = (chars: number) => Math.min(...[0, 1, 2].map((less) => once(chars - less)))
      of(500)
      const [short, long] = [of(1_000), of(4_000)]
      assert.isBelow(long, 40 * Math.max(short, 2), unit)
    }
    assert.isAtMost(strip("word ".repeat(2_000)).length, 4_000)
  })
})
