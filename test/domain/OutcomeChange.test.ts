/** How two answers to one request differ. */
import { assert, describe, it } from "@effect/vitest"
import * as OutcomeChange from "../../src/domain/audit/OutcomeChange.ts"
import { type Claim, emptyPack, type GroundingPack } from "../../src/domain/pack/GroundingPack.ts"

const claim = (text: string, fields: Partial<Claim> = {}): Claim => ({
  text,
  sources: [],
  confidence: 0.7,
  support: "supported",
  ...fields
})

type Answer = Parameters<typeof OutcomeChange.changeBetween>[0]

const answer = (pack: Partial<GroundingPack> = {}, fields: Partial<Answer> = {}): Answer => ({
  need: {
    need_search: true,
    reason_codes: ["USER_ASKED"],
    max_queries: 2,
    max_sources_per_query: 5,
    search_depth: "basic",
    topic: "general"
  },
  searches: [],
  pack: { ...emptyPack, confidence: 0.7, ...pack },
  reason: "answered",
  evidence_block: "[SOURCES]",
  budget: { tier: "standard", limit: 2, spent_by_request: 1 },
  ...fields
})

const standing = { section: "key_points", confidence: 0.7, support: "supported", urls: [] }

describe("the difference of two answers", () => {
  it("is none where a reader would notice none", () => {
    const whole = answer({ key_points: [claim("a"), claim("b")] })
    assert.deepStrictEqual(OutcomeChange.changeBetween(whole, structuredClone(whole)), {})
    // The order of the claims is that of their confidence; the words are what is compared.
    const turned = answer({ key_points: [claim("b"), claim("a")] })
    assert.deepStrictEqual(OutcomeChange.changeBetween(whole, turned), {})
  })

  it("names claims that appear, go, and change", () => {
    const before = answer({ key_points: [claim("stays"), claim("goes"), claim("falls")] })
    const after = answer({
      key_points: [claim("stays"), claim("comes", { confidence: 0.5 })],
      disputed_or_uncertain: [
        claim("falls", { confidence: 0.2, reason: "contradicted_by_other_source" })
      ]
    })
    assert.deepStrictEqual(OutcomeChange.changeBetween(before, after), {
      claims: [
        { text: "goes", before: standing },
        {
          text: "falls",
          before: standing,
          after: {
            section: "disputed_or_uncertain",
            confidence: 0.2,
            support: "supported",
            reason: "contradicted_by_other_source",
            urls: []
          }
        },
        { text: "comes", after: { ...standing, confidence: 0.5 } }
      ]
    } as OutcomeChange.OutcomeChange)
  })

  it("counts a claim that occurs twice twice", () => {
    const twice = answer({ key_points: [claim("a"), claim("a")] })
    const once = answer({ key_points: [claim("a")] })
    assert.lengthOf(OutcomeChange.changeBetween(twice, once).claims ?? [], 1)
  })

  it("names decision, plan, searches, confidence, outcome, evidence and budget", () => {
    const plan = { queries: ["q"] as const, must_have_evidence: [], stop_conditions: [] }
    const search = { query: "q", status: "success", fallback_used: false, hits_count: 1 } as const
    const change = OutcomeChange.changeBetween(
      answer(),
      answer({ confidence: 0.4 }, {
        need: { ...answer().need, max_queries: 1 },
        plan,
        searches: [search],
        reason: "answered_in_part",
        evidence_block: "",
        budget: { tier: "premium", limit: 4, spent_by_request: 2 }
      })
    )
    assert.deepStrictEqual(Object.keys(change).sort(), [
      "budget",
      "confidence",
      "decision",
      "evidence_chars",
      "planned",
      "reason",
      "searched"
    ])
    assert.deepStrictEqual(change.searched, { before: [], after: ["q"] })
    assert.deepStrictEqual(change.budget?.after, { spent: 2, limit: 4 })
  })
})
