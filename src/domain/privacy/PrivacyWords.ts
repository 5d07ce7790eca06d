/**
 * The words by which people speak of themselves and of those around them, one record a language.
 *
 * All in lower case. `|` parts entries, `*` stands for any letters. The same fields everywhere; an
 * empty field has no such words.
 */

export interface PrivacyWords {
  /** Function words: they tell the language, and no name looks like them. */
  readonly plain: string
  /** First person. */
  readonly me: string
  /** The first person as an owner, before a relation. */
  readonly my: string
  /** Words that begin a question, and requests for an answer. */
  readonly ask: string
  readonly greet: string
  /** Words before a name at the end of a letter. */
  readonly sign: string
  /** Said right before one's own name, and nothing else. */
  readonly self: string
  /** "I am": a name may follow, or anything. */
  readonly am: string
  /** "named", "is called": between a relation and the name. */
  readonly called: string
  /** Relations of private life, pets among them. */
  readonly kin: string
  /** People whom one has to do with and whom others may know, too. */
  readonly role: string
  readonly title: string
  /** Said right before an employer or a school. */
  readonly job: string
  /** Institutions that carry a name. */
  readonly org: string
  /** Words for what identifies, before its value. */
  readonly code: string
  readonly pass: string
  readonly street: string
  /** Said right before a home address. */
  readonly home: string
  readonly digit: string
  readonly born: string
  /** Words before a place at the level of a city. */
  readonly place: string
  /** Verbs of a person at the beginning of a statement. */
  readonly does: string
}

const en: PrivacyWords = {
  plain:
    "the|a|an|is|are|was|were|be|been|of|to|how|what|what's|my|your|me|for|it|does|do|did|and|or|but|so|please|i|i'm|can|could|who|at|you|when|where|why|which|will|would|should|may|must|in|on|from|with|by|about|as|if|not|no|we|he|she|they|his|her|our|us|has|have|had|this|that|there|here|than|then|after|before|since|because|while|yes|ok|any|all|some|now|just|also|still|only|very|too|out|up|down|off|over|into|them|its|their|hi|hello|hey|dear|thanks|thank|help|looking|thinking|asking|one|two|three|today|yesterday|tomorrow|last|next|someone|somebody|everyone|nobody|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december",
  me: "i|i'm|im|i've|ive|i'd|i'll|my|me|mine|we|we're|we've|our|myself",
  my: "my|our",
  ask:
    "who|who's|what|what's|whats|when|when's|where|where's|which|why|how|how's|is|are|was|were|does|do|did|can|could|should|will|would|has|have|may|am|isn't|aren't|don't|doesn't|can't|tell me|find|compare|explain|look up|list|i want to know|i'd like to know|let me know|any idea|anyone know|could you|can you|would you|please",
  greet:
    "hi|hello|hey|hiya|dear|good morning|good afternoon|good evening|greetings|hi there|hello there|hey there",
  sign:
    "thanks|thank you|many thanks|thanks in advance|thx|ty|cheers|best|best regards|kind regards|warm regards|regards|best wishes|yours|yours sincerely|yours truly|sincerely|love|cordially|xx|xoxo|signed|greetings from",
  self:
    "the name's|our names are|we're called|my name is|my name's|my full name is|my names|my name|name:|name is|name's|call me|i am called|i'm called|i go by|known as|signed,|speaking with|it's me,|ik heet|nazywam się",
  am:
    "name|in the name of|under the name of|on behalf of|i am|i'm|im|this is|it's|its|we are|we're|i, |me, ",
  called:
    "named|called|name is|is called|'s name is|'s called|whose name is|by the name of|goes by|is named|was called|namely|who is called|known as|a girl called|a boy called|a guy called|a man called|a woman called",
  kin:
    "eldest|youngest|oldest|little one|stepkids|other half|missus|hubby|carer|dog-walker|dog walker|fella|lad|lass|husband|wife|spouse|fiance|fiancé|fiancée|fiancee|partner|boyfriend|girlfriend|bf|gf|ex|ex-husband|ex-wife|ex-boyfriend|ex-girlfriend|son|sons|daughter|daughters|kid|kids|child|children|baby|babies|toddler|newborn|twin|twins|boy|girl|boys|girls|mother|mum|mom|mam|father|dad|mother-in-law|father-in-law|brother-in-law|sister-in-law|in-laws|stepson|stepdaughter|stepfather|stepmother|stepdad|stepmom|sister|sisters|brother|brothers|sibling|siblings|aunt|auntie|uncle|cousin|cousins|nephew|niece|grandma|grandmother|grandpa|grandfather|gran|granny|nan|nana|grandson|granddaughter|grandparents|parents|godson|goddaughter|family|friend|friends|mate|buddy|bestie|roommate|room-mate|flatmate|flat-mate|housemate|landlord|landlady|tenant|tenants|subtenant|lodger|neighbour|neighbor|neighbours|neighbors|colleague|colleagues|coworker|co-worker|workmate|nanny|babysitter|au pair|childminder|dog|dogs|puppy|cat|cats|kitten|horse|pony|parrot|rabbit|bunny|hamster|guinea pig|pet|tortoise|budgie|ferret",
  role:
    "boss|manager|supervisor|employer|employee|employees|line manager|team lead|teacher|tutor|professor|headteacher|principal|coach|doctor|gp|dentist|surgeon|therapist|psychiatrist|psychologist|physio|counsellor|counselor|midwife|nurse|vet|lawyer|attorney|solicitor|barrister|judge|agent|broker|accountant|client|clients|customer|patient|patients|student|students|pupil|seller|buyer|contractor|builder|plumber|electrician|mechanic|hairdresser|cleaner|caretaker|carer|caregiver|social worker|case worker|assistant|intern|apprentice|witness|defendant|recruiter|mentor|priest|pastor|driver|claimant|plaintiff|applicant|policyholder|insured|complainant|respondent|guarantor|beneficiary|cardholder|account holder|contact person|referrer|debtor|creditor|hr",
  title: "mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam|rev|father|sister|judge|mr and mrs",
  job:
    "work at|works at|work for|works for|working at|working for|worked at|worked for|employed by|employed at|job at|position at|internship at|intern at|interning at|apprentice at|apprenticeship at|hired by|fired from|fired by|laid off from|laid off by|let go by|let go from|shift at|study at|studies at|studying at|student at|goes to|attends|enrolled at|enrolled in|teach at|teaches at|teacher at|teaching at|nurse at|doctor at|engineer at|manager at|cashier at|developer at|started at|contract with|rent from|renting from|renting off|rent off|quit|my employer|our employer|my company|my school|his school|her school|daughter's school|son's school|kid's school|our school|the school|paid at|contract at|at work at|patient at|treated at|surgery at|staff at|client of|bullied at|employer is|company is|company called|school is|school called|surgeon at|dr at|told my employer|works in a|hours at",
  org:
    "school|primary|primary school|elementary|elementary school|high school|middle school|grammar school|academy|college|nursery|kindergarten|preschool|daycare|hospital|clinic|practice|surgery|care home|nursing home|church|parish|gmbh|ltd|llc|inc|plc|limited|logistics|analytics|properties|solutions|consulting|holdings|& sons|& co|bakery|law firm|dental",
  code:
    "booking|booking ref|booking reference|booking code|booking number|reservation|reservation number|confirmation|confirmation code|ref|reference|reference number|order|order number|order no|customer|customer number|customer id|client number|case|case number|case no|claim|claim number|policy|policy number|invoice|tracking|tracking number|ticket|ticket number|member|membership|membership number|member id|account|account number|acct|account no|sort code|routing number|passport|passport no|passport number|plate|plate number|number plate|licence plate|license plate|reg|registration|registration number|iban|bic|ssn|social security|social security number|nhs|nhs number|insurance number|national insurance|nino|tax id|tin|ein|itin|student id|employee id|staff id|badge|badge number|patient id|patient number|medical record|mrn|driver's licence|driver's license|driving licence|licence number|license number|visa number|file number|file no|docket|docket number|application number|receipt number|alien number|a-number|uscis|pnr|serial number|serial no|imei|vin|card|card number|credit card|id number|id card|id no|user id|meter number|po box|p.o. box|postcode|zip code|zip|phone|phone number|mobile|mobile number|cell|tel|fax|whatsapp|permit number|parcel|locker|username|user name|login|handle|insta|instagram|discord|snapchat|telegram|tiktok|steam id|gamertag|nickname|account name|screen name|alias",
  pass:
    "password|passcode|passphrase|pin|pin code|pwd|pass|wifi password|api key|secret|token|security answer",
  street:
    "street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|way|place|pl|terrace|square|sq|parkway|pkwy|close|crescent|gardens|grove|mews|hill|row|walk",
  home:
    "live at|lives at|living at|reside at|address is|address:|residing at|moved to|home is at|house on|house at|flat at|flat|apartment|apt|unit|ship to|deliver to|delivered to",
  digit:
    "oh|zero|one|two|three|four|five|six|seven|eight|nine|double|triple|nought|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety",
  born: "born|dob|d.o.b.|date of birth|birth date|birthdate|birthday",
  place: "in|to|near|around|from|into|across|outside|visit|visiting|via|through",
  does:
    "lets|makes|hasn't|haven't|wasn't|couldn't|wouldn't|just|still|came|calls|called|texts|plays|is|was|has|had|says|said|told|wants|wanted|works|lives|needs|refuses|refused|keeps|kept|takes|took|got|never|won't|doesn't|didn't|isn't|always|thinks|claims|asked|asks|gets|can't|will|and i|gave|made|left|went|hit|owes|lost|wont|dont|doesnt|isnt|cant|didnt|hasnt|wouldnt|couldnt|shouldnt|wasnt"
}

const de: PrivacyWords = {
  plain:
    "der|die|das|den|dem|des|ist|ich|und|oder|aber|nicht|wie|was|wann|wo|wer|wen|wem|warum|mein|meine|meinen|meinem|meiner|für|mit|ein|eine|einen|einem|einer|im|am|auf|an|aus|bei|beim|nach|von|vom|vor|zu|zum|zur|mir|mich|du|dich|dir|es|er|sie|wir|uns|unser|unsere|ihr|hat|habe|haben|bin|sind|war|darf|dürfen|kann|können|muss|müssen|soll|will|gilt|welche|welcher|welches|dass|wenn|ob|als|auch|noch|schon|nur|seit|bis|ohne|um|über|unter|gegen|durch|ja|nein|bitte|hallo|hi|danke|guten|tag|morgen|abend|moin|servus|liebe|lieber|grüße|gruß|lg|mfg|steht|wird|werden|wurde|so|sehr|hier|da|dann|jetzt|heute|gestern|kein|keine|keinen|sich|dieser|diese|dieses|gibt|viel|viele|lange|man|euer|eure|januar|februar|märz|april|juni|juli|august|september|oktober|november|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag",
  me:
    "ich|mein|meine|meinen|meinem|meiner|meines|mir|mich|wir|unser|unsere|unseren|unserem|unserer|uns",
  my: "mein|meine|meinen|meinem|meiner|meines|unser|unsere|unseren|unserem|unserer",
  ask:
    "wer|wen|wem|wessen|was|wann|wo|woher|wohin|womit|warum|weshalb|wieso|wie|wieviel|wie viel|welche|welcher|welches|welchen|welchem|ist|sind|hat|habe ich|kann|können|darf|dürfen|muss|müssen|soll|sollte|gibt es|gilt|gelten|zahlt|bekommt|bekomme ich|steht|fällt|ab wann|ab welcher|wird|werden|braucht|brauche|sag mir|erklär*|finde|such*|vergleich*|nenne|zeig*|ich möchte wissen|weiß jemand|kannst du|können sie|stimmt",
  greet:
    "hallo|hi|hey|moin|servus|guten tag|guten morgen|guten abend|grüß gott|grüezi|liebe|lieber|sehr geehrte|sehr geehrter|werter",
  sign:
    "danke|danke und gruß|vielen dank|besten dank|danke im voraus|gruß|grüße|lg|mfg|vg|liebe grüße|lieben gruß|viele grüße|beste grüße|schöne grüße|mit freundlichen grüßen|freundliche grüße|herzliche grüße|gez|ihr|ihre|euer|eure|dein|deine",
  self:
    "wir heißen|mein vorname ist|mein name ist|mein name lautet|mein name:|name:|ich heiße|ich heisse|heiße|heisse|nennt mich|ich nenne mich|ich werde genannt",
  am:
    "name|auf den namen|im namen von|unter dem namen|ich bin|bin|hier ist|hier spricht|ich, |wir sind|ich bin der|ich bin die|hier schreibt",
  called:
    "namens|heißt|heisst|mit namen|genannt|name ist|heißen|der|die|den|dem|hört auf den namen",
  kin:
    "alter herr|alte dame|große|älteste|ältester|jüngste|jüngster|lebenspartner|lebenspartnerin|mitschüler|mitschülerin|mann|ehemann|frau|ehefrau|partner|partnerin|lebensgefährte|lebensgefährtin|verlobter|verlobte|freund|freundin|ex|ex-mann|ex-frau|ex-freund|ex-freundin|exmann|exfrau|sohn|söhne|sohnes|tochter|töchter|kind|kinder|kleine|kleiner|kleinen|baby|zwillinge|zwilling|mutter|mama|mutti|vater|papa|vati|eltern|schwiegermutter|schwiegervater|schwiegereltern|schwiegersohn|schwiegertochter|schwager|schwägerin|stiefsohn|stieftochter|stiefvater|bruder|brüder|schwester|schwestern|geschwister|oma|opa|großmutter|großvater|omi|opi|tante|onkel|cousin|cousine|vetter|neffe|neffen|nichte|enkel|enkelin|enkelkind|patenkind|kumpel|kumpels|mitbewohner|mitbewohnerin|vermieter|vermieterin|mieter|mieterin|untermieter|untermieterin|nachbar|nachbarn|nachbarin|kollege|kollegen|kollegin|hausverwalter|hausverwalterin|babysitter|babysitterin|tagesmutter|putzfrau|hund|hündin|welpe|katze|kater|kätzchen|pferd|pony|hase|kaninchen|hamster|meerschweinchen|wellensittich|papagei|haustier",
  role:
    "chef|chefin|vorgesetzter|vorgesetzte|vorgesetzten|arbeitgeber|arbeitgeberin|mitarbeiter|mitarbeiterin|teamleiter|teamleiterin|abteilungsleiter|lehrer|lehrerin|klassenlehrer|klassenlehrerin|erzieherin|erzieher|direktor|schulleiter|schulleiterin|professor|professorin|arzt|ärztin|hausarzt|hausärztin|kinderarzt|kinderärztin|zahnarzt|zahnärztin|frauenarzt|frauenärztin|chirurg|therapeut|therapeutin|psychologe|psychologin|hebamme|tierarzt|tierärztin|anwalt|anwältin|rechtsanwalt|rechtsanwältin|richter|richterin|notar|makler|maklerin|steuerberater|steuerberaterin|berater|beraterin|betreuer|betreuerin|sachbearbeiter|sachbearbeiterin|patient|patientin|kunde|kundin|mandant|mandantin|klient|klientin|schüler|schülerin|student|studentin|azubi|verkäufer|verkäuferin|käufer|handwerker|trainer|trainerin|pfleger|pflegerin|friseur|friseurin|pat|antragsteller|antragstellerin|kläger|klägerin|beklagte|beklagter|versicherte|versicherter|versicherungsnehmer|kontoinhaber|kontoinhaberin|ansprechpartner|ansprechpartnerin|zeuge|zeugin|schuldner|gläubiger|fahrer|fahrerin|halter|halterin|hausverwaltung|hausverwalter",
  title: "herr|herrn|frau|dr|prof|fräulein|hr|fr|familie",
  job:
    "arbeite bei|arbeitet bei|arbeite in der|arbeite im|arbeite beim|arbeiten bei|arbeitet beim|gearbeitet bei|angestellt bei|angestellte bei|beschäftigt bei|job bei|minijob bei|ausbildung bei|azubi bei|lehre bei|praktikum bei|werkstudent bei|praktikant bei|praktikantin bei|studiere an der|studiert an der|student an der|lehrerin an der|lehrer an der|lehrerin am|lehrer am|geht in die|geht auf die|geht aufs|besucht die|besucht das|bin bei|ist bei|tätig bei|mitarbeiter bei|mitarbeiterin bei|verkäuferin bei|verkäufer bei|firma|arbeitgeber ist|mein arbeitgeber|meine firma|gekündigt von|krankenschwester im|krankenschwester am|pfleger im|arzt am|ärztin am|patient bei|patientin bei|patient im|gekauft bei|kita|grundschule|gymnasium|realschule|gesamtschule|kindergarten|autohaus|bäckerei|kanzlei|praxis",
  org:
    "gmbh|ag|kg|ohg|e.k.|ug|schule|grundschule|gymnasium|gesamtschule|realschule|hauptschule|kita|klinik|klinikum|krankenhaus|kindergarten|kanzlei|praxis|autohaus|bäckerei|apotheke",
  code:
    "kundennummer|kundennr|kunden-nr|buchungsnummer|buchungscode|buchung|reservierungsnummer|bestellnummer|bestellung|auftragsnummer|auftrag|rechnungsnummer|rechnung|vertragsnummer|vertrag nr|versichertennummer|versicherungsnummer|versicherungsschein|sozialversicherungsnummer|rentenversicherungsnummer|krankenkassennummer|steuer-id|steuerid|steueridentifikationsnummer|steuernummer|idnr|aktenzeichen|az|geschäftszeichen|vorgangsnummer|vorgang|ticketnummer|ticket|fallnummer|kennzeichen|autokennzeichen|nummernschild|reisepass|reisepassnummer|passnummer|pass|ausweisnummer|personalausweis|ausweis|führerscheinnummer|kontonummer|konto|iban|bic|kartennummer|kreditkarte|kreditkartennummer|ec-karte|sendungsnummer|sendung|paketnummer|paket|mitgliedsnummer|mitglied|matrikelnummer|personalnummer|patientennummer|handynummer|handy|telefonnummer|telefon|tel|mobil|festnetz|rufnummer|nummer|zählernummer|seriennummer|plz|postleitzahl|benutzername|nutzername|username|login|insta|instagram|discord|nickname|profil|account",
  pass:
    "passwort|kennwort|pin|pin-code|pincode|zugangscode|geheimzahl|wlan-passwort|wlan-schlüssel",
  street: "straße|strasse|str|weg|platz|allee|gasse|ring|damm|ufer|chaussee|steig|stieg|graben|hof",
  home:
    "wohne in der|wohne im|wohne am|wohnen in der|wohnen im|wohnt in der|wohne auf der|wohnhaft in der|wohnhaft|adresse ist|adresse:|anschrift:|anschrift ist|meine adresse|wohnung in der|haus in der",
  digit:
    "null|eins|ein|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|doppel|*zehn|*zwanzig|*dreißig|*vierzig|*fünfzig|*sechzig|*siebzig|*achtzig|*neunzig",
  born: "geboren|geb|geburtsdatum|geburtstag|geboren am",
  place: "in|nach|aus|bei|um|nahe|über",
  does:
    "lässt|gibt|ruft|macht|schreibt|klaut|ist|war|hat|hatte|sagt|meint|will|wollte|möchte|arbeitet|wohnt|lebt|braucht|zahlt|zahlte|bekommt|kommt|geht|nimmt|verlangt|weigert|behauptet|kann|darf|muss|soll|wird"
}

const fr: PrivacyWords = {
  plain:
    "le|la|les|l|un|une|des|du|de|d|et|ou|mais|est|c'est|je|j'ai|j|tu|il|elle|on|nous|vous|ils|elles|mon|ma|mes|ton|ta|son|sa|ses|notre|nos|votre|vos|leur|leurs|ce|cet|cette|ces|que|qui|quoi|quel|quelle|quels|quelles|comment|combien|quand|où|pourquoi|pour|par|avec|sans|sur|sous|dans|en|à|au|aux|chez|pas|ne|plus|moins|très|si|oui|non|bonjour|bonsoir|salut|merci|coucou|cher|chère|suis|ai|as|a|avons|ont|peut|puis|peux|peuvent|dois|doit|faut|faire|fait|dit|moi|toi|lui|eux|y|se|depuis|avant|après|entre|contre|tout|tous|toute|même|aussi|encore|voici|madame|monsieur|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
  me: "je|j'*|mon|ma|mes|moi|me|m'*|nous|notre|nos",
  my: "mon|ma|mes|notre|nos",
  ask:
    "qui|que|qu'*|quoi|quel|quelle|quels|quelles|comment|combien|quand|où|pourquoi|est-ce|peut-on|peut-elle|peut-il|puis-je|peuvent-ils|faut-il|y a-t-il|a-t-il|a-t-elle|ai-je|suis-je|dois-je|doit-on|as-tu|avez-vous|savez-vous|tu sais|peux-tu|pouvez-vous|dis-moi|dites-moi|explique*|trouve*|cherche*|compare*|liste|sous quel|à quel|à quelle|dans quel|de quelle|je voudrais savoir|je veux savoir",
  greet: "bonjour|bonsoir|salut|coucou|hello|cher|chère|madame|monsieur",
  sign:
    "merci|merci d'avance|merci beaucoup|cordialement|bien cordialement|bien à vous|amicalement|bises|bisous|salutations|respectueusement|sincèrement|à bientôt|cdt|signé|bonne journée",
  self:
    "nous nous appelons|je m'appelle|je me nomme|mon nom est|mon prénom est|mon nom:|nom:|moi c'est|moi, c'est|on m'appelle|appelez-moi|je me prénomme|m'appelle",
  am: "je, |nom|au nom de|je soussigné|je soussignée|je suis|c'est|ici|nous sommes|moi, ",
  called:
    "nommé|nommée|appelé|appelée|s'appelle|prénommé|prénommée|qui s'appelle|se nomme|du nom de|se prénomme|c'est",
  kin:
    "aîné|aînée|cadet|cadette|benjamin|homme|meuf|mec|daron|daronne|frangin|frangine|mari|femme|épouse|époux|conjoint|conjointe|compagnon|compagne|copain|copine|fiancé|fiancée|ex|ex-mari|ex-femme|ex-copain|ex-copine|fils|fille|filles|enfant|enfants|bébé|jumeau|jumeaux|jumelle|jumelles|petit|petite|mère|maman|père|papa|parents|beau-père|belle-mère|beau-frère|belle-sœur|beau-fils|belle-fille|frère|frères|sœur|sœurs|soeur|grand-mère|grand-père|mamie|papi|papy|mémé|pépé|petit-fils|petite-fille|oncle|tante|tata|tonton|cousin|cousine|neveu|nièce|filleul|filleule|ami|amie|amis|pote|potes|coloc|colocataire|propriétaire|proprio|bailleur|bailleresse|locataire|voisin|voisine|voisins|collègue|collègues|nounou|nourrice|chien|chienne|chiot|chat|chatte|chaton|cheval|lapin|perroquet|hamster|tortue",
  role:
    "patron|patronne|chef|cheffe|manager|responsable|directeur|directrice|employeur|employé|employée|salarié|prof|professeur|professeure|maître|maîtresse|instituteur|institutrice|médecin|docteur|docteure|dentiste|chirurgien|chirurgienne|psy|psychologue|psychiatre|kiné|kinésithérapeute|gynéco|gynécologue|pédiatre|sage-femme|infirmier|infirmière|vétérinaire|avocat|avocate|notaire|juge|huissier|agent|comptable|conseiller|conseillère|banquier|client|cliente|patient|patiente|élève|élèves|étudiant|étudiante|stagiaire|apprenti|apprentie|vendeur|vendeuse|acheteur|artisan|plombier|garagiste|assistante sociale|entraîneur|coach|curé|demandeur|demanderesse|assuré|assurée|titulaire|allocataire|bénéficiaire|plaignant|plaignante|témoin|souscripteur|conducteur|conductrice|syndic|proprio|gérant|gérante|tuteur|tutrice",
  title: "m|mme|mlle|monsieur|madame|mademoiselle|dr|docteur|pr|maître|me|mr",
  job:
    "travaille chez|travaille à la|travaille au|travaille pour|travaille à l'|travaillé chez|bosse chez|bosse au|bosse à la|bosse pour|salarié chez|salariée chez|employé chez|employée chez|employé de|employée de|embauché chez|embauchée chez|licencié de|licenciée de|stage chez|stagiaire chez|alternance chez|apprenti chez|cdi chez|cdd chez|contrat chez|poste chez|infirmière à la|infirmier à la|infirmière au|infirmière à l'|prof au|professeur au|étudiant à l'|étudiante à l'|étudie à|scolarisé à|scolarisée à|scolarisé au|élève au|va à l'école|mon employeur|mon entreprise|ma boîte|ma société|de chez|l'école|école|collège|lycée|crèche|maternelle|clinique|hôpital|cabinet",
  org: "sarl|sas|sa|eurl|école|collège|lycée|crèche|clinique|hôpital|cabinet|maternelle|ehpad",
  code:
    "appartement|appt|bâtiment|bât|numéro de dossier|dossier|dossier n°|numéro de sécu|numéro de sécurité sociale|sécu|numéro de client|numéro client|client n°|numéro de commande|commande|commande n°|réservation|numéro de réservation|référence|réf|facture|contrat n°|numéro de contrat|colis|numéro de suivi|suivi|immatriculation|immatriculé|immatriculée|plaque|plaque d'immatriculation|passeport|passeport n°|carte d'identité|carte vitale|cni|permis n°|numéro de permis|numéro fiscal|numéro d'allocataire|allocataire|compte|numéro de compte|iban|rib|bic|carte bancaire|numéro de carte|numéro|n°|téléphone|tél|tel|portable|mobile|fixe|identifiant|pseudo|login|nom d'utilisateur|insta|instagram|discord|snap|matricule|code postal|siret|nir|appelez au|joindre au|contactez-moi au",
  pass: "mot de passe|mdp|code pin|pin|code secret|code wifi|clé wifi",
  street:
    "rue|avenue|av|boulevard|bd|chemin|place|impasse|allée|quai|route|cours|square|passage|résidence",
  home:
    "habite au|habite|j'habite|habitons au|demeurant au|domicilié au|domiciliée au|adresse est|adresse:|mon adresse|loge au|vis au",
  digit:
    "zéro|un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt|trente|quarante|cinquante|soixante|cent|et|vingts|double|dix-*|vingt-*|trente-*|quarante-*|cinquante-*|soixante-*|quatre-vingt*",
  born: "né|née|naissance|nés|date de naissance|anniversaire",
  place: "à|en|au|aux|de|vers|pour|dans|depuis|via",
  does:
    "me|m'*|se|s'*|n'*|nous|lui|reste|passe|est|était|a|avait|dit|veut|voulait|travaille|habite|vit|refuse|garde|prend|paie|paye|demande|pense|fait|doit|peut|va|entre|ne"
}

const es: PrivacyWords = {
  plain:
    "el|la|los|las|un|una|unos|unas|de|del|al|y|e|o|u|pero|es|son|está|están|soy|estoy|mi|mis|tu|su|sus|nuestro|nuestra|que|qué|quién|cuál|cómo|cuánto|cuánta|cuántos|cuándo|dónde|por|para|con|sin|sobre|en|a|no|sí|si|se|me|te|le|les|lo|nos|yo|él|ella|hay|ha|he|han|tiene|tengo|puede|puedo|debo|hola|buenas|buenos|gracias|saludo|saludos|atentamente|muy|más|menos|ya|desde|hasta|entre|este|esta|eso|esto|ese|esa|porque|cuando|donde|como|también|todavía|vivo|trabajo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|lunes|martes|miércoles|jueves|viernes|sábado|domingo|q|esa|ah|oye|somos",
  me:
    "gano|cobro|necesito|yo|mi|mis|me|nosotros|nosotras|nuestro|nuestra|nuestros|nuestras|nos|soy|estoy|tengo|trabajo|vivo|somos|quiero|conmigo",
  my: "mi|mis|nuestro|nuestra|nuestros|nuestras",
  ask:
    "quién|quiénes|qué|que hago|que hacer|q puedo|que puedo|cuándo|dónde|por qué|cómo|cuánto|cuánta|cuántos|cuántas|cuál|cuáles|puede|pueden|puedo|es legal|es cierto|es verdad|es mucho|hay|tengo derecho|debo|tiene|sigue|a qué|en qué|le|se puede|dime|dígame|explíca*|explica|busca*|encuentra|compara*|quisiera saber|quiero saber|alguien sabe|requisitos|que requisitos",
  greet:
    "hola|buenas|buenos días|buenas tardes|buenas noches|oye|estimado|estimada|querido|querida|hola buenas",
  sign:
    "gracias|muchas gracias|gracias de antemano|saludos|un saludo|saludos cordiales|atentamente|cordialmente|un abrazo|abrazos|besos|atte|firmado|muchas gracias de antemano",
  self:
    "les escribe|le escribe|te escribe|nos llamamos|me llamo|mi nombre es|mi nombre:|nombre:|nombre es|me dicen|llámame|llámenme|me apellido|mi nombre",
  am:
    "nombre|a nombre de|en nombre de|soy|aquí|te habla|le habla|habla|somos|le escribe|les escribe|yo, ",
  called: "llamado|llamada|que se llama|se llama|de nombre|nombre es|se llaman|la|el",
  kin:
    "mayor|pequeño|pequeña|chaval|chavala|chico|chica|cuate|compadre|comadre|marido|esposo|esposa|mujer|pareja|novio|novia|prometido|prometida|ex|exmarido|exmujer|exnovio|exnovia|hijo|hija|hijos|hijas|niño|niña|niños|peque|nene|nena|bebé|bebe|gemelos|gemelas|mellizos|madre|mamá|mama|padre|papá|papa|padres|suegro|suegra|suegros|yerno|nuera|cuñado|cuñada|hermano|hermana|hermanos|abuelo|abuela|abuelos|nieto|nieta|tío|tía|primo|prima|sobrino|sobrina|padrastro|madrastra|hijastro|hijastra|ahijado|ahijada|familia|amigo|amiga|amigos|compañero|compañera|compañero de piso|compañera de piso|compañera de trabajo|compañero de trabajo|roomie|casero|casera|arrendador|arrendadora|inquilino|inquilina|vecino|vecina|vecinos|colega|niñera|canguro|perro|perra|cachorro|gato|gata|caballo|conejo|loro|tortuga|mascota",
  role:
    "jefe|jefa|patrón|patrona|encargado|encargada|supervisor|supervisora|gerente|empleador|empleado|empleada|profe|profesor|profesora|maestro|maestra|tutor|tutora|director|directora|médico|médica|doctor|doctora|dentista|cirujano|cirujana|psicólogo|psicóloga|psiquiatra|ginecóloga|ginecólogo|pediatra|fisio|matrona|enfermero|enfermera|veterinario|veterinaria|abogado|abogada|notario|juez|jueza|procurador|agente|gestor|gestora|contador|contadora|cliente|clienta|paciente|alumno|alumna|estudiante|becario|becaria|vendedor|vendedora|comprador|fontanero|electricista|mecánico|entrenador|cura|licenciado|solicitante|demandante|demandado|demandada|titular|asegurado|asegurada|beneficiario|beneficiaria|denunciante|testigo|conductor|conductora|presidente|presidenta|administrador|administradora|apoderado|apoderada|arrendador|arrendataria",
  title:
    "sr|sra|srta|señor|señora|señorita|don|doña|dr|dra|doctor|doctora|lic|licenciado|licenciada|ing|prof|los",
  job:
    "trabajo en|trabaja en|trabajo para|trabaja para|trabajaba en|trabajé en|trabajando en|trabajo de cajera en|empleado en|empleada en|empleado de|empleada de|contratado por|contratada por|despedido de|despedida de|prácticas en|becario en|becaria en|estudio en|estudia en|estudiante en|estudiante de la|alumno del|alumna del|va al|va a la|van al|enfermera en|enfermero en|profesor en|profesora en|médico en|mi empresa|la empresa|mi empleador|entré en|colegio|escuela|instituto|guardería|hospital|clínica|universidad",
  org:
    "s.l.|s.a.|sl|sa|colegio|escuela|instituto|guardería|hospital|clínica|universidad|bar|restaurante",
  code:
    "dni|nie|nif|cif|curp|cuil|cuit|rut|cédula|número de expediente|expediente|nº de expediente|número de pedido|pedido|nº de pedido|localizador|reserva|número de reserva|número de cliente|cliente nº|matrícula|placa|placas|patente|pasaporte|número de pasaporte|cuenta|número de cuenta|iban|clabe|cbu|tarjeta|número de tarjeta|póliza|número de póliza|factura|contrato nº|número de contrato|seguimiento|número de seguimiento|envío|guía|número de afiliación|seguridad social|número de seguridad social|nss|teléfono|tel|móvil|celular|cel|fijo|whatsapp|número|nº|ticket|folio|carnet|licencia|usuario|nombre de usuario|nick|insta|instagram|discord|código postal|cp|matrícula escolar|referencia",
  pass: "contraseña|clave|pin|código pin|password|contrasena",
  street:
    "calle|c/|avenida|avda|av|plaza|pza|paseo|camino|carretera|ronda|travesía|pasaje|carrera|bulevar|callejón|urbanización",
  home:
    "vivo en la|vivo en el|vivo en|vivimos en la|vive en la|domicilio en|domiciliado en|dirección es|dirección:|mi dirección|piso en la",
  digit:
    "cero|uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci*|veinte|veinti*|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|y|doble",
  born: "nací|nacido|nacida|nacimiento|fecha de nacimiento|cumpleaños",
  place: "en|a|de|desde|hacia|para|por|hasta",
  does:
    "hace|nos|deja|trabajó|lleva|es|está|era|tiene|tenía|dice|dijo|quiere|quería|trabaja|vive|se|no|cobra|paga|pide|puede|debe|va|necesita|piensa|cree|nunca|me|le"
}

const it: PrivacyWords = {
  plain:
    "il|lo|la|gli|le|i|un|una|uno|di|del|della|dei|delle|da|dal|dalla|a|al|alla|in|nel|nella|su|sul|con|per|tra|e|ed|o|ma|è|sono|sei|siamo|ho|ha|hanno|mio|mia|miei|mie|tuo|suo|sua|nostro|nostra|che|chi|cosa|come|quando|dove|perché|quanto|quanti|quante|quale|quali|non|si|sì|no|mi|ti|ci|io|lui|lei|noi|voi|loro|può|posso|devo|deve|ciao|salve|grazie|buongiorno|buonasera|più|meno|anche|ancora|già|questo|questa|se|ps|entro|cordiali|saluti",
  me:
    "guadagno|percepisco|prendo|io|mio|mia|miei|mie|mi|noi|nostro|nostra|ho|lavoro|abito|vivo|sono",
  my: "mio|mia|miei|mie|nostro|nostra",
  ask:
    "chi|cosa|che|quando|dove|perché|come|quanto|quanta|quanti|quante|qual|quale|quali|può|posso|è legale|è vero|ho diritto|ha diritto|devo|entro quando|tempi|dimmi|spiega*|cerca*|trova*|confronta*|vorrei sapere",
  greet: "ciao|salve|buongiorno|buonasera|caro|cara|gentile|egregio",
  sign: "grazie|grazie mille|saluti|cordiali saluti|distinti saluti|un saluto|a presto|baci",
  self: "mi chiamo|il mio nome è|mio nome è|nome:|mi chiamano",
  am: "nome|a nome di|a nome|sono|qui|siamo|io, ",
  called: "di nome|chiamato|chiamata|si chiama|che si chiama",
  kin:
    "nonnetta|nonnetto|marito|moglie|compagno|compagna|fidanzato|fidanzata|ragazzo|ragazza|ex|figlio|figlia|figli|bambino|bambina|gemelli|madre|mamma|padre|papà|genitori|suocero|suocera|genero|nuora|cognato|cognata|fratello|sorella|nonno|nonna|nipote|zio|zia|cugino|cugina|amico|amica|coinquilino|coinquilina|padrone di casa|padrona di casa|proprietario|proprietaria|inquilino|inquilina|vicino|vicina|collega|tata|babysitter|badante|cane|cagnolino|gatto|gatta|cavallo|coniglio",
  role:
    "capo|titolare|datore di lavoro|responsabile|direttore|direttrice|dipendente|professore|professoressa|prof|maestro|maestra|medico|dottore|dottoressa|dentista|psicologo|psicologa|pediatra|ginecologo|veterinario|avvocato|avvocata|avvocatessa|notaio|giudice|cliente|paziente|alunno|alunna|studente|commercialista|idraulico|richiedente|assicurato|assicurata|contraente|intestatario|intestataria|ricorrente|querelante|testimone|conducente|amministratore|amministratrice|preside|badante",
  title: "sig|signor|signora|sig.ra|dott|dott.ssa|dottor|dottoressa|avv|prof|professor",
  job:
    "lavoro da|lavoro alla|lavoro presso|lavoro per|lavoro in|lavora da|lavora alla|lavora presso|lavora per|assunto da|assunta da|impiegato presso|licenziato da|stage presso|studio alla|frequenta la|frequenta il|scuola|asilo|liceo|ospedale|clinica|la mia azienda|ditta",
  org: "srl|s.r.l.|spa|s.p.a.|scuola|asilo|liceo|ospedale|clinica",
  code:
    "codice fiscale|cf|numero di pratica|pratica|ordine|numero d'ordine|prenotazione|targa|targata|passaporto|carta d'identità|conto|iban|polizza|fattura|codice cliente|numero cliente|cell|cellulare|telefono|tel|numero|tessera sanitaria|tessera|utente|nome utente|nickname|insta|instagram|profilo|spedizione|tracking|cap",
  pass: "password|pin|codice pin|parola d'ordine",
  street: "via|viale|piazza|corso|vicolo|largo|strada|contrada",
  home: "abito in|abito a|vivo in|residente in|indirizzo è|indirizzo:|il mio indirizzo",
  digit:
    "zero|uno|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|*dici|venti*|trenta*|quaranta*|cinquanta*|sessanta*|settanta*|ottanta*|novanta*|doppio",
  born: "nato|nata|nascita|data di nascita|compleanno",
  place: "a|in|da|di|per|verso",
  does: "ci|gli|fa|è|ha|era|dice|vuole|lavora|vive|non|mi|si|può|deve|va|paga"
}

const pt: PrivacyWords = {
  plain:
    "o|a|os|as|um|uma|de|do|da|dos|das|em|no|na|nos|nas|e|ou|mas|é|são|está|estou|sou|somos|meu|minha|meus|minhas|teu|seu|sua|nosso|nossa|que|quem|qual|quais|como|quanto|quanta|quantos|quantas|quando|onde|porque|por|para|pra|pro|com|sem|sobre|não|sim|se|me|te|lhe|eu|ele|ela|nós|você|vocês|há|tem|tenho|temos|pode|posso|devo|deve|oi|olá|bom|boa|dia|tarde|noite|obrigado|obrigada|já|mais|menos|muito|ainda|também|este|esta|isso|isto|esse|essa|até|desde|entre|ao|à|pelo|pela|moro|trabalho|janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|agora|tô|vamos|atenciosamente|pergunta",
  me:
    "ganho|preciso|recebo|eu|meu|minha|meus|minhas|me|mim|nós|nosso|nossa|nossos|nossas|sou|estou|tenho|trabalho|moro|tô|vivo|somos|comigo|quero",
  my: "meu|minha|meus|minhas|nosso|nossa|nossos|nossas",
  ask:
    "quem|que|quê|o que|quando|onde|por que|como|quanto|quanta|quantos|quantas|qual|quais|pode|podem|podemos|posso|é legal|é verdade|é normal|tenho direito|devo|precisa|precisamos|ela pode|ele pode|ele tem|ela tem|já pode|em que|diz-me|diga*|explica|explique|procura|encontr*|compar*|gostaria de saber|queria saber|alguém sabe|prazo para|e agora",
  greet: "oi|olá|ola|bom dia|boa tarde|boa noite|caro|cara|prezado|prezada|exmo|exma|e aí",
  sign:
    "obrigado|obrigada|muito obrigado|muito obrigada|atenciosamente|abraço|abraços|um abraço|beijos|bjs|cumprimentos|melhores cumprimentos|com os melhores cumprimentos|cordialmente|grato|grata|att|valeu",
  self:
    "chamam-me|chamo me|quem fala é|quem escreve é|aqui é a|aqui é o|me chamo|chamo-me|meu nome é|o meu nome é|meu nome:|nome:|nome é|me chamam de|pode me chamar de",
  am:
    "nome|em nome de|no nome de|sou|sou o|sou a|aqui é|aqui é o|aqui é a|quem fala é|somos|somos a|somos o|eu, ",
  called: "chamado|chamada|que se chama|se chama|chama-se|de nome|o nome dele é|o nome dela é|o|a",
  kin:
    "vozinha|vozinho|mais velho|mais velha|caçula|miúdo|miúda|irmã gêmea|irmão gêmeo|compadre|comadre|marido|mulher|esposo|esposa|companheiro|companheira|namorado|namorada|noivo|noiva|ex|ex-marido|ex-mulher|filho|filha|filhos|filhas|bebê|bebé|menino|menina|gémeos|gêmeos|gémeas|mãe|pai|pais|mamãe|papai|sogro|sogra|sogros|genro|nora|cunhado|cunhada|irmão|irmã|irmãos|avô|avó|avós|vovó|vovô|neto|neta|tio|tia|primo|prima|sobrinho|sobrinha|padrasto|madrasta|enteado|enteada|afilhado|afilhada|família|amigo|amiga|amigos|colega|colegas|senhorio|senhoria|locador|inquilino|inquilina|vizinho|vizinha|vizinhos|babá|diarista|cachorro|cachorra|cão|cadela|gato|gata|cavalo|coelho|papagaio",
  role:
    "chefe|chefa|patrão|patroa|gerente|supervisor|supervisora|encarregado|encarregada|empregador|funcionário|funcionária|empregado|empregada|professor|professora|prof|diretor|diretora|médico|médica|doutor|doutora|dentista|cirurgião|psicólogo|psicóloga|psiquiatra|pediatra|ginecologista|fisioterapeuta|enfermeiro|enfermeira|veterinário|veterinária|advogado|advogada|juiz|juíza|notário|solicitador|contador|contadora|contabilista|corretor|cliente|paciente|aluno|aluna|estudante|estagiário|estagiária|vendedor|vendedora|mecânico|encanador|treinador|padre|pastor|requerente|segurado|segurada|titular|beneficiário|beneficiária|reclamante|autor|réu|testemunha|motorista|síndico|síndica|inquilino|inquilina|responsável",
  title: "sr|sra|senhor|senhora|seu|dona|dr|dra|doutor|doutora|eng|prof|dom",
  job:
    "trabalho na|trabalho no|trabalho em|trabalha na|trabalha no|trabalha em|trabalho para|trabalhava na|trabalhava no|trabalhei na|trabalhei no|empregado na|empregada na|funcionário da|funcionária da|funcionário do|funcionária do|contratado pela|contratada pela|demitido da|demitida da|despedido da|estágio na|estágio no|estagiário na|estudo na|estudo no|estuda na|estuda no|aluno da|aluna da|anda na|anda no|enfermeira no|enfermeiro no|enfermeira na|professora na|professor na|professora no|médica no|minha empresa|a empresa|empregador|colega da|escola|colégio|creche|hospital|clínica|padaria|universidade",
  org: "ltda|lda|s.a.|escola|colégio|creche|hospital|clínica|padaria|universidade",
  code:
    "cpf|rg|nif|nib|cnpj|niss|nis|pis|cartão de cidadão|cc|número de processo|processo|protocolo|número de protocolo|pedido|número do pedido|encomenda|número da encomenda|reserva|localizador|matrícula|placa|placa do meu carro|passaporte|passaporte nº|conta|número da conta|agência|iban|cartão|número do cartão|apólice|fatura|número de cliente|cliente nº|utente|número de utente|rastreio|código de rastreio|telefone|tel|celular|telemóvel|fixo|whatsapp|número|nº|cep|código postal|carteirinha|cnh|carta de condução nº|usuário|utilizador|nome de usuário|nick|insta|instagram|discord|arroba|apto|apartamento",
  pass: "senha|palavra-passe|password|pin|código pin",
  street: "rua|avenida|av|praça|travessa|estrada|largo|alameda|rodovia|beco|ladeira|r.",
  home:
    "moro na|moro no|moro em|moramos na|vivo na|resido na|residente na|endereço é|endereço:|morada é|morada:|meu endereço|a minha morada",
  digit:
    "zero|um|uma|dois|duas|três|quatro|cinco|seis|meia|sete|oito|nove|dez|onze|doze|treze|catorze|quatorze|quinze|dezesseis|dezasseis|dezessete|dezoito|dezenove|vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa|e|duplo",
  born: "nasci|nascido|nascida|nascimento|data de nascimento|aniversário",
  place: "em|no|na|de|para|pra|do|da|ao|à",
  does:
    "nos|lhe|faz|fica|é|está|era|tem|tinha|disse|diz|quer|queria|trabalha|vive|mora|não|nunca|cobra|paga|pede|pode|deve|vai|precisa|acha|me|se"
}

const ru: PrivacyWords = {
  plain:
    "и|в|во|на|не|что|как|я|мы|он|она|они|мой|моя|моё|мои|моего|моей|моему|мне|меня|нас|нам|у|с|со|к|по|за|из|от|до|для|при|о|об|а|но|или|если|ли|кто|где|когда|почему|сколько|какой|какая|какие|можно|нужно|надо|это|так|уже|ещё|еще|есть|был|была|кстати|привет|здравствуйте|спасибо|куда|чей",
  me:
    "я|мой|моя|моё|мое|мои|моего|моей|моему|моим|моих|мне|меня|мы|наш|наша|наши|нашего|нашей|нам|нас|живу|работаю",
  my: "мой|моя|моё|мои|моего|моей|моему|моим|моих|наш|наша|нашего|нашей|нашему|наши",
  ask:
    "кто|кого|кому|что|когда|где|почему|как|сколько|какой|какая|какое|какие|какую|можно|нужно|положен*|куда|откуда|зачем|чей|действует|имею ли|может ли|скажи*|объясни*|найди*|подскажи*|сравни*|хочу узнать",
  greet: "привет|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер|уважаемый|уважаемая",
  sign: "спасибо|заранее спасибо|с уважением|благодарю|всего доброго|до свидания|ваш|ваша|целую",
  self: "меня зовут|зовут меня|моё имя|мое имя|имя:|фио:|моя фамилия",
  am: "я, |имя|фио|на имя|я|это|я —|я -|вас беспокоит",
  called: "по имени|зовут|которого зовут|которую зовут|по кличке|по фамилии",
  kin:
    "муж|мужа|мужу|мужем|жена|жены|жене|женой|супруг|супруга|парень|девушка|бывший|бывшая|сын|сына|сыну|сыном|дочь|дочери|дочка|дочку|дочке|ребёнок|ребёнка|ребенок|малыш|мама|мамы|маме|мать|матери|папа|папы|отец|отца|отцу|родители|свекровь|свёкор|тёща|теща|тесть|зять|невестка|брат|брата|брату|сестра|сестры|сестре|бабушка|бабушки|бабушке|дедушка|дед|деда|внук|внучка|тётя|дядя|племянник|племянница|друг|друга|подруга|подруги|сосед|соседа|соседка|соседи|хозяин|хозяйка|хозяин квартиры|хозяйка квартиры|арендодатель|арендатор|жилец|коллега|коллеги|няня|собака|собаки|пёс|щенок|кот|кота|кошка|кошки|котёнок",
  role:
    "начальник|начальница|начальника|шеф|директор|директора|работодатель|менеджер|учитель|учительница|учителя|воспитатель|воспитательница|преподаватель|врач|врача|доктор|стоматолог|хирург|психолог|терапевт|педиатр|адвокат|юрист|нотариус|судья|клиент|клиентка|пациент|пациентка|ученик|ученица|студент|бухгалтер|тренер|заявитель|заявительница|истец|ответчик|страхователь|застрахованный|получатель|свидетель|водитель|собственник|арендодатель|участковый|следователь",
  title: "господин|госпожа|г-н|г-жа|доктор|гр|тётя|дядя|баба",
  job:
    "работаю в|работает в|работаю на|работает на|устроился в|устроилась в|учусь в|учится в|ходит в|уволили из|служу в|стажируюсь в|компания|фирма|ооо|зао|ип|школа|садик|больница|мой работодатель",
  org: "ооо|зао|оао|ип|школа|гимназия|лицей|больница|поликлиника",
  code:
    "паспорт|паспорта|паспорт серия|снилс|инн|омс|полис|номер|номер заказа|заказ|бронь|бронирование|номер дела|дело|дела|госномер|номер машины|гос номер|счёт|счет|карта|карты|номер карты|телефон|тел|мобильный|договор|трек|трек-номер|логин|ник|индекс|табельный|инста|телеграм|тг|свидетельство",
  pass: "пароль|пин|пин-код|код от",
  street:
    "ул|улица|улице|улицы|проспект|проспекте|пр-т|пр|переулок|пер|площадь|пл|шоссе|бульвар|набережная|проезд",
  home:
    "живу на|живу по адресу|живём на|живем на|проживаю по адресу|проживаю на|адрес:|мой адрес|прописан по адресу",
  digit:
    "ноль|один|одна|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|*надцать|двадцать|тридцать|сорок|*десят|девяносто|сто|двести|триста|*ста|*сот",
  born: "родился|родилась|рождения|дата рождения|день рождения|года рождения|г.р.",
  place: "в|во|на|из|под|до|по|через",
  does:
    "не|сказал|сказала|хочет|говорит|работает|живёт|живет|был|была|болеет|требует|может|должен|должна"
}

export const spacedWords = { en, de, fr, es, it, pt, ru }
export type SpacedLanguage = keyof typeof spacedWords
