/** Pieces of the domain that read language, each with what stands in its place when it is left out. */
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
  file: `src/domain/${file}`,
  name,
  neutral
})

const never = "() => false"
const noPlaces = "() => new Set()"

export const pieces: ReadonlyArray<Piece> = [
  piece("question/AskedThing.ts", "isOther", never),
  piece("question/AnswerKind.ts", "kindOf", "() => \"other\""),
  piece("question/AnswerKind.ts", "certaintyOf", "() => 0.5"),
  piece("question/Countries.ts", "countriesIn", noPlaces),
  piece("question/QuestionTerms.ts", "isCommon", never),
  piece("pack/AnswerSlot.ts", "answersIn", "() => new Map()"),
  piece(
    "pack/Answering.ts",
    "judge",
    "(question, passages, found) => found.map((one) => ({ ...one, answering: \"answers\" }))"
  ),
  piece("pack/Corroboration.ts", "merge", "(question, claims) => claims"),
  piece("pack/Contradiction.ts", "find", "() => []"),
  piece("pack/Contradiction.ts", "doSitesDisagree", never),
  piece("pack/Succession.ts", "overtaken", noPlaces),
  piece("pack/Succession.ts", "laterThanAsked", noPlaces),
  piece("pack/Sameness.ts", "isOfOthers", never),
  piece("pack/Sameness.ts", "isOfOtherBound", never),
  piece("pack/Sameness.ts", "isOfOtherTime", never),
  piece("pack/Sameness.ts", "isLimited", never),
  piece("pack/Sameness.ts", "isDenied", never),
  piece("pack/Vetoes.ts", "find", "() => undefined")
]
