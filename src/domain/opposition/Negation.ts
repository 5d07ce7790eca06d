/**
 * Which words deny, in the languages that are served, and which only look as if they did.
 *
 * Japanese, Korean and Chinese deny with endings, particles and prefixes inside a run of
 * characters; there the forms are sought in the text, elsewhere among its words.
 */
import { words } from "../text/Words.ts"

const negators: ReadonlySet<string> = new Set(
  (`not no never none neither nor without cannot cant unable hardly rarely barely fail fails failed
lack lacks lacked deny denies denied dont doesnt didnt isnt arent wasnt werent wont wouldnt
shouldnt couldnt hasnt havent hadnt neednt mustnt nt nobody nothing nowhere
nicht nichts nie niemals niemand kein keine keinen keinem keiner keines weder ohne nirgends
pas jamais aucun aucune rien guere sans
nunca jamas ningun ninguna ninguno ningunos ningunas tampoco nadie
nessun nessuno nessuna niente nulla senza mica
nao nenhum nenhuma ninguem
не нет нельзя никогда никто ничего никакой никаких нигде без невозможно`).split(/\s+/)
)
/** Ordinary English words, or parts of them: "sin", "non-profit". */
const elsewhere: ReadonlySet<string> = new Set("non sin sem".split(" "))
const english = /\b(?:the|of|and|is|are|that|with|to)\b/i

/** Denying nothing: "whether or not", "with and without", "not only", an answering "No.". */
const idle = new RegExp(
  "\\bor not\\b|\\bnot limited to\\b|\\bnot (?:only|just|merely)\\b|" +
    "\\b(?:with (?:and|or)|and|or) without\\b|" +
    "^(?:no|not really|nope)[,.!]|" +
    "\\bnicht nur\\b|\\bnon seulement\\b|\\bno s[oó]lo(?!\\p{L})|" +
    "\\bnon solo\\b|\\bn[aã]o s[oó](?!\\p{L})|" +
    "(?<!\\p{L})не только(?!\\p{L})|" +
    "(?<!\\p{L})n(?:e\\s|['’])[^.;:!?]{1,40}?\\bque\\b(?! (?:les?|la|l['’]|pas))",
  "giu"
)
/** One denial in two words: "ne … pas", "no … nunca", "не … никогда". */
const concord: ReadonlyArray<readonly [RegExp, string]> = [
  [
    new RegExp(
      "(?<!\\p{L})n(?:e\\s|['’])([^.;:!?]{1,40}?)\\b" +
        "(?:pas|plus|jamais|aucune?|rien|personne|point|guère)\\b",
      "giu"
    ),
    " $1 pas "
  ],
  [
    new RegExp(
      "(?<!\\p{L})(no|non|não|nao)(\\s[^.;:!?]{1,60}?)(?<!\\p{L})" +
        "(?:nunca|jam[aá]s|nada|nadie|ning[uú]n[oa]?s?|tampoco|mai|nessun[oa]?|niente|nulla|" +
        "mica|nenhuma?|ningu[eé]m)(?!\\p{L})",
      "giu"
    ),
    "$1$2 "
  ],
  [
    /(?<!\p{L})(?:никогда|никто|ничего|никакой|никаких|нигде)(?=\s(?:[^.;:!?]{0,40}\s)?не\s)/giu,
    " "
  ]
]

const plain = (text: string): string =>
  concord.reduce((said, [form, one]) => said.replace(form, one), text.replace(idle, " "))

/** Whether a word, as `Words.words` gives it, denies in some language. */
export const isNegator = (word: string): boolean => negators.has(word)

/** How many words of a text that writes gaps deny. */
export const count = (text: string): number => {
  const read = plain(text)
  const isElsewhere = !english.test(read)
  return words(read).filter((word) => negators.has(word) || (isElsewhere && elsewhere.has(word)))
    .length
}

/** The text without what denies nothing. */
export const withoutIdle = (text: string): string => text.replace(idle, " ")

/**
 * What holds a form of denial and denies nothing, or says yes by denying a denial: a duty
 * (なければならない, 하지 않으면 안 된다, 不得不), a permission (構いません), "few", "not only".
 */
const easternIdle = new RegExp(
  [
    "な(?:ければ|くては|いと|けりゃ|くちゃ)(?:なら|なり|いけ|だめ|駄目)(?:ない|ません|なかった)?",
    "ざるを得(?:ない|ません)|わけにはいか(?:ない|ません)|(?:かも|に)(?:しれ|知れ)(?:ない|ません)",
    "(?:に|は)?(?:違い|相違|ちがい)(?:は|が)?(?:ない|ありません)|ほかなら(?:ない|ず|ぬ)",
    "(?:構|かま)(?:いません|わない)|差し支え(?:ない|ありません|なく)|問題(?:は|が)?(?:ない|ありません|なく)",
    "しか(?:ない|ありません|でき(?:ない|ません))",
    "(?:だけ|ばかり|のみ)(?:で|では)?(?:なく|ない)|のみならず|に限ら(?:ず|ない)|を問わず|かかわらず",
    "少な|危な|もったいな|つまらな|切な|汚な|幼な|必ず|まず|はず|いずれ|わずか|絶えず|思わず|みず|不可欠|非常|不動産|不断|不同",
    "않으면\\s?안\\s?[되된됩]|안\\s?[되된됩][면며]|지\\s?않을\\s?수\\s?없|수밖에\\s?없|뿐(?:만)?\\s?아니라",
    "틀림\\s?없|(?:상관|관계|변함|끊임)\\s?없|못지\\s?않",
    "不得不|不仅|不僅|不但|不过|不過|不少|不久|不错|不錯|不管|不论|不論|无论|無論|除非|并不仅",
    "未来|未來|未成年|未満|未满|무관심|非法"
  ].join("|"),
  "gu"
)
const japanese = new RegExp(
  "ない|ません|なかっ|なく(?=て|な|、|、)|なけれ(?!ば)|ず(?=に|と|、|、|。)|ぬ(?=。|$)|まい(?=。|$)|" +
    "不要|不可|不能|不必要|不適|無効|禁止|禁じ|違法|だめ|駄目",
  "gu"
)
const korean =
  /않|없|못|아니|아닌|아닙|말아야|마세요|마십시오|금지|불가|불필요|무효|(?<=^|\s)안\s?(?=[되된됩하한합])/gu
const chinese = /不|没|沒|未|无|無|非|勿|禁止|严禁|嚴禁|否认/gu

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const hangul = /\p{Script=Hangul}/u
const han = /\p{Script=Han}/u

/** How many forms of denial stand in Japanese, Korean or Chinese; 0 in other texts. */
export const easternCount = (text: string): number => {
  if (!han.test(text) && !kana.test(text) && !hangul.test(text)) return 0
  const read = text.normalize("NFKC").replace(easternIdle, " ")
  const forms = hangul.test(read) ? korean : kana.test(read) ? japanese : chinese
  return (read.match(forms) ?? []).length
}
