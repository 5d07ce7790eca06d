/** Chooses the section of the pack for a sentence, by the words of obligation and custom. */
import type { ReasonCode } from "../need/SearchNeed.ts"
import { quantities } from "../text/Quantities.ts"
import type { Section } from "./GroundingPack.ts"

const obligation = new RegExp(
  "\\b(?:must|shall|required?|requires|requirement|obliged|obligation|obligatory|mandatory|" +
    "prohibited|forbidden|banned|illegal|unlawful|not (?:allowed|permitted)|may not|have to|" +
    "has to|needs? to|at least \\S+ (?:days?|weeks?|months?|years?)|no later than|deadline|" +
    "fine[ds] |a fine of|penalt(?:y|ies)|binding|entitled|void|valid only|liable|laws?|clause|" +
    "statut\\w+|regulation)\\b|" +
    "なければな|必要[があだでな]|義務|禁止|違反|罰|法律|民法|条例|第\\d+条|までに|定め|" +
    "해야 (?:한다|합니다|하며)|하여야|의무|금지|위반|벌금|과태료|법률|민법|제\\d+조|까지|" +
    "필요(?:하다|합니다)|필수|必须|不得|应当|违反|罚款",
  "iu"
)
/** Capitalised only: an act, an article and a code are also ordinary things. */
const enactment = /\b(?:Act|Code|Ordinance|Article \d+)\b/
const custom = new RegExp(
  "\\b(?:customar\\w+|customs?(?! (?:house|office|dut))|polite|impolite|rude|etiquette|" +
    "manners?|tradition\\w*|courteous|courtesy|expected to|considered|appreciated|tend to|" +
    "it is common|common practice|commonly|" +
    "people (?:often|usually|generally)|typically|by convention|as a rule)\\b|" +
    "一般的|最も多い|多くの|慣習|慣例|マナー|礼儀|作法|習慣|通例|失礼|ことが多い|とされる|" +
    "관습|가장 많|예의|관례|보통|일반적|무례|실례|에티켓|경우가 많|习俗|礼貌|礼仪|通常",
  "iu"
)
const duty = new RegExp(
  "\\b(?:must|shall|law|illegal|prohibited|have to|has to)\\b|" +
    "義務|禁止|なければな|의무|금지|해야 (?:한다|합니다)",
  "iu"
)

/**
 * Section of the pack for a claim. Law outweighs custom: a rule told as a habit is still a rule.
 */
export const sectionOf = (sentence: string, reasons: ReadonlyArray<ReasonCode>): Section => {
  const isCustom = custom.test(sentence)
  if (isCustom && !duty.test(sentence)) return "norms_and_expectations"
  if (obligation.test(sentence) || enactment.test(sentence)) return "constraints_and_rules"
  return reasons.includes("CULTURE_NORMS") && !isDated(sentence)
    ? "norms_and_expectations"
    : "key_points"
}

/**
 * Whether the sentence holds a date: asked about manners, one without a date tells what people do.
 */
const isDated = (sentence: string): boolean =>
  quantities(sentence).some(({ kind }) => kind !== "number")
