/** What only the user can tell, asked in the user's language. */
import type { GroundingRequest } from "../request/GroundingRequest.ts"
import * as StatedValue from "../text/StatedValue.ts"
import type { UserQuestion } from "./GroundingPack.ts"

const wordings: ReadonlyArray<readonly [RegExp, (slot: string) => UserQuestion]> = [
  [/^ko\b/i, (slot) => ({
    q: `다음을 알려 주시겠어요? ${slot}`,
    why: "확인한 출처에 나와 있지 않으며, 이에 따라 답이 달라질 수 있습니다."
  })],
  [/^ja\b/i, (slot) => ({
    q: `次の点を教えていただけますか。${slot}`,
    why: "確認した出典からは分からず、これによって答えが変わる可能性があります。"
  })],
  [/^/, (slot) => ({
    q: `Could you tell me: ${slot}?`,
    why: "The sources do not say, and the answer may depend on it."
  })]
]

/**
 * One question for every required slot whose value no claim and no known fact gives, in order.
 * `claims` are those that stand.
 */
export const ask = (
  request: GroundingRequest,
  claims: ReadonlyArray<string>
): ReadonlyArray<UserQuestion> => {
  const isTold = (slot: string) =>
    claims.some((claim) => StatedValue.isGiven(claim, slot)) ||
    request.known_facts.some((fact) => StatedValue.isKnown(fact, slot))
  const wording = wordings.find(([locale]) => locale.test(request.locale))?.[1]
  return request.unknown_required_slots
    .map((slot) => slot.replace(/[_-]+/g, " ").replace(/[?？]+\s*$/, "").trim())
    .filter((slot) => !isTold(slot))
    .flatMap((slot) => wording === undefined || slot === "" ? [] : [wording(slot)])
}
