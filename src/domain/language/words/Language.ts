/** What is known of a language: closed classes of words, the same fields for every language. */

/**
 * Lists of words and phrases in lower case, parted by `|`. A `*` at the end of one stands for any
 * ending. Languages that are written without gaps are searched letter by letter.
 */
export interface Language {
  /** BCP 47. */
  readonly code: string
  readonly isSpaced: boolean
  /** Words so common that a text shows its language by them. */
  readonly common: string
  /** What opens a sentence that leans on the one before it. */
  readonly pointsBack: string
  /** What opens so and leans on nothing; `_` stands for one to three words. */
  readonly pointsNowhere: string
  /** What a heading, or a short sentence behind, says of a statement that is not so. */
  readonly takesBack: string
  /** What denies. */
  readonly negates: string
  /** What makes a statement hold for some cases or times only. */
  readonly limits: string
  /** Words that mark the upper end of a range (`atMost`) or the lower one (`atLeast`). */
  readonly atMost: string
  readonly atLeast: string
  /** Names of the months and days, long and short, as CLDR has them. */
  readonly months: string
  readonly weekdays: string
  /** The person who reads. */
  readonly reader: string
  /** The person who asks, and verbs and endings that are said of nobody else. */
  readonly asker: string
  /** What makes a statement depend on something. */
  readonly conditions: string
  /** Matters of health and money, in which a professional may be asked. */
  readonly advised: string
  /** Asks a person for a value; `{slot}` stands for its name. */
  readonly asksSlot: string
  /** The same where the answer is yes or no. */
  readonly asksWhether: string
  readonly whySlot: string
  /** Asks whether what a source says applies; `{quote}` stands for its words. */
  readonly asksCondition: string
  readonly whyCondition: string
  /** Asks what a question refers to; `{quote}` stands for the question. */
  readonly asksReference: string
  readonly whyReference: string
  /** "Yes" and "no" at the start of an answer. */
  readonly yesNo: string
  /** What opens the question and the answer of a list of questions, before a colon or a dot. */
  readonly questionMark: string
  readonly answerMark: string
  /** What furniture of a page says: it is nobody's statement. */
  readonly furniture: string
}
