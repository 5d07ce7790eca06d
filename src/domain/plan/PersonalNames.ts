/** Finds how people give their names: "my name is …", "저는 …입니다", "…と申します". */

/** What follows "I am" with a capital and is no name. */
const peoples =
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
const full = `${given}(?:[ ]+(?:(?:van|von|de|da|del|bin|al)[ ]+)?(?:\\p{Lu}\\.?|${given})){0,3}`
const anyCase = "\\p{L}[\\p{L}'’-]{0,40}(?: \\p{Lu}[\\p{L}'’-]{0,40}){0,3}"

const koreanSurname =
  "[김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허남심노하곽성차주우구민진지엄채원천방공현]"
/** A status rather than a name: 학생, 직원, 외국인, 변호사, 세입자. */
const koreanStatus = "[생원인사자수부민장과]"
const japaneseSurname =
  "(?:佐藤|鈴木|高橋|田中|伊藤|渡辺|山本|中村|小林|加藤|吉田|山田|佐々木|山口|松本|井上|木村|林|斎藤|清水|" +
  "山崎|森|池田|橋本|阿部|石川|山下|中島|石井|小川|前田|岡田|長谷川|藤田|後藤|近藤|村上|遠藤|青木|坂本)"

/** Each pattern covers the introduction too, so that nothing dangles. */
export const namePatterns: ReadonlyArray<RegExp> = [
  new RegExp(
    "(?<!\\p{L})(?:[Mm]y|[Tt]he) (?:full |first |last |given |family |legal )?(?:name|" +
      `surname)(?:['’]s| is|:) *${anyCase}(?:,| and)?`,
    "gu"
  ),
  new RegExp(`(?<!\\p{L})(?:[Cc]all me|[Ii] go by|[Ii]['’]?m called|[Ii] am called) ${full}`, "gu"),
  new RegExp(
    `(?<!\\p{L})(?:I am|I['’]m|i am|i['’]m|[Tt]his is|[Ii]t['’]s)(?! (?:${peoples})` +
      `(?!\\p{L})) ${full}(?= ?(?:[,.;!]|and |from |here|speaking|at |$))(?: (?:here|` +
      "speaking))?,?",
    "gu"
  ),
  new RegExp(
    "(?<=(?<!\\p{L})[Mm]y (?:late |ex-|ex )?(?:wife|husband|partner|son|daughter|child|" +
      "mother|father|mom|dad|brother|sister|friend|boss|manager|landlord|landlady|roommate|" +
      "neighbou?r|girlfriend|boyfriend|fianc[ée]e?|colleague|coworker|client|doctor|teacher)" +
      `,?) ${full}`,
    "gu"
  ),
  new RegExp(
    "(?:(?:[Ss]igned|[Rr]egards|[Ss]incerely|[Cc]heers|[Yy]ours),?\\s+|(?:^|[\\s,;(])" +
      `(?:[Nn]ame|[Ff]ull name)\\s?[:=]\\s?)${full}`,
    "gu"
  ),
  new RegExp(`(?:^|[.!?,]\\s*)${given} here(?=[.,!])|(?<!\\p{L})I, ${full},`, "gu"),
  /我(?:叫|的名字(?:是|叫))\p{Script=Han}{2,4}/gu,
  new RegExp(
    "(?:제|내|저의|나의) (?:이름|성함)(?:은|이)? ?\\p{L}{2,10}?(?:이라고 (?:합니다|해요)|라고 (?:합니다|해요)|입니다|이에요|예요|" +
      "이고요?|이며|고요?|이야|야)[,.]?",
    "gu"
  ),
  new RegExp("(?:이름|성명|성함|예금주) ?[:：] ?[가-힣]{2,4}", "gu"),
  new RegExp(
    `(?:저는|나는|전|난|저|나) ${koreanSurname}(?:[가-힣](?!${koreanStatus}(?:입니다|이에요|이고|인데))[가-힣])` +
      "(?:이라고 (?:합니다|해요)|라고 (?:합니다|해요)|입니다|이에요|예요|이고요?|인데요?|야)[,.]?",
    "gu"
  ),
  new RegExp("(?:저는|나는) [가-힣]{2,4}(?:이라고|라고) (?:합니다|해요|하는데요?)[,.]?", "gu"),
  /(?:(?:私|僕|俺|わたし)の)?(?:名前|氏名|本名)は[\p{L}　 ]{1,12}?(?:です|といいます|と言います|と申します|だ)(?:が|けど)?[、。,.]?/gu,
  /(?:(?:氏名|名前|口座名義) ?[:：] ?)[\p{L}]{2,8}/gu,
  new RegExp(
    "(?:(?:私|僕|俺|わたし)は)?[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]" +
      "{1,8}(?:と申します|と申しますが|といいます|と言います)[、。,.]?",
    "gu"
  ),
  new RegExp(
    `(?:(?:私|僕|俺|わたし)[はも、]|^)${japaneseSurname}[\\p{Script=Han}\\p{Script=Hiragana}]{0,4}?(?:です|` +
      "と(?:申|い|言)い?ます|だ)(?:が|けど)?[、。,.]?",
    "gu"
  )
]
