/** German writes every noun with a capital: endings and words that no name has. */

const endings =
  /(?:ung|ungen|heit|keit|schaft|rechte?|gesetz|fristen|frist|vertrag|verträge|kosten|miete|schutz|verein|kaution|pflicht|gabe|zahlung|steuer|hilfe|lärm|schaden|geld|gelder|zeit|zeiten|urlaub|arbeit|rente|versicherung|pass|schein|karte|wohnung|schule|allergie|tion|tionen|tät|nis|nisse|ismus|fieber|krankheit|impfung|medikament|tablette|tabletten|tage|monat|monate|woche|wochen|jahr|jahre|jahren|stunden|auto|visum|amt|kind|kinder|vater|mutter|eltern|preis|preise|antrag|anträge|nummer|daten|gebühr|gebühren|gespräch|brief|dienst|kurs|prüfung|zeugnis|diplom|katze|zimmer|küche|konto|kredit|gründen|sucht|schmerzen|diabetes|pflege|reise|lizenz|problem|probleme|student|studenten|studentin|azubi|rentner|rentnerin|beamter|beamtin|lehrerin|erzieherin|verkäuferin|mieter|vermieter|ausweis|anspruch|abschluss|ausbildung|beruf|job|stelle|firma|chef)$/u
const words = new Set(
  ("mann frau hund garten haus platz bund grund ende teil tag bank wagen " +
    "asyl alkohol cannabis bier bafög kita fieber scharlach windpocken masern husten depression " +
    "single vegetarier veganer deutscher ausländer mitte anfang seit schokolade klavier mord " +
    "hause home office internet strom gas wasser luft post bahn bus fahrrad roller drohne waffe " +
    "schulden erbe testament unterhalt sorgerecht geburt tod hochzeit scheidung taufe fahrer")
    .split(" ")
)

/** Whether the word, with its capital, is a noun rather than a name. */
export const looksLikeNoun = (word: string): boolean => {
  const low = word.toLowerCase()
  return words.has(low) || endings.test(low)
}
