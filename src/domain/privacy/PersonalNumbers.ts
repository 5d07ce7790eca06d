/** Finds what identifies a person or an account by number, and secrets. */
import { compiled, lead } from "./PersonalPatterns.ts"

/** Years in a row and round sums are what a question is about. */
const notYears = "(?!(?:(?:19|20)\\d\\d[ -]){2,}(?:19|20)\\d\\d(?![ -]?\\d))"
const notRound = "(?!\\d+0{5}(?!\\d))"
const notDates = "(?!\\d{1,2}([./-])\\d{1,2}\\1\\d{4}(?!\\d))"
/** A mark between digits makes one number of them; at its end it is the sentence's. */
const starts = "(?<!\\d|\\d[.,])"
const ends = "(?!\\d|[.,]\\d)"
/** One mark or blank between the groups of a number. */
const gap = "[ .\\u2010-\\u2015/·_-]"
const counted =
  "(?! ?(?:人|元|円|圓|名|個|个|万|萬|億|亿|원|명|개|만|억|years|people|dollars|euros))"

/** Keys, tokens, passwords and user names. */
export const secretPatterns = compiled([
  ["(?<!\\p{L})(?:sk|pk|ghp|gho|xox[abp]|tvly|jina|AKIA|Bearer)[-_ ]?[A-Za-z0-9_-]{12,}", "gu"],
  ["(?:user ?(?:name|id)|login|my ip(?: address)?) ?(?:is|:|=) ?[^\\s,;]+", "giu"],
  ["(?<![A-Za-z0-9])eyJ[A-Za-z0-9_.-]{10,}", "gu"],
  ["(?<![A-Za-z0-9_-])(?=[A-Za-z_-]{0,200}\\d)(?=[\\d_-]{0,200}[A-Za-z])[A-Za-z0-9_-]{24,}", "gu"],
  [
    "(?:my|our) (?:password|passcode|pin(?: code)?) (?:is|:|=) ?\\S+|" +
    "(?:password|passcode|비밀번호|暗証番号|パスワード|密码) ?[:=] ?\\S+|" +
    "(?:비밀번호[은는]|(?:暗証番号|パスワード)は|密码是) ?[A-Za-z\\d!-/:-@]{3,}",
    "giu"
  ]
])

/** Words after which a number is an identifier, however it is grouped. */
const identifier =
  "ssn|social security(?: (?:number|no\\.?))?|national insurance(?: (?:number|no\\.?))?|nino|" +
  "(?:tax|taxpayer|national|medical record|patient|insurance|policy|member(?:ship)?|employee|" +
  "student|passport|driver['’]?s? licen[cs]e|account|acct|card|bank) (?:id|number|no\\.?|#)|" +
  "mrn|itin|aadhaa?r|cpf|dni|nie|curp|rfc nummer|bsn|pesel|personnummer|codice fiscale|" +
  "steuer-?id|steuernummer|sozialversicherungsnummer|versichertennummer|ausweisnummer|" +
  "kontonummer|kartennummer|telefonnummer|handynummer|" +
  "num[ée]ro (?:de )?(?:s[ée]curit[ée] sociale|t[ée]l[ée]phone|compte|carte|passeport)|" +
  "n[úu]mero (?:de )?(?:cuenta|tel[ée]fono|tarjeta|pasaporte|conta|telefone|cart[ãa]o)|" +
  "身份证号码?|护照号码?|银行卡号|卡号|手机号码?|电话号码?|账号|學號|身分證字號"

/** Accounts, cards, ids and phones; each holds a digit. */
export const numberPatterns = compiled([
  // Whatever is said to be an identifier, in groups too.
  [
    `(?:(?:my|our|his|her|the) )?(?<![A-Za-z])(?:${identifier})(?![A-Za-z])(?: (?:is|ist|est|es)|` +
    `是|为)?\\s?[:=#]? ?${notYears}(?=(?:[A-Z./ -]{0,4}\\d){5})[A-Z]{0,4}\\d[A-Z\\d]{0,24}` +
    `(?:${gap}{1,2}(?=[A-Z]{0,3}\\d|[A-Z](?![A-Z]))[A-Z\\d]{1,16}){0,7}(?![A-Za-z0-9])`,
    "giu"
  ],
  // IBAN, cards, national ids.
  [`(?<!\\d)\\d{6}${gap}?(?:18|19|20)\\d{6}${gap}?\\d{3}[\\dXx](?![A-Za-z0-9])`, "gu"],
  [
    `${lead}(?<![A-Za-z0-9])[A-Z]{2}\\d{2}(?:${gap}?[A-Z0-9]{4}){2,7}(?:${gap}?[A-Z0-9]{1,3})` +
    "?(?![A-Za-z0-9])",
    "gu"
  ],
  [
    `${lead}${starts}${notYears}${notRound}` +
    `\\d{4,8}${gap}?\\d{4}${gap}?\\d{4}(?:${gap}?\\d{1,4}){0,2}${ends}`,
    "giu"
  ],
  [`${lead}(?<!\\d)\\d{4}${gap}\\d{6}${gap}\\d{5}(?!\\d)`, "giu"],
  [`(?<!\\d)\\d{3}([ .\\u2010-\\u2015-])\\d{2}\\1(?!(?:19|20)\\d\\d(?!\\d))\\d{4}(?!\\d)`, "gu"],
  ["(?<!\\d)\\d{3}-\\d{2}-\\d{4}(?!\\d)", "gu"],
  ["(?:주민(?:등록)?번호[은는]? ?)?(?<!\\d)\\d{6} ?[-\\u2010-\\u2015] ?[1-8]\\d{6}(?!\\d)", "gu"],
  ["(?<![A-Za-z0-9])[A-Z]{2} ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D](?![A-Za-z0-9])", "gu"],
  ["(?<![A-Za-z0-9])(?:[XYZ]\\d{7}|\\d{8})-?[A-HJ-NP-TV-Z](?![A-Za-z0-9])", "gu"],
  ["(?<![A-Za-z0-9])[A-Z]{6}\\d{2}[A-Z]\\d{2}[A-Z]\\d{3}[A-Z](?![A-Za-z0-9])", "gu"],
  ["(?<![A-Za-z0-9])[A-Z]{5}\\d{4}[A-Z](?![A-Za-z0-9])", "gu"],
  ["(?<!\\d)\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}(?!\\d)", "gu"],
  ["(?<!\\d)[12] \\d{2} \\d{2} \\d{2} \\d{3} \\d{3}(?: \\d{2})?(?!\\d)", "gu"],
  // Phones: international, in brackets, in three groups, French pairs, with a leading nought.
  [`${lead}\\+\\d[\\d ().\\u2010-\\u2015/-]{6,}\\d`, "giu"],
  [`${lead}${starts}00[1-9]\\d?[ ().\\u2010-\\u2015/-]{1,2}[\\d ().-]{5,}\\d`, "giu"],
  [`${lead}\\(\\d{2,5}\\) ?\\d{3,4}(?:${gap}?\\d{3,4}){1,2}`, "giu"],
  [
    `${lead}(?<!\\d|\\d-)${notYears}(?:1${gap})?\\d{2,4}${gap}\\d{3,4}${gap}\\d{4}(?!-?\\d)`,
    "giu"
  ],
  [`${lead}(?<!\\d)0\\d(?:[ .-]\\d{2}){4}(?!\\d)`, "giu"],
  [`${lead}(?<!\\d)0\\d{2,4}[ /-]?\\d{6,8}(?!\\d)`, "giu"],
  [
    `${lead}${starts}${notDates}(?=(?:\\D{0,2}\\d){9,13}(?!${gap}?\\d))` +
    `0\\d{1,4}(?:${gap}{1,2}\\d{2,8}){1,5}(?!\\d)`,
    "giu"
  ],
  // Accounts in groups, passports, long runs that are no round sum.
  [`${lead}(?<!\\d|\\d-)\\d{2,6}-\\d{2,6}-\\d{4,8}(?:-\\d{1,4})?(?!-?\\d)`, "giu"],
  [`${lead}(?<![A-Za-z0-9])[A-Z]{1,2}\\d{7,9}(?![A-Za-z0-9])`, "gu"],
  [
    `${lead}(?<![A-Za-z\\d$€£¥₩]|\\d[.,])${notRound}\\d{9,}[Xx]?${counted}${ends}`,
    "giu"
  ],
  [
    "(?:(?:my|our) )?(?:account|acct|passport|(?:account|acct|passport|card|policy|" +
    "member(?:ship)?|customer|order|case|booking|employee|student|patient|tax|licen[cs]e|" +
    "social security|insurance) (?:id|number|no\\.?|code|reference))(?: is|:|=|#)" +
    "? ?#?(?!(?:19|20)\\d\\d(?!\\d))(?=(?:[A-Z-]{0,9}\\d){4})[A-Z0-9-]" +
    "{5,40}(?![\\p{L}\\p{N}])",
    "giu"
  ],
  [
    "(?:제 |내 |私の)?(?:계좌 ?번호|카드 ?번호|여권 ?번호|전화 ?번호|휴대폰 ?번호|외국인등록번호|口座番号|カード番号|パスポート番号|旅券番号|" +
    "電話番号|マイナンバー|在留カード番号)(?:은|는|는요|が|は)? ?[:：]? ?[A-Z]{0,2}[\\d-]{5,}(?:입니다|이에요|예요|です)" +
    "?[,.、。]?",
    "giu"
  ],
  [
    "(?:order|case|ticket|booking|reservation|invoice|reference|tracking|claim|policy)" +
    "(?: no\\.?| number)? ?#(?=[A-Z-]{0,9}\\d)[A-Z0-9-]{4,40}",
    "giu"
  ]
])
