/** A pattern longer than a line, with a text that it finds and one that it must not find. */
import type { SpacedLanguage } from "./PrivacyWords.ts"
import type { UnspacedLanguage } from "./UnspacedWords.ts"

export interface NamedPattern {
  readonly name: string
  readonly language: SpacedLanguage | UnspacedLanguage | "any"
  /** Global. What it finds goes as a whole, or its group `secret` alone where it has one. */
  readonly pattern: RegExp
  readonly example: string
  readonly counterexample: string
}

/** A pattern of names, and what it must not find although it looks like one. */
export interface NamePattern {
  readonly name: string
  readonly pattern: RegExp
  /** Words that are no names there. */
  readonly not?: RegExp
  /** Sentences in which the pattern applies: statements alone, or any. */
  readonly where: "statement" | "anywhere"
  /** The words that lead to the name are removed with it. */
  readonly goes?: "with its lead"
  readonly example: string
  readonly counterexample: string
}
