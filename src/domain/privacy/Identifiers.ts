/** Finds what identifies by number: accounts, plates, phones, passwords, dates of birth. */
import { home, numberShapes } from "./NumberShapes.ts"
import { spacedWords } from "./PrivacyWords.ts"
import type { PrivateText, Span } from "./PrivateText.ts"
import { clauseAt, count, isOf, wordsOf } from "./PrivateText.ts"

/** Words between "booking" and its value. */
const linksMax = 4
/** Tokens of one value: "GB29 NWBK 6016 1331 9268 19". */
const valueTokensMax = 9
/** How far behind its word a value stands. In UTF-16 code units. */
const reachChars = 120
const spokenDigitsMin = 5
/** Digits before the last zeros from which a sum of money is exact, and of its whole part. */
const exactDigitsMin = 5

export const identifiersIn = (text: PrivateText): ReadonlyArray<Span> => [
  ...numberShapes.filter(({ language }) => isRead(language, text))
    .flatMap(({ pattern }) => spansOf(text.raw, pattern)),
  ...(text.isOwn ? home.flatMap(({ pattern }) => spansOf(text.raw, pattern)) : []),
  ...codesIn(text),
  ...numbersIn(text),
  ...mixedIn(text),
  ...spokenIn(text),
  ...incomesIn(text),
  ...(text.isOwn ? exactSumsIn(text) : []),
  ...birthDatesIn(text)
]

/** Patterns of Korean, Japanese and Chinese are for text that holds such letters. */
const isRead = (language: string, { unspaced }: PrivateText): boolean =>
  !["ko", "ja", "zh"].includes(language) || language === unspaced

/** Spans that a pattern finds: its group `secret`, else all of it. */
export const spansOf = (text: string, pattern: RegExp): ReadonlyArray<Span> =>
  Array.from(text.matchAll(pattern), (match) => {
    const secret = match.groups?.["secret"]
    const start = match.index + (secret === undefined ? 0 : match[0].lastIndexOf(secret))
    return { start, end: start + (secret ?? match[0]).length }
  })

const languagesOf = ({ spaced, unspaced }: PrivateText) =>
  unspaced === undefined ? [spaced] : [unspaced, spaced]

/** Values behind words for identifiers and secrets. */
const codesIn = (text: PrivateText): ReadonlyArray<Span> =>
  languagesOf(text).flatMap((language) =>
    (["code", "pass"] as const).flatMap((field) =>
      Array.from(text.low.matchAll(wordsOf(language, field))).flatMap((match) => {
        const from = match.index + match[0].length
        const rest = text.raw.slice(from, from + reachChars)
        return valueIn(rest, field, text).map(({ end, start }) => ({
          start: from + start,
          end: from + end
        }))
      })
    )
  )

const token = /[^\s,;!?()（）、，。？！"“”«»]+/gu
const secretToken = /[^\s,;()（）、，。？"“”«»]+/gu
const year = /^(?:19|20)\d\d$/
const linkWord =
  /^(?:is|was|no\.?|nr\.?|n[°ºo.]\.?|nº|№|#|:|=|number|nummer|code|id|ist|war|lautet|est|était|es|era|è|é|my|and|it's|ref\.?|的?是|为|은|는|이|가|は|が|у|это|мой|under|unter|name|numéro|número|numero|ending|starts|with|plate|van|car|:)$/iu

const valueIn = (
  rest: string,
  field: "code" | "pass",
  text: PrivateText
): ReadonlyArray<Span> => {
  const tokens = Array.from(rest.matchAll(field === "pass" ? secretToken : token))
  let links = 0
  let start = -1
  let end = -1
  for (const found of tokens) {
    const bare = found[0].replace(/^[:：=#]+|[.:：]+$/gu, "")
    const gap = rest.slice(end === -1 ? 0 : end, found.index)
    if (/[.!?。？！\n]/u.test(gap) || /[,，、;]/u.test(gap) && start !== -1) break
    const value = start === -1 ? headOf(bare, field) : tailOf(bare)
    if (value === 0) {
      if (start !== -1) break
      links++
      const isLink = bare === "" || linkWord.test(bare)
      if (faultWord.test(bare)) break
      if (links > linksMax || !isLink && (field === "pass" || links > 2 || /^\p{Lu}/u.test(bare))) {
        break
      }
      continue
    }
    const at = found.index + found[0].indexOf(bare)
    if (start === -1) start = at
    end = at + value
    if (value < bare.length || /[.:：]$/u.test(found[0])) break
    if (tokens.indexOf(found) > valueTokensMax + links) break
  }
  if (start === -1) return []
  const value = rest.slice(start, end)
  return isKept(value, rest.slice(end), field, text) ? [] : [{ start, end }]
}

/** A word for a fault, and perhaps the first letters of its code, right before the rest of it. */
const beforeFaultCode =
  /(?:(?:error|erreur|fehler|fehlercode|errore|erro|stop ?code|ошибка)(?: code)?|エラー(?:コード)?|오류(?: ?코드)?|에러(?: ?코드)?|错误(?:代码|码)?|錯誤)[ :：]{0,2}(?:[A-Z]{2,3}-)?$/iu

/** A word for a fault: the code behind it is one that many have met. */
const faultWord =
  /^(?:errors?|erreurs?|fehler\p{L}*|fouten?|errore|errori|erros?|errores|ошибк\p{L}+)$/iu

/** How much of the token a value takes; none when it is a word. */
const headOf = (bare: string, field: "code" | "pass"): number => {
  const particle = field === "pass"
    ? /^[\p{Script=Latin}\p{N}!-/:-@_#$%&*+-]+/u
    : /^[\p{Script=Latin}\p{Script=Cyrillic}\p{N}#№/._·-]+(?:[가-힣](?= ?\d))?/u
  const value = particle.exec(bare)?.[0] ?? ""
  if (value === "" || linkWord.test(value)) return 0
  if (/\d/.test(value)) return value.length
  if (field === "pass") return /[!#$%&*_@-]/.test(value) ? value.length : 0
  return /^\p{Lu}{4,8}$|^\p{Lu}{1,3}-\p{Lu}{1,3}$|^[a-z]+[._][a-z._]+$/u.test(value) ||
      /^\p{Lu}{1,3}$/u.test(value)
    ? value.length
    : 0
}

const tailOf = (bare: string): number =>
  /^(?=.*\d)[\p{Lu}\d][\p{Lu}\d/._·-]*/u.exec(bare)?.[0].length ??
    /^(?:\p{Lu}{1,4}|[ぁ-ん]|[가-힣])$/u.exec(bare)?.[0].length ?? 0

/** A year, an amount, or too little to tell one from others. */
const isKept = (
  value: string,
  after: string,
  field: "code" | "pass",
  { isOwn }: PrivateText
): boolean => {
  const digits = value.replace(/\D/g, "").length
  if (field === "pass") return !isOwn && digits < 4 || year.test(value) && !isOwn
  if (isYears(value) || /^\d+[.,]\d{2}$/.test(value) || unit.test(after) && digits < 6) return true
  if (money.test(after) && /^\d{1,3}(?:[ .,]\d{3})*(?:[.,]\d\d)?$/.test(value)) return true
  if (digits === 0) return !isOwn || value.length < 5 && !/[._-]/.test(value)
  const isCode = /^(?=.*\p{Lu})(?=.*\d)[\p{Lu}\d /._-]{6,}$/u.test(value) ||
    digits > 2 && /^(?=.*\p{L})[\p{L}\d._-]{6,}$/u.test(value)
  return !isCode && (isOwn ? digits < 2 || digits < 3 && value.length < 4 : digits < 6)
}

const currencies =
  "[€$£¥₩₽]|euros?|dollars?|pounds?|reais|pesos|usd|eur|chf|gbp|won|yen|rubles?|руб|원|円|元"
const measures =
  "%|°|yuan|km|kg|m|cm|mm|l|ml|kwh|kw|mg|g|µg|mcg|hp|ps|ui|iu|years?|jahren?|ans|años|anni|anos|лет|года?|руб\\p{L}*|months?|monate?n?|mois|meses|mesi|days?|tagen?|jours|días|giorni|dias|дней|hours?|stunden?|minutes?|minuten?|weeks?|wochen?|semaines|semanas|people|personen|만|억|명|년|월|일|개|살|세|kcal|万|億|人|年|月|日|歳|才|块|亿|岁|个|天|号线|w|kw|v|gb|tb|mb|million|billion|mio|mrd"
const unit = new RegExp(`^ ?(?:${currencies}|${measures})(?![\\p{Script=Latin}\\p{N}])`, "iu")
const money = new RegExp(`^ ?(?:${currencies})(?!\\p{Script=Latin})`, "iu")
const currency = /(?:[€$£¥₩₽]|usd|eur|chf|gbp|rs\.?|r\$) ?$/iu

const run =
  /(?<![\p{Script=Latin}\p{N}]|\d[.,])[+(]{0,2}\d(?:[ .,()/\u2010-\u2015·_-]{0,2}\d){3,40}/gu

/** Numbers that are too long for an amount, grouped or not. */
const numbersIn = (text: PrivateText): ReadonlyArray<Span> =>
  Array.from(text.raw.matchAll(run)).flatMap((match) => {
    const end = match.index + match[0].length
    const isNumber = keepsNumber(
      match[0],
      text.raw.slice(0, match.index),
      text.raw.slice(end),
      text
    )
    return isNumber ? [] : [{ start: match.index, end }]
  })

const keepsNumber = (
  number: string,
  before: string,
  after: string,
  text: PrivateText
): boolean => {
  if (beforeFaultCode.test(before) || /^\d{3,4} \d[.,]\d$/.test(number)) return true
  // The code of a console's fault: "CE-108255-1".
  if (/(?<!\p{L})\p{Lu}{2}-$/u.test(before) && /^\d{5,6}-\d$/.test(number)) return true
  const digits = number.replace(/\D/g, "")
  const isAmount = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?$/.test(number) &&
    !/^0/.test(number)
  if (/^[\p{Script=Latin}]/u.test(after) && !unit.test(after)) return digits.length < 6
  if (isYears(number) || isDate(number) || isAmount) return true
  if (/^[1-9]\d{0,11}[.,]\d+$|^\d[.,]\d+$/.test(number)) return true
  if (/^[1-9]\d{0,2}0{3,}$|^[1-9]0{3,}$/.test(number) && digits.length <= 15) return true
  if (/^(?:127|10|192\.168)(?:\.\d{1,3}){2,3}$/.test(number)) return true
  const isPlain = /^\d+(?: \d{3})*$/.test(number)
  if (isPlain && (unit.test(after) || currency.test(before)) && digits.length < 12) return true
  if (digits.length >= 7) {
    return isLaw(number) || standard.test(before) && (digits.length < 10 || edition.test(number)) ||
      /^(?:19|20)\d\d(?:[ ,/–-]+(?:19|20)\d\d)+$/u.test(number)
  }
  if (/^0\d{4}$/.test(number)) return /(?:^|\s)[¿¡]?\p{Lu}{2,5} $/u.test(before)
  if (digits.length < 5 || !text.isOwn) return true
  if (
    isLaw(number) || standard.test(before) ||
    /\p{Lu}[\p{L}]*[ -]$/u.test(before) && /^\d+[-/]\d+$/.test(number)
  ) {
    return true
  }
  // Five digits before a town are its post code.
  return digits.length === 5 && /^\d{5}$/.test(number) && !/^\s*(?:[,.]|$|\p{Lu})/u.test(after) &&
    !/[,\n]\s*$/.test(before)
}

const isYears = (number: string): boolean =>
  /^(?:(?:1[5-9]|20)\d\d[ \u2010-\u2015,/-]*)+$/u.test(number) && !/\d{5}/.test(number)
const isDate = (number: string): boolean =>
  /^(?:\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})|(?:19|20)\d\d([./-])\d{1,2}\2\d{1,2})$/.test(number)
const isLaw = (number: string): boolean =>
  /^(?:(?:19|20)\d\d[/-]\d{1,4}|\d{1,2}\.?\d{1,4}\/(?:(?:19|20)\d\d|\d\d)|\d{1,3}\/\d{1,3})$/.test(
    number
  )

const mixed =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{N}])(?=[\p{Script=Latin}\p{Script=Cyrillic}-]{0,30}\d)[\p{Script=Latin}\p{Script=Cyrillic}\d]+(?:[-/._·][\p{Script=Latin}\p{Script=Cyrillic}\d]+)*/gu
const standard =
  /(?<!\p{Script=Latin})(?:iso|iec|en|din|ieee|bs|astm|nf|jis|cve|gb(?:\/t)?|ks|kc|une|nbr|rfc|gost|гост|ansi|cerfa|form|modelo?|modello|formular|article|art|artikel|section|regulation|directive|bis|sae|ral|iata)[ .-]?[a-z]{0,3}[ .-]?$/iu

/** Number of a standard with its year. */
const edition = /^[\d.]{3,12}[-:–](?:19|20)\d\d$/u

/** Letters and digits together: few digits name a kind, many an item. */
const mixedIn = (text: PrivateText): ReadonlyArray<Span> =>
  Array.from(text.raw.matchAll(mixed)).flatMap((match) => {
    const start = match.index
    const end = start + match[0].length
    const isKind = keepsMixed(match[0], text.raw.slice(Math.max(0, start - 40), start), text)
    return isKind ? [] : [{ start, end }]
  })

const keepsMixed = (value: string, before: string, text: PrivateText): boolean => {
  const { isOwn } = text
  const digits = value.replace(/\D/g, "").length
  const letters = value.replace(/[^\p{L}]/gu, "").length
  if (letters === 0 || !isOwn && !isHeld(text) && digits < 8) return true
  if (/^(?:kb\d{6,8}|cve-\d{4}-\d{3,6}|\p{Lu}+\d+\p{L}*\/\d{1,3})$/iu.test(value)) return true
  if (/^0x[\da-f]{1,16}$/i.test(value) || standard.test(before)) return true
  if (beforeFaultCode.test(before) || /^(?:[PBCU][0-3]\d{3}|[A-Z]{2}-\d{5,6}-\d)$/.test(value)) {
    return true
  }
  if (/^(?:iso|iec|en|din|rfc|jis|gb|nf|iec|ieee)[-/]?\d/iu.test(value)) return true
  if (/^\d+(?:[.,]\d+)*-?\p{L}{1,4}$/u.test(value) && digits <= 5) return true
  if (/^[\p{Ll}]*\d{4}(?:er|s|年)$/u.test(value) || /^\d+(?:-\p{L}+)+$/u.test(value)) return true
  if (digits <= 2) return true
  if (/^\p{L}+(?:-\p{L}+)*-(?:19|20)\d\d(?:-\p{L}+)?$/u.test(value)) return true
  const isNamed =
    /\p{Lu}[\p{L}\p{N}-]*[ -]$|[\p{Script=Katakana}\p{Script=Han}\p{Script=Hangul}] ?$/u
      .test(before)
  if (digits <= 7 && letters <= 3 && !isOwn && isNamed && /^\p{L}+\d+-\d+$/u.test(value)) {
    return true
  }
  return digits <= 5 && letters + digits <= 12 && (isNamed || !isOwn || digits <= 3 && letters <= 4)
}

const earns =
  /(?<!\p{L})(?:earn(?:s|ing)?|salary|wage|income|take home|paid|verdien\p{L}*|gehalt|lohn|einkommen|brutto|netto|gagne|salaire|revenus?|touche|payée?|gano|gana|sueldo|salario|ingresos|cobro|nómina|ganho|ganha|salário|renda|recebo|guadagno|guadagna|stipendio|reddito|ral|зарабатываю|зарплат\p{L}*|доход\p{L}*|оклад\p{L}*|получаю)(?!\p{L})|연봉|월급|월수입|소득|세전|세후|年収|月収|手取り|給料|給与|時給|所得|年薪|月薪|工资|薪水|收入|税前|税后|薪资|时薪/gu
const amount =
  /[$€£¥₩₽]? ?(?<![\p{Script=Latin}\d])\d[\d.,' ]*(?:万|億|亿|千|만|천|억|k)?(?:\d+)?|(?<=薪|资|入|收|約|约)[一二三四五六七八九十百千万两]{2,8}/gu
/** How far from its word an amount stands. In UTF-16 code units. */
const earnsChars = 32

/** Incomes of the asker, where they stand outside the question. */
const incomesIn = (text: PrivateText): ReadonlyArray<Span> =>
  Array.from(text.low.matchAll(earns)).flatMap((match) => {
    if (!text.isOwn && text.unspaced === undefined) return []
    const from = Math.max(0, match.index - earnsChars)
    const near = text.low.slice(from, match.index + match[0].length + earnsChars)
    return spansOf(near, amount)
      .map(({ end, start }) => ({ start: from + start, end: from + end }))
      .filter(({ end, start }) =>
        clauseAt(text, start) === clauseAt(text, match.index) &&
        clauseAt(text, start)?.isAsking === false &&
        !isYears(text.low.slice(start, end).trim()) &&
        /\D{0,2}(?:\d\D*){3}|[kпд万億亿만천억千]|[$€£¥₩₽]|[一二三四五六七八九]/u
          .test(text.low.slice(start, end)) &&
        !/^ ?(?:%|st|hours?|stunden|heures|horas|年(?!収)|月|日|人|개월|년|살)/u.test(
          text.low.slice(end)
        )
      )
  })

const grouped =
  /(?<![\p{L}\d.,])(?:\d{5,9}|\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*)(?:[.,]\d\d)?(?!\d)/gu

/** Exact sums of money: no search needs them, and few people have the same. */
const exactSumsIn = ({ raw }: PrivateText): ReadonlyArray<Span> =>
  spansOf(raw, grouped).filter(({ end, start }) => {
    const sum = raw.slice(start, end)
    const digits = (text: string) => text.replace(/\D/g, "")
    return digits(sum).replace(/0+$/, "").length >= exactDigitsMin &&
      digits(sum.replace(/[.,]\d\d$/, "")).length >= exactDigitsMin &&
      (money.test(raw.slice(end)) || currency.test(raw.slice(0, start)))
  })

/** A word for what people hold stands somewhere: no fragment about a thing. */
const isHeld = (text: PrivateText): boolean =>
  languagesOf(text).some((language) =>
    (["code", "pass", "kin", "self"] as const).some((field) => count(text.low, language, field) > 0)
  )

/** Digits in words, seven and more. */
const spokenIn = (text: PrivateText): ReadonlyArray<Span> => [
  ...spokenRuns(text),
  ...(text.unspaced === undefined ? [] : spansOf(text.raw, spokenOf[text.unspaced]))
]

const spokenOf = {
  ko: /(?:[공영일이삼사오육륙칠팔구](?:[ -]|(?:에|의|다시) ?)?){6,}[공영일이삼사오육륙칠팔구]/gu,
  ja:
    /(?=[\d 、,・の-]*[ぁ-んァ-ヴ零〇一二三四五六七八九])(?:(?:ゼロ|れい|レイ|まる|マル|いち|イチ|にー?|ニー?|さん|サン|よん|ヨン|ごー?|ゴー?|ろく|ロク|なな|ナナ|しち|シチ|はち|ハチ|きゅう|キュー|キュウ|[零〇一二三四五六七八九\d])[ 、,・の-]?){7,}(?![ァ-ヴ])/gu,
  zh:
    /(?=[\d 、，,-]*[零〇幺一二三四五六七八九两洞拐])(?:[零〇幺一二三四五六七八九两洞拐\d][ 、，,-]?){6,}[零〇幺一二三四五六七八九两洞拐\d]/gu
} as const

const word = /[\p{L}\p{N}+]+(?:-[\p{L}\p{N}]+)*/gu

const spokenRuns = ({ isOwn, low, spaced }: PrivateText): ReadonlyArray<Span> => {
  const least = isOwn ? spokenDigitsMin : spokenDigitsMin + 2
  const found: Array<Span> = []
  let start = -1
  let end = -1
  let said = 0
  let all = 0
  const close = () => {
    if (said >= 2 && all >= least) found.push({ start, end })
    start = -1
    said = 0
    all = 0
  }
  for (const match of low.matchAll(word)) {
    const isDigits = /^\+?\d+$/.test(match[0])
    const isSaid = isDigitWord(match[0], spaced)
    const isNear = start === -1 || /^[\s,.-]*$/u.test(low.slice(end, match.index))
    if (!isNear || !isDigits && !isSaid) close()
    if (!isDigits && !isSaid) continue
    if (start === -1) start = match.index
    end = match.index + match[0].length
    said += isSaid ? 1 : 0
    all += isDigits ? match[0].length : 1
  }
  close()
  return found
}

const digitPatterns = Object.fromEntries(
  Object.entries(spacedWords).map(([language, { digit }]) => [
    language,
    new RegExp(`^(?:${digit.replaceAll("*", "[\\p{L}-]*")})$`, "u")
  ])
)
const isDigitWord = (said: string, language: PrivateText["spaced"]): boolean =>
  digitPatterns[language]?.test(said) ?? false

const month = "\\p{L}{3,12}\\.?"
const date = new RegExp(
  `(?<!\\d)(?:\\d{1,4} ?[./-] ?\\d{1,2}(?: ?[./-] ?\\d{2,4})?|\\d{1,2}(?:st|nd|rd|th|er|º|ª)?\\.? ` +
    `?(?:of |de |d['’])?${month},?(?: (?:de |del )?\\d{2,4})?|${month} \\d{1,2}(?:st|nd|rd|th)?,? ` +
    `\\d{4}|\\d{4} ?[年년] ?\\d{1,2} ?[月월] ?\\d{1,2} ?[日일]?|\\d{1,2} ?[月월] ?\\d{1,2} ?[日일]|\\d{6,8})(?!\\d)`,
  "gu"
)

/** Dates within reach of a word for birth. */
const birthDatesIn = (text: PrivateText): ReadonlyArray<Span> => [
  ...spansOf(text.low, bornOn),
  ...birthDatesNear(text)
]

const birthDatesNear = (text: PrivateText): ReadonlyArray<Span> =>
  languagesOf(text).flatMap((language) =>
    Array.from(text.low.matchAll(wordsOf(language, "born"))).flatMap((match) => {
      const from = Math.max(0, match.index - 28)
      const to = match.index + match[0].length + 40
      const isAsked = !text.isOwn &&
        !/^(?:d\.?o\.?b|date of|fecha|data d|date de|geburtsd)/u.test(match[0])
      if (isAsked || clauseAt(text, match.index)?.isAsking === true && isPublicBirth(text)) {
        return []
      }
      return spansOf(text.low.slice(from, to), date)
        .map(({ end, start }) => ({ start: from + start, end: from + end }))
    })
  )

/** Words that stand right before a date of birth, in any text. */
const bornOn = new RegExp(
  "(?:d\\.?o\\.?b\\.?|date of birth|birth ?date|birthday|geburtsdatum|geboren am|geburtstag|date de naissance|née? le|fecha de nacimiento|data di nascita|data de nascimento|дата рождения|生年月日|出生日期|出生年月日|생년월일)" +
    `[은는はがist=: é的是为]{0,6}(?<secret>${date.source})`,
  "gu"
)

/** Whether a birth is a public person's, as in "When was Kennedy born?". */
const isPublicBirth = ({ low, spaced, unspaced }: PrivateText): boolean =>
  unspaced === undefined ? count(low, spaced, "me") === 0 : count(low, unspaced, "me") === 0 &&
    count(low, unspaced, "kin") === 0 && /[?？]/.test(low) && !isOf(spaced, "me", "")
