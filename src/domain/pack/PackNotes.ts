/** Notes for the caller on a pack as a whole. */
import * as Languages from "@web-grounding/language/Languages"
import type { SearchNeed } from "../need/SearchNeed.ts"
import type { Page } from "../page/Page.ts"
import { type GroundingRequest, questionOf } from "../request/GroundingRequest.ts"
import * as Confidence from "./Confidence.ts"
import type { Claim, PackNote } from "./GroundingPack.ts"
import * as Succession from "./Succession.ts"

const isTimeSensitive = (need: SearchNeed): boolean => need.reason_codes.includes("TIME_SENSITIVE")

/**
 * Whether the question asks about the present. For a question about a past year, a source of that
 * year is not too old.
 */
export const isAboutNow = (need: SearchNeed, request: GroundingRequest, now: string): boolean =>
  isTimeSensitive(need) && Succession.pastYear(questionOf(request), now) === undefined

/** Shorter ones do not show their language surely. In UTF-16 code units. */
const languageCharsMin = 40

export const isForeign = ({ language, text }: Claim, locale: string): boolean => {
  const wanted = locale.split("-")[0]?.toLowerCase()
  return Languages.all.some(({ code }) => code === wanted) && language !== wanted &&
    (text.length >= languageCharsMin || /[^\p{Script=Latin}\p{N}\p{P}\p{Zs}\p{S}]/u.test(text))
}

/** Law, health or money is decided. */
const isAdvised = (need: SearchNeed, request: GroundingRequest): boolean => {
  const question = questionOf(request)
  return need.reason_codes.includes("POLICY_LEGAL") || need.topic === "finance" ||
    Languages.patternsOf(Languages.languageOf(question)).advised.test(question)
}

/** Facts that the notes are derived from. */
interface Noted {
  readonly pages: ReadonlyArray<Page>
  readonly request: GroundingRequest
  readonly need: SearchNeed
  readonly confidenceMax: number
  /** ISO 8601. */
  readonly now: string
}

interface Seen {
  readonly isClaiming: boolean
  /** Some source answers, if only in dispute. */
  readonly isAnswered: boolean
  readonly isFlagged: boolean
  readonly isSplit: boolean
  readonly isForeign: boolean
}

/** Notes that a pack carries about itself. `asOf` is the date of the newest source that answers. */
export const packNotes = (
  { confidenceMax, need, now, pages, request }: Noted,
  { isAnswered, isClaiming, isFlagged, isForeign, isSplit }: Seen,
  asOf: string | undefined
): ReadonlyArray<PackNote> => {
  const isOutdated = Confidence.isLongAgo(asOf, now) ||
    Confidence.freshness(isAboutNow(need, request, now), asOf, now) === "outdated"
  const found: ReadonlyArray<readonly [PackNote, boolean]> = [
    ["question_not_answered", pages.length > 0 && !isAnswered],
    [
      "based_on_sources_not_legal_advice",
      isClaiming && need.reason_codes.includes("POLICY_LEGAL")
    ],
    ["consider_professional_advice", pages.length > 0 && isAdvised(need, request)],
    ["extractive", isClaiming && confidenceMax <= Confidence.localMax],
    ["llm_failed", isClaiming && confidenceMax <= Confidence.afterFailureMax],
    ["suspicious_source", isFlagged],
    ["may_be_outdated", isOutdated],
    ["sources_may_disagree", isSplit],
    ["in_other_language", isForeign]
  ]
  return found.flatMap(([note, holds]) => holds ? [note] : [])
}
