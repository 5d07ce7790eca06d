/** German: what tells a question, its subject and how fast its answer changes. Written by hand. */
// dprint-ignore-file: word lists read as paragraphs
import { anywhere, type CuesOf, whole } from "./Cues.ts"

/** An adjective in its superlative, also as part of a compound, e.g. "umsatzstärkste". */
const superlatives =
  "\\p{L}*(?:größ|höch|läng|kürz|kleins|ältes|jüngs|reichs|ärms|teuers|billigs|günstigs|" +
  "schnells|stärks|beliebtes|bekanntes|erfolgreichs|meistverkauf|häufigs|niedrigs|heißes|" +
  "wärms|kältes|best|schlechtes|wichtigs|mächtigs|wertvolls)t?e[nmrs]?"

export const german: CuesOf = {
  question: anywhere(
    "^(?:und |also |sag(?:en sie)? mir,? |weißt du,? )?(?:wer|wen|wem|was|wann|wo|woher|wohin|" +
      "warum|weshalb|wieso|wie|welche[rsnm]?|wieviele?|wessen|gibt es|ist|sind|hat|haben|kann|" +
      "können|darf|muss|in welche[rmns]?|an welche[rmns]?|seit wann|vor wie) "
  ),
  culture: whole("Sitten?", "Bräuche", "Höflichkeit", "Trinkgeld"),
  legal: whole(
    "Gesetz(?:e|es)?", "gesetzlich", "Kündigungsfrist", "Mietrecht", "Visum", "Steuer(?:n|satz)?"
  ),
  make: whole("schreib(?:e|en Sie)?", "übersetze?", "verfasse"),
  makeAnywhere: whole("Gedicht", "Kurzgeschichte"),
  smallTalk: anywhere("^(?:hallo|danke|guten (?:tag|morgen|abend))(?![\\p{L}])"),
  live: whole("Wetter", "Wechselkurs", "Stau"),
  fresh: whole(
    "aktuell\\p{L}*", "derzeit(?:ig\\p{L}*)?", "momentan\\p{L}*", "gegenwärtig\\p{L}*",
    "neuest(?:e|en|er|es)", "heute", "heutzutage", "heutig\\p{L}*", "jetzt", "jetzig\\p{L}*",
    "kürzlich", "neulich", "zuletzt", "bisher", "bislang", "bisherig\\p{L}*", "amtierend\\p{L}*",
    "noch", "inzwischen", "mittlerweile", "jüngste[nr] (?=\\p{L})"
  ),
  relative: whole(
    "diese[nrsm]? (?:Jahr|Woche|Monat|Saison)(?:es|s)?", "letzte[rnms]?", "vergangene[rnms]?",
    "vorige[rnms]?", "nächste[rnms]?", "kommende[rnms]?", "seit", "vor (?:wie vielen|\\d+) Jahren",
    "gestern", "morgen", "wie lange ist"
  ),
  superlative: whole(
    superlatives, "am (?:meisten|häufigsten|beliebtesten|höchsten)", "meist\\p{L}+",
    "\\p{L}*[Rr]ekord\\p{L}*", "Nummer (?:1|eins)", "\\p{L}*rangliste", "aller Zeiten",
    "Bestseller\\p{L}*"
  ),
  office: whole(
    "\\p{L}*[Pp]räsident(?:in|en)?", "\\p{L}*[Kk]anzler(?:in|s)?", "\\p{L}*[Mm]inister(?:in|s)?",
    "König(?:in|s)?", "Monarch(?:in|en)?", "Papst", "Trainer(?:in|s)?", "CEO", "Chef(?:in)?",
    "Vorsitzende[rn]?", "Geschäftsführer(?:in)?", "Bürgermeister(?:in)?", "Gouverneur(?:in)?",
    "\\p{L}*[Mm]eister(?:in)?", "Kapitän(?:in)?", "Inhaber(?:in)?", "Besitzer(?:in)?",
    "Mitglied(?:er|staaten)?", "Ehefrau", "Ehemann", "Leiter(?:in)?"
  ),
  tally: whole(
    "wie viele?", "wieviele?", "wie oft", "Anzahl", "Einwohner\\p{L}*",
    "\\p{L}*[Bb]evölkerung\\p{L}*",
    "Gesamtzahl", "Vermögen", "Inflation\\p{L}*", "Arbeitslosen\\p{L}*", "Prozent(?:satz)?",
    "Follower"
  ),
  age: whole("wie alt ist", "wie alt sind", "das Alter", "\\p{L}+alter"),
  price: whole(
    "Preis(?:e)?", "\\p{L}*preis(?:e|is)?", "kostet", "kosten", "\\p{L}*[Kk]urs", "Gehalt",
    "Lohn", "Mindestlohn", "Miete(?:n)?", "Gebühr(?:en)?", "Zinssatz", "Aktie", "Steuersatz"
  ),
  release: whole(
    "Version(?:en)?", "Modelle?", "Staffeln?", "Folgen?", "Album", "erscheint", "Veröffentlichung"
  ),
  upcoming: whole("wird", "werden", "geplant", "bevorsteh\\p{L}*", "künftig\\p{L}*"),
  holder: anywhere("(?<!\\p{L})wer (?:ist|hat|hält|führt|besitzt|leitet|gewann|sind)(?!\\p{L})"),
  present: whole("ist", "sind", "hat", "haben", "gibt es", "leben", "lebt", "kann", "liegt"),
  past: whole("war(?:en)?", "wurden?", "hatten?", "hieß", "begann(?:en)?", "erschien(?:en)?"),
  origin: whole(
    "geboren", "gestorben", "starb", "getötet", "begraben", "gegründet", "Gründer(?:in)?",
    "erfunden", "erfand", "Erfinder(?:in)?", "entdeckt", "entdeckte", "schrieb", "geschrieben",
    "Autor(?:in)?", "gemalt", "malte", "komponiert\\p{L}*", "gebaut", "erbaut", "gedreht",
    "Regie", "Schauspieler(?:in)?", "spielte", "Roman", "Buch", "Film", "Lied", "\\p{L}*krieg",
    "Schlacht", "Revolution", "Reich", "Jahrhundert", "Ursprung", "eröffnet", "benannt"
  ),
  fixed: whole(
    "Hauptstadt", "bedeutet", "Bedeutung", "warum", "Entfernung", "Höhe", "Fläche", "Tiefe",
    "\\p{L}*[Ff]luss", "\\p{L}*[Bb]erg", "\\p{L}*[Ss]ee", "Seen", "Ozean", "Meer", "Insel",
    "Kontinent", "Planet(?:en)?", "Tier(?:e)?", "Fisch", "Vogel", "Pflanze", "Organ", "Körper",
    "Knochen", "Beine", "Farbe(?:n)?", "Flagge", "Buchstaben?", "Alphabet", "Formel", "Element",
    "grenzen", "Unterschied", "Religion", "Sprache", "Siedepunkt", "Wüste", "Wald"
  ),
  ordinal: whole(
    "erste[rnms]?", "zweite[rnms]?", "dritte[rnms]?", "ursprünglich\\p{L}*", "einzige[rnms]?"
  )
}

/** Words that German has and English does not, in nearly every German sentence. */
const functionWords = new RegExp(
  "(?<!\\p{L})(?:der|das|dem|den|des|ist|sind|wer|wie|wo|wann|warum|welche[rnms]?|und|" +
    "eine?[rnms]?|von|vom|im|zum|zur|hat|haben|wird|werden|wurden?|gibt|viele|für|mit|auf|nicht|" +
    "ich|sie)(?!\\p{L})",
  "giu"
)
const functionWordsMin = 2

/** English cues are deaf then: "was" and "die" are other words, and very frequent ones. */
export const isGerman = (text: string): boolean =>
  (text.match(functionWords)?.length ?? 0) >= functionWordsMin
