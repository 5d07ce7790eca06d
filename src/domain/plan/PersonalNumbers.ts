/** Finds what identifies a person or an account: addresses of all kinds, numbers, secrets. */

/** "my e-mail is", "reach me at": taken along, so that nothing dangles. */
const lead =
  "(?:(?:(?:and |or )?(?:my|our|the|his|her) )?(?:[\\p{L}-]{1,20} ){0,2}(?:e-?mail|mail|" +
  "phone|mobile|cell|tel|telephone|fax|number|no\\.?|account|card|iban|passport|address|" +
  "handle|username|ssn|id)(?: (?:address|number|no\\.?|id))?(?: is|:|=|#)? *|(?:reach|" +
  "contact|call|text|e-?mail|write|message|ping|follow|dm) (?:to )?me (?:at|on|via|under)" +
  "? *)?"

const street =
  "(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|" +
  "Terrace|Square|Sq|Parkway|Pkwy|Close|Crescent)"
const koreanUnit =
  "일|개월|년|원|명|%|시간|분|주|개|살|세|월|만|천|억|번째|차|도|위|배|등|회|대|가|호선"

/** Years in a row and round sums are what a question is about. */
const notYears = "(?!(?:(?:19|20)\\d\\d[ -]){2,}(?:19|20)\\d\\d(?![ -]?\\d))"
const notRound = "(?!\\d+0{5}(?!\\d))"

type Sources = ReadonlyArray<readonly [pattern: string, flags: string]>

const compiled = (sources: Sources): ReadonlyArray<RegExp> =>
  sources.map(([pattern, flags]) => new RegExp(pattern, flags))

/** E-mail and handles; each holds an `@`. */
export const addressPatterns = compiled([
  [
    `${lead}[\\p{L}\\p{N}._%+-]{1,64} ?@ ?[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63})` +
    "{1,6}",
    "giu"
  ],
  [`${lead}(?<![\\p{L}\\p{N}])@[\\p{L}\\p{N}_.]{2,}`, "giu"]
])

/** Keys, tokens, passwords and user names. */
export const secretPatterns = compiled([
  ["(?<!\\p{L})(?:sk|pk|ghp|gho|xox[abp]|tvly|jina|AKIA|Bearer)[-_ ]?[A-Za-z0-9_-]{12,}", "gu"],
  ["(?:user ?(?:name|id)|login|my ip(?: address)?) ?(?:is|:|=) ?[^\\s,;]+", "giu"],
  ["(?<![A-Za-z0-9])eyJ[A-Za-z0-9_.-]{10,}", "gu"],
  ["(?<![A-Za-z0-9_-])(?=[A-Za-z_-]{0,200}\\d)(?=[\\d_-]{0,200}[A-Za-z])[A-Za-z0-9_-]{24,}", "gu"],
  [
    "(?:my|our) (?:password|passcode|pin(?: code)?) (?:is|:|=) ?\\S+|" +
    "(?:password|passcode|비밀번호|暗証番号|パスワード) ?[:=] ?\\S+|" +
    "(?:비밀번호[은는]|(?:暗証番号|パスワード)は) ?[A-Za-z\\d!-/:-@]{3,}",
    "giu"
  ]
])

/** Accounts, cards, ids, phones, birth dates and streets; each holds a digit. */
export const numberPatterns = compiled([
  // IBAN, cards, national ids.
  [
    `${lead}(?<![A-Za-z0-9])[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})` +
    "?(?![A-Za-z0-9])",
    "gu"
  ],
  [
    `${lead}(?<![\\d.,])${notYears}${notRound}` +
    "\\d{4,8}[ -]?\\d{4}[ -]?\\d{4}(?:[ -]?\\d{1,4}){0,2}(?![\\d,])",
    "giu"
  ],
  [`${lead}(?<!\\d)\\d{4}[ -]\\d{6}[ -]\\d{5}(?!\\d)`, "giu"],
  ["(?<!\\d)\\d{3}-\\d{2}-\\d{4}(?!\\d)", "gu"],
  ["(?:주민(?:등록)?번호[은는]? ?)?(?<!\\d)\\d{6}-[1-4]\\d{6}(?!\\d)", "gu"],
  // Phones: international, in brackets, in three groups, French pairs.
  [`${lead}\\+\\d[\\d ().-]{6,}\\d`, "giu"],
  [`${lead}\\(\\d{2,4}\\) ?\\d{3,4}[- .]?\\d{3,4}`, "giu"],
  [
    `${lead}(?<![\\d-])${notYears}(?:1[- .])?\\d{2,4}[- .]\\d{3,4}[- .]\\d{4}(?![\\d-])`,
    "giu"
  ],
  [`${lead}(?<!\\d)0\\d(?:[ .]\\d{2}){4}(?!\\d)`, "giu"],
  [`${lead}(?<!\\d)0\\d{2,4}[ -]?\\d{6,8}(?!\\d)`, "giu"],
  // Accounts in groups, passports, long runs that are no round sum.
  [`${lead}(?<![\\d-])\\d{2,6}-\\d{2,6}-\\d{4,8}(?:-\\d{1,4})?(?![\\d-])`, "giu"],
  [`${lead}(?<![A-Za-z0-9])[A-Z]{1,2}\\d{7,9}(?![A-Za-z0-9])`, "gu"],
  [`${lead}(?<![\\p{L}\\d.,$€£¥₩])${notRound}\\d{9,}(?![\\d.,])`, "giu"],
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
  ],
  // Birth dates.
  [
    "(?:i was born (?:on|in)|my (?:date of birth|birthday|dob) is|(?:date of birth|dob|" +
    "born)\\s?[:=]) (?:the )?[\\p{L}\\d ,/.-]{2,20}?\\d{2,4}(?!\\d)",
    "giu"
  ],
  [
    "(?:생년월일|生年月日)(?:은|는|は)? ?[:：]? ?\\d{2,4}[.년年/ -]{1,3}\\d{1,2}[.월月/ -]{1,3}\\d{1,2}[日일]?",
    "gu"
  ],
  // Streets.
  [
    "(?:(?:i|we) live (?:at|on|in) |(?:my|our) (?:home )?address is )?(?<!\\d)" +
    "\\d{1,5}[A-Za-z]?,? (?:[NSEW]\\.? )?(?:\\p{Lu}[\\p{L}'’.-]*\\s|\\d+(?:st|nd|rd|th)\\s)" +
    `{1,4}${street}(?!\\p{L})\\.?(?:,? (?:Apt|Apartment|Unit|Suite|Flat|Floor|#)` +
    "\\.? ?#?\\w+)?",
    "gu"
  ],
  ["(?:Apt|Apartment|Unit|Flat)\\.? #?\\d+\\w?", "gu"],
  ["\\p{Lu}[\\p{Ll}]+(?:straße|strasse|str\\.|weg|platz|allee|gasse) \\d+ ?[a-z]?(?!\\p{L})", "gu"],
  [
    "(?<!\\d)\\d{1,4}(?: ?bis)?,? (?:rue|avenue|boulevard|place|chemin) (?:(?:de|du|des|la|" +
    "le|l['’]) ?)*\\p{Lu}[\\p{L}'’-]+",
    "gu"
  ],
  ["(?<!\\p{L})[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}(?!\\p{L})", "gu"],
  ["(?<=(?<!\\p{L})[A-Z]{2}) \\d{5}(?:-\\d{4})?(?!\\d)", "gu"],
  [
    `[가-힣]{1,12}(?:로|길) ?\\d+(?:-\\d+)?(?!\\d|\\s?(?:${koreanUnit}))(?:번길 ?\\d+)` +
    "?(?:,? ?\\d+동)?(?:,? ?\\d+층)?(?:,? ?\\d+호)?",
    "gu"
  ],
  ["(?:[가-힣]{1,12}(?:아파트|빌라|오피스텔) ?)?\\d+동 ?\\d+호", "gu"],
  ["〒? ?(?<!\\d)\\d{3}-\\d{4}(?!\\d)|〒\\d{7}", "gu"],
  [
    "[一二三四五六七八九十\\d]+丁目(?:[\\d一二三四五六七八九十]+番地?)?(?:の?\\d+)?(?:号)?(?:[-－]\\d+)*",
    "gu"
  ],
  [
    "(?<=[\\p{Script=Han}\\p{Script=Katakana}])\\d{1,3}[-－]\\d{1,3}[-－]\\d{1,4}(?:[-－]\\d+)" +
    "?(?!\\d)",
    "gu"
  ]
])
