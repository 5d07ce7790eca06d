/**
 * Finds the names of people whom somebody's own affairs name by role: "landlord Kenji Mori".
 *
 * A landlord is nobody's but the asker's. A lawyer or a doctor may be known to all, so that their
 * names go only where the asker speaks of themselves. Offices of public life are no roles here.
 */
import {
  chineseSurname,
  double,
  full,
  japaneseSurname,
  koreanSurname,
  opening,
  peoples
} from "./NameForms.ts"

const own = opening([
  "landlord",
  "landlady",
  "tenant",
  "subtenant",
  "neighbou?r",
  "room-?mate",
  "flat-?mate",
  "house-?mate",
  "co-?worker",
  "colleague",
  "ex(?:-| )(?:wife|husband|partner|boyfriend|" +
  "girlfriend|spouse|boss|employer|landlord|friend)"
])
const shared = opening([
  "boss",
  "manager",
  "supervisor",
  "employer",
  "employee",
  "friend",
  "doctor",
  "dentist",
  "therapist",
  "teacher",
  "tutor",
  "lawyer",
  "attorney",
  "agent",
  "broker",
  "client",
  "customer",
  "patient",
  "nanny",
  "wife",
  "husband",
  "boyfriend",
  "girlfriend",
  "brother",
  "sister",
  "cousin",
  "uncle",
  "aunt",
  "jef[ea]",
  "amig[oa]",
  "m[ée]dico",
  "abogad[oa]",
  "profesora?",
  "novi[oa]",
  "patronn?e?",
  "amie?",
  "m[ée]decin",
  "avocate?"
])
const ownRomance = opening([
  "propri[ée]taire",
  "bailleur",
  "bailleresse",
  "(?:co)?locataire",
  "voisine?",
  "coll[èe]gue",
  "ex-(?:mari|femme|copain|copine)",
  "caser[oa]",
  "arrendadora?",
  "inquilin[oa]",
  "vecin[oa]",
  "compañer[oa]",
  "ex-?(?:marido|mujer|espos[oa]|novi[oa])"
])
const german = opening([
  "vermieter(?:in)?",
  "mieter(?:in)?",
  "nachbar(?:in)?",
  "mitbewohner(?:in)?",
  "hausverwalter(?:in)?",
  "kolleg(?:e|en|in)",
  "ex-?(?:mann|frau|freund|freundin|chef|chefin)"
])

/** What is written with a capital behind a role and is no name. */
const things =
  "(?:Acts?|Laws?|Rights?|Rules?|Board|Union|Association|Court|Tribunal|Code|Tax|Taxes|" +
  "Bank|University|Insurance|Agreement|Contract|Deposits?|Notice|Dispute|Protection|Relations|" +
  "Screening|Portal|Registry|Day|Zone|Visa)"
const places =
  "(?:New|North|South|East|West|Northern|Southern|San|Santa|Los|Las|Hong|Saint|St|United|" +
  "Great|Sri|Costa|El|Puerto|Saudi|Tel|Rio|Abu|Buenos|Cape|Fort|Sierra|Czech|Japan|Germany|France|" +
  "Spain|Italy|Korea|China|Taiwan|India|England|Scotland|Wales|Ireland|Britain|Canada|Australia|" +
  "Mexico|Brazil|Portugal|Austria|Switzerland|Poland|Sweden|Norway|Denmark|Finland|Netherlands|" +
  "Belgium|Greece|Turkey|Russia|Ukraine|Singapore|Thailand|Vietnam|Philippines|Indonesia|Malaysia|" +
  "Texas|California|Florida|Ohio|Oregon|Washington|Illinois|Georgia|Arizona|Colorado|Nevada|" +
  "Michigan|Virginia|Massachusetts|Pennsylvania|Maryland|Minnesota|Wisconsin|Utah|Hawaii|Ontario|" +
  "Quebec|Alberta|Queensland|London|Paris|Berlin|Munich|Vienna|Madrid|Barcelona|Rome|Milan|Lisbon|" +
  "Amsterdam|Dublin|Tokyo|Osaka|Kyoto|Seoul|Busan|Beijing|Shanghai|Chicago|Boston|Seattle|Denver|" +
  "Toronto|Vancouver|Montreal|Sydney|Melbourne|France|Espagne|España|Lyon|Marseille|Sevilla|Valencia)"
const noThing =
  `(?! ?(?:${peoples}|${places}|${things})(?!\\p{L}))(?! \\p{Lu}[\\p{L}'’-]* ${things}` +
  "(?!\\p{L}))"
/** German writes every noun with a capital: endings that no name has. */
const noNoun =
  "(?!\\p{L}*(?:ung|ungen|heit|keit|schaft|rechte?|gesetz|frist|fristen|vertrag|kosten|" +
  "miete|schutz|bund|verein|kaution|pflicht|pflichten|gabe|zahlung|steuer|hilfe|lärm|schaden)" +
  "(?!\\p{L}))"
const called = "(?:,? (?:named|called|by the name of)|['’]s name is| \\()?"
const after = (roles: string): string => `(?<=(?<![\\p{L}-])${roles})${called}${noThing} ?`

/** Wherever they stand. */
export const rolePatterns: ReadonlyArray<RegExp> = [
  new RegExp(`${after(`(?:${own}|${ownRomance})`)}(?<=[ (])${double}\\)?`, "gu"),
  new RegExp(
    `${
      after(own)
    }(?<=[ (])${full}\\)?(?= (?:is|has|was|does|did|won['’]t|will|keeps?|refuses?|sues?|` +
      "says?|said|wants?|owes?|plays?|threatens?|evicts?|never|still|from|of|at)(?!\\p{L})|['’]s )",
    "gu"
  ),
  new RegExp(
    `(?<=(?<![\\p{L}-])${german}) (?:(?:Herrn?|Frau) \\p{Lu}[\\p{L}-]+|${noNoun}\\p{Lu}[\\p{Ll}-]+ ` +
      `${noNoun}\\p{Lu}[\\p{L}-]+)(?= \\p{Ll}|[,.;:!?])`,
    "gu"
  ),
  new RegExp(
    `(?<=(?:大家|家主|隣人|元夫|元妻|元彼|元彼女|同僚|上司|友人|友達|借主|貸主)(?:さん)?(?:の|、|である)?)(?:${japaneseSurname}` +
      "[\\p{Script=Han}]{0,3}(?=[はがをもにと、。, ]|さん|氏|$)|[\\p{Script=Han}]{2,5}(?=さん|氏)|" +
      "[\\p{Script=Katakana}ー・]{2,20}(?=さん|氏))(?:さん|氏)?",
    "gu"
  ),
  new RegExp(
    "(?<=(?:집주인|임대인|세입자|임차인|이웃|옆집|룸메이트|동료|상사|전남편|전처)(?:인)?) " +
      `${koreanSurname}(?:[가-힣]{1,2} ?(?:씨|님)|[가-힣]{2}(?=에게|한테|께)|[가-힣]` +
      `[가-힣](?<![금료비권법세증액률약용])[은는이가을를의와과도께랑]?(?=[^\\p{L}]|$))`,
    "gu"
  ),
  new RegExp(
    "(?<=(?:房东|房東|房客|租客|邻居|鄰居|室友|同事|前夫|前妻|前男友|前女友)(?:叫|是)?)(?!方面|白天|金额|万一|高声|于是|任何|任意|" +
      `马上|何时|何处|周末|周围|余额|严重|严格)${chineseSurname}\\p{Script=Han}{1,2}?(?=先生|女士|不|要|把|说|拒|` +
      "给|让|告|起诉|没|赶|涨|的|在|住|和|欠|骗|打|[^\\p{L}]|$)",
    "gu"
  )
]

/** Only of a text that {@link isOnesOwn}. */
export const ownRolePatterns: ReadonlyArray<RegExp> = [
  new RegExp(`${after(`(?:${own}|${ownRomance}|${shared})`)}(?<=[ (])${full}\\)?`, "gu")
]

/** Whether its writer tells of their own affairs; "tell me" and "can I" do not. */
export const isOnesOwn = (text: string): boolean => oneself.test(text)

const oneself = new RegExp(
  "(?<!\\p{L})(?:(?<!(?:tell|show|give|help|let|for|remind|teach) )(?:me|us)|my|our|mine|i(?: am|" +
    "['’]m| was| have|['’]ve| rent| owe| work| lent| paid| got)|we (?:rent|owe|work|lent|paid))" +
    "(?!\\p{L})|(?<!\\p{L})(?:mon|ma|mes|moi|nous|mi|mis|nos|mein\\p{L}*|mir|mich|uns\\p{L}*)(?!\\p{L})",
  "iu"
)
