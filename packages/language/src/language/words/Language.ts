/**
 * Word lists of a language: closed classes of words, the same fields for every language, empty
 * where it has none.
 *
 * Words and phrases are in lower case, parted by `|`. A `*` at the end of one stands for any
 * ending, at its start for any beginning. A capital at the start of one has to be there: "Sie" is
 * the reader, "sie" are others. Languages that are written without gaps (`isSpaced`) are searched
 * letter by letter.
 *
 * - `code`: BCP 47.
 * - `common`: so common that a text shows its language by them.
 * - `letters`: spellings that show it among the languages of its script; a blank opens a word.
 * - `pointsBack`: open a sentence which refers to the one before it.
 * - `pointsNowhere`: openings with such words that refer to nothing; `_` stands for one to three
 *   words.
 * - `takesBack`: of a heading, or of a short sentence behind: a statement is not true.
 * - `negates`: negations.
 * - `limits`: restrict a statement to some cases or times.
 * - `tentative`: of what is not decided or has not come about: drafts, plans, forecasts.
 * - `ends`: of what holds no more: abolished, withdrawn, expired.
 * - `asking`, `askingEnds`: words that only ask, and endings of questions, which no answer repeats.
 *   In languages without gaps, where their pairs of letters would count among a question's terms.
 * - `atMost`, `atLeast`: mark the upper end of a range, or the lower one.
 * - `approximates`: make a number a rounded one.
 * - `months`, `weekdays`: names, long and short, as CLDR has them.
 * - `reader`: the person who reads.
 * - `asker`: the person who asks, and verbs and endings that are said of nobody else.
 * - `singlesOut`: point at one person or case: a general rule has none of them.
 * - `given`: bring in what is already known: a reason, a role, since when, in spite of what.
 * - `requests`: ask the reader for something without naming them.
 * - `numerals`: from two on where decimals have a comma, `/` between forms of one; nothing
 *   between two bars where the word means something else, too. "One" is also an article.
 * - `numberWords`: further words that give a number or a span of time, for telling that a sentence
 *   has one; empty where `AnswerKind.ts` knows the language by patterns.
 * - `conditions`: make a statement conditional.
 * - `advised`: matters of health and money, in which a professional may be asked.
 * - `asksSlot`, `whySlot`: ask a person for a value; `{slot}` stands for its name.
 * - `asksWhether`: the same where the answer is yes or no.
 * - `asksCondition`, `whyCondition`: ask whether what a source says (`{quote}`) applies.
 * - `asksReference`, `whyReference`: ask what a question (`{quote}`) refers to.
 * - `yesNo`: "Yes" and "no" at the start of an answer.
 * - `questionMark`, `answerMark`: marks that open question and answer in a list, before a colon
 *   or a dot.
 * - `abbreviations`: short forms whose dot ends no sentence, as they are written inside one.
 * - `abbreviationsOfNumbers`: the same where a number follows.
 * - `beforeOrdinals`: before a number whose dot makes it an ordinal, as in "im 19. Jahrhundert".
 * - `asksNumber`, `asksDate`: ask for a number, open a question for a date; empty where
 *   `AnswerKind.ts` knows the language by patterns.
 * - `official`, `customs`: added to a query, parted by blanks, to find public bodies and what is
 *   customary.
 * - `furniture`: a page's furniture, such as menus: nobody's statement.
 */
import en from "./en.json" with { type: "json" }

export type Language = typeof en
