/** Words with a capital that may leave with any statement: countries, peoples, places, things. */
import { countriesAndLanguages, zoneCities } from "./PublicNames.ts"

/** Peoples, faiths and regions that the lists of countries and languages lack. */
const peoples =
  "american|british|english|scottish|welsh|irish|canadian|australian|mexican|brazilian|german|french|spanish|italian|portuguese|dutch|belgian|swiss|austrian|polish|czech|hungarian|greek|swedish|norwegian|danish|finnish|russian|ukrainian|turkish|israeli|arab|egyptian|iranian|iraqi|saudi|emirati|lebanese|syrian|indian|pakistani|bangladeshi|nepali|chinese|taiwanese|korean|japanese|thai|vietnamese|filipino|filipina|indonesian|malaysian|singaporean|mongolian|asian|african|european|latino|latina|hispanic|nigerian|kenyan|ethiopian|ghanaian|moroccan|argentinian|chilean|colombian|peruvian|cuban|venezuelan|romanian|bulgarian|serbian|croatian|albanian|jamaican|christian|catholic|protestant|muslim|jewish|hindu|buddhist|sikh|mormon|orthodox|vegan|english|british|americans|germans|uk|usa|us|eu|uae|england|scotland|wales|northern ireland|great britain|britain|america|europe|asia|africa|deutscher|deutsche|türke|türkin|pole|polin|franzose|französin|italiener|italienerin|spanier|russe|russin|ukrainer|ukrainerin|syrer|syrerin|österreicher|österreicherin|schweizer|grieche|kroate|rumäne|bulgare|français|française|anglais|allemand|tunisien|tunisienne|marocain|marocaine|algérien|algérienne|sénégalais|español|española|colombiana|colombiano|mexicano|mexicana|argentino|argentina|brasileiro|brasileira|português|portuguesa|angolano|italiano|italiana|christmas|easter|ramadan|weihnachten|ostern"

const places =
  "alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|ontario|quebec|québec|alberta|manitoba|saskatchewan|british columbia|nova scotia|queensland|new south wales|tasmania|nyc|la|dc|los angeles|san francisco|san diego|san jose|las vegas|boston|seattle|chicago|houston|dallas|austin|miami|atlanta|philadelphia|portland|montreal|montréal|ottawa|calgary|birmingham|manchester|liverpool|leeds|bristol|glasgow|edinburgh|cardiff|belfast|cork|barcelona|valencia|sevilla|seville|bilbao|málaga|zaragoza|granada|lyon|marseille|lille|nantes|bordeaux|toulouse|nice|strasbourg|munich|münchen|hamburg|köln|cologne|frankfurt|stuttgart|leipzig|dresden|düsseldorf|hannover|bremen|nürnberg|wien|graz|salzburg|innsbruck|zürich|zurich|genf|geneva|genève|basel|bern|milan|milano|roma|rom|napoli|naples|torino|turin|firenze|florence|venezia|venice|porto|lisboa|lisbon|lissabon|braga|coimbra|rio|rio de janeiro|são paulo|salvador|recife|fortaleza|curitiba|belo horizonte|brasília|guadalajara|monterrey|cdmx|bogotá|medellín|lima|rosario|córdoba|buenos aires|osaka|kyoto|nagoya|sapporo|fukuoka|yokohama|busan|incheon|daegu|beijing|peking|guangzhou|shenzhen|chengdu|mumbai|bangalore|chennai|bavaria|bayern|saxony|sachsen|hessen|nrw|berlin|schengen|казань|казани|москва|москве|москвы|питер|санкт-петербург|самара|новосибирск|екатеринбург|россия|россии|казахстан|казахстана|рф|izmir|münster|prague|prag|warschau|brüssel|mailand|moskau|athen"

/** Written with a capital behind a role and no name: what a question is about. */
const things =
  "act|law|laws|right|rights|rule|rules|board|union|association|court|tribunal|code|tax|taxes|bank|university|insurance|agreement|contract|deposit|deposits|notice|dispute|protection|relations|screening|portal|registry|day|zone|visa|id|covid|hiv|adhd|bmi|dna|google|facebook|instagram|whatsapp|iphone|android|windows|microsoft|apple|amazon|ebay|paypal|gmail|youtube|netflix|telekom|dhl|reddit|steam|discord|section|article|artikel|form|world|war|state|federal|national|international|sunday|king|queen|president|minister|pope|tv|pc|nhs|hmrc|irs|uscis|in|at|on|a|the|not|so|going|type|level|grade|stage|phase|class"

const sets: ReadonlyArray<ReadonlySet<string>> = [
  countriesAndLanguages,
  zoneCities,
  peoples,
  places,
  things
].map((list) => new Set(list.split("|")))
/** First words of places of two words. */
const heads = new Set(
  "new|north|south|east|west|northern|southern|san|santa|los|las|hong|saint|united|great|sri|costa|el|puerto|saudi|tel|rio|abu|buenos|cape|fort|sierra|czech|são|belo|ciudad"
    .split("|")
)

/** Whether the word, with or without an ending, names no private person. */
export const isPublic = (word: string): boolean => {
  const low = word.toLowerCase().replace(/['’]s?$|[.,]$/u, "")
  return sets.some((set) => set.has(low) || set.has(low.replace(/s$/, "")))
}

const countries: ReadonlySet<string> = new Set(countriesAndLanguages.split("|"))

/** Whether the word names a country, a language or what is of either. */
export const isCountry = (word: string): boolean => countries.has(word.toLowerCase())

/** Whether the name is, or begins, a public one: "New York", "Los Angeles". */
export const isPublicName = (name: string): boolean => {
  const [first = "", second = ""] = name.split(/\s+/u)
  return isPublic(name) || isPublic(first) || heads.has(first.toLowerCase()) && second !== ""
}
