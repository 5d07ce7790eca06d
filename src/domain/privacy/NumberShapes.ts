/** Patterns of numbers that identify by their shape alone, and of the places where people live. */
import type { NamedPattern } from "./NamedPattern.ts"

const cap = "\\p{Lu}[\\p{L}'’.-]*"
const street =
  "(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Terrace|Square|Sq|Parkway|Pkwy|Close|Crescent|Gardens|Grove|Mews)"
/** Words before the number of a part of a house, small or with a capital. */
const rooms =
  "apt|apartment|unit|flat|suite|bât|bâtiment|appt|appartement|bloc|bloco|block|apto|apt|apartamento|departamento|dpto|depto|piso|andar|puerta|wohnung|whg|interno|scala|кв|квартира|корп"
    .split("|").map((room) => `[${room[0]}${room[0]?.toUpperCase()}]${room.slice(1)}`).join("|")
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
    name: "French social security",
    language: "fr",
    pattern: /(?<!\d)[12] \d{2} \d{2} \d{2} \d{3} \d{3}(?: \d{2})?(?!\d)/gu,
    example: "2 84 05 75 112 043 27",
    counterexample: "2 000 000 habitants"
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
    name: "number behind its street, English",
    language: "en",
    pattern: new RegExp(
      `(?:,? ?(?:living |lives |residing )?(?:of|at|on) )?(?<!\\p{L})(?!Wall |Elm )(?:${cap} ){1,3}(?:Street|Avenue|Road|Lane|Boulevard|Drive|Crescent|Terrace),? (?:[Nn]o\\.? ?)?${houseNumber}`,
      "gu"
    ),
    example: "Lock Street 12",
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
    name: "Japanese plate",
    language: "ja",
    pattern: /[\p{Script=Han}]{1,4} ?\d{2,3} ?[ぁ-ん] ?[\d・-]{2,5}/gu,
    example: "品川 300 さ 48-21",
    counterexample: "令和7年の最低賃金は"
  },
  {
    name: "case of a Korean court of first instance",
    language: "ko",
    pattern:
      /(?<!\d)(?:19|20)\d\d(?:[가고](?:단|합|소|정|약)|[드느](?:단|합)|개(?:회|인)|하(?:단|면|합)|타(?:경|채|기)|카(?:단|합|기)|차전?|머|호(?:기|파)?|형제) ?\d{1,7}(?!\d)/gu,
    example: "2023가단58812",
    counterexample: "대법원 2019다12345"
  },
  {
    name: "case of a Japanese court of first instance",
    language: "ja",
    pattern:
      /(?:令和|平成) ?\S{1,2}年 ?\((?:家[ァ-ヴ]?|[フハノケヨモルヌヲソ]|ワネ?)\) ?第? ?\d{1,6}号/gu,
    example: "令和6年(フ)第2174号",
    counterexample: "平成30年(受)第1412号"
  },
  {
    name: "case of a German court of first instance",
    language: "de",
    pattern:
      /(?<![\p{L}\d])\d{1,4} ?(?:C|F|Ds|Ls|Cs|OWi|U?Js|IK|IN|K|M|VI|XVII) \d{1,6}\/\d\d(?![\p{L}\d])/gu,
    example: "7 C 418/24",
    counterexample: "BGH VIII ZR 185/14"
  },
  {
    name: "Korean citizen",
    language: "ko",
    pattern: /(?<!\d)\d{6} ?[-\u2010-\u2015] ?[1-8](?:\d{6}|\*{0,6})(?!\d)/gu,
    example: "880214-2******",
    counterexample: "2019-2023"
  }
]

/** Patterns of home addresses, for texts in which somebody speaks of themselves. */
export const home: ReadonlyArray<NamedPattern> = [
  {
    name: "part of a house",
    language: "any",
    pattern: new RegExp(
      `(?<!\\p{L})(?:${rooms})\\.? ?(?:n[.º°o]{1,2} ?)?#?(?:\\d{1,4}(?:[.ºª°]?[a-zA-Zoºª]){0,2}|[A-Z]\\d{0,3})(?![\\p{L}\\d%]|[.,]\\d| (?:m|km|€|euros?|%))|(?<=\\d, ?)\\d{1,2} ?[ºªoa°] ?(?:[A-Z]|izq\\p{L}*|dcha|der\\p{L}*|esq\\p{L}*|dto|frente)(?![\\p{L}\\d])`,
      "gu"
    ),
    example: "bloc C, appt 27",
    counterexample: "the unit of length"
  },
  {
    name: "post code of a state",
    language: "en",
    pattern: /(?<=(?<!\p{L})(?!GB|EN|KS|NF|UL|AS|BS)[A-Z]{2}) \d{5}(?:-\d{4})?(?!\d)/gu,
    example: "IL 62704",
    counterexample: "in 2026"
  },
  {
    name: "flat and street",
    language: "en",
    pattern: new RegExp(
      `(?<!\\d)\\d{1,4}[A-Za-z]?, \\d{1,4}[A-Za-z]? (?:${cap} ){1,3}${street}`,
      "gu"
    ),
    example: "flat 2B, 19 Corbett Road",
    counterexample: "2, 3 and 4"
  },
  {
    name: "plate in groups",
    language: "any",
    pattern:
      /(?<![\p{L}\d-])(?:[A-ZÄÖÜ]{1,3}-[A-ZÄÖÜ]{1,2} ?\d{1,4}[EH]?|[A-Z]{2}-\d{3}-[A-Z]{2}|[A-Z]{2} ?\d{2} ?[A-Z]{3}|\d{2}-[A-Z]{2}-\d{2}|[A-Z]{2}-\d{2}-[A-Z]{2}|\d{4} ?[BCDFGHJKLMNPRSTVWXYZ]{3}|[A-Z]{2} ?\d{3} ?[A-Z]{2}|[A-Z]{3}\d[A-Z]\d{2}|[АВЕКМНОРСТУХ]\d{3}[АВЕКМНОРСТУХ]{2} ?\d{2,3})(?![\p{L}\d-])/gu,
    example: "M-XR 4417",
    counterexample: "LH 400 and BA 117"
  },
  {
    name: "school or clinic of hyphens",
    language: "de",
    pattern:
      /\p{Lu}[\p{L}]+(?:-\p{L}+){0,3}-(?:Schule|Gymnasium|Gesamtschule|Grundschule|Realschule|Oberschule|Klinik|Klinikum|Krankenhaus|Kita|Stift)(?!\p{L})/gu,
    example: "die 3b der Astrid-Lindgren-Schule",
    counterexample: "die Max-Planck-Gesellschaft"
  },
  {
    name: "German street in small letters",
    language: "de",
    pattern:
      /(?<!\p{L})\p{Ll}{3,}(?:straße|strasse|str\.|gasse|weg|allee|platz|ring|ufer|damm) \d{1,3} ?[a-z]?(?![\p{L}\d]| (?:euro|prozent|jahre|tage|meter|km))/gu,
    example: "wir wohnen in der amselgasse 8 in fürth",
    counterexample: "der platz 12 ist frei"
  },
  {
    name: "street in small letters",
    language: "any",
    pattern:
      /(?<!\p{L})(?:calle|c\/|av|avda|avenida|rua|travessa|via|viale|rue|avenue|ул|улица|улице)\.? (?:[\p{L}.]{2,20} ){1,4}(?:n[.º°o]? ?)?(?!(?:19|20)\d\d(?!\d))\d{1,5}(?: (?:dpto|apto|piso|int|apt|ap|кв)\.? ?\w+)?(?!\d)/giu,
    example: "av insurgentes sur 1458 dpto 302",
    counterexample: "via Roma in 2026"
  }
]
