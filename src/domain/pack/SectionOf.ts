/** In which section of the pack a sentence belongs, by the words of obligation and custom. */
import type { Section } from "./GroundingPack.ts"

const obligation = new RegExp(
  "\\b(?:must|shall|required?|requires|requirement|obliged|obligation|obligatory|mandatory|prohibited|" +
    "forbidden|banned|illegal|unlawful|not (?:allowed|permitted)|may not|have to|has to|need to|needs to|" +
    "at least \\S+ (?:days?|weeks?|months?|years?)|no later than|deadline|fine[ds]?|penalt(?:y|ies)|" +
    "binding|entitled|void|valid only|liable|law|act|article|code|clause|statut\\w+|regulation)\\b|" +
    "なければならな|なければなりません|必要があ|必要であ|必要だ|必要です|義務|禁止|違反|罰|法律|民法|条例|第\\d+条|" +
    "までに|定め|해야 (?:한다|합니다|하며)|하여야|의무|금지|위반|벌금|과태료|법률|민법|제\\d+조|까지|필요하다|필요합니다|" +
    "필수|必须|不得|应当|违反|罚款",
  "iu"
)
const custom = new RegExp(
  "\\b(?:customar\\w+|customs?|polite|impolite|rude|etiquette|manners?|tradition\\w*|courteous|courtesy|" +
    "expected to|considered|appreciated|tend to|people (?:often|usually|generally)|it is common|common practice|" +
    "commonly|typically|by convention|as a rule)\\b|" +
    "一般的|慣習|慣例|マナー|礼儀|作法|習慣|通例|失礼|ことが多い|とされる|관습|예의|관례|보통|일반적|무례|실례|에티켓|" +
    "경우가 많|习俗|礼貌|礼仪|通常",
  "iu"
)

const duty = new RegExp(
  "\\b(?:must|shall|law|illegal|prohibited|have to|has to)\\b|義務|禁止|なければな|의무|금지|해야 (?:한다|합니다)",
  "iu"
)

/** Law outweighs custom: a rule told as a habit is still a rule. */
export const sectionOf = (sentence: string): Section => {
  if (custom.test(sentence) && !duty.test(sentence)) return "norms_and_expectations"
  return obligation.test(sentence) ? "constraints_and_rules" : "key_points"
}
