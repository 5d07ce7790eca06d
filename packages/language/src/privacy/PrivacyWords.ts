/**
 * The words by which people speak of themselves and of those around them, one record a language in
 * `PrivacyWords.json`.
 *
 * All in lower case. `|` parts entries, `*` stands for any letters. The same fields everywhere; an
 * empty field has no such words.
 */
import words from "./PrivacyWords.json" with { type: "json" }

export interface PrivacyWords {
  /** Function words: they tell the language, and no name looks like them. */
  readonly plain: string
  /** First person. */
  readonly me: string
  /** The first person as an owner, before a relation. */
  readonly my: string
  /** Words that begin a question, and requests for an answer. */
  readonly ask: string
  readonly greet: string
  /** Words before a name at the end of a letter. */
  readonly sign: string
  /** Said right before one's own name, and nothing else. */
  readonly self: string
  /** "I am": a name may follow, or anything. */
  readonly am: string
  /** "named", "is called": between a relation and the name. */
  readonly called: string
  /** Relations of private life, pets among them. */
  readonly kin: string
  /** People whom one has to do with and whom others may know, too. */
  readonly role: string
  readonly title: string
  /** Said right before an employer or a school. */
  readonly job: string
  /** Institutions that carry a name. */
  readonly org: string
  /** Words for what identifies, before its value. */
  readonly code: string
  readonly pass: string
  readonly street: string
  /** Said right before a home address. */
  readonly home: string
  readonly digit: string
  readonly born: string
  /** Words before a place at the level of a city. */
  readonly place: string
  /** Verbs of a person at the beginning of a statement. */
  readonly does: string
}

export type SpacedLanguage = keyof typeof words.spaced
export type UnspacedLanguage = keyof typeof words.unspaced

export const spacedWords: Readonly<Record<SpacedLanguage, PrivacyWords>> = words.spaced
/** Found within longer runs. */
export const unspacedWords: Readonly<Record<UnspacedLanguage, PrivacyWords>> = words.unspaced

// A pattern longer than a line, with a text that it finds and one that it must not find.

export interface NamedPattern {
  readonly name: string
  readonly language: SpacedLanguage | UnspacedLanguage | "any"
  /** Global. What it finds goes as a whole, or its group `secret` alone where it has one. */
  readonly pattern: RegExp
  readonly example: string
  readonly counterexample: string
}
