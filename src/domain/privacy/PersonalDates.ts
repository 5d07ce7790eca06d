/** Finds dates of birth: a date with a word for birth beside it. */
import { compiled } from "./PersonalPatterns.ts"

const month = "(?:\\p{L}{3,12}\\.?)"
/** 04/22/1964, 1964-04-22, 22. April 1964, April 22nd, 1964; two parts where no year is told. */
const date = "(?:\\d{1,4} ?[./-] ?\\d{1,2}(?: ?[./-] ?\\d{2,4})?|" +
  `\\d{1,2}(?:st|nd|rd|th|er|º|ª)?\\.?,? (?:of |de |d['’])?${month},?(?: (?:de |del )?\\d{2,4})?|` +
  `${month} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{2,4})?|\\d{6,8})`
const written =
  "(?:\\d{2,4} ?[.年년/-] ?\\d{1,2} ?[.月월/-] ?\\d{1,2}(?: ?[日일])?|\\d{6}(?:\\d{2})?)"

const words =
  "date of birth|birth ?date|birthday|d\\.? ?o\\.? ?b\\.?|geburtsdatum|geburtstag|geb\\.|" +
  "date de naissance|fecha de nacimiento|data di nascita|data de nascimento|geboortedatum|" +
  "дата рождения"
const told =
  "i was born|i['’]m born|ich (?:bin|wurde)(?: am)?|je suis n[ée]e?|nací|sono nat[oa]|nasci|" +
  "ik ben geboren"

/** Each holds a digit. */
export const datePatterns = compiled([
  [
    `(?<!\\p{L})(?:(?:my|our|his|her|meine?|mon|ma|mi|minha|il mio) )?(?:${words})(?!\\p{L})` +
    `(?: (?:is|ist|est|es|è|é|am))?\\s?[:=]?\\s?(?:the |le |el |il |am |on )?${date}(?!\\d)`,
    "giu"
  ],
  [
    `(?<!\\p{L})(?:${told})(?: (?:on|in|am|le|el|il|em|op))?(?: the)? ${date}(?: geboren)?(?!\\d)`,
    "giu"
  ],
  ["(?:i was born (?:on|in)|born\\s?[:=]) (?:the )?[\\p{L}\\d ,/.-]{2,20}?\\d{2,4}(?!\\d)", "giu"],
  [`geboren am ${date}(?!\\d)`, "giu"],
  [
    "(?:(?:我的)?(?:出生日期|出生年月日|生日|生年月日|誕生日)|(?:제 |내 )?(?:생년월일|생일)|我?(?:出)?生于|我?生於)" +
    `(?:은|는|は|是|为|為)? ?[:：]? ?${written}(?!\\d)`,
    "gu"
  ],
  [
    `${written} ?(?:生まれ(?:です|の者|で、)|生(?:입니다|이에요|です)|생(?:입니다|이에요|이고))`,
    "gu"
  ],
  [`我(?:是)?${written}(?:出生|生)`, "gu"]
])
