/**
 * People named by a role in the asker's own life leave in no query; public people keep their names.
 */
import { assert, describe, it } from "@effect/vitest"
import { strip } from "../src/privacy/QueryPrivacy.ts"

const told: ReadonlyArray<readonly [text: string, secrets: string, left: string]> = [
  [
    "My name is Hanako Sato, my e-mail is h@x.jp, landlord Kenji Mori sues me: how much notice " +
    "must I give in Japan?",
    "Hanako Sato Kenji Mori",
    "landlord sues me: how much notice must I give in Japan?"
  ],
  [
    "Our neighbour Petra Lindgren of Lock Street 12 plays loud music. Quiet hours in Germany?",
    "Petra Lindgren Lock 12",
    "Quiet hours in Germany?"
  ],
  [
    "neighbour Petra Lindgren, living at 12 Lock Street, drums: what are quiet hours in Berlin?",
    "Petra Lindgren Lock",
    "what are quiet hours in Berlin?"
  ],
  ["landlord Kenji refuses repairs, my rights in Osaka?", "Kenji", "rights in Osaka?"],
  ["The tenant Ana Lima never pays. Eviction in Lisbon?", "Ana Lima", "Eviction in Lisbon?"],
  ["landlord named Kenji Mori. Notice in Japan?", "Kenji Mori", "Notice in Japan?"],
  ["ex-wife Tina Roth moved to Ohio: child support?", "Tina Roth", "moved to Ohio: child support?"],
  ["Teacher Mary Jones hit my son. Is it legal in Texas?", "Mary Jones", "legal in Texas?"],
  ["lawyer Saul Green told me to wait. Limits in Ohio?", "Saul Green", "Limits in Ohio?"],
  ["boss John Smith owes me wages in Texas", "John Smith", "owes me wages in Texas"],
  [
    "Vermieter Hans Meier aus der Lindenstraße 4 kündigt mir: welche Frist gilt?",
    "Hans Meier Linden",
    "Vermieter kündigt mir: welche Frist gilt?"
  ],
  ["Der Nachbar Herr Krause lärmt nachts. Was tun?", "Krause", "lärmt nachts. Was tun?"],
  [
    "Le propriétaire Jean Dupont garde la caution, quel délai ?",
    "Jean Dupont",
    "garde la caution, quel délai?"
  ],
  [
    "El casero Luis Vega de la calle Mayor 12 no devuelve la fianza, ¿qué hago?",
    "Luis Vega Mayor 12",
    "no devuelve la fianza, ¿qué hago?"
  ],
  ["隣人の鈴木さんがうるさい。通報できますか", "鈴木", "がうるさい。通報できますか"],
  ["大家さんの西園寺さんに訴えられた。期限は", "西園寺", "に訴えられた。期限は"],
  ["집주인 김철수가 보증금을 안 돌려줘요", "김철수", "보증금을 안 돌려줘요"],
  ["房东王小明不退押金怎么办", "王小明", "不退押金怎么办"]
]

/** Offices, professions of people in public, places, laws and things behind a role. */
const kept: ReadonlyArray<string> = [
  "What did prime minister Kishida say about tax?",
  "Did president Emmanuel Macron sign it, tell me",
  "Is Dr. House based on Sherlock Holmes?",
  "Who was teacher Anne Sullivan?",
  "Tell me about the lawyer Alan Dershowitz",
  "What happened to doctor Li Wenliang in Wuhan?",
  "Who is manager Pep Guardiola's assistant?",
  "notice period landlord Texas",
  "my rights as a tenant Los Angeles",
  "Landlord and Tenant Act 1985 repairs",
  "landlord New York security deposit",
  "Who is in the Landlord Tenant Board in Ontario?",
  "Mieter Kaution Rückgabe wie lange",
  "Vermieter Nebenkosten Abrechnung, welche Frist?",
  "Wall Street 1929",
  "What stands at Fifth Avenue in New York?",
  "집주인 전세금을 안 돌려줘요",
  "邻居白天在装修怎么办"
]

const leaks = (text: string, secrets: string): ReadonlyArray<string> =>
  secrets.split(" ").filter((secret) => text.includes(secret))

describe("the people of one's own life", () => {
  it.each(told)("leave no trace, and the question stays: %s", (text, secrets, left) => {
    const stripped = strip(text)
    assert.deepStrictEqual(leaks(stripped, secrets), [])
    assert.include(stripped, left)
    assert.strictEqual(strip(stripped), stripped)
  })

  it.each(kept)("are no public people: %s", (text) => {
    assert.strictEqual(strip(text), text)
  })
})
