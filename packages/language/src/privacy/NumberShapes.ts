/**
 * Patterns of numbers that identify by their shape alone, and of house addresses: they go whatever
 * the fitted weights say.
 */
import type { NamedPattern } from "./PrivacyWords.ts"

const cap = "\\p{Lu}[\\p{L}'’.-]*"
const street =
  "(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Terrace|Square|Sq|Parkway|Pkwy|Close|Crescent|Gardens|Grove|Mews)"
const houseNumber = "(?!(?:1[89]|20)\\d\\d(?!\\d))\\d{1,4} ?[A-Za-z]?(?![\\p{L}\\d]|[.,]\\d)"

export const numberShapes: ReadonlyArray<NamedPattern> = [
  {
    name: "bank account",
    language: "any",
    pattern:
      /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ .-]?[A-Z0-9]{4}){2,7}(?:[ .-]?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/gu,
    example: "DE89 3704 0044 0532 0130 00",
    counterexample: "Boeing 737-800 and Airbus A320"
  },
  {
    name: "national numbers with letters",
    language: "any",
    pattern:
      /(?<![A-Za-z0-9])(?:[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]|(?:[XYZ]\d{7}|\d{8})-?[A-HJ-NP-TV-Z]|[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]|[A-Z]{5}\d{4}[A-Z]|\d{17}[Xx])(?![A-Za-z0-9])/gu,
    example: "AB 12 34 56 C",
    counterexample: "ISO 9001 and EN 1176"
  },
  {
    name: "British post code",
    language: "en",
    pattern: /(?<!\p{L})[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?!\p{L})/gu,
    example: "LS7 4QX",
    counterexample: "the A7 and B12"
  },
  {
    name: "Japanese post code",
    language: "ja",
    pattern: /〒 ?\d{3}-?\d{4}|(?<![\d-])\d{3}-\d{4}(?![\d-])/gu,
    example: "〒150-0001",
    counterexample: "737-800"
  },
  {
    name: "street and number, English",
    language: "en",
    pattern: new RegExp(
      `(?:,? ?(?:living |lives |residing )?(?:of|at|on) )?(?<!\\d)\\d{1,5}[A-Za-z]?,? (?:[NSEW]\\.? )?(?:${cap}\\s|\\d+(?:st|nd|rd|th)\\s){1,4}${street}(?!\\p{L})\\.?(?:,? (?:Apt|Apartment|Unit|Suite|Flat|Floor|#)\\.? ?#?\\w+)?`,
      "gu"
    ),
    example: "221B Baker Street",
    counterexample: "Wall Street 1929"
  },
  {
    name: "street and number, German",
    language: "de",
    pattern:
      /(?:(?:wohnhaft )?(?:aus|in|von) (?:der|dem) )?(?:\p{Lu}[\p{Ll}-]+(?:straße|strasse|str\.|weg|platz|allee|gasse|ring|damm|ufer|steig|graben)|(?:\p{Lu}[\p{L}-]+ ){1,3}(?:Straße|Str\.|Weg|Platz|Allee|Ring|Damm)) \d{1,4} ?[a-z]?(?![\p{L}\d])/gu,
    example: "Lindenallee 14b",
    counterexample: "Die Straße von Messina"
  },
  {
    name: "street and number, French",
    language: "fr",
    pattern:
      /(?:(?:du|au) )?(?<!\d)\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|av\.|boulevard|bd|place|chemin|impasse|allée|quai|route)(?: (?:de la|de l['’]|de|du|des|la|le|les|d['’]|l['’]))? ?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?/gu,
    example: "23 rue des Tanneurs",
    counterexample: "la rue de Rivoli"
  },
  {
    name: "street and number, Spanish and Portuguese",
    language: "es",
    pattern: new RegExp(
      "(?:(?:de|en|na|no|da) (?:la )?)?(?:(?<!\\p{L})(?:[Cc]alle|[Cc]/|[Aa]venida|[Aa]vda\\.?|[Pp]laza|[Pp]aseo|[Cc]arrera|[Rr]ua|[Aa]v\\.|[Pp]raça|[Tt]ravessa|[Aa]lameda|[Ll]argo|[Ee]strada)) ?" +
        `(?:(?:de|del|da|do|das|dos|la|las|los) ){0,3}${cap}(?: (?:(?:de|del|da|do|das|dos|la) )?${cap}){0,3},? (?:n[.º°o]{0,2} ?)?${houseNumber}(?:, ?\\d+[ºªoa] ?\\p{L}?(?!\\p{L}))?`,
      "gu"
    ),
    example: "calle Río Segura 14",
    counterexample: "La calle Mayor de Madrid"
  },
  {
    name: "street and number, Italian",
    language: "it",
    pattern: new RegExp(
      `(?<!\\p{L})(?:[Vv]ia|[Vv]iale|[Pp]iazza|[Cc]orso|[Vv]icolo|[Ll]argo) (?:(?:di|del|della|dei|delle|da) )?${cap}(?: ${cap}){0,3},? (?:n[.º°]? ?)?${houseNumber}`,
      "gu"
    ),
    example: "via Garibaldi 27",
    counterexample: "via Roma a Torino"
  },
  {
    name: "street and number, Russian",
    language: "ru",
    pattern:
      /(?<!\p{L})(?:ул|улиц[аеы]|пр-т|проспект[ае]?|пер|переулок|пл|площадь|шоссе|бульвар)\.? ?\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?,? ?(?:д\.?|дом)? ?\d{1,4}\p{L}?(?:,? (?:кв|корп|к|стр)\.? ?\d+)*/gu,
    example: "ул. Гагарина, д. 18, кв. 44",
    counterexample: "площадь Красная"
  },
  {
    name: "street and number, Korean",
    language: "ko",
    pattern:
      /(?:서울시?|부산시?|[가-힣]{2,4}시|[가-힣]{1,4}구|[가-힣]{1,4}군| )*[가-힣]{1,12}(?:로|길) ?\d+(?:-\d+)?(?!\d|\s?(?:일|개월|년|원|명|%|시간|분|주|개|살|세|월|만|천|억|번째|차|도|위|배|등|회|대|가|호선))(?:번?길 ?\d+(?:-\d+)?)?(?:,? ?[가-힣A-Za-z]{2,12}(?= ?\d+(?:동|층|호)))?(?:,? ?\d+동)?(?:,? ?\d+층)?(?:,? ?\d+호)?|(?:[가-힣]{1,12}(?:아파트|빌라|오피스텔) ?)?\d+동 ?\d+호/gu,
    example: "월드컵로 23길 15, 302호",
    counterexample: "앞으로 30일 안에"
  },
  {
    name: "street and number, Japanese",
    language: "ja",
    pattern:
      /[\p{Script=Han}ヶケァ-ヴー]{0,14}(?:[一二三四五六七八九十\d]+丁目(?:[\d一二三四五六七八九十]+番地?)?(?:の?\d+)?(?:号)?(?:[-－]\d+)*|(?<=[\p{Script=Han}\p{Script=Katakana}])\d{1,3}[-－]\d{1,3}(?:[-－]\d{1,4}){0,2}(?!\d))(?:[ 　]?[\p{Script=Katakana}ー]{2,12}\d{2,4})?/gu,
    example: "東京都杉並区高円寺南3-14-8",
    counterexample: "第2次世界大戦"
  },
  {
    name: "street and number, Chinese",
    language: "zh",
    pattern:
      /[\p{Script=Han}]{1,10}(?:路|街|大道|巷|弄|胡同|里|道|圍|围|邨|村)(?:\d+|[一二三四五六七八九十百]+)(?:号|號|弄)(?:院)?(?:\d+(?:号楼|栋|幢|单元|室|号|號|楼|樓|层|-))*(?:[A-Z]?座\d{0,3}[楼樓]?)?\d{0,5}室?|(?:\d+(?:号楼|栋|幢|单元)){1,3}\d{0,5}室?/gu,
    example: "武侯区科华北路65号3栋1202",
    counterexample: "南京路步行街"
  },
  {
    name: "Korean or Chinese plate",
    language: "any",
    pattern:
      /(?<!\d)\d{2,3}[가-힣] ?\d{4}(?!\d)|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z][·• ]?[A-Z\d]{5,6}(?![A-Za-z\d])/gu,
    example: "23가 8841",
    counterexample: "川菜 2026"
  },
  {
    name: "Korean citizen",
    language: "ko",
    pattern: /(?<!\d)\d{6} ?[-\u2010-\u2015] ?[1-8](?:\d{6}|\*{1,6})(?!\d)/gu,
    example: "880214-2******",
    counterexample: "2019-2023"
  }
]
