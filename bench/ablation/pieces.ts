/** Pieces that read language, each with its replacement when it is left out. */
export interface Piece {
  readonly id: string
  readonly file: string
  /** An exported constant of the file, or a weight inside it. */
  readonly name: string
  /** Says nothing, in the type of the piece. */
  readonly neutral: string
}

const piece = (file: string, name: string, neutral: string): Piece => ({
  id: `${file.replace(/^.*\/|\.ts$/g, "")}.${name}`,
  file,
  name,
  neutral
})

const never = "() => false"
const noPlaces = "() => new Set()"

export const pieces: ReadonlyArray<Piece> = [
  piece("packages/language/src/question/QuestionTerms.ts", "isOther", never),
  piece("packages/language/src/question/QuestionTerms.ts", "kindOf", "() => \"other\""),
  piece("packages/language/src/question/QuestionTerms.ts", "certaintyOf", "() => 0.5"),
  piece("packages/language/src/question/QuestionTerms.ts", "countriesIn", noPlaces),
  piece("packages/language/src/question/QuestionTerms.ts", "isCommon", never),
  piece("packages/language/src/statements/AnswerSlot.ts", "answersIn", "() => new Map()"),
  piece(
    "packages/language/src/statements/KeySentences.ts",
    "judge",
    "(question, passages, found) => found.map((one) => ({ ...one, answering: \"answers\" }))"
  ),
  piece("src/domain/pack/ClaimPlacement.ts", "merge", "(question, claims) => claims"),
  piece("src/domain/pack/Contradiction.ts", "find", "() => []"),
  piece("src/domain/pack/Contradiction.ts", "doSitesDisagree", never),
  piece("src/domain/pack/Contradiction.ts", "overtaken", noPlaces),
  piece("src/domain/pack/Contradiction.ts", "laterThanAsked", noPlaces),
  piece("packages/language/src/statements/Sameness.ts", "isOfOthers", never),
  piece("packages/language/src/statements/Sameness.ts", "isOfOtherBound", never),
  piece("packages/language/src/statements/Sameness.ts", "isOfOtherTime", never),
  piece("packages/language/src/statements/Sameness.ts", "isLimited", never),
  piece("packages/language/src/statements/Sameness.ts", "isDenied", never),
  piece("packages/language/src/statements/Sameness.ts", "find", "() => undefined")
]
