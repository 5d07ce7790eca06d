/**
 * Sentences that tell their reader what to do for their own good.
 *
 * Broad rather than precise: a fact too few in the background costs less than a character who
 * coaches. What everybody must do is a rule and no advice. English, Korean, Japanese, Chinese,
 * German, French and Spanish are known.
 */
import { sentenceTexts } from "../text/Sentences.ts"

const verbs =
  "make|be|remember|try|consider|avoid|ask|check|contact|consult|call|visit|read|keep|" +
  "give|tell|send|write|bring|take|pay|get|use|find|talk|speak|let|show|submit|prepare|review|" +
  "sign|wait|start|stop|follow|choose|book|plan|look|learn|save|note|request|negotiate|document|" +
  "inform|notify|verify|confirm|ensure|think|seek"
const objects =
  "sure|certain|careful|prepared|aware|polite|your|yours|yourself|the|a|an|for|that|" +
  "to|it|them|whether|if|about|any|all|out|up|advice|help|legal|professional"

const patterns: ReadonlyArray<RegExp> = [
  new RegExp(
    "^[\\s\"'“‘•*–-]*(?:(?:(?:please|so|then|first|also|next|finally|instead|always|never|just|" +
      `simply|do not|don['’]t),?|(?:if|when|before|after)\\s[^,]{1,120},)\\s+){0,4}(?:(?:${verbs})\\s+` +
      `(?:${objects})|(?:talk|speak|check) with)\\b`,
    "iu"
  ),
  /^[\s"'“‘•*–-]*(?:please|always|never|do not|don['’]t)\s+\p{Ll}/iu,
  /\byou(?:['’]d|['’]ll)?\s+(?:\w+ly\s+)?(?:should|ought|shouldn['’]t|could|might|may want|better|had better|want to|need not|are (?:\w+ly )?(?:advised|encouraged|recommended|urged))\b/iu,
  /\b(?:we|i|experts?|lawyers?)\s+(?:\w+ly\s+)?(?:recommend|advise|suggest|encourage|urge)\b/iu,
  /\bit(?:['’]s|\s+is|\s+may be|\s+might be)\s+(?:\w+ly\s+)?(?:\w+\s+)?(?:best|better|wise|advisable|advised|recommended|prudent|important|worth|helpful|a good idea)\b/iu,
  /(?:세요|십시오|시기\s?바랍니다|(?:것|편)[이을]\s?(?:가장\s?)?(?:좋|낫|추천|권)|권장(?:합니다|한다|드립니다)|추천(?:합니다|한다|드립니다))/u,
  /(?:ましょう|[てで](?:くだ|下)さい|お(?:勧|すす|薦)め|(?:方|ほう)[がも](?:良|い)い?|べき(?:です|だ|である)|(?:推奨|お願い)(?:します|いたします))/u,
  /(?:建议|建議|请(?:您|你|勿|务必|先)|請(?:您|你|勿|務必|先)|您?最好)/u,
  /\b(?:Sie sollten|du solltest|wir (?:empfehlen|raten)|achten Sie|bitte)\b/iu,
  /\b(?:vous devriez|nous (?:vous )?(?:recommandons|conseillons)|veuillez|assurez-vous)\b/iu,
  /(?:\bdeberías?\b|\b(?:le|te) (?:recomendamos|aconsejamos)|asegúr(?:ese|ate))/iu
]

/** Whether any sentence of the text is advice. */
export const isGiven = (text: string): boolean =>
  sentenceTexts(text).some((sentence) => patterns.some((pattern) => pattern.test(sentence)))
