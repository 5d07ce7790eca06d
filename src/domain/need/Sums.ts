/** Tells a sum told as a story, or written as a formula, from a question about the world. */

/** `relations` counts words of reckoning and of a story's people, `sentences` the sentences. */
export const isSum = (text: string, sentences: number, relations: number): boolean => {
  if (formula.test(text) || isBare(text)) return true
  if (!asksAmount.test(text)) return false
  const quantities = text.replace(dated, " ").match(quantity)?.length ?? 0
  const isStory = sentences >= 2
  const isCase = isStory || /^(?:if|when|in)\b/i.test(text)
  if (quantities >= 3 && isCase) return true
  return quantities >= 2 && relations >= 1 && (isCase || quantities >= 4)
}

const isBare = (text: string): boolean =>
  /^[\s\d.,+\-*/^()=x×÷%]+[?？]?$/.test(text) && /\d/.test(text)

/** A hyphen or slash counts only between blanks: `2-1` is a score, `3/5` a date. */
const formula = new RegExp(
  "(?:\\d|[a-z]) ?(?:%|percent) of \\d|\\d\\s*[+*^×÷=]\\s*\\d|\\d\\s+[-/]\\s+\\d|" +
    "\\d (?:plus|minus|times|divided by) \\d|" +
    "\\d ?(?:더하기|빼기|곱하기|나누기|足す|引く|掛ける|かける|割る) ?\\d|" +
    "\\b[a-z]\\s*=\\s*-?\\d|\\b\\d+[a-z]\\s[-+=]",
  "i"
)

/** Dates, clock times and scores: numbers that nobody adds up. */
const dated = new RegExp(
  "\\d{1,4}[/.-]\\d{1,2}[/.-]\\d{1,4}|\\d{1,2}:\\d\\d(?:\\s?[ap]\\.?m\\.?)?|" +
    "(?<!\\d)(?:1[5-9]|20)\\d\\d(?:-\\d{2,4})?(?!\\d)|\\d{1,2}-\\d{1,2}(?=\\s)",
  "giu"
)

const quantity = new RegExp(
  "(?<![\\p{L}\\p{N}])(?:half|twice|thrice|one|third|quarter|two|three|four|five|six|seven|eight|" +
    "nine|ten|eleven|twelve|dozens?|twenty|thirty|forty|fifty|hundred|one-third|one-half|" +
    "[$€£¥₩]?\\d+(?:[.,/]\\d+)*)(?!\\p{Script=Latin})",
  "giu"
)

const asksAmount = new RegExp(
  "(?<!\\p{L})(?:how (?:many|much|old|long|far|tall|fast)|calculate|find the|equals?|in total|" +
    "what(?:['’]s| is| was| will be| were| are) (?:the |his |her |their |its )?(?:\\w+ ){0,3}" +
    "(?:total|number|amount|difference|cost|price|profit|sum|percentage|percent|value|age|" +
    "capacity|combined|length|area|average|distance|\\d)|" +
    "what (?:percent(?:age)?|speed|would be the|will (?:\\w+ ){0,4}cost))(?!\\p{L})|" +
    "몇 ?(?:개|명|원|시간|살|마리|권|장)|얼마|いくつ|いくら|何(?:個|人|円|時間|歳|枚|本|匹)|多少",
  "iu"
)
