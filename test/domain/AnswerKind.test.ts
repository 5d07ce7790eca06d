import { assert, describe, it } from "@effect/vitest"
import { certaintyOf, kindOf } from "../../src/domain/question/AnswerKind.ts"

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
    ["개장은 언제인가요?", "date"]
  ])("%s", (question, kind) => assert.strictEqual(kindOf(question), kind))

  it("is told in a sentence's own language", () => {
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
