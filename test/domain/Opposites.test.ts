import { assert, describe, it } from "@effect/vitest"
import * as Verification from "../../src/domain/pack/Verification.ts"
import { words } from "../../src/domain/text/Words.ts"

/** What the page says, what a claim must not make of it, and what it may. */
type Case = readonly [quote: string, opposite: string, honest?: string]

const check = (claim: string, quote: string) =>
  Verification.check(claim, { quotes: [quote], title: "" })

/** The opposite falls, the quotation itself and the honest wording stand, both ways round. */
const holds = ([quote, opposite, honest = quote]: Case) => {
  assert.isDefined(check(opposite, quote).reason, `${opposite} <= ${quote}`)
  assert.isUndefined(check(honest, quote).reason, `${honest} <= ${quote}`)
  assert.deepInclude(check(quote, quote), { support: "supported", doubts: [] })
  assert.deepInclude(check(opposite, opposite), { support: "supported" }, opposite)
}

const named = (cases: ReadonlyArray<Case>) => cases.map((one) => [one[0], one] as const)

const negations: ReadonlyArray<Case> = [
  ["借主は1か月前に通知する必要がある。", "借主は1か月前に通知する必要はない。"],
  ["借主は通知する必要があります。", "借主は通知する必要はありません。"],
  ["外国人は口座を開設できます。", "外国人は口座を開設できません。"],
  ["外国人は口座を開設できる。", "外国人は口座を開設できない。"],
  ["写真を撮っても構いません。", "写真を撮ってはいけません。"],
  ["この薬は安全である。", "この薬は安全ではない。"],
  ["この薬は安全です。", "この薬は安全でない。"],
  ["会議は予定どおり開かれた。", "会議は予定どおり開かれなかった。"],
  ["借主は通知しなければならない。", "借主は通知しなくてもよい。"],
  ["ペットを飼うことは禁止されていない。", "ペットを飼うことは禁止されている。"],
  ["この施設では現金が使える。", "この施設では現金が使えない。"],
  ["이 약은 안전하다.", "이 약은 안전하지 않다."],
  ["세입자는 통지할 필요가 있다.", "세입자는 통지할 필요가 없다."],
  ["외국인은 계좌를 개설할 수 있습니다.", "외국인은 계좌를 개설할 수 없습니다."],
  ["사진을 찍어도 됩니다.", "사진을 찍으면 안 됩니다."],
  ["세입자는 미리 통지하지 않으면 안 된다.", "세입자는 미리 통지하지 않아도 된다."],
  ["회의는 예정대로 열렸다.", "회의는 예정대로 열리지 못했다."],
  ["租客必须提前一个月通知房东。", "租客不必提前一个月通知房东。"],
  ["外国人可以在这里开户。", "外国人不可以在这里开户。"],
  ["这种药是安全的。", "这种药是不安全的。"],
  ["租客可以退还押金。", "租客无法退还押金。"],
  ["会议已经按计划召开。", "会议没有按计划召开。"],
  ["Die Miete darf erhöht werden.", "Die Miete darf nicht erhöht werden."],
  ["Es ist eine Kündigung nötig.", "Es ist keine Kündigung nötig."],
  ["Das Medikament ist sicher.", "Das Medikament ist nicht sicher."],
  ["Die Anmeldung ist nötig und kostet 20 Euro.", "Die Anmeldung ist unnötig und kostet 20 Euro."],
  ["Le médicament est sûr.", "Le médicament n'est pas sûr."],
  ["Le locataire peut quitter le logement.", "Le locataire ne peut pas quitter le logement."],
  ["Le bail se renouvelle chaque année.", "Le bail ne se renouvelle plus chaque année."],
  ["El medicamento es seguro.", "El medicamento no es seguro."],
  ["El inquilino debe avisar con tiempo.", "El inquilino nunca debe avisar con tiempo."],
  ["Il farmaco è sicuro per i bambini.", "Il farmaco non è sicuro per i bambini."],
  ["O medicamento é seguro para crianças.", "O medicamento não é seguro para crianças."],
  ["Лекарство безопасно для детей.", "Лекарство не безопасно для детей."],
  ["В музее можно фотографировать картины.", "В музее нельзя фотографировать картины."],
  ["Tenants may keep pets in the flat.", "Tenants may not keep pets in the flat."],
  ["The deposit is refundable within a month.", "The deposit is non-refundable within a month."],
  ["Everybody agreed with the plan.", "Nobody agreed with the plan."],
  ["All tenants agreed with the plan.", "No tenants agreed with the plan."]
]

const turned: ReadonlyArray<Case> = [
  ["The office is open on Mondays.", "The office is closed on Mondays."],
  ["Prices fell by 5 percent.", "Prices rose by 5 percent."],
  ["Notice of at least 30 days is required.", "Notice of at most 30 days is required."],
  ["More than half of tenants agreed.", "Less than half of tenants agreed."],
  ["Few tenants agreed with the plan.", "Most tenants agreed with the plan."],
  ["Die Preise sind um 5 Prozent gefallen.", "Die Preise sind um 5 Prozent gestiegen."],
  ["Es sind mindestens 30 Tage nötig.", "Es sind höchstens 30 Tage nötig."],
  [
    "Les chiens sont autorisés, le chat est interdit.",
    "Les chiens sont autorisés, le chat est permis."
  ],
  ["Los precios bajaron: el pan subió un 5 %.", "Los precios bajaron: el pan bajó un 5 %."],
  ["入場は無料で、予約が必要です。", "入場は有料で、予約が必要です。"],
  ["身長120センチ以上の人が乗れます。", "身長120センチ以下の人が乗れます。"],
  ["입장료는 무료이며 예약이 필요하다.", "입장료는 유료이며 예약이 필요하다."],
  ["门票至少需要三十元人民币。", "门票至多需要三十元人民币。"],
  [
    "Poland invaded Germany in 1939.",
    "Germany invaded Poland in 1939.",
    "In 1939 Poland invaded Germany."
  ],
  ["Beta Corp acquired Acme.", "Acme acquired Beta Corp.", "Acme was acquired by Beta Corp."],
  ["Mary sued John over the house.", "John sued Mary over the house."],
  ["Frankreich besiegte Deutschland im Finale.", "Deutschland besiegte Frankreich im Finale."],
  ["La France a battu l'Italie.", "L'Italie a battu la France."],
  ["The dog bit the man at noon.", "The man bit the dog at noon."],
  ["乙社が甲社を買収した。", "甲社が乙社を買収した。", "甲社を乙社が買収した。"],
  ["德国入侵波兰并占领首都。", "波兰入侵德国并占领首都。"],
  ["베타사가 알파사를 인수했다.", "알파사가 베타사를 인수했다."]
]

const measured: ReadonlyArray<Case> = [
  ["The fee is €500.", "The fee is $500.", "The fee is 500 euros."],
  ["The fee is 500 dollars.", "The fee is 500 euros.", "The fee is $500."],
  ["The fine is $1,000.", "The fine is £1,000.", "The fine is 1,000 dollars."],
  ["The fee is 500 dollars per night.", "The fee is 500 yen per night."],
  ["The road is 40 km long.", "The road is 40 miles long.", "The road is 40 kilometres long."],
  ["The bag may weigh 20 kg.", "The bag may weigh 20 pounds.", "The bag may weigh 20 kilograms."],
  ["The office opens at 9 pm.", "The office opens at 9 am.", "The office opens at 9 p.m."],
  ["料金は500円です。", "料金は500ドルです。"],
  ["窓口は午前9時に開きます。", "窓口は午後9時に開きます。"],
  ["요금은 500원입니다.", "요금은 500달러입니다."],
  ["门票是500元。", "门票是500美元。"],
  ["Der Eintritt kostet 12 Euro.", "Der Eintritt kostet 12 Franken.", "Der Eintritt kostet 12 €."],
  [
    "The law takes effect on 5 March 2025.",
    "The law takes effect on 3 May 2025.",
    "The law takes effect on March 5, 2025."
  ],
  ["The law takes effect on 5 March 2025.", "The law takes effect on 5 March 2026."],
  [
    "The fair runs from 3 to 5 May 2025.",
    "The fair runs from 5 March 2025.",
    "The fair runs from 3 May 2025."
  ],
  ["Das Gesetz gilt ab dem 5. März 2025.", "Das Gesetz gilt ab dem 3. Mai 2025."],
  ["法律は2025年3月5日に施行される。", "法律は2025年5月3日に施行される。"],
  ["법은 2025년 3월 5일에 시행된다.", "법은 2025년 5월 3일에 시행된다."]
]

describe("a claim that says the opposite of its quotation", () => {
  it.each(named(negations))("denies: %s", (_, one) => holds(one))
  it.each(named(turned))(
    "turns a word, a bound or the parties: %s",
    (_, one) => holds(one)
  )
  it.each(named(measured))(
    "counts something else, or dates it otherwise: %s",
    (_, one) => holds(one)
  )

  it("would stand, were words compared that drop endings and signs", () => {
    const spelled = (text: string) => words(text).join(" ")
    const missed = [...negations, ...measured].filter(([quote, opposite]) =>
      spelled(quote) === spelled(opposite)
    )
    assert.isAtLeast(missed.length, 5)
  })
})

describe("what only looks like a denial", () => {
  it.each([
    ["必ず予約してください。窓口は平日に開きます。", "窓口は平日に開きます。"],
    [
      "Not only tenants but also owners must register with the city.",
      "Owners must register with the city."
    ],
    ["Dogs and cats are allowed in the park.", "Cats and dogs are allowed in the park."],
    [
      "In 2024 the fee for a visa rose to 80 euros.",
      "The fee for a visa rose to 80 euros in 2024."
    ],
    ["Visitors buy apples, pears and plums there.", "Visitors buy plums, pears and apples there."],
    [
      "Die Miete darf im ersten Jahr nicht erhöht werden.",
      "Im ersten Jahr darf die Miete nicht erhöht werden."
    ],
    ["Der Vermieter verklagt den Mieter.", "Den Mieter verklagt der Vermieter."],
    ["Le loyer peut augmenter en janvier.", "En janvier le loyer peut augmenter."],
    ["借主は通知しなければなりません。", "借主は通知しなければならない。"],
    ["이 제도는 학생뿐만 아니라 교사도 이용한다.", "이 제도는 학생과 교사도 이용한다."]
  ])("%s", (quote, claim) => assert.isUndefined(check(claim, quote).reason))
})
