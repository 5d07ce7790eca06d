/** Numbers that identify by shape alone, and house addresses: removed whatever the weights say. */
import type { UnspacedLanguage } from "./PrivateText.ts"

const cap = "\\p{Lu}[\\p{L}'’.-]*"
const street =
  "(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Terrace|Square|Sq|Parkway|Pkwy|Close|Crescent|Gardens|Grove|Mews)"
const houseNumber = "(?!(?:1[89]|20)\\d\\d(?!\\d))\\d{1,4} ?[A-Za-z]?(?![\\p{L}\\d]|[.,]\\d)"

/** By name. Global: a match is removed as a whole, or only its group `secret` if it has one. */
export type Patterns = Readonly<Record<string, RegExp>>

export const numberShapes: Patterns = {
  "bank account":
    /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ .-]?[A-Z0-9]{4}){2,7}(?:[ .-]?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/gu,
  "national numbers with letters":
    /(?<![A-Za-z0-9])(?:[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]|(?:[XYZ]\d{7}|\d{8})-?[A-HJ-NP-TV-Z]|[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]|[A-Z]{5}\d{4}[A-Z]|\d{17}[Xx])(?![A-Za-z0-9])/gu,
  "British post code": /(?<!\p{L})[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?!\p{L})/gu,
  "street and number, English": new RegExp(
    `(?:,? ?(?:living |lives |residing )?(?:of|at|on) )?(?<!\\d)\\d{1,5}[A-Za-z]?,? (?:[NSEW]\\.? )?(?:${cap}\\s|\\d+(?:st|nd|rd|th)\\s){1,4}${street}(?!\\p{L})\\.?(?:,? (?:Apt|Apartment|Unit|Suite|Flat|Floor|#)\\.? ?#?\\w+)?`,
    "gu"
  ),
  "street and number, German":
    /(?:(?:wohnhaft )?(?:aus|in|von) (?:der|dem) )?(?:\p{Lu}[\p{Ll}-]+(?:straße|strasse|str\.|weg|platz|allee|gasse|ring|damm|ufer|steig|graben)|(?:\p{Lu}[\p{L}-]+ ){1,3}(?:Straße|Str\.|Weg|Platz|Allee|Ring|Damm)) \d{1,4} ?[a-z]?(?![\p{L}\d])/gu,
  "street and number, French":
    /(?:(?:du|au) )?(?<!\d)\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|av\.|boulevard|bd|place|chemin|impasse|allée|quai|route)(?: (?:de la|de l['’]|de|du|des|la|le|les|d['’]|l['’]))? ?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?/gu,
  "street and number, Spanish and Portuguese": new RegExp(
    "(?:(?:de|en|na|no|da) (?:la )?)?(?:(?<!\\p{L})(?:[Cc]alle|[Cc]/|[Aa]venida|[Aa]vda\\.?|[Pp]laza|[Pp]aseo|[Cc]arrera|[Rr]ua|[Aa]v\\.|[Pp]raça|[Tt]ravessa|[Aa]lameda|[Ll]argo|[Ee]strada)) ?" +
      `(?:(?:de|del|da|do|das|dos|la|las|los) ){0,3}${cap}(?: (?:(?:de|del|da|do|das|dos|la) )?${cap}){0,3},? (?:n[.º°o]{0,2} ?)?${houseNumber}(?:, ?\\d+[ºªoa] ?\\p{L}?(?!\\p{L}))?`,
    "gu"
  ),
  "street and number, Italian": new RegExp(
    `(?<!\\p{L})(?:[Vv]ia|[Vv]iale|[Pp]iazza|[Cc]orso|[Vv]icolo|[Ll]argo) (?:(?:di|del|della|dei|delle|da) )?${cap}(?: ${cap}){0,3},? (?:n[.º°]? ?)?${houseNumber}`,
    "gu"
  ),
  "street and number, Russian":
    /(?<!\p{L})(?:ул|улиц[аеы]|пр-т|проспект[ае]?|пер|переулок|пл|площадь|шоссе|бульвар)\.? ?\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?,? ?(?:д\.?|дом)? ?\d{1,4}\p{L}?(?:,? (?:кв|корп|к|стр)\.? ?\d+)*/gu,
  "Korean or Chinese plate":
    /(?<!\d)\d{2,3}[가-힣] ?\d{4}(?!\d)|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z][·• ]?[A-Z\d]{5,6}(?![A-Za-z\d])/gu
}

/** For texts with letters of the language only. */
export const unspacedShapes: Readonly<Record<UnspacedLanguage, Patterns>> = {
  ko: {
    "street and number, Korean":
      /(?:서울시?|부산시?|[가-힣]{2,4}시|[가-힣]{1,4}구|[가-힣]{1,4}군| )*[가-힣]{1,12}(?:로|길) ?\d+(?:-\d+)?(?!\d|\s?(?:일|개월|년|원|명|%|시간|분|주|개|살|세|월|만|천|억|번째|차|도|위|배|등|회|대|가|호선))(?:번?길 ?\d+(?:-\d+)?)?(?:,? ?[가-힣A-Za-z]{2,12}(?= ?\d+(?:동|층|호)))?(?:,? ?\d+동)?(?:,? ?\d+층)?(?:,? ?\d+호)?|(?:[가-힣]{1,12}(?:아파트|빌라|오피스텔) ?)?\d+동 ?\d+호/gu,
    "Korean citizen": /(?<!\d)\d{6} ?[-\u2010-\u2015] ?[1-8](?:\d{6}|\*{1,6})(?!\d)/gu
  },
  ja: {
    "Japanese post code": /〒 ?\d{3}-?\d{4}|(?<![\d-])\d{3}-\d{4}(?![\d-])/gu,
    "street and number, Japanese":
      /[\p{Script=Han}ヶケァ-ヴー]{0,14}(?:[一二三四五六七八九十\d]+丁目(?:[\d一二三四五六七八九十]+番地?)?(?:の?\d+)?(?:号)?(?:[-－]\d+)*|(?<=[\p{Script=Han}\p{Script=Katakana}])\d{1,3}[-－]\d{1,3}(?:[-－]\d{1,4}){0,2}(?!\d))(?:[ 　]?[\p{Script=Katakana}ー]{2,12}\d{2,4})?/gu
  },
  zh: {
    "street and number, Chinese":
      /[\p{Script=Han}]{1,10}(?:路|街|大道|巷|弄|胡同|里|道|圍|围|邨|村)(?:\d+|[一二三四五六七八九十百]+)(?:号|號|弄)(?:院)?(?:\d+(?:号楼|栋|幢|单元|室|号|號|楼|樓|层|-))*(?:[A-Z]?座\d{0,3}[楼樓]?)?\d{0,5}室?|(?:\d+(?:号楼|栋|幢|单元)){1,3}\d{0,5}室?/gu
  }
}

// Patterns of addresses, handles and keys, also where they are spelt for human readers only.

const unspaced = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}"

/** Part of an address. Text without spaces runs into it, so Chinese and Japanese are separate. */
const partOf = (marks: string, most: number): string =>
  `(?:(?:(?![${unspaced}])[\\p{L}\\p{N}${marks}]){1,${most}}|[${unspaced}]{1,24})`
const local = partOf("._%+-", 64)
const label = partOf("-", 63)

const opened = "[(\\[{<|*_«「【〔]"
const closed = "[)\\]}>|*_»」】〕]"
const boxed = (words: string): string => ` {0,2}${opened} ?(?:${words}) ?${closed} {0,2}`
const loose = (words: string): string => `(?<=[^ ]) {1,2}(?:${words}) {1,2}(?=[^ ])`

const atWords = "at|ät|bei|arroba|arobase|chiocciola|a commercial|malpa|małpa"
/** No words of sentences; spaces around them are optional. */
const atSigns = "@|%40|&#0{0,4}64;|&#x0{0,4}40;|&commat;|골뱅이|앳|アットマーク|アット|艾特|圈a"
const dotWords = "dot|punkt|point|punto|ponto|kropka"
const dotSigns = "\\.|点|點|ドット|닷|쩜"

/** An `@` that does not occur by chance, so that any dot after it may be disguised. */
const clearAt = `(?: {0,2}(?:${atSigns}) {0,2}|${boxed(`${atWords}|${atSigns}`)})`
const dot = `(?: ?(?:${dotSigns})(?=[\\p{L}\\p{N}])|${boxed(`${dotWords}|${dotSigns}`)}|` +
  `${loose(dotWords)})`
const spoken = `(?:${loose("at")}|${boxed(atWords)})`
/** A dot written as a word: a sentence may contain "at" and "point", but not as this pair. */
const spokenDot = `(?:${boxed(`${dotWords}|\\.`)}|${loose("dot")})`
const pairs: ReadonlyArray<readonly [at: string, dot: string]> = [
  [spoken, spokenDot],
  [loose("ät|at|bei"), loose("punkt")],
  [loose("arobase|arrobase"), loose("point")],
  [loose("arroba|chiocciola"), loose("punto|ponto")]
]
const ending = "(?:com|org|net|edu|gov|info|biz|mail|email|online|example|test|[a-z]{2}|co\\.uk)"
const mailHosts =
  "(?:gmail|googlemail|yahoo|hotmail|outlook|live|icloud|proton|protonmail|gmx|web|" +
  "aol|mail|naver|daum|hanmail|kakao|qq|163|126|sina|yandex|zoho|posteo|orange|libero|wanadoo)"
/** Articles before "dot" as a noun. */
const noHost = "(?!(?:the|a|an|this|that|which|what|each|every|one|any) )"

const spelled: Patterns = Object.fromEntries(pairs.map(([at, dotted], place) => [
  `address in words ${place}`,
  new RegExp(
    `${local}(?:${dotted}${local}){0,3}${at}${noHost}${label}(?:${dotted}${label}){0,4}` +
      `${dotted}${ending}(?![\\p{L}\\p{N}])`,
    "giu"
  )
]))

export const contacts: Patterns = {
  "address with a clear at": new RegExp(`${local}${clearAt}${label}(?:${dot}${label}){1,6}`, "giu"),
  ...spelled,
  "address of a mail host": new RegExp(
    `${local}${spoken}${mailHosts}(?: ?\\. ?| |${spokenDot})${ending}(?![\\p{L}\\p{N}])`,
    "giu"
  ),
  "address that is said to be one": new RegExp(
    "(?<!\\p{L})(?:my|our) e-?mail(?: address)?(?: is|:|=)? *" +
      `${local}${spoken}${label}(?:${dot}${label}){1,6}`,
    "giu"
  ),
  "address without its host's dot": new RegExp(
    `${local}(?:${boxed(`${atWords}|${atSigns}`)}| ?(?:골뱅이|アットマーク|艾特) ?)` +
      `${label}(?:(?: ?(?:dot|punkt|point|punto|ponto|점|쩜|닷|ドット|点|點|\\.) ?)[\\p{L}]{2,4})?`,
    "giu"
  ),
  "handle": /(?<![\p{L}\p{N}])@[\p{L}\p{N}_.]{2,40}/gu,
  "name of a user with an underscore or a number sign":
    /(?<![\p{Script=Latin}\p{N}_]|\/)(?![A-Z]+(?:_[A-Z]+)+(?![A-Za-z\d_]))[A-Za-z][A-Za-z\d.]{1,40}_[\w.]{0,40}(?<=[A-Za-z\d])(?![\p{Script=Latin}\d_(])|(?<!\p{L})u\/\w{2,40}|(?<![\p{L}\p{N}])[A-Za-z]\w{1,40}#\d{3,6}(?![ .-]?\d)/gu,
  "key or token":
    /(?<!\p{L})(?:sk|pk|ghp|gho|xox[abp]|tvly|jina|AKIA|Bearer)[-_ ]?[A-Za-z0-9_-]{12,200}|(?<![A-Za-z0-9])eyJ[A-Za-z0-9_.-]{10,400}|(?<![A-Za-z0-9_-])(?=[A-Za-z_-]{0,200}\d)(?=[\d_-]{0,200}[A-Za-z])[A-Za-z0-9_-]{24,400}/gu
}
