/** The kinds of words the gate listens for, and how a word list becomes a pattern. */

export type Cue =
  // What calls for the web.
  | "culture"
  | "legal"
  | "practice"
  | "expert"
  | "live"
  | "news"
  | "finance"
  | "sources"
  | "recommend"
  | "knowledge"
  // What can be answered without it.
  | "make"
  | "makeAnywhere"
  | "supplied"
  | "roleplay"
  | "counterfactual"
  | "reasoning"
  | "code"
  | "personal"
  | "assistant"
  | "smallTalk"
  | "command"
  | "clock"
  | "language"
  | "household"
  | "opinion"
  // Form.
  | "question"
  | "arithmetic"
  // How fast an answer changes.
  | "fresh"
  | "relative"
  | "superlative"
  | "office"
  | "tally"
  | "age"
  | "price"
  | "present"
  | "past"
  | "origin"
  | "fixed"
  | "ordinal"
  | "upcoming"
  | "release"
  | "perfect"
  | "holder"

/** Patterns of one language. All are global; a missing cue never fires. */
export type CuesOf = Readonly<Partial<Record<Cue, RegExp>>>

/** Whole words or phrases of a script that puts spaces between words. */
export const whole = (...alternatives: ReadonlyArray<string>): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join("|")})(?![\\p{L}\\p{N}])`, "giu")

/** A phrase at the start of a sentence. */
export const leading = (...alternatives: ReadonlyArray<string>): RegExp =>
  new RegExp(`^(?:${alternatives.join("|")})(?![\\p{L}\\p{N}])`, "giu")

/** A phrase anywhere, also inside a word: for scripts without spaces and for endings. */
export const anywhere = (...alternatives: ReadonlyArray<string>): RegExp =>
  new RegExp(`(?:${alternatives.join("|")})`, "giu")

/** How often a cue is heard, over all languages given. */
export const heard = (text: string, cue: Cue, languages: ReadonlyArray<CuesOf>): number =>
  languages.reduce((sum, cues) => {
    const pattern = cues[cue]
    return pattern === undefined ? sum : sum + (text.match(pattern)?.length ?? 0)
  }, 0)
