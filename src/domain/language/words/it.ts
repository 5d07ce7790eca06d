/** Closed classes of Italian words: see `Language`. */
import type { Language } from "./Language.ts"

export const it: Language = {
  code: "it",
  isSpaced: true,
  common: "il|lo|la|gli|di|che|e|è|un|una|per|con|non|del|della|sono|si|da|nel|al|dei|più|come|" +
    "anche|quanto|cosa|posso|" +
    "o|ma|le|alla|delle|degli|nella|questo|essere|ha|hanno|può|sul|dal|fino|tra|senza|stato|a",
  letters: "ì|ò| un'| l'| dell'| nell'| all'",
  pointsBack: "egli|ella|esso|essa|essi|esse|questo|questa|questi|queste|quello|quella|quelli|" +
    "quelle|ciò|tale|tali|suo|sua|suoi|sue|loro|quest'ultimo|pertanto|quindi|perciò|così|allora|" +
    "ma|e|o|tuttavia|però|invece|al contrario|altrimenti|in tal caso|in questo caso|per esempio|" +
    "ad esempio|inoltre|anche|entrambi|entrambe",
  pointsNowhere: "questo sito|questa pagina",
  takesBack: "mito|miti|falso|falsa|errat*|sbagliat*|non è vero|bufala|bufale|leggenda|leggende|" +
    "luogo comune|smentit*|non più|obsolet*|abrogat*|ritirat*|vietat*|proibit*|non consentit*|mai|" +
    "esclus*|eccezion*|non compres*|non copert*|al contrario|rettifica",
  negates: "non|nessun*|niente|nulla|senza|mai|né",
  limits: "alcun*|cert*|talvolta|a volte|potrebbe*|se|salvo|tranne|per esempio|eccezion*|" +
    "ridott*|in passato|precedentemente|proposta*",
  tentative: "proposta*|bozza|previst*|prevede|attes*|previsioni|disegno di legge",
  ends: "abolit*|abrogat*|soppress*|revocat*|ritirat*|non è più|non sono più|ha cessato|scadut*",
  atMost: "al massimo|massimo|fino a|non oltre|entro",
  atLeast: "almeno|minimo|a partire da|più di",
  approximates: "circa|quasi|all'incirca",
  months: "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|" +
    "novembre|dicembre|gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic",
  weekdays: "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|lun|mar|mer|gio|ven|" +
    "sab|dom",
  reader: "lei|voi|vostr*|tu|tuo|tua|tuoi|tue|ti|vi",
  asker: "utente|utenti|il richiedente|la richiedente|il cliente|la cliente|hai|sei|stai|vivi|" +
    "lavori|puoi|devi",
  singlesOut: "questo|questa|questi|queste|quel|quella|quello|quei|suddett*|nel caso di specie",
  given: "perché|poiché|siccome|dato che|visto che|dal momento che|essendo|avendo|a causa|" +
    "nonostante|malgrado|in quanto|grazie a|sebbene|in qualità di|Come",
  requests: "per favore|si prega",
  numerals: "due|tre|quattro|cinque||sette|otto|nove|dieci|undici|dodici",
  conditions: "se|qualora|nel caso|a condizione|salvo che|a meno che|dipende|dipendono|a seconda|" +
    "purché",
  advised:
    "salute|sanitari*|medic*|malatti*|sintom*|trattament*|dose|dosaggio|farmac*|gravidanza|" +
    "incinta|vaccin*|chirurg*|ospedal*|terapi*|diagnos*|tass*|impost*|fiscal*|invest*|" +
    "mutuo|mutui|prestit*|credit*|pension*|assicura*|debit*|fallimento|eredit*",
  asksSlot: "Potrebbe indicarmi quanto segue: {slot}?",
  asksWhether: "È così: {slot}?",
  whySlot: "Le fonti non lo dicono, e la risposta può dipenderne.",
  asksCondition: "È questo il caso? «{quote}»",
  whyCondition: "Una fonte fa dipendere da questo la risposta.",
  asksReference: "A che cosa si riferisce «{quote}»?",
  whyReference: "Nulla di quanto detto finora lo chiarisce.",
  yesNo: "sì|no|solo se|dipende|certo|certamente|assolutamente|vero|falso",
  questionMark: "d|domanda",
  answerMark: "r|risposta",
  abbreviations: "sig|sigg|dott|avv|ing|prof|geom|ecc|cfr|d.lgs|d.l|d.p.r",
  abbreviationsOfNumbers: "n|nn|art|artt|pag|pagg|p|pp|cap|vol|fig|tel|co|lett|max",
  asksNumber: "quanto|quanta|quanti|quante|a che età|a quale età|a che ora|a quale ora",
  asksDate: "quando|in che anno|in quale anno",
  official: "sito ufficiale governo",
  customs: "usanze galateo",
  furniture: "cookie*|iscriviti|accedi|registrati|tutti i diritti riservati|clicca qui|" +
    "leggi di più|scopri di più|informativa sulla privacy|note legali|newsletter|contattaci|" +
    "seguici|indice|ultimo aggiornamento|©"
}
