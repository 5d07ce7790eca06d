/** Finds how people name themselves in further languages: "Ich heiße", "me llamo", "ik heet". */
import { double, full, opening, told } from "./NameForms.ts"

/** After these stands a name, whatever it looks like. */
const certain = opening([
  "ich hei(?:ß|ss)e",
  "mein (?:voller |ganzer )?(?:[Vv]or|[Nn]ach)?-?[Nn]ame(?: ist| lautet|:)",
  "je m ?['’] ?appelle",
  "je me (?:nomme|pr[ée]nomme)",
  "mon (?:pr[ée])?nom (?:complet )?(?:est|:)",
  "me llamo",
  "mi nombre (?:completo )?(?:es|:)",
  "mi chiamo",
  "il mio nome (?:completo )?(?:[eè]|:)",
  "me chamo",
  "chamo-me",
  "meu nome (?:completo )?(?:[eé]|:)",
  "ik heet",
  "mijn naam is",
  "jag heter",
  "mitt namn är",
  "jeg (?:heter|hedder)",
  "mi[tn]t? navn er",
  "nazywam si[ęe]",
  "mam na imi[ęe]",
  "benim ad[ıi]m",
  "adım",
  "меня зовут",
  "мо[её] имя",
  "мене звати",
  "tên (?:của )?tôi là",
  "tôi tên là",
  "nama (?:saya|aku)(?: adalah)?",
  "اسمي",
  "मेरा नाम"
])

/** After these it may be a people or a trade too, so that only two capitals tell. */
const likely = opening([
  "ich bin(?! (?:Deutsch|Österreich|Schweizer|Student|Mieter|Vermieter|EU|US))(?: der| die)?",
  "hier (?:ist|spricht|schreibt)",
  "je suis",
  "(?<=^|[,.!] ?)ici",
  "soy",
  "io sono",
  "(?<=^|[,.!;] ?)sono",
  "sou(?: [oa])?",
  "ik ben",
  "jag är",
  "jeg er"
])

const german = opening([
  "mein(?:e[rmns]?)? (?:Frau|Mann|Ehemann|Ehefrau|Sohn|Tochter|Kind|Mutter|Vater|Bruder|" +
  "Schwester|Freund(?:in)?|Chef(?:in)?|Vermieter(?:in)?|Mieter(?:in)?|Nachbar(?:in)?|" +
  "Kolleg(?:e|in)|Partner(?:in)?|Arzt|Ärztin|Anwalt|Anwältin|Patient(?:in)?)"
])
const romance = opening([
  "m(?:on|a) (?:femme|mari|[ée]poux|[ée]pouse|fils|fille|m[èe]re|p[èe]re|fr[èe]re|s(?:œ|oe)ur|" +
  "amie?|copain|copine|patronn?e?|propri[ée]taire|locataire|voisine?|coll[èe]gue|m[ée]decin|" +
  "avocate?|patiente?|cliente?)",
  "mi (?:esposa|esposo|mujer|marido|hij[oa]|madre|padre|herman[oa]|novi[oa]|jef[ea]|caser[oa]|" +
  "inquilin[oa]|amig[oa]|vecin[oa]|m[ée]dico|abogad[oa]|paciente|cliente)",
  "mi[oa] (?:moglie|marito|figli[oa]|madre|padre|fratello|sorella|capo|amic[oa]|medico|" +
  "vicin[oa]|ragazz[oa]|padrone di casa)",
  "m(?:inha|eu) (?:esposa|esposo|mulher|marido|filh[oa]|m[ãa]e|pai|irm[ãa]o?|namorad[oa]|" +
  "chefe|amig[oa]|vizinh[oa]|m[ée]dic[oa]|senhori[oa]|paciente)"
])

export const introductionPatterns: ReadonlyArray<RegExp> = [
  new RegExp(`(?<!\\p{L})${certain}(?!\\p{L}) ?${told}`, "gu"),
  new RegExp(
    `(?<!\\p{L})${likely} ${double}(?= ?(?:[\\p{P}]|$)| (?:und|et|y|e|en|och|og|aus|de)(?!\\p{L}))`,
    "gu"
  ),
  new RegExp(`(?<=(?<!\\p{L})${german}) ${double}`, "gu"),
  new RegExp(`(?<=(?<!\\p{L})${romance}) ${full}`, "gu"),
  new RegExp(`(?<=(?<!\\p{L})(?:${german}|${romance}),) ${full}(?=[,;)])`, "gu"),
  /(?:ผม|ฉัน|ดิฉัน)ชื่อ ?[\p{Script=Thai}\p{M}]{2,24}(?: [\p{Script=Thai}\p{M}]{2,24})?/gu
]
