/** What patterns of personal data share: how they are compiled, and the words they begin with. */

/** Patterns as strings, since most are too long for a literal. */
export type Sources = ReadonlyArray<readonly [pattern: string, flags: string]>

export const compiled = (sources: Sources): ReadonlyArray<RegExp> =>
  sources.map(([pattern, flags]) => new RegExp(pattern, flags))

/** "my e-mail is", "reach me at": taken along, so that nothing dangles. */
export const lead =
  "(?:(?<![a-z])(?:(?:(?:and |or )?(?:my|our|the|his|her) )?(?:[\\p{L}-]{1,20} ){0,2}" +
  "(?:e-?mail|mail|phone|mobile|cell|tel|telephone|fax|number|no\\.?|account|card|iban|" +
  "passport|address|handle|username|ssn|id)(?: (?:address|number|no\\.?|id))?(?: is|:|=|#)" +
  "? *|(?:reach|contact|call|text|e-?mail|write|message|ping|follow|dm) (?:to )?me " +
  "(?:at|on|via|under)? *))?"

/** Scripts that are written without blanks: what stands beside them is another word. */
export const unspaced = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}"
