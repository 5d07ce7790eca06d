/** How many searches a session of each tier may make, and for whom they are kept. */
import { assert, describe, it } from "@effect/vitest"
import { fold } from "../../src/application/log/CommandHandler.ts"
import type { Tier } from "../../src/domain/request/GroundingRequest.ts"
import * as Budget from "../../src/domain/session/Budget.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { called, callStarted, moment, requested, requestOf } from "../support/sessionFacts.ts"

const asked = { phase: "mid_chat", user_asked_for_facts: true } as const
const unasked = { phase: "mid_chat", realism_blocked: true } as const
const setup = { phase: "session_setup" } as const
type Kind = Parameters<typeof requestOf>[0]

/** A session of the tier in which each of these requests has started one search. */
const viewOf = (tier: Tier, started: ReadonlyArray<Kind>, request: Kind) => {
  const facts = started.flatMap((input, index) => [
    requested({ ...input, tier, request_id: `r${index}` }),
    callStarted(0, { request_id: `r${index}` })
  ])
  const { groundings } = fold(Session, facts)
  return Budget.view(groundings.values(), requestOf({ ...request, tier }))
}

const times = (count: number, kind: Kind) => Array.from({ length: count }, () => kind)

describe("a session's budget", () => {
  it.each<[Tier, number]>([["standard", 2], ["premium", 4]])(
    "of the tier %s is %i searches, and never less than none",
    (tier, limit) => {
      for (let spent = 0; spent <= limit + 2; spent++) {
        assert.deepStrictEqual(viewOf(tier, times(spent, asked), asked), {
          tier,
          limit,
          spent,
          remaining: Math.max(0, limit - spent)
        })
      }
      assert.strictEqual(Budget.limitOf(tier), limit)
    }
  )

  it("lets the standard tier make one search in mid-chat that the user did not ask for", () => {
    assert.strictEqual(viewOf("standard", [], unasked).remaining, 1)
    assert.strictEqual(viewOf("standard", [unasked], unasked).remaining, 0)
    assert.strictEqual(viewOf("standard", [unasked], asked).remaining, 1)
    assert.strictEqual(viewOf("standard", [asked], unasked).remaining, 1)
    assert.strictEqual(viewOf("standard", [setup], unasked).remaining, 1)
    assert.strictEqual(viewOf("standard", [setup, setup], unasked).remaining, 0)
  })

  it("lets the premium tier make all of them unasked", () => {
    assert.strictEqual(viewOf("premium", times(3, unasked), unasked).remaining, 1)
    assert.strictEqual(viewOf("premium", times(4, unasked), unasked).remaining, 0)
  })

  it("is that of the tier of the session's first request", () => {
    const facts = [
      requested({ ...asked, request_id: "a" }),
      callStarted(0, { request_id: "a" }),
      requested({ ...asked, request_id: "b", tier: "premium" })
    ]
    const { groundings } = fold(Session, facts)
    const later = requestOf({ ...asked, request_id: "b", tier: "premium" })
    assert.deepInclude(Budget.view(groundings.values(), later), { tier: "standard", remaining: 1 })
    assert.strictEqual(groundings.get("b")?.tier, "standard")
  })

  it("counts a search without a provider as none, and a lost one as spent", () => {
    const attempt = {
      provider: "tavily",
      status: "api_key_missing" as const,
      started_at: moment,
      duration_ms: 0,
      hits_count: 0
    }
    const spentAfter = (attempts: ReadonlyArray<typeof attempt>) =>
      Budget.view(
        fold(Session, [requested(asked), callStarted(), called(0, [], { attempts })]).groundings
          .values(),
        requestOf(asked)
      ).spent
    assert.strictEqual(spentAfter([attempt]), 0)
    assert.strictEqual(spentAfter([]), 1)
  })

  it("counts the setup's searches as asked for", () => {
    assert.strictEqual(viewOf("standard", [], setup).remaining, 2)
    assert.strictEqual(viewOf("standard", [unasked], setup).remaining, 1)
  })

  it("is spent by a started search, whatever came of it", () => {
    const { groundings } = fold(Session, [
      requested(asked),
      callStarted(0),
      called(0, [], { status: "unknown_error" }),
      callStarted(1)
    ])
    assert.strictEqual(Budget.view(groundings.values(), requestOf(asked)).spent, 2)
  })
})
