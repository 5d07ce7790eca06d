/** What becomes of a writer's claims in the product, with the same model as their judge. */
import { Effect } from "effect"
import * as Sameness from "../../packages/language/src/statements/Sameness.ts"
import * as WrittenAnswers from "../../packages/sandbox/src/chat/WrittenAnswers.ts"
import type { Engine } from "../../src/application/ports/Engines.ts"
import type { PackDraft } from "../../src/domain/pack/GroundingPack.ts"
import { isTranslated } from "../../src/domain/pack/Judgement.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import type { Page } from "../../src/domain/page/Page.ts"
import type { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import * as Inputs from "./inputs.ts"

/**
 * - `own words`: in the writer's words.
 * - `as quoted`: in its source's words, as rules and word-for-word statements always are.
 * - `refused`, `vetoed`: by the judge, by code; its quotes' own words replace it.
 * - `unfound`: no page has the quotation.
 * - `set aside`: disputed, overtaken, or addressed to a model.
 */
export type Fate = "own words" | "as quoted" | "refused" | "vetoed" | "unfound" | "set aside"

interface ToldClaim {
  readonly text: string
  readonly fate: Fate
  /** A reader's verdict by the quotes; absent where none was given. */
  readonly verdict?: string
}

interface Fates {
  readonly claims: ReadonlyArray<ToldClaim>
  /** The pack answers the question, if only in dispute. */
  readonly isAnswered: boolean
}

export const none: Fates = { claims: [], isAnswered: false }

const flat = (text: string): string => text.replace(/\s+/g, " ").trim()

export const fatesOf = Effect.fnUntraced(function*(
  judge: Engine<"judge">,
  request: GroundingRequest,
  pages: ReadonlyArray<Page>,
  draft: PackDraft
) {
  const judgeable = PackAssembly.judgeable({ draft, pages })
  const judgements = judgeable.length === 0
    ? []
    : yield* judge.ask({
      claims: judgeable,
      request,
      now: Inputs.now,
      boundary: Inputs.boundary
    }).pipe(Effect.orElseSucceed(() => []))
  const pack = PackAssembly.assemble({
    draft,
    pages,
    request,
    need: Inputs.need,
    confidenceMax: 1,
    judgements,
    now: Inputs.now
  })
  const told = new Set(
    [...pack.key_points, ...pack.norms_and_expectations, ...pack.constraints_and_rules]
      .map((claim) => flat(claim.text))
  )
  const fateOf = (
    { section, text }: PackDraft["claims"][number],
    place: number
  ): Fate => {
    const found = judgeable.find(({ claim }) => claim === place)
    if (found === undefined) return "unfound"
    if (found.quotes.some((quote) => flat(quote).includes(flat(text)))) return "as quoted"
    const said = judgements.filter(({ claim }) => claim === place)
    const isConfirmed = said.length > 0 && said.every((one) => one.judgement === "supported")
    if (!isConfirmed) return "refused"
    // What a writer says in another language than its quotes is not shown, but their translation.
    const [translation] = said.flatMap((one) => one.translation ?? [])
    const shown = isTranslated(found) ? translation : text
    if (shown === undefined) return "as quoted"
    if (Sameness.find(shown, found.quotes, request.locale) !== undefined) return "vetoed"
    if (section === "constraints_and_rules") return "as quoted"
    return told.has(flat(shown)) ? "own words" : "set aside"
  }
  const claims = draft.claims.map((claim, place): ToldClaim => {
    const quotes = claim.citations.map(({ quote }) => quote)
    const verdict = WrittenAnswers.claimOf(request.topic, claim.text, quotes)?.judgement
    return {
      text: claim.text,
      fate: fateOf(claim, place),
      ...(verdict === undefined ? {} : { verdict })
    }
  })
  const isAnswered = pack.confidence > 0 && !pack.notes.includes("question_not_answered")
  return { claims, isAnswered } satisfies Fates
})
