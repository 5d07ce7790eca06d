/** Cautions for a reader of a pack, in English and Korean. */
import * as Languages from "../language/Languages.ts"
import type { PackNote } from "../pack/GroundingPack.ts"

const cautions: ReadonlyArray<readonly [PackNote, Readonly<Record<"en" | "ko", string>>]> = [
  ["based_on_sources_not_legal_advice", {
    en: "Based on sources, not legal advice.",
    ko: "출처에 근거한 내용이며 법률 자문이 아닙니다."
  }],
  ["consider_professional_advice", {
    en: "Consider professional advice.",
    ko: "전문가의 조언을 구하는 것이 좋습니다."
  }]
]

/** Sentences for the notes that have one, each after a space. `locale` is a BCP 47 tag. */
export const textOf = (notes: ReadonlyArray<PackNote>, locale: string): string =>
  cautions.flatMap(([note, text]) =>
    notes.includes(note) ? [` ${Languages.ofLocale(locale).code === "ko" ? text.ko : text.en}`] : []
  ).join("")
