/** Closed classes of French words: see `Language`. */
import type { Language } from "./Language.ts"

export const fr: Language = {
  code: "fr",
  isSpaced: true,
  common: "le|la|les|de|des|et|est|un|une|du|en|que|pour|dans|qui|par|sur|au|pas|plus|avec|sont|" +
    "ce|il|je|quel|quelle|comment|ou|mais|aux|se|ne|nous|vous|cette|leur|être|avoir|ont|peut|a|à",
  letters: "œ|ê|û|î| l'| d'| j'| n'| qu'| c'| s'| ?| !",
  pointsBack:
    "il|elle|ils|elles|cela|ceci|ça|ce|cet|cette|ces|celui-ci|celle-ci|ceux-ci|celles-ci|" +
    "ce dernier|cette dernière|son|sa|ses|leur|leurs|donc|ainsi|alors|mais|et|ou|or|cependant|" +
    "toutefois|néanmoins|pourtant|en revanche|par contre|sinon|dans ce cas|par exemple|de même|" +
    "également|aussi|en effet|c'est pourquoi|les deux|y|en outre",
  pointsNowhere: "il est _ de|il est _ que|il faut|il y a|il convient|il existe|il n'y a|" +
    "cette page|ce site|en france",
  takesBack: "mythe*|faux|fausse*|inexact*|idée* reçue*|erreur*|légende*|rumeur*|démenti*|intox|" +
    "n'est plus|obsolète*|abrogé*|retiré*|interdit*|non autorisé*|jamais|à ne pas|ne pas|exclu*|" +
    "exclusion*|exception*|non couvert*|non compris|au contraire|rectificatif",
  negates: "ne|n'|pas|jamais|aucun*|rien|guère|sans|ni",
  limits: "certain*|quelques|parfois|pourrait|pourraient|si|sauf|par exemple|exception*|" +
    "réduit*|auparavant|autrefois|anciennement|projet|proposé*",
  tentative: "projet|proposé*|proposition*|prévu*|prévoit|attendu*|attend|prévision*",
  ends: "aboli*|abrogé*|supprimé*|révoqué*|retiré*|n'est plus|ne sont plus|a pris fin|expiré*",
  atMost: "au plus|maximum|maximal*|jusqu'à|au maximum|dans un délai",
  atLeast: "au moins|minimum|minimal*|à partir de|plus de",
  approximates: "environ|quelque|près de|presque",
  months: "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|" +
    "décembre|janv|févr|avr|juil|sept|oct|nov|déc",
  weekdays: "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lun|mar|mer|jeu|ven|sam|" +
    "dim",
  reader: "vous|votre|vos|tu|ton|ta|tes|toi|te",
  asker: "utilisateur*|utilisatrice*|demandeur*|demandeuse*|internaute*|le client|la cliente",
  singlesOut: "ce|cet|cette|ces|ledit|ladite|celui-ci|celle-ci|en l'espèce",
  given: "puisque|puisqu'il|puisqu'elle|parce que|parce qu'il|parce qu'elle|car|étant|" +
    "ayant|malgré|en raison|à cause|vu que|compte tenu|depuis|grâce à|faute de|" +
    "suite à|en tant que|en tant qu'|bien que|Comme",
  requests: "veuillez|merci de",
  numerals: "deux|trois|quatre|cinq|six|sept|huit||dix|onze|douze",
  conditions: "si|s'il|s'ils|lorsque|à condition|sauf si|selon|en cas de|dépend*|pourvu que|" +
    "à moins que",
  advised: "santé|médic*|médec*|maladie*|symptôme*|traitement*|dose|posologie|grossesse|enceinte|" +
    "vaccin*|chirurgie|hôpital*|thérap*|diagnostic*|impôt*|fiscal*|invest*|hypoth*|prêt|" +
    "prêts|crédit*|retraite*|assurance*|dette*|faillite*|succession*|héritage*",
  asksSlot: "Pourriez-vous m'indiquer ceci : {slot} ?",
  asksWhether: "Est-ce le cas : {slot} ?",
  whySlot: "Les sources ne le disent pas, et la réponse peut en dépendre.",
  asksCondition: "Est-ce le cas ici ? « {quote} »",
  whyCondition: "Une source en fait dépendre la réponse.",
  asksReference: "À quoi « {quote} » fait-il référence ?",
  whyReference: "Rien de ce qui a été dit ne le précise.",
  yesNo: "oui|non|seulement si|cela dépend|ça dépend|bien sûr|pas du tout|vrai|faux",
  questionMark: "q|question",
  answerMark: "r|réponse",
  abbreviations:
    "Dr|Pr|M|MM|Mme|Mmes|Mlle|Mlles|Me|Mgr|Ste|av|bd|cf|env|janv|févr|avr|juil|déc|éd|" +
    "resp",
  abbreviationsOfNumbers: "n|no|nos|art|arts|al|chap|p|pp|fig|vol|t|tél|réf|app|appt",
  asksNumber: "combien|à partir de quel âge|à quelle heure|quel prix|quel âge|quel montant|" +
    "quel taux|quel tarif|quel délai|quel nombre|quel est le prix|" +
    "quel est le montant|quel est le taux|quel est le tarif|quel est le délai|" +
    "quel est le nombre|quel est l'âge",
  asksDate: "quand|en quelle année|à quelle date",
  official: "site officiel gouvernement",
  customs: "usages savoir-vivre",
  furniture: "cookie*|abonnez-vous|s'abonner|se connecter|connexion|tous droits réservés|" +
    "cliquez ici|lire la suite|en savoir plus|politique de confidentialité|mentions légales|" +
    "newsletter|contactez-nous|suivez-nous|sommaire|dernière mise à jour|©"
}
