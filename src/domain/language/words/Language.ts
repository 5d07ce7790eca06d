/** Word lists of a language: closed classes of words, the same fields for every language. */

/**
 * Lists of words and phrases in lower case, parted by `|`. A `*` at the end of one stands for any
 * ending, and a capital at the start of one has to be there: "Sie" is the reader, "sie" are
 * others. Languages that are written without gaps are searched letter by letter.
 */
export interface Language {
  /** BCP 47. */
  readonly code: string
  readonly isSpaced: boolean
  /** Words so common that a text shows its language by them. */
  readonly common: string
  /** Spellings that show the language among those of its script; a blank opens a word. */
  readonly letters?: string
  /** Words that open a sentence which refers to the one before it. */
  readonly pointsBack: string
  /** Openings with such words that refer to nothing; `_` stands for one to three words. */
  readonly pointsNowhere: string
  /** Words of a heading, or of a short sentence behind, that say a statement is not true. */
  readonly takesBack: string
  /** Negations. */
  readonly negates: string
  /** Words that restrict a statement to some cases or times. */
  readonly limits: string
  /** Words for what is not decided or has not come about: drafts, plans, forecasts. */
  readonly tentative: string
  /** Words for what holds no more: abolished, withdrawn, expired. */
  readonly ends: string
  /**
   * Words that only ask (`asking`), and endings of questions, which no answer repeats. In languages
   * without gaps, where their pairs of letters would count among the question's terms.
   */
  readonly asking?: string
  readonly askingEnds?: string
  /** Words that mark the upper end of a range (`atMost`) or the lower one (`atLeast`). */
  readonly atMost: string
  readonly atLeast: string
  /** Words that make a number a rounded one. */
  readonly approximates: string
  /** Names of the months and days, long and short, as CLDR has them. */
  readonly months: string
  readonly weekdays: string
  /** The person who reads. */
  readonly reader: string
  /** The person who asks, and verbs and endings that are said of nobody else. */
  readonly asker: string
  /** Words that point at one person or case: a general rule has none of them. */
  readonly singlesOut: string
  /** Words that bring in what is already known: a reason, a role, since when, in spite of what. */
  readonly given: string
  /** Words that ask the reader for something without naming them. */
  readonly requests: string
  /**
   * Numerals from two on where decimals have a comma, `/` between forms of one; empty where the
   * word means something else, too. "One" is also an article.
   */
  readonly numerals?: string
  /** Words that make a statement conditional. */
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
  /**
   * Marks that open the question (`questionMark`) and the answer in a list of questions, before a
   * colon or a dot.
   */
  readonly questionMark: string
  readonly answerMark: string
  /**
   * Short forms whose dot ends no sentence, as they are written inside one; `ofNumbers`: those that
   * end none where a number follows. Absent in languages without.
   */
  readonly abbreviations?: string
  readonly abbreviationsOfNumbers?: string
  /** Words before a number whose dot makes it an ordinal, as in "im 19. Jahrhundert". */
  readonly beforeOrdinals?: string
  /**
   * Words of a question that asks for a number, and words that open one for a date. Absent where
   * `AnswerKind.ts` knows the language by patterns.
   */
  readonly asksNumber?: string
  readonly asksDate?: string
  /** Words added to a query, parted by blanks, to find public bodies and what is customary. */
  readonly official: string
  readonly customs: string
  /** Words of a page's furniture, such as menus: nobody's statement. */
  readonly furniture: string
}
