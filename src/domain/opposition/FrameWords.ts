/** Words round a clause that deny, doubt, suppose or merely report it, language by language. */

const word = (forms: string): string => `(?<!\\p{L})(?:${forms})(?!\\p{L})`
/** From the frame to the clause: its "that", perhaps an "and" after it, a mark, or nothing. */
const opening = "(?<!\\p{L})(?:that|dass|daß|ob|que|qu['’]|che|что|whether|if)"
const joined = "(?:\\s[^.,;。；]{0,200}?\\s(?:and|or|und|et|y|e|и))?"
const that = `(?:[^.;。；]{0,120}?${opening}${joined}|[^.;。；]{0,20}[:：])?\\s*["“„«「'‘]?\\s*$`

const denials = "myth|misconception|fallacy|hoax|untrue|false|falsely|fake|incorrect|" +
  "incorrectly|wrong|wrongly|mistaken|mistakenly|lie|nonsense|" +
  "not true|isn['’]t true|not the case|(?:no|little) truth(?: in| to)?|" +
  "den(?:y|ies|ied|ying)|reject(?:s|ed|ing)?|refut(?:es?|ed|ing)|debunk(?:s|ed|ing)?|" +
  "disprov(?:es?|ed|en|ing)|dismiss(?:es|ed|ing)?|disput(?:es?|ed|ing)|rul(?:es?|ed) out|" +
  "no circumstances|no case|no way|far from|" +
  "(?:not|never|n['’]t)(?: \\p{L}+){0,2} (?:mean|imply|prove|proven|proved|show|shown|suggest|" +
  "say|said|believe|think|claim|claimed|demonstrated?|establish(?:ed)?|found|find|confirm(?:ed)?)|" +
  "fail(?:s|ed)? to (?:show|prove|find|confirm)|" +
  "Mythos|Märchen|Irrtum|Irrglaube|Lüge|falsch|fälschlich|unwahr|nicht wahr|stimmt nicht|" +
  "bestreitet|bestritt|bestritten|dementier\\p{L}*|widerleg\\p{L}*|zurückgewiesen|" +
  "mythe|faux|fausse|pas vrai|inexact|dément\\p{L}*|nie|nient|nié|réfut\\p{L}*|" +
  "mito|falso|bulo|no es cierto|no es verdad|neg[óo]|niega|niegan|desmint\\p{L}*|desmiente\\p{L}*|" +
  "bufala|non è vero|nega|negano|negato|smentit\\p{L}*|smentisc\\p{L}*|" +
  "não é verdade|negou|negam|desment\\p{L}*|desminti\\p{L}*|" +
  "миф|неправда|неверно|ложь|заблуждение|отриц\\p{L}*|опроверг\\p{L}*|не значит"
const doubts = "no (?:\\p{L}+ )?(?:evidence|proof|indication|sign|reason|basis|support|data)|" +
  "(?:little|insufficient|scant) (?:evidence|proof)|" +
  "(?:lack|absence) of (?:evidence|proof)|not (?:known|clear|certain|sure|yet clear)|" +
  "unclear|unknown|uncertain|unproven|unconfirmed|doubt(?:s|ed|ful)?|no one knows|nobody knows|" +
  "whether|wonder(?:s|ed)?|ask(?:s|ed)?|question(?:s|ed)?|remains to be seen|" +
  "kein\\p{L}* (?:Beweis\\p{L}*|Beleg\\p{L}*|Hinweis\\p{L}*|Nachweis\\p{L}*)|" +
  "nicht (?:bewiesen|belegt|bekannt|klar|erwiesen)|unklar|ungewiss|bezweifel\\p{L}*|fraglich|ob|" +
  "aucune preuve|pas de preuve|pas prouvé|incertain|doute\\p{L}*|on ignore|" +
  "no hay (?:pruebas?|evidencias?)|ninguna (?:prueba|evidencia)|no está (?:claro|probado)|dud\\p{L}+|" +
  "nessuna prova|non (?:ci sono|c['’]è) (?:prove|prova)|non è (?:chiaro|provato)|dubit\\p{L}*|" +
  "não há (?:provas?|evidências?)|nenhuma (?:prova|evidência)|não está (?:claro|provado)|duvid\\p{L}*|" +
  "нет (?:доказательств|данных)|неизвестно|неясно|сомнева\\p{L}*|сомнительно"
const chinese = {
  denying: "谣言|謠言|谣传|误解|誤解|误区|否认|否認|并非|並非|不是说|辟谣|迷思|不实|不實",
  doubting: "没有证据|沒有證據|无证据|尚不清楚|不清楚|不确定|是否|怀疑|懷疑"
}

/** At the end of what stands before the clause. */
export const denying = new RegExp(
  `${word(denials)}${that}|(?:${chinese.denying})[^，,。；]{0,20}$`,
  "iu"
)
export const doubting = new RegExp(
  `${word(doubts)}${that}|(?:${chinese.doubting})[^，,。；]{0,12}$`,
  "iu"
)
/** The clause begins in the midst of a denial: "No [tenants agreed]". */
export const negatorBefore = new RegExp(
  `${
    word(
      "no|not|never|neither|nor|none of(?: the)?|few|hardly(?: any)?|without|kein\\p{L}*|nicht|nie|" +
        "aucune?|pas|ningún|ninguna|nunca|nessun[oa]?|nenhuma?|não|не|ни|нельзя"
    )
  }\\s*$|(?:不|没|没有|沒|沒有|未|无|無|无法|無法|非|不再|不会|不能)$`,
  "iu"
)
/** … or ends there: "Der Vertrag endet [nicht]", 必要がある[わけではない]. */
export const negatorAfter = new RegExp(
  "^\\s*(?:not|never|to nobody|in no case|nicht|niemals|keine?\\p{L}*|pas|nunca|jamás|mai|не)" +
    "(?!\\p{L})(?!\\s(?:only|just|merely|nur|solo|só|только))|" +
    "^(?:という|との|とする|って)?(?:わけで|訳で|とは|の|こと|もの)(?:は|も|が|で|では)?" +
    "(?:限ら|限り|言え|いえ|思わ|思い|あり|でき)?(?:ない|ません)|" +
    "^\\s?(?:는|은|ㄴ|고|것은|는 것은|다는|라는|라고)?\\s?(?:것은\\s?|것이\\s?|볼 수\\s?|할 수\\s?|말할 수\\s?)?" +
    "(?:아니|없|않)",
  "iu"
)

const untrue = "myth|misconception|fallacy|hoax|lie|untrue|false|fake|incorrect|wrong|unfounded|" +
  "baseless|groundless|debunked|disproved|disproven|refuted|denied|rejected|discredited|dismissed|" +
  "retracted|misleading|nonsense|not true|not the case|no basis|unproven|" +
  "falsch|widerlegt|Mythos|unwahr|haltlos|fausses?|faux|infondée?s?|démenti\\p{L}*|mythe|réfutée?s?|" +
  "fals[oa]s?|infundad[oa]s?|desmentid[oa]s?|mito|infondat[aeio]|smentit[aeio]|" +
  "ложь|ложны\\p{L}*|опровергнут\\p{L}*|неправда|миф"
const easternUntrue =
  "誤り|誤解|間違い|嘘|うそ|ウソ|デマ|事実では|事実に反|俗説|神話|迷信|否定|根拠(?:は|が)|証拠(?:は|が)|" +
  "거짓|사실이 아니|근거|증거|오해|미신|부인|헛소문|낭설|속설|" +
  "是谣言|是謠言|是误解|是誤解|不实|不實|是假的|是错误的|是錯誤的|没有根据|沒有根據|并非事实|纯属|純屬|被否认|已被辟谣"
/** Anywhere behind a clause that was only told. */
export const refuted = new RegExp(`${word(untrue)}|${easternUntrue}`, "iu")
/** The clause itself is what is called untrue. */
export const refutedAtOnce = new RegExp(
  "^[\"”“»」'’]?[,，]?\\s*(?:(?:is|was|are|were|has been|have been|ist|sind|est|sont|es|è|é)\\s)" +
    `(?:\\p{L}+\\s){0,2}?${word(untrue)}|` +
    "^[\"”“»」'’]?[,，]?\\s*(?:an?|which|but|though|although|eine?|une?|un[ao]?|was|ce qui)" +
    `\\s[^.;]{0,40}?${word(untrue)}|` +
    "^(?:という|との|とする|と|는|은|ㄴ|다는|라는|고|이라는|的|这|這|，这|，這)" +
    `[^。.！!]{0,30}(?:${easternUntrue})|^(?:${easternUntrue})`,
  "iu"
)
export const refutedNext = new RegExp(
  "^\\s*(?:(?:this|that|it|the claim|das|dies|c['’]est|esto|eso|questo|isso|это)\\s" +
    `(?:(?:is|was|ist|es|è|é)\\s)?(?:\\p{L}+\\s){0,2}?)${word(untrue)}|^\\s*${
      word("false|wrong")
    }[.!]|` +
    `^\\s*(?:これは|それは|이는|그것은|이것은|这是|這是)[^。.]{0,20}(?:${easternUntrue})`,
  "iu"
)
export const doubtedAfter = new RegExp(
  "^\\s*(?:is|was|remains|are)\\s(?:\\p{L}+\\s)?(?:unclear|unknown|uncertain|doubtful|unproven|" +
    "unconfirmed|disputed|questionable)(?!\\p{L})|" +
    "^(?:かどうか|か否か|か(?:は|が)|のか|のだろうか|でしょうか)|^(?:는지|은지|ㄴ지|을지|ㄹ지|지\\s?(?:는|여부))|^(?:与否|與否)",
  "iu"
)

/** The clause is what is supposed: "if [the tenant left]". */
export const supposing = new RegExp(
  `${
    word(
      "if|unless|whether|in case|suppos(?:e|ing)(?: that)?|assuming(?: that)?|" +
        "provided(?: that)?|as long as|until|wenn|falls|sofern|ob|solange|bis|si|sauf si|pourvu que|" +
        "a menos que|si no|salvo que|se|a meno che|a não ser que|если|ли"
    )
  }\\s*$|(?:如果|若|假如|倘若|要是|除非|即使)[^，,。；]{0,12}$`,
  "iu"
)
/** A condition stands before the clause, with a comma of its own, or behind it. */
export const conditionBefore = new RegExp(
  "(?:^|[,;]\\s*)(?:only |even |and |but )?(?:if|unless|provided|in case|as long as|assuming|" +
    "wenn|falls|sofern|si|sauf si|a menos que|salvo que|se|a meno che|если)(?!\\p{L})[^.;]*,\\s*(?:then |so |dann )?$|" +
    "(?:如果|若|假如|倘若|要是|除非|只有)[^。；]*[，,]\\s*$|" +
    "(?:場合|なら|ならば|れば|たら|限り)(?:は|に|には|のみ)?[、,]?\\s*$|" +
    "(?:다면|으면|라면|하면|되면|경우(?:에는|에만|에)?)[,\\s]\\s*$",
  "iu"
)
export const conditionAfter = new RegExp(
  "^[,，]?\\s*(?:but )?(?:only|if|unless|provided|except|as long as|in case|wenn|falls|sofern|nur|" +
    "außer|si|sauf|seulement|salvo|a menos|sólo|solo|se|a meno|tranne|exceto|apenas|если|кроме|только)(?!\\p{L})|" +
    "^(?:場合|なら|れば|たら|限り|とき)|^(?:면|다면|을 경우|ㄹ 경우)|^(?:的话|的話|的前提)",
  "iu"
)

/** Told by somebody, as a claim. */
export const told = new RegExp(
  `${
    word(
      "claims?|reports?|rumou?rs?|beliefs?|idea|notion|theory|assertions?|suggestions?|" +
        "allegations?|hypothesis|argument|Behauptung|Gerüchte?|Vorstellung|Theorie|affirmation|idée|" +
        "rumeurs?|afirmación|idea|rumor(?:es)?|teoría|affermazione|voci|teoria|alegação|ideia|" +
        "boatos?|утверждени[ея]|слухи"
    )
  },?\\s(?:that|dass|que|qu['’]|che|что)\\s*["“„«]?\\s*$`,
  "iu"
)
export const claimed = new RegExp(
  `${
    word(
      "claim(?:s|ed|ing)?|believ(?:es?|ed)|alleg(?:es?|ed|edly)|argu(?:es?|ed)|suspect(?:s|ed)?|" +
        "fear(?:s|ed)?|hop(?:es?|ed)|speculat(?:es?|ed)|suppos(?:es?|ed|edly)|imagin(?:es?|ed)|" +
        "behaupt\\p{L}+|glaub\\p{L}+|vermut\\p{L}+|angeblich|prétend\\p{L}*|croi(?:t|ent)|cree|creen|" +
        "supuestamente|crede|credono|presunt\\p{L}+|acredita\\p{L}*|supostamente|утвержда\\p{L}+|считают"
    )
  },?(?:\\s(?:that|dass|que|qu['’]|che|что))?\\s*["“„«]?\\s*$`,
  "iu"
)

/** Of a whole sentence, or of what ends it. */
export const asking = /[?？]\s*["”’」』)）]?\s*$|(?:ですか|ますか|でしょうか|だろうか)[。」]?\s*$/u
