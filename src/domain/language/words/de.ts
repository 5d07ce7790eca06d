/** Closed classes of German words: see `Language`. */
import type { Language } from "./Language.ts"

export const de: Language = {
  code: "de",
  isSpaced: true,
  common: "der|die|das|und|ist|nicht|ein|eine|zu|den|mit|von|für|auf|im|sich|dem|des|werden|wird|" +
    "auch|bei|oder|sind|ich|wie|was|darf|kann|" +
    "im|am|an|aus|bei|nach|bis|wenn|man|als|nur|noch|über|vor|zum|zur|kein|keine|unter|durch|ohne|hat|haben|muss|müssen|dürfen|sie|einen|einer",
  letters: "ß|ä|ö|ü",
  pointsBack:
    "er|dies|diese*|jene*|solche*|dessen|deren|letztere*|erstere*|daher|deshalb|deswegen|" +
    "darum|jedoch|dennoch|trotzdem|außerdem|aber|und|oder|sonst|andernfalls|dann|dort|dabei|dafür|" +
    "damit|davon|dazu|hierfür|hierzu|beide|zum beispiel|beispielsweise|so|also|allerdings|" +
    "stattdessen|umgekehrt|ebenso|gleiches gilt|das gilt|es gilt",
  pointsNowhere: "es ist _ zu|es ist _ dass|es ist _,|es gibt|es wird|es werden|er ist _ dass|" +
    "so genannt*|diese seite",
  takesBack:
    "mythos|mythen|falsch|unwahr|stimmt nicht|irrtum|irrtümer|irrglaube|märchen|gerücht*|" +
    "widerlegt|nicht mehr|veraltet|aufgehoben|zurückgezogen|nicht erlaubt|verboten|untersagt|" +
    "niemals|ausgenommen|ausnahmen|nicht versichert|nicht enthalten|nicht gedeckt|unsinn|" +
    "im gegenteil|berichtigung",
  negates: "nicht|nichts|nie|niemals|niemand|kein*|weder|ohne|nirgends",
  limits: "manche*|einige*|manchmal|gelegentlich|könnte*|falls|sofern|wenn|es sei denn|" +
    "zum beispiel|außer|ausnahme*|ermäßigt*|früher|ehemals|entwurf|vorgeschlagen*",
  tentative:
    "entwurf*|vorgeschlagen*|vorschlag*|geplant*|voraussichtlich|erwartet*|prognose*|soll|sollen",
  ends:
    "abgeschafft|aufgehoben|gestrichen|widerrufen|eingestellt|nicht mehr|außer kraft|ausgelaufen|abgelöst",
  atMost: "höchstens|maximal|bis zu|nicht mehr als|innerhalb",
  atLeast: "mindestens|wenigstens|mehr als|ab",
  approximates: "rund|etwa|ungefähr|circa|knapp|fast",
  months: "januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|" +
    "dezember|jan|feb|mär|apr|jun|jul|aug|sep|sept|okt|nov|dez",
  weekdays: "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|mo|di|mi|do|fr|sa|" +
    "so",
  reader: "Sie|Ihr|Ihre|Ihrem|Ihren|Ihrer|Ihnen|du|dein*|dich|dir|euch|euer|eure*",
  asker: "nutzer*|benutzer*|anwender*|fragesteller*|der fragende|die fragende|kunde|kundin",
  singlesOut: "dies*|besagte*|jener|jene|jenes|im vorliegenden fall",
  given: "weil|da|denn|wegen|aufgrund|trotz|obwohl|angesichts|dank|infolge|seit|seitdem|" +
    "zumal|Als|in anbetracht",
  requests: "bitte",
  numerals: "zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf",
  conditions: "wenn|falls|sofern|soweit|je nachdem|abhängig*|es sei denn|außer wenn|im falle|" +
    "hängt davon ab",
  advised: "gesundheit*|medizin*|krankheit*|symptom*|behandlung*|dosis|dosierung|medikament*|" +
    "schwanger*|impf*|operation*|arzt|ärzt*|krankenhaus*|therapie*|diagnose*|steuer*|" +
    "invest*|hypothek*|kredit*|darlehen*|rente*|versicherung*|schulden|insolvenz*|" +
    "erbschaft*",
  asksSlot: "Können Sie mir Folgendes sagen: {slot}?",
  asksWhether: "Trifft dies zu: {slot}?",
  whySlot: "Die Quellen sagen es nicht, und die Antwort kann davon abhängen.",
  asksCondition: "Trifft dies hier zu? „{quote}“",
  whyCondition: "Eine Quelle macht die Antwort davon abhängig.",
  asksReference: "Worauf bezieht sich „{quote}“?",
  whyReference: "Bisher wurde nicht gesagt, was gemeint ist.",
  yesNo:
    "ja|nein|nur wenn|das kommt darauf an|natürlich|selbstverständlich|keineswegs|richtig|falsch",
  questionMark: "f|frage",
  answerMark: "a|antwort",
  abbreviations: "Dr|Prof|Dipl|Ing|Hr|Hrn|Fr|Frl|Hrsg|vgl|bzw|sog|inkl|exkl|zzgl|ggf|evtl|insb|" +
    "insbes|bspw|Mio|Mrd|Tsd|geb|gest|gegr|verw|urspr|griech|frz|engl|Str|Okt|Dez|allg",
  abbreviationsOfNumbers:
    "Nr|Nrn|Abs|Art|S|Az|Ziff|Abb|Tab|Kap|Bd|Rn|Rdnr|Anm|ca|Tel|max|min|lfd|mind",
  beforeOrdinals: "am|im|der|die|das|dem|den|des|vom|zum|zur|beim|einem|einen|jeder|jeden|jedes",
  asksNumber: "wie viel*|wie lange|wie alt|wie hoch|wie groß|wie weit|wie oft|wie teuer|" +
    "wie schnell|wie schwer|wie tief|wie spät|was kostet|was kosten|um wie viel uhr|" +
    "welche frist|welche summe",
  asksDate: "wann|in welchem jahr|an welchem tag",
  official: "offiziell Behörde",
  customs: "Knigge Gepflogenheiten",
  furniture: "cookie*|abonnieren|registrieren|anmelden|alle rechte vorbehalten|hier klicken|" +
    "weiterlesen|mehr erfahren|mehr lesen|datenschutz*|impressum|newsletter|kontaktieren sie uns|" +
    "folgen sie uns|inhaltsverzeichnis|zuletzt aktualisiert|©"
}
