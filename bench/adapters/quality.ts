/** Our steps in the form the offline quality harness asks for, one export a measure. */
import { decideNeedSearch as decideText } from "../../packages/language/src/gate/NeedScore.ts"
import * as NeedRules from "../../src/domain/need/NeedRules.ts"
import * as PlanRules from "../../src/domain/plan/PlanRules.ts"
import { bareRequest } from "../bareRequest.ts"

export { assemble } from "./claimQuality.ts"
export { extract } from "./pageQuality.ts"
export { chunk, conflict, keyPoints, locateQuote, rerank, sentences } from "./textQuality.ts"

const requestOf = (question: string) => bareRequest(question, { user_asked_for_facts: false })

export const decideNeedSearch = decideText

export const planQueries = (question: string): ReadonlyArray<string> => {
  const request = requestOf(question)
  return PlanRules.plan(request, NeedRules.decide(request).search, 2026).queries
}
