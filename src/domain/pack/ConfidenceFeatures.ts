/** Features, 0 to 1, of claims and packs for the fitted confidence. Reads each page once. */
import * as Spelling from "@web-grounding/language/PassageWords"
import { passagesOf, type PassageWords, poolOf } from "@web-grounding/language/PassageWords"
import {
  type AnswerKind,
  type AskedQuestion as Asked,
  askingPart,
  heldShare,
  shareAround
} from "@web-grounding/language/QuestionTerms"
import * as Relevance from "@web-grounding/language/Relevance"
import { plainForm, plainTerms, words } from "@web-grounding/language/Words"
import { type Chunk, chunksOf, type Page } from "../page/Page.ts"
import fitted from "./ConfidenceWeights.json" with { type: "json" }
import type { CitedSource } from "./GroundingPack.ts"

/** `question`: something is asked. `topic`: a subject or a scene is to be set up. */
export type AskedFor = "question" | "topic"

/** A pack of the local writer below this confidence answers nothing: its claims are background. */
export const refusedBelow = fitted.refused_below

/** A claim below this confidence is background where another claim answers. */
export const besideBelow = fitted.beside_below

/** Set by hand in the data file, in thousandths of a log-odd: no public set measures them. */
export const assumed = fitted.assumed

/** Ceilings without a primary source, by class of the others: a policy, set by hand. */
export const ceilings = fitted.ceilings

const pointsOfOdds = 1_000

/** A name that the file lacks weighs nothing. */
const sumOf = <Name extends string>(
  { bias, weights }: { readonly bias: number; readonly weights: Readonly<Record<string, number>> },
  names: ReadonlyArray<Name>,
  features: Readonly<Record<Name, number>>
): number =>
  Math.round(names.reduce((sum, name) => sum + (weights[name] ?? 0) * features[name], bias))

/** Log-odds, in thousandths, that the claim answers. */
export const oddsOfClaim = (asked: AskedFor, features: ClaimFeatures): number =>
  sumOf(fitted[asked].claim, claimNames, features)

/** Log-odds, in thousandths, that some claim of the pack answers. */
export const oddsOfPack = (asked: AskedFor, features: PackFeatures): number =>
  sumOf(fitted[asked].pack, packNames, features)

export const probability = (odds: number): number => 1 / (1 + Math.exp(-odds / pointsOfOdds))

export const claimNames = [
  /** Share of the question that the claim's own words hold; rare words count more. */
  "held",
  /** The same, with its neighbours and its page's title counted in part. */
  "around",
  /** Shared runs of four characters. */
  "spelled",
  /** How well other pages support a name or a number that it gives. */
  "agreed",
  /** Share of the question that its passage and its title hold. */
  "passage",
  /** How far its score is above (`lead`) or below (`lag`) that of the best rival sentence. */
  "lead",
  "lag",
  /** Rank of its page in the search, and of the claim in the draft: 1 is first. */
  "rank",
  "first",
  "independent",
  /** Score of its passage, and its distance to the best. */
  "score",
  "gap",
  /** Names and numbers in it that may answer. */
  "things"
] as const
export type ClaimName = (typeof claimNames)[number]
export type ClaimFeatures = Readonly<Record<ClaimName, number>>

export const packNames = [
  /** Passage score and own score of the claim that most likely answers. */
  "passage",
  "score",
  /** Share of the question that any passage holds. */
  "known",
  "held",
  "around",
  "spelled",
  "agreed",
  "lead"
] as const
export type PackName = (typeof packNames)[number]
export type PackFeatures = Readonly<Record<PackName, number>>

/** Passages whose sentences are compared; the others only count for how rare a word is. */
const passagesMax = 24
/** Rank at which a page's rank counts half. */
const rankHalf = 8
/** Value at which a feature without a natural bound counts in full. */
const full = { lead: 1.5, score: 25, things: 5, independent: 2 } as const

/** Scripts compared by pairs: a question holds pairs across words that an answer lacks. */
const scales = { han: 1.8, hangul: 1.4, other: 1 } as const
/** Share of the scale that applies to a whole passage, where pairs meet more easily. */
const passageScaleShare = 0.7

interface Sentence {
  readonly chunk: Chunk
  readonly passage: number
  readonly start: number
  readonly end: number
  readonly around: number
  readonly spelled: number
  readonly agreed: number
  /** `held`, `around` and `spelled` together: what sentences are compared by. */
  readonly worth: number
  readonly things: ReadonlySet<string>
}

interface Reading {
  readonly sought: Asked
  readonly kind: AnswerKind
  readonly scale: number
  /** The passages that score best, in that order, at most `passagesMax`. */
  readonly passages: ReadonlyArray<PassageWords>
  readonly scores: ReadonlyArray<number>
  readonly sentences: ReadonlyArray<Sentence>
  /** Source ids in the order of the search. */
  readonly pages: ReadonlyArray<string>
  /** Share of the question that any passage holds. */
  readonly known: number
}

export const readingOf = (question: string, pages: ReadonlyArray<Page>): Reading => {
  const chunks = chunksOf(pages)
  const pool = poolOf(passagesOf(chunks))
  const { kind, scores, sought } = Relevance.viewOf(pool, question)
  const best = pool.passages
    .flatMap((passage, place) => {
      const chunk = chunks[place]
      return chunk === undefined ? [] : [{ passage, chunk, score: scores[place] ?? 0 }]
    })
    .sort((left, right) => right.score - left.score)
    .slice(0, passagesMax)
  const passages = best.map(({ passage }) => passage)
  const scale = scales[scriptOf(question)]
  const view = { sought, kind, question, scale }
  const said = new Set(pool.passages.flatMap(({ terms }) => terms))
  return {
    sought,
    kind,
    scale,
    passages,
    scores: best.map(({ score }) => score),
    sentences: sentencesOf(view, passages, best.map(({ chunk }) => chunk)),
    pages: pages.map(({ source_id }) => source_id),
    known: inPassage(scale, heldShare(sought, said))
  }
}

const scriptOf = (question: string): keyof typeof scales => {
  if (/[\p{scx=Hiragana}\p{Script=Latin}]/u.test(question)) return "other"
  if (/\p{Script=Hangul}/u.test(question)) return "hangul"
  return /\p{Script=Han}/u.test(question) ? "han" : "other"
}

type View = Pick<Reading, "kind" | "scale" | "sought"> & { readonly question: string }

const sentencesOf = (
  { kind, question, scale, sought }: View,
  passages: ReadonlyArray<PassageWords>,
  chunks: ReadonlyArray<Chunk>
): ReadonlyArray<Sentence> => {
  const asked = { kind, words: sought.words }
  const held = passages.map(({ sentences }) =>
    sentences.map(({ terms }) => new Set(terms.map(plainForm)))
  )
  const own = held.map((list) => list.map((terms) => heldShare(sought, terms, plainForm)))
  const agreed = Relevance.agreement(asked, passages, own)
  const spelled = Spelling.scores(
    askingPart(question),
    passages.flatMap(({ sentences }) => sentences.map(({ text }) => ` ${words(text).join(" ")} `))
  )
  let at = -1
  return passages.flatMap(({ sentences, title }, passage) => {
    const chunk = chunks[passage]
    if (chunk === undefined) return []
    return sentences.map(({ end, start, text }, place) => {
      at += 1
      const near = { held: held[passage] ?? [], place, title }
      const around = shareAround(sought, near, plainForm)
      const ofSentence = {
        around: atMostOne(scale * around),
        spelled: spelled[at] ?? 0
      }
      return {
        ...ofSentence,
        chunk,
        passage,
        start: chunk.start + start,
        end: chunk.start + end,
        agreed: agreed[passage]?.[place] ?? 0,
        worth: worthOf({ ...ofSentence, held: atMostOne(scale * (own[passage]?.[place] ?? 0)) }),
        things: new Set(Relevance.things(asked, text))
      }
    })
  })
}

const worthOf = (
  { around, held, spelled }: Pick<ClaimFeatures, "around" | "held" | "spelled">
): number => held + around + spelled

const inPassage = (scale: number, share: number): number =>
  atMostOne((1 + (scale - 1) * passageScaleShare) * share)

interface ClaimReading {
  readonly text: string
  readonly sources: ReadonlyArray<CitedSource>
  /** 0-based, in the draft. */
  readonly place: number
  /** Sources of different sites that are no near-duplicates of each other. */
  readonly independent: number
}

export const ofClaim = (reading: Reading, told: ClaimReading): ClaimFeatures => {
  const { kind, scale, scores, sought } = reading
  const own = ownOf(reading, told)
  const found = new Set(Relevance.things({ kind, words: sought.words }, told.text))
  const most = (of: (sentence: Sentence) => number) =>
    own.reduce((best, sentence) => Math.max(best, of(sentence)), 0)
  const held = atMostOne(scale * heldShare(sought, plainTerms(told.text), plainForm))
  const spoken = {
    held,
    around: Math.max(held, most(({ around }) => around)),
    spelled: most(({ spelled }) => spelled)
  }
  const lead = (worthOf(spoken) - bestRival(reading, told, own, found)) / full.lead
  const passage = own[0]?.passage
  const ranks = told.sources.map(({ source_id }) => reading.pages.indexOf(source_id))
    .filter((rank) => rank >= 0)
  const score = passage === undefined ? 0 : scores[passage] ?? 0
  return {
    ...spoken,
    agreed: most(({ agreed }) => agreed),
    passage: passageShare(reading, passage),
    lead: atMostOne(Math.max(0, lead)),
    lag: atMostOne(Math.max(0, -lead)),
    rank: ranks.length === 0 ? 0 : 1 / (1 + Math.min(...ranks) / rankHalf),
    first: 1 / (1 + told.place),
    independent: atMostOne(Math.max(0, told.independent - 1) / full.independent),
    score: atMostOne(Math.max(0, score) / full.score),
    gap: atMostOne(Math.max(0, (scores[0] ?? 0) - score) / full.score),
    things: atMostOne(found.size / full.things)
  }
}

const ownOf = ({ sentences }: Reading, { sources }: ClaimReading): ReadonlyArray<Sentence> =>
  sentences.filter(({ chunk, end, start }) =>
    sources.some(({ quotes, source_id }) =>
      source_id === chunk.page.source_id &&
      quotes.some((quote) => quote.start < end && start < quote.end)
    )
  )

/** Best rival of a claim. A page that says the same is no rival: it supports the claim. */
const bestRival = (
  { sentences }: Reading,
  { sources }: ClaimReading,
  own: ReadonlyArray<Sentence>,
  found: ReadonlySet<string>
): number => {
  const quoted = new Set(own)
  const pages = new Set(sources.map(({ source_id }) => source_id))
  return sentences.reduce((best, sentence) => {
    if (sentence.worth <= best || quoted.has(sentence)) return best
    const isAgreeing = !pages.has(sentence.chunk.page.source_id) &&
      Array.from(sentence.things).some((thing) => found.has(thing))
    return isAgreeing ? best : sentence.worth
  }, 0)
}

const passageShare = ({ passages, scale, sought }: Reading, place: number | undefined): number => {
  const passage = place === undefined ? undefined : passages[place]
  if (passage === undefined) return 0
  return inPassage(scale, heldShare(sought, new Set(passage.terms.map(plainForm)), plainForm))
}

/** Chiefly of the claim nearest to the question; `undefined` without claims. */
export const ofPack = (
  { known }: Reading,
  claims: ReadonlyArray<ClaimFeatures>
): PackFeatures | undefined => {
  const [first, ...others] = claims
  if (first === undefined) return undefined
  const nearness = (claim: ClaimFeatures) => worthOf(claim) + claim.lead
  const best = others.reduce((one, other) => nearness(other) > nearness(one) ? other : one, first)
  const most = (name: ClaimName) => Math.max(...claims.map((claim) => claim[name]))
  return {
    passage: best.passage,
    score: best.score,
    known,
    held: most("held"),
    around: most("around"),
    spelled: most("spelled"),
    agreed: most("agreed"),
    lead: most("lead")
  }
}

const atMostOne = (value: number): number => Math.min(1, value)
