/**
 * A judge's verdict on a claim and its quotations, and the wording that follows. Without a
 * confirmation the claim is its source's own sentence.
 */
import * as Languages from "@web-grounding/language/Languages"
import * as QuotedPassage from "@web-grounding/language/QuotedPassage"
import * as Sameness from "@web-grounding/language/Sameness"
import * as Sentences from "@web-grounding/language/Sentences"
import { Schema, Struct } from "effect"
import type { GroundingRequest } from "../request/GroundingRequest.ts"
import * as Contradiction from "./Contradiction.ts"
import type { CitedSource } from "./GroundingPack.ts"
import type { PlacedClaim, Proposal } from "./PlacedClaim.ts"

/** Longest translation of a claim's quotations, in UTF-16 code units. */
const translationCharsMax = 600

export const Judgement = Schema.Literals(["supported", "partly", "unsupported", "contradicted"])
export type Judgement = typeof Judgement.Type

export const Answering = Schema.Literals([
  "answers",
  "beside",
  "other_place",
  "other_time",
  "other_thing"
])

/** A judgement of the draft's claim at this 0-based index. */
export const JudgedClaim = Schema.Struct({
  claim: Schema.Natural,
  judgement: Judgement,
  /** Absent: it was not judged. */
  answering: Schema.optionalKey(Answering),
  /** Indices of claims that contradict it. */
  against: Schema.optionalKey(Schema.Array(Schema.Natural)),
  /** Translation of its quotations, by an engine that was shown nothing else. */
  translation: Schema.optionalKey(Schema.String)
})
export type JudgedClaim = typeof JudgedClaim.Type

export interface Judgeable {
  /** 0-based index in the draft. */
  readonly claim: number
  readonly text: string
  /** Verbatim, never empty. */
  readonly quotes: ReadonlyArray<string>
  readonly from: ReadonlyArray<Pick<CitedSource, "official" | "site" | "published_date">>
}

/** Claims to judge: those with a quotation. `placed` is in the draft's order. */
export const judgeable = (
  placed: ReadonlyArray<Proposal | undefined>
): ReadonlyArray<Judgeable> =>
  placed.flatMap((claim, place) =>
    claim === undefined || claim.wording === "unfound" ? [] : [{
      claim: place,
      text: claim.text,
      quotes: quotesOf(claim),
      from: claim.sources.flatMap((source) =>
        source.quotes.map(() => Struct.pick(source, ["official", "site", "published_date"]))
      )
    }]
  )

/** Whether claim and quotations are in different languages, which code cannot compare. */
export const isTranslated = ({ quotes, text }: Pick<Judgeable, "quotes" | "text">): boolean =>
  Languages.languageOf(text) !== Languages.languageOf(quotes.join("\n"))

const quotesOf = ({ sources }: Pick<Proposal, "sources">): ReadonlyArray<string> =>
  sources.flatMap(({ quotes }) => quotes.map(({ text }) => text))

/** Verdicts of the judge: absent where none is configured. */
export type Judged = ReadonlyArray<JudgedClaim> | undefined

interface Circumstances extends Pick<GroundingRequest, "locale" | "wording"> {
  readonly question: string
}

/**
 * Claims made of a proposal. A confirmed wording stays, where it may be used; else the best
 * source's words. Unconfirmed claims and contradictory quotations are split, a claim for each
 * quotation.
 */
export const settledClaims = (
  proposal: Proposal,
  place: number,
  judged: Judged,
  { locale, question, wording: wanted }: Circumstances
): ReadonlyArray<PlacedClaim> => {
  const { wording, ...unsettled } = proposal
  const { beside_question, reason, section, sources } = unsettled
  if (reason !== undefined) return [{ ...unsettled, place }]
  const said = judged?.filter(({ claim }) => claim === place) ?? []
  const isConfirmed = said.length > 0 && said.every(({ judgement }) => judgement === "supported")
  const isBeside = beside_question === true || said.some(isBesideQuestion) ||
    wording === "rephrased" && said.some(({ judgement }) => judgement === "unsupported")
  const settledAs = {
    section,
    place,
    ...(isBeside ? { beside_question: true as const } : {}),
    ...(judged !== undefined && said.length === 0 ? { unverified_infra: true as const } : {})
  }
  const isOne = isConfirmed && !isDivided(question, proposal)
  const worded = wordingOf(proposal, said)
  if (
    wording === "rephrased" && isOne && wanted !== "verbatim" &&
    section !== "constraints_and_rules" && worded !== "" &&
    Sameness.find(worded, quotesOf(proposal), locale) === undefined
  ) return [{ ...settledAs, text: worded, sources, wording: "judged" }]
  const first = sources.find(({ official }) => official) ?? sources[0]
  const [quote] = first?.quotes ?? []
  if (isOne && quote !== undefined) {
    return [{ ...settledAs, text: QuotedPassage.shown(quote.text), sources, wording: "verbatim" }]
  }
  return sources.flatMap((source) =>
    source.quotes.map((quote) => ({
      ...settledAs,
      text: QuotedPassage.shown(quote.text),
      sources: [{ ...source, quotes: [quote] }],
      wording: "verbatim" as const
    }))
  )
}

/** Whether no claim can rest on all quotations: two differ, or no source gives all figures. */
const isDivided = (question: string, { sources, text }: Proposal): boolean => {
  const quotes = quotesOf({ sources })
  const figures = Sameness.valuesOf(text, "number")
  const isWhole = (source: CitedSource) => {
    const read = Sameness.valuesOf(quotesOf({ sources: [source] }).join("\n"), "number")
    return figures.every((figure) => read.includes(figure))
  }
  return sources.length > 1 && !sources.some(isWhole) ||
    quotes.some((left, index) =>
      quotes.slice(index + 1).some((right) => Contradiction.contradict(question, left, right))
    )
}

/**
 * The writer's wording, or the translation of quotations in another language: code cannot check a
 * writer there, and the translator saw nothing else. Empty without one.
 */
const wordingOf = (
  { sources, text }: Proposal,
  said: ReadonlyArray<JudgedClaim>
): string => {
  const quotes = quotesOf({ sources })
  if (!isTranslated({ text, quotes })) return text
  const [translation = ""] = said.flatMap(({ translation }) => translation ?? [])
  return Sentences.proseOf(translation, translationCharsMax, () => false)
}

const isBesideQuestion = ({ answering }: JudgedClaim): boolean =>
  answering !== undefined && answering !== "answers"

export const isSaidToAnswer = (judged: Judged, place: number): boolean => {
  const said = judged?.filter(({ claim }) => claim === place) ?? []
  return said.length > 0 && said.every(({ answering }) => answering === "answers")
}

/** Claims that a judge found to contradict each other, by 0-based indices in the draft. */
export const opposed = (judged: Judged): ReadonlyArray<readonly [left: number, right: number]> =>
  (judged ?? []).flatMap(({ against = [], claim }) =>
    against.map((other) => [claim, other] as const)
  )
