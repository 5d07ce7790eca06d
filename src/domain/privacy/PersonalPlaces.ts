/** Finds where people live: streets, flats and postal codes. */
import { compiled } from "./PersonalPatterns.ts"

const street =
  "(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|" +
  "Terrace|Square|Sq|Parkway|Pkwy|Close|Crescent)"
const koreanUnit =
  "일|개월|년|원|명|%|시간|분|주|개|살|세|월|만|천|억|번째|차|도|위|배|등|회|대|가|호선"

/** The words before somebody else's address: "of", "living at". */
const living =
  "(?:(?<!\\p{L})(?:who )?(?:(?:living|lives?|residing|resident|who is) )?(?:of|at|from|on) )"
/** A number behind a street that is no year, nor a film's. */
const houseNumber = "(?!(?:1[89]|20)\\d\\d(?!\\d))\\d{1,4}[A-Za-z]?(?![\\p{L}\\d]|[.,]\\d)"

/** Each holds a digit. */
export const placePatterns = compiled([
  [
    `(?:(?:i|we) live (?:at|on|in) |(?:my|our) (?:home )?address is |${living})?(?<!\\d)` +
    "\\d{1,5}[A-Za-z]?,? (?:[NSEW]\\.? )?(?:\\p{Lu}[\\p{L}'’.-]*\\s|\\d+(?:st|nd|rd|th)\\s)" +
    `{1,4}${street}(?!\\p{L})\\.?(?:,? (?:Apt|Apartment|Unit|Suite|Flat|Floor|#)` +
    "\\.? ?#?\\w+)?",
    "gu"
  ],
  [
    `(?:,? ?${living})?(?!Wall |Elm )(?:\\p{Lu}[\\p{L}'’.-]* ){1,3}(?:Street|Avenue|Road|Lane|Boulevard|` +
    `Drive|Crescent|Terrace),? (?:[Nn]o\\.? ?)?${houseNumber}`,
    "gu"
  ],
  [
    "(?:(?:de|en) (?:la )?)?(?<!\\p{L})[Cc]alle (?:(?:de|del|la|las|los) )*\\p{Lu}[\\p{L}'’-]+,? " +
    `(?:n[.º°o]{0,2} ?)?${houseNumber}`,
    "gu"
  ],
  ["(?:Apt|Apartment|Unit|Flat)\\.? #?\\d+\\w?", "gu"],
  [
    "(?:(?:wohnhaft )?(?:aus|in|von) (?:der|dem) )?\\p{Lu}[\\p{Ll}]+(?:straße|strasse|str\\.|weg|platz|allee|gasse) \\d+ ?[a-z]?(?!\\p{L})",
    "gu"
  ],
  [
    "(?:(?<!\\p{L})(?:du|au) )?(?<!\\d)\\d{1,4}(?: ?bis)?,? (?:rue|avenue|boulevard|place|chemin) (?:(?:de|du|des|la|" +
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
