/** What the local writer and the pack's checks make of an item, as features with the truth. */
import { Effect } from "effect"
import { passagesOf } from "../../packages/language/src/passages/PassageWords.ts"
import * as KeySentences from "../../packages/language/src/statements/KeySentences.ts"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import * as NeedRules from "../../src/domain/need/NeedRules.ts"
import type { ClaimFeatures, PackFeatures } from "../../src/domain/pack/ConfidenceFeatures.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import * as PlacedClaim from "../../src/domain/pack/PlacedClaim.ts"
import { chunksOf } from "../../src/domain/page/Page.ts"
import type { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import { bareRequest } from "../bareRequest.ts"
import type { Item } from "./items.ts"

export interface SeenClaim {
  readonly features: ClaimFeatures
  readonly isRight: boolean
  /** By the number of its sources alone. */
  readonly byTable: number
}

export interface Seen {
  readonly set: string
  readonly half: 0 | 1
  readonly isUnanswerable: boolean
  /** In the draft's order, those that may answer. */
  readonly claims: ReadonlyArray<SeenClaim>
  readonly pack: PackFeatures | undefined
  /** Whether bounds for shared words, set by hand, took a sentence for an answer. */
  readonly isAnsweredByBounds: boolean
}

const candidatesMax = 14
/** The steps by number of independent sources that the fitted confidence is measured against. */
const tableOfSources: ReadonlyArray<number> = [0, 0.6, 0.8, 0.88]
const tableMax = 0.75

const requestOf = ({ isTopic, question }: Pick<Item, "isTopic" | "question">) => {
  const bare: GroundingRequest = bareRequest(question, { user_asked_for_facts: true })
  return isTopic ? bare : { ...bare, user_question: question }
}

export const see = (item: Item): Seen => {
  const request = requestOf(item)
  const need = NeedRules.decide(request).search
  const chunks = chunksOf(item.pages)
  const task = { request, need, chunks, boundary: "0".repeat(32), now: "2026-01-01T00:00:00.000Z" }
  const draft = Effect.runSync(LocalEngines.writer.ask(task))
  const looks = PackAssembly.featuresOf({
    draft,
    pages: item.pages,
    request,
    need,
    confidenceMax: 1,
    now: "2026-01-01T00:00:00.000Z"
  })
  const passages = passagesOf(chunks)
  const found = KeySentences.select(item.question, passages, candidatesMax)
  return {
    set: item.set,
    half: item.half,
    isUnanswerable: item.isUnanswerable,
    claims: looks.claims.filter(({ claim }) => PlacedClaim.mayAnswer(claim)).map(
      ({ claim, features, independent }) => ({
        features,
        isRight: item.isRight(claim.text),
        byTable: Math.min(
          tableMax,
          tableOfSources[Math.min(independent, tableOfSources.length - 1)] ?? 0
        )
      })
    ),
    pack: looks.pack,
    isAnsweredByBounds: KeySentences.judge(item.question, passages, found)
      .some(({ answering }) => answering === "answers")
  }
}
