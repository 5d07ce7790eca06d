/** How names are written: the pieces that patterns of introductions are made of. */

/** What follows "I am" with a capital and is no name. */
export const peoples =
  "American|British|English|Scottish|Welsh|Irish|Canadian|Australian|Mexican|Brazilian|German|" +
  "French|Spanish|Italian|Portuguese|Dutch|Belgian|Swiss|Austrian|Polish|Czech|Hungarian|" +
  "Greek|Swedish|Norwegian|Danish|Finnish|Russian|Ukrainian|Turkish|Israeli|Arab|Egyptian|" +
  "Iranian|Iraqi|Saudi|Emirati|Lebanese|Syrian|Indian|Pakistani|Bangladeshi|Nepali|Chinese|" +
  "Taiwanese|Korean|South|North|Japanese|Thai|Vietnamese|Filipino|Filipina|Indonesian|" +
  "Malaysian|Singaporean|Mongolian|Asian|African|European|Latino|Latina|Hispanic|Nigerian|" +
  "Kenyan|Ethiopian|Ghanaian|Moroccan|Argentinian|Chilean|Colombian|Peruvian|Cuban|" +
  "Christian|Catholic|Protestant|Muslim|Jewish|Hindu|Buddhist|Sikh|Mormon|Romanian|" +
  "Bulgarian|Serbian|Croatian|Jamaican|New|EU|US|UK|USA|CEO|CTO|CFO|HR|IT|PhD|MBA|ADHD|HIV|" +
  "In|At|On|From|A|An|The|Not|So|Going"

const given = "\\p{Lu}[\\p{Ll}'’-]{1,30}\\p{L}{0,30}"
const particle = "(?:(?:van|von|der|den|de|da|do|dos|del|della|di|du|la|le|bin|al) )"
const title = "(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Sr|Sra|Mme)\\.? )?"
const further = `(?: ${particle}{0,2}(?:${given}|\\p{Lu}\\.?(?!\\p{L})))`

/** One to four words with capitals. */
export const full = `${title}${given}${further}{0,3}`
/** Where one capital may be any noun, two are a name. */
export const double = `${title}${given}${further}{1,3}`
/** All in capitals, two words or more. */
export const loud = "\\p{Lu}{2,20}(?: \\p{Lu}{3,20}){1,3}(?!\\p{L})"

/** Words that no name goes on with. */
const plain =
  "(?:what|how|is|are|am|was|were|can|could|do|does|did|has|have|had|will|would|should|may|" +
  "must|where|when|who|whose|why|which|and|or|but|so|i|we|you|he|she|it|my|our|the|a|an|in|" +
  "on|at|of|to|for|from|with|by|about|as|if|not|no|listed|missing|wrong|spelled|spelt|" +
  "misspelled|given|used|und|oder|aus|ich|wie|was|wo|wann|sie|Sie|euch|dich|et|ou|je|que|qui|" +
  "quel|quelle|comment|y|yo|qué|cuál|cómo|soy|e|io|sono|come|che|eu|sou|como|qual|en|uit|" +
  "och|og)"
const word = "\\p{L}[\\p{L}'’-]{0,40}"
/** The rest of a name in small letters, as far as a mark or a joining word behind it shows it. */
const small =
  `(?:(?: (?!${plain}(?!\\p{L}))\\p{Ll}[\\p{L}'’-]{1,30}){1,2}(?= ?(?:[\\p{P}\\p{S}]|$)| \\p{Lu}| ` +
  "(?:and|und|et|y|e|en|och|og|i|who|from|aus|de)(?!\\p{L})))"
/** What is said to be a name, in any case and script. */
export const told =
  `(?!${plain}(?!\\p{L}))${title}${word}(?:(?:[ ・]${particle}{0,2}\\p{Lu}(?:[\\p{L}'’-]{1,40}|` +
  `\\.?(?!\\p{L}))){1,3}|${small}|)`

export const koreanSurname =
  "[김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허남심노하곽성차주우구민진지엄채원천방공현]"
/** The end of a status rather than of a name: 학생, 직원, 외국인, 변호사, 세입자. */
export const koreanStatus = "[생원인사자수부민장과]"
export const japaneseSurname =
  "(?:佐藤|鈴木|高橋|田中|伊藤|渡辺|渡邊|渡部|山本|中村|小林|加藤|吉田|山田|佐々木|山口|松本|井上|木村|林|斎藤|斉藤|清水|" +
  "山崎|森|池田|橋本|阿部|石川|山下|中島|石井|小川|前田|岡田|長谷川|藤田|後藤|近藤|村上|遠藤|青木|坂本|福田|太田|西村|" +
  "藤井|金子|岡本|藤原|三浦|中野|原田|松田|竹内|田村|中川|安藤|河野|宮崎|上田|森田|酒井|工藤|横山|柴田|高木|内田)"
export const chineseSurname =
  "(?:欧阳|司马|诸葛|上官|歐陽|[王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林罗羅郑鄭梁谢謝宋唐许許邓鄧冯馮韩韓曹曾彭萧蕭肖" +
  "蔡潘田董袁于余叶葉蒋蔣杜苏蘇魏程吕呂丁沈任姚卢盧傅钟鍾姜崔谭譚廖范汪陆陸金石戴贾賈韦韋夏邱方侯邹鄒熊孟秦白江阎薛尹段雷龙龍史陶贺賀顾顧毛" +
  "郝龚龔邵万萬钱錢严嚴莫孔])"
/** The end of a status rather than of a name: 留学生, 程序员, 外国人. */
export const chineseStatus = "[生人员員者师師民工客主户戶家]"

/** Any one of the phrases, in small letters or with its first letter a capital. */
export const opening = (phrases: ReadonlyArray<string>): string =>
  `(?:${phrases.map((phrase) => phrase.replace(/\p{Ll}/u, eitherCase)).join("|")})`

const eitherCase = (letter: string): string => `[${letter}${letter.toUpperCase()}]`
