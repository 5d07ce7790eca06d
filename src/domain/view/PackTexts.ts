/** Titles and texts of a pack's sections, reasons and notes, in words for people. */
import * as Languages from "@web-grounding/language/Languages"
import { sentenceTexts } from "@web-grounding/language/Sentences"
import {
  allClaims,
  type Claim,
  type DemotionReason,
  type GroundingPack,
  isAnswer,
  mapClaims,
  type PackNote
} from "../pack/GroundingPack.ts"
import * as Page from "../page/Page.ts"
import * as Citations from "./Citations.ts"
import texts from "./PackTexts.json" with { type: "json" }

/** Cautions of the notes, in English or Korean by the BCP 47 `locale`, each after a space. */
export const cautionsOf = (notes: ReadonlyArray<PackNote>, locale: string): string => {
  const cautions = texts.cautions[Languages.ofLocale(locale).code === "ko" ? "ko" : "en"]
  return Object.entries(cautions).filter(([note]) => notes.some((one) => one === note))
    .map(([, caution]) => ` ${caution}`).join("")
}

/** Cleans the titles of the sources, for packs that an older release recorded. */
export const cleaned = (pack: GroundingPack): GroundingPack =>
  mapClaims(pack, (claim) => ({ ...claim, sources: claim.sources.map(Page.withClean) }))

const asideTitles = [
  ["disputed", "Disputed or uncertain"],
  ["needs_official_or_second_source", "One source only"],
  ["beside_question", "Beside the question"]
] as const

/** Disputed claims, in sections by the reason; empty sections are left out. */
export const asidesOf = ({ disputed_or_uncertain }: GroundingPack) => {
  const bySection = Map.groupBy(
    disputed_or_uncertain,
    ({ reason }) => asideTitles.find(([name]) => name === reason)?.[0] ?? "disputed"
  )
  return asideTitles.flatMap(([name, title]) => {
    const claims = bySection.get(name) ?? []
    return claims.length === 0 ? [] : [{ name, title, claims }]
  })
}

export const noteTexts: Readonly<Record<PackNote, string>> = texts.notes

/** Why a claim is disputed or uncertain, in words that follow the claim. */
export const reasonTexts: Readonly<Record<DemotionReason, string>> = texts.reasons

export const madeUpText = "Made up by the sandbox: these pages and their facts do not exist."

export const isMadeUp = (pack: GroundingPack): boolean =>
  allClaims(pack).some(({ sources }) => sources.some(isOfSandbox))

export const isOfSandbox = ({ site }: { readonly site: string }): boolean =>
  site.endsWith(".example")

/** Independence of a claim's sources where their number misleads, e.g. `two sites, one origin`. */
export const originText = (
  { credited_to, origins, sources }: Pick<Claim, "credited_to" | "origins" | "sources">
): string | undefined => {
  const sites = new Set(sources.map(({ site }) => site)).size
  const parts = [
    ...(origins !== undefined && origins < sites
      ? [`${sites} sites, ${origins === 1 ? "one origin" : `${origins} origins`}`]
      : []),
    ...(credited_to === undefined ? [] : [`credited to ${credited_to}, which was not read`])
  ]
  return parts.length === 0 ? undefined : parts.join("; ")
}

/** Most sentences of a short answer; its first claim is never cut. */
const sentencesMax = 4

/** The surest answers as one paragraph with a mark for each source. Empty where none answers. */
export const shortAnswer = (pack: GroundingPack): string => {
  const answers = Citations.standingOf(pack)
    .filter(isAnswer)
    .toSorted((left, right) => right.confidence - left.confidence)
    .map((claim) => ({ ...claim, text: withoutMarks(claim.text) }))
  const surest = answers.reduce<ReadonlyArray<Claim>>((before, claim) => {
    const all = [...before, claim]
    const isShort = all.flatMap(({ text }) => sentenceTexts(text)).length <= sentencesMax
    return before.length === 0 || isShort ? all : before
  }, [])
  return Citations.answerOf(surest).text.replaceAll("\n", " ")
}

/** Without a page's own reference marks: "[2]", "[3, 4]". */
export const withoutMarks = (text: string): string =>
  text.replace(/\s*\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]/g, "").trim()
