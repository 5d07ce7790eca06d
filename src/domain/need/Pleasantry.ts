/** Thanks, greetings and farewells that ask nothing: no web page answers "That was helpful!". */
// dprint-ignore-file: word lists read as paragraphs

/** Whether a text is nothing else: each of its words is known, and one of them thanks or greets. */
export const isPleasantry = (text: string): boolean => {
  const words = text.normalize("NFKC").toLowerCase().replaceAll("’", "'")
    .match(/[\p{L}\p{M}\p{N}']+/gu) ?? []
  if (words.length === 0 || words.length > wordsMax || asking.test(text)) return false
  const [first = ""] = words
  return unspaced.test(first)
    ? wholeOf.test(words.join(""))
    : words.every((word) => thanking.has(word) || beside.has(word)) &&
      words.some((word) => thanking.has(word))
}

/** A longer one says something. */
const wordsMax = 24
const asking = /[?？¿]/
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const listOf = (text: string): ReadonlySet<string> => new Set(text.split(" "))

const thanking = listOf(
  "thanks thank thx cheers hi hello hey hiya goodbye bye goodnight appreciate appreciated helpful " +
  "awesome amazing wonderful brilliant excellent perfect congratulations danke dank hallo tschüss " +
  "hilfreich merci bonjour bonsoir salut revoir gracias hola adiós grazie ciao obrigado obrigada " +
  "спасибо привет"
)
/** Says something only beside other words. */
const beside = listOf(
  "you ya so very really much many a an the lot lots again for your that this it was is were been " +
  "it's that's i i'm we my and all everything help answer answers explanation information info time " +
  "kind kindly of nice great good cool lovely super extremely most truly useful clear interesting " +
  "there have day evening night afternoon morning weekend one see soon later now ok okay yes wow " +
  "glad happy too just what's everyone friend indeed " +
  "das war ist sehr wirklich echt vielen schön schöne schönen toll super gut guten tag abend morgen " +
  "ihre ihnen dir euch für die der hilfe antwort auskunft auf wiedersehen " +
  "beaucoup c'était c'est très vraiment utile gentil pour votre ton aide réponse au bonne journée " +
  "soirée infiniment " +
  "muchas mucha muy fue ha sido útil de por tu su ayuda respuesta la el buenos buenas días tardes " +
  "noches hasta luego amable " +
  "mille molto utile stato è muito большое"
)

const korean = "정말|너무|매우|아주|많이|큰|도움이|도움|되었어요|됐어요|되었습니다|됐습니다|되네요|답변|설명|덕분에|" +
  "감사합니다|감사해요|감사드립니다|고맙습니다|고마워요?|안녕하세요|안녕히|계세요|가세요|수고하세요|수고하셨습니다|" +
  "좋은|하루|되세요|보내세요|안녕|잘|알겠습니다|알겠어요|네"
const japanese = "どうも|本当に|ほんとうに|とても|大変|すごく|ありがとうございます|ありがとうございました|ありがとう|助かりました|" +
  "助かります|参考になりました|勉強になりました|役に立ちました|おはようございます|おはよう|こんにちは|こんばんは|さようなら|" +
  "おやすみなさい|おやすみ|お疲れ様でした|お疲れ様です|説明|回答|ご|丁寧な|はい|よく|分かりました|わかりました"
const chinese = "谢谢|謝謝|多谢|感谢|非常|十分|太|真|很|有帮助|有幫助|有用|帮助|了|你的|您的|你|您|回答|解释|好的|好|" +
  "早上|晚上|晚安|再见|再見|大家"
const wholeOf = new RegExp(
  `^(?=.*(?:감사|고맙|고마|안녕|수고|ありがと|助か|になりました|役に|おはよう|こんにち|こんばん|さような|おやすみ|お疲れ|谢|謝|` +
    `您好|你好|再见|再見|晚安))(?:(?:${korean})+|(?:${japanese})+|(?:${chinese})+)$`,
  "u"
)
