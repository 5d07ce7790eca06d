/**
 * Remaining searches of a session. A started call is spent unless no provider could be asked. The
 * first request fixes the tier.
 */
import type { GroundingRequest, Tier } from "../request/GroundingRequest.ts"
import { type Grounding, isSpent } from "./Grounding.ts"

interface Limits {
  readonly searchesMax: number
  /** Searches in mid-chat that the user did not ask for; they count towards `searchesMax` too. */
  readonly midChatMax: number
}

const limitsByTier: Record<Tier, Limits> = {
  standard: { searchesMax: 2, midChatMax: 1 },
  premium: { searchesMax: 4, midChatMax: 4 }
}

export const limitOf = (tier: Tier): number => limitsByTier[tier].searchesMax

/** Tier of the session that a request belongs to. `groundings` are the session's, in order. */
export const tierOf = (groundings: Iterable<Grounding>, request: GroundingRequest): Tier => {
  const [first] = groundings
  return first?.request.tier ?? request.tier
}

interface BudgetView {
  readonly tier: Tier
  readonly limit: number
  readonly spent: number
  /** Never negative. */
  readonly remaining: number
}

export const view = (
  groundings: Iterable<Grounding>,
  request: GroundingRequest
): BudgetView => {
  const all = [...groundings]
  const tier = tierOf(all, request)
  const { midChatMax, searchesMax } = limitsByTier[tier]
  const started = all.flatMap((grounding) =>
    grounding.calls.filter(isSpent).map(() => isUnaskedMidChat(grounding.request))
  )
  const unasked = started.filter((midChat) => midChat).length
  const left = searchesMax - started.length
  return {
    tier,
    limit: searchesMax,
    spent: started.length,
    remaining: Math.max(
      0,
      isUnaskedMidChat(request) ? Math.min(left, midChatMax - unasked) : left
    )
  }
}

const isUnaskedMidChat = (request: GroundingRequest): boolean =>
  request.phase === "mid_chat" && !request.user_asked_for_facts
