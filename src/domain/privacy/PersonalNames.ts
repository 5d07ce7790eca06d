/** Finds how people give their names in English, Korean, Japanese and Chinese. */
import {
  chineseStatus,
  chineseSurname,
  full,
  japaneseSurname,
  koreanStatus,
  koreanSurname,
  loud,
  peoples,
  told
} from "./NameForms.ts"
import { introductionPatterns } from "./PersonalIntroductions.ts"

const kin =
  "(?:wife|husband|spouse|partner|son|daughter|child|baby|mother|father|mom|mum|dad|parent|" +
  "brother|sister|cousin|uncle|aunt|nephew|niece|grand(?:mother|father|son|daughter|ma|pa)|" +
  "(?:mother|father|brother|sister|son|daughter)-in-law|friend|boss|manager|landlord|" +
  "landlady|tenant|roommate|flatmate|neighbou?r|girlfriend|boyfriend|fianc[ée]e?|colleague|" +
  "co-?worker|employee|client|customer|student|patient|doctor|dentist|lawyer|teacher|nanny)"
const noPeople = `(?! ?(?:${peoples})(?!\\p{L}))`
/** A date or a number of one person, so that the name before it is that person's. */
const ofRecord =
  "(?=[,;:]? ?[(]?(?:DOB|D\\.O\\.B|dob|[Dd]ate of birth|[Bb]irth ?date|SSN|ssn|MRN|mrn|[Pp]atient " +
  "(?:ID|id|no)|[Ss]ocial [Ss]ecurity|[Pp]assport (?:no|number))(?!\\p{L})[^?]{0,12}\\d)"
/** After a name of two to four syllables. */
const koreanEnd = "(?=[은는이가을를의와과도께랑]?(?:[^\\p{L}]|$))"
const han = "\\p{Script=Han}"

/** Each pattern covers the introduction too, so that nothing dangles. */
export const namePatterns: ReadonlyArray<RegExp> = [
  new RegExp(
    `(?:[Pp]atient|[Cc]lient|[Ee]mployee|[Aa]pplicant)?:? ?(?:${full}|${loud})${ofRecord}`,
    "gu"
  ),
  new RegExp(
    "(?<!\\p{L})(?:[Mm]y|[Tt]he|[Oo]ur)(?: (?:full|first|last|given|family|legal|middle))? (?:name|" +
      `surname)(?:['’]s| is|:) *${told}(?:,| and)?`,
    "gu"
  ),
  new RegExp(
    `(?<=(?<!\\p{L})[Mm]y (?:late |ex-|ex )?${kin})(?:['’]s name is|,? (?:named|called)|,? whose name ` +
      `is) ${told}`,
    "gu"
  ),
  new RegExp(`(?<!\\p{L})(?:[Cc]all me|[Ii] go by|[Ii]['’]?m called|[Ii] am called) ${full}`, "gu"),
  new RegExp(
    `(?<!\\p{L})(?:I am|I['’]m|i am|i['’]m|[Tt]his is|[Ii]t['’]s)(?! (?:${peoples})` +
      `(?!\\p{L})) ${full}(?= ?(?:[,.;:!)\\]}…、。–—-]|and |from |here|speaking|at |$))(?: (?:here|` +
      "speaking))?,?",
    "gu"
  ),
  new RegExp(
    `(?<=(?<!\\p{L})[Mm]y (?:late |ex-|ex )?${kin})(?: is)?${noPeople} (?:${full}|${loud})|` +
      `(?<=(?<!\\p{L})[Mm]y (?:late |ex-|ex )?${kin},) ${full}(?=[,;)])`,
    "gu"
  ),
  new RegExp(
    "(?:(?:(?:^|[.!?,;] ?)[Ss]igned,?|(?<!\\p{L})(?:[Ss]igned,|(?:[Rr]egards|[Ss]incerely|[Cc]heers|" +
      "[Yy]ours),?))\\s+|(?:^|[\\s,;(])" +
      `(?:[Nn]ame|[Ff]ull name)\\s?[:=]\\s?)(?:${full}|${loud})`,
    "gu"
  ),
  new RegExp(
    `(?:^|[.!?,]\\s*)${full} here(?=[.,!])|(?<!\\p{L})I, ${full},`,
    "gu"
  ),
  new RegExp(`(?<!\\p{L})MY (?:FULL |LAST |FIRST )?NAME(?:['’]S| IS|:) *${loud}`, "gu"),
  ...introductionPatterns,
  // Chinese.
  new RegExp(
    `(?:我|本人)(?:叫(?!外卖|外賣|车|車|了|救护)(?:做)?|的?(?:名字|姓名|全名)(?:是|叫)|姓)(?:${han}{2,4}|${told})|` +
      `(?:姓名|名字) ?[:：是] ?(?:${han}{2,4}|${told})`,
    "gu"
  ),
  new RegExp(
    `(?:我是|本人)${chineseSurname}${han}(?:(?!${chineseStatus})${han})?(?=[^\\p{L}]|$)`,
    "gu"
  ),
  new RegExp(
    "(?<=我的?(?:妻子|老婆|老公|丈夫|先生|太太|儿子|兒子|女儿|女兒|爸爸|妈妈|父亲|母亲|哥哥|弟弟|姐姐|妹妹|房东|房東|老板|" +
      `男朋友|女朋友|男友|女友|同事|朋友|邻居|医生|客户)(?:叫|是)?)${chineseSurname}${han}{1,2}(?=[^\\p{L}]|$)`,
    "gu"
  ),
  // Korean.
  new RegExp(
    "(?:제|내|저의|나의) (?:이름|성함)(?:은|이)? ?(?:[\\p{L} ]{2,30}?(?:이라고 (?:합니다|해요)|라고 (?:합니다|해요)|입니다|이에요|" +
      `예요|이고요?|이며|고요?|이야|야)|[가-힣]{2,4}(?!\\p{L})|${full})[,.]?`,
    "gu"
  ),
  new RegExp("(?:이름|성명|성함|예금주) ?[:：] ?[가-힣]{2,4}", "gu"),
  new RegExp(
    `(?:(?:저는|나는|전|난|저|나)|안녕하세요[,.!]?) ${koreanSurname}(?:[가-힣](?!${koreanStatus}(?:입니다|이에요|이고|` +
      "인데))[가-힣])(?:이라고 (?:합니다|해요)|라고 (?:합니다|해요)|입니다|이에요|예요|이고요?|인데요?|야)[,.]?",
    "gu"
  ),
  new RegExp("(?:저는|나는) [가-힣]{2,4}(?:이라고|라고) (?:합니다|해요|하는데요?)[,.]?", "gu"),
  new RegExp(
    "(?<=(?:제|내|우리) (?:아내|남편|아들|딸|엄마|아빠|어머니|아버지|형|누나|언니|오빠|동생|친구|남자친구|여자친구|상사|집주인)(?:인)?) " +
      `${koreanSurname}[가-힣]{2}${koreanEnd}`,
    "gu"
  ),
  // Japanese.
  new RegExp(
    "(?:(?:私|僕|俺|わたし)の)?(?:名前|氏名|本名)は、? ?(?:[\\p{L}・ ]{1,24}?(?:です|といいます|と言います|と申します|だ)|" +
      `[\\p{Script=Han}]{2,6}|[\\p{Script=Katakana}ー・]{2,20}|${full})(?:が|けど)?[、。,.]?`,
    "gu"
  ),
  /(?:(?:氏名|名前|口座名義) ?[:：] ?)[\p{L}]{2,8}/gu,
  new RegExp(
    "(?:(?:私|僕|俺|わたし)は、?)?(?:[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー・]" +
      `{1,16}|${full}) ?(?:と申します|と申しますが|といいます|と言います)[、。,.]?`,
    "gu"
  ),
  new RegExp(
    "(?<=私|僕|俺|わたし)[はも、]{1,2}(?:[\\p{Script=Katakana}ー]{1,12}・[\\p{Script=Katakana}ー・]{1,24}|" +
      `${full}) ?(?:です|だ)(?:が|けど)?[、。,.]?`,
    "gu"
  ),
  new RegExp(
    `(?:(?:私|僕|俺|わたし)[はも、]{1,2}|^)${japaneseSurname}[\\p{Script=Han}\\p{Script=Hiragana}]{0,4}?` +
      "(?:です|と(?:申|い|言)い?ます|だ)(?:が|けど)?[、。,.]?",
    "gu"
  ),
  new RegExp(
    "(?<=(?:妻|夫|息子|娘|母|父|兄|弟|姉|妹|大家|上司|友人|同僚|彼氏|彼女|主人)の)" +
      `${japaneseSurname}[\\p{Script=Han}]{0,3}(?=[はがをもにと、。, ]|さん|$)`,
    "gu"
  )
]
