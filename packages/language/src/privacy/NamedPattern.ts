/** A pattern longer than a line, with a text that it finds and one that it must not find. */
import type { SpacedLanguage, UnspacedLanguage } from "./PrivacyWords.ts"

export interface NamedPattern {
  readonly name: string
  readonly language: SpacedLanguage | UnspacedLanguage | "any"
  /** Global. What it finds goes as a whole, or its group `secret` alone where it has one. */
  readonly pattern: RegExp
  readonly example: string
  readonly counterexample: string
}
