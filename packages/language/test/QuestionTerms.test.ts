import { assert, describe, it } from "@effect/vitest"
import { certaintyOf, countriesIn, kindOf } from "../src/question/QuestionTerms.ts"

describe("the kind of thing that a question asks for", () => {
  it.each<readonly [question: string, kind: string]>([
    ["Was kostet das Parken am Klinikum pro Tag?", "number"],
    ["Wie lange muss ich die Unterlagen aufbewahren?", "number"],
    ["Wann wurde die Brücke gebaut?", "date"],
    ["Combien de jours de congé pour un mariage ?", "number"],
    ["À quelle heure ferme la médiathèque ?", "number"],
    ["Quand la loi entre-t-elle en vigueur ?", "date"],
    ["¿Cuántas vacaciones tengo?", "number"],
    ["¿Cuándo se celebra la romería?", "date"],
    ["Quanto costa il biglietto?", "number"],
    ["Em que ano abriu o museu?", "date"],
    ["Сколько стоит билет?", "number"],
    ["Когда построили мост?", "date"],
    ["Darf ich hier parken?", "other"],
    ["Que dit la loi quand on déménage ?", "other"],
    ["Depuis quand la loi est-elle en vigueur ?", "date"],
    ["Weißt du, wann die Brücke gebaut wurde?", "date"],
    ["O que acontece com a conta quando alguém morre?", "other"],
    ["Quel est l’âge minimum ?", "number"],
    ["How long is the notice period?", "number"],
    ["개장은 언제인가요?", "date"],
    ["When does the ferry leave?", "date"],
    ["Do you know when the ferry leaves?", "date"],
    ["Which papers does one need when crossing the border?", "other"],
    ["What becomes of a lease when the owner dies?", "other"]
  ])("%s", (question, kind) => assert.strictEqual(kindOf(question), kind))

  it.each<readonly [sentence: string, plain: string]>([
    ["Guests over seventeen pay in full.", "Guests pay in full."],
    ["Die Tonne wird einmal im Monat geleert.", "Die Tonne wird bald geleert."],
    ["Le délai est de quarante jours.", "Le délai est court."],
    ["El pedido llega en veintitrés días.", "El pedido llega muy tarde."],
    ["Per passare il turno servono quindici punti.", "Per passare il turno servono punti."],
    ["Aceitamos a troca por até sessenta dias.", "Aceitamos a troca."],
    ["Краска держится около сорока стирок.", "Краска держится долго."],
    ["발급에는 사흘 말고 두 시간이 걸립니다.", "발급에는 오래 걸립니다."],
    ["更新料は二万円です。", "更新料は安いです。"],
    ["票价是一百三十八元。", "票价不贵。"]
  ])("is a number also in words: %s", (sentence, plain) => {
    assert.deepStrictEqual(
      [sentence, plain].map((text) => certaintyOf("number", text, new Set())),
      [1, 0]
    )
  })

  it("is known in a sentence's own language", () => {
    const of = (kind: "number" | "date", sentence: string) => certaintyOf(kind, sentence, new Set())
    assert.strictEqual(of("number", "Die Frist beträgt zwei Wochen."), 1)
    assert.strictEqual(of("number", "Die Frist ist kurz."), 0)
    assert.strictEqual(of("date", "La fête a lieu en juillet à la campagne."), 0.7)
    assert.strictEqual(
      of("date", "La romería de este año será el domingo, según la cofradía."),
      0.7
    )
    assert.strictEqual(of("date", "La fête est belle."), 0)
  })
})

describe("countries", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["How long may a tourist stay in South Korea?", ["KR"]],
    ["The Japanese custom differs from the Korean one.", ["JP", "KR"]],
    ["Nigeria and Niger are two countries.", ["NE", "NG"]],
    ["Wie lange gilt das Visum für Österreich?", ["AT"]],
    ["Quel est le prix en Belgique ?", ["BE"]],
    ["日本では何日滞在できますか。", ["JP"]],
    ["프랑스에서 운전할 수 있나요?", ["FR"]],
    ["The woman from Oman spoke.", ["OM"]],
    ["No country is named here.", []]
  ])("%s names %j", (text, codes) => {
    assert.deepStrictEqual([...countriesIn(text)].toSorted(), [...codes])
  })
})
