import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { buckets, featuresOf, structureNames } from "../src/gate/GateFeatures.ts"
import weights from "../src/gate/GateWeights.json" with { type: "json" }
import words from "../src/gate/GateWords.json" with { type: "json" }
import { decideNeedSearch, scoreOf } from "../src/gate/NeedScore.ts"

const root = join(import.meta.dirname, "..")
const fileKilobytesMax = 120
const textCharsMax = 2_000
/** Sequences of at most four lengths at each place that is read, and two hashes for each word. */
const hashedMax = 6 * 400

const asks: ReadonlyArray<string> = [
  "opening hours louvre tuesday",
  "Write me a short note with the current VAT rate in Austria",
  "My flight was cancelled last night, what am I owed?",
  "Wie viel kostet ein Monatsticket in Wien?",
  "Combien coûte un abonnement mensuel à Vienne ?",
  "¿Necesito visa para Georgia?",
  "Quanto custa o passe mensal em Viena?",
  "明日の札幌の天気",
  "올해 최저시급 알려줘",
  "上海今年最低工资"
]
const tells: ReadonlyArray<string> = [
  "Translate into French: \"The latest iPhone costs 999 dollars since 2023.\"",
  "I feel empty today and I don't want to talk to anyone.",
  "Write a poem about the sea in winter",
  "Three boxes weigh 12 kg each and a fourth weighs 7. What do they weigh together?",
  "Schreib ein Gedicht über das Meer im Winter",
  "Reformule plus gentiment : Envoyez-moi le rapport vendredi. Je n'attendrai pas plus.",
  "Resume el texto de abajo en dos frases.\n\nEl museo abre a las nueve. Los lunes cierra.",
  "春についての俳句を作ってください",
  "끝말잇기 하자. 사과!",
  "讲个猫的笑话"
]

describe("the gate's model", () => {
  it("was fitted to today's training texts", () => {
    for (const [name, sha256] of Object.entries(weights.trainedOn)) {
      const text = readFileSync(join(root, `fit/training/gate/${name}.jsonl`), "utf8")
      assert.strictEqual(createHash("sha256").update(text).digest("hex"), sha256, name)
    }
  })

  it("weighs each feature of the structure that there is, and no other", () => {
    assert.deepStrictEqual(Object.keys(weights.turn.structure), [...structureNames])
    assert.deepStrictEqual(Object.keys(weights.setup.structure), [...structureNames])
    assert.strictEqual(new Set(structureNames).size, structureNames.length)
    assert.lengthOf(weights.turn.hashed.join(""), buckets)
  })

  it("is small", () => {
    const bytes = readFileSync(join(root, "src/gate/GateWeights.json")).length
    assert.isBelow(bytes, fileKilobytesMax * 1_024)
  })

  it("has the same lists for every language, none empty", () => {
    const fields = Object.keys(words.en)
    for (const [language, record] of Object.entries(words)) {
      assert.deepStrictEqual(Object.keys(record), fields, language)
      const empty = Object.entries(record).filter(([field, list]) => field !== "id" && list === "")
      assert.deepStrictEqual(empty, [], language)
    }
  })

  it("gives whole numbers, the same each time", () => {
    for (const text of [...asks, ...tells]) {
      const score = scoreOf(featuresOf(text), "turn")
      assert.isTrue(Number.isInteger(score))
      assert.strictEqual(scoreOf(featuresOf(text), "turn"), score)
    }
  })

  it("needs the web in doubt for what it has no list of", () => {
    assert.isTrue(decideNeedSearch("من هو رئيس وزراء المغرب").need)
    assert.isTrue(decideNeedSearch("שעות פתיחה של המוזיאון").need)
  })

  it.each(asks)("needs the web for: %s", (text) => {
    assert.isTrue(decideNeedSearch(text).need)
  })

  it.each(tells)("needs no web for: %s", (text) => {
    assert.isFalse(decideNeedSearch(text).need)
  })

  it.each([
    ["renting a flat in Lyon, first viewing", true],
    ["Eine Wohnung in Hamburg besichtigen, viele Bewerber", true],
    ["看護師の面接、大阪の病院", true],
    ["A dragon and a knight share a campfire in an enchanted forest", false],
    ["Ich bin einsam und möchte einfach reden", false],
    ["親友と仲直りしたい", false]
  ])("judges a scene by its subject: %s", (text, need) => {
    assert.strictEqual(decideNeedSearch(text, "setup").need, need)
  })

  it.each([...asks, ...tells])("is not turned by form alone: %s", (text) => {
    const { need } = decideNeedSearch(text)
    for (const other of [`  ${text}\n`, text.replaceAll(" ", "  "), text.normalize("NFD")]) {
      assert.strictEqual(decideNeedSearch(other).need, need, other)
    }
  })

  it.each([...asks.slice(0, 3), ...tells.slice(0, 4)])(
    "is not turned by courtesy: %s",
    (text) => {
      const { need } = decideNeedSearch(text)
      for (const courtesy of ["Hello! ", "Please ", "Hi, could you please "]) {
        assert.strictEqual(decideNeedSearch(courtesy + text).need, need, courtesy)
      }
    }
  )

  it("reads a bounded part of a long text", () => {
    for (const piece of ["a1 bc2, ", "ab", "漢字", "🙂", "\n", "\"", "\u0301"]) {
      const text = piece.repeat(textCharsMax).slice(0, textCharsMax)
      assert.isAtMost(featuresOf(text).hashed.length, hashedMax)
    }
  })
})
