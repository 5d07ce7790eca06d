/** Of whom a sentence speaks, and whether of all cases: what must agree before two compare. */

const limitation = new RegExp(
  "\\b(?:some|certain|several|a few|sometimes|occasionally|in rare cases|may(?! \\d)|might|could|can|if|" +
    "unless|when|where|under (?:a|an|article|the)|for example|except|exception|instead|reduced|" +
    "formerly|previously|used to|draft|proposed|appeared in)\\b|" +
    "一部|場合|ことがある|こともある|例外|以前|かつて|일부|경우|예외|과거|이전에는|有些|部分|如果",
  "iu"
)
/** Who owes what, for whom a price holds, and which end of a range is told. */
const parties: ReadonlyArray<RegExp> = [
  /\b(?:tenants?|lessees?|renters?)\b|借主|賃借人|借り手|세입자|임차인|租客|承租人/iu,
  /\b(?:landlords?|lessors?|owners?)\b|貸主|賃貸人|大家|家主|집주인|임대인|房东|出租人/iu,
  /\b(?:employees?|workers?|staff)\b|労働者|従業員|社員|근로자|직원|员工/iu,
  /\b(?:employers?|compan(?:y|ies))\b|使用者|雇用主|会社|사용자|고용주|회사|雇主/iu,
  /\b(?:child|children|kids?|students?)\b|子供|子ども|こども|学生|어린이|아동|학생|儿童/iu,
  /\b(?:maximum|at most|up to|limit)\b|最大|上限|최대|상한/iu,
  /\bminimum (?!wage)|最低(?!賃金)|최소|최저(?!임금)/iu
]

/** Whether the sentence holds for some cases only: "some contracts", "unless", "may". */
export const isLimited = (text: string): boolean => limitation.test(text)

const partial = new RegExp(
  "\\b(?:some|certain|several|a few|sometimes|occasionally|in rare cases|for example|formerly|" +
    "previously|used to|manche|einige|certaines?|certains|algun[oa]s|alcun[ie]|alguns|algumas|" +
    "manchmal|parfois|a veces)\\b|некоторые|иногда|" +
    "一部|ことがある|こともある|以前|かつて|일부|과거|이전에는|有些|部分",
  "iu"
)

/** Whether it holds for some and leaves the others open. "May" and "if" leave nobody open. */
export const isOfSome = (text: string): boolean => partial.test(text)

/** The party named first does or owes what the sentence says. -1 when none is named. */
export const partyOf = (text: string): number => {
  const places = parties.map((party) => text.search(party))
  const first = Math.min(...places.filter((place) => place >= 0))
  return places.indexOf(first)
}
