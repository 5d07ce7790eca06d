/**
 * What recorded sessions would have come to with another threshold, held against runs that were
 * really made with it.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Limits } from "../../src/application/ports/Limits.ts"
import type { WhatIf } from "../../src/contract/Replayed.ts"
import * as OutcomeChange from "../../src/domain/audit/OutcomeChange.ts"
import type { NeededFact, Supposition } from "../../src/domain/audit/Supposition.ts"
import type { GroundingOutcome } from "../../src/domain/session/GroundingOutcome.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { caller, instance, limits, sandbox, sandboxProviders } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { requestsOf } from "../support/sandboxSessions.ts"
import { AuditApi, PublicApi } from "../support/sent.ts"

const isFull = process.env["WG_TEST_FULL"] === "1"
const sessionsCount = isFull ? 500 : 12

/** Of one supposition: every session is grounded twice, and supposed once. */
const caseMsMax = 900_000

const numbers = Array.from({ length: sessionsCount }, (_, number) => number)

const over = (fields: Partial<Limits["Service"]>) =>
  useCases.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        sandboxProviders,
        MemoryEventStore.layer,
        instance("p1"),
        limits({ hitsScarceMax: 0, ...fields })
      )
    )
  )

/** Each session has a tenant of its own, so that none is answered by the searches of another. */
const ownerOf = ({ session_id }: { readonly session_id: string }) => ({
  ...caller,
  tenantId: session_id
})

type Answers = ReadonlyMap<string, GroundingOutcome>

/** The answers of all sessions, by session and request. */
const grounded = (change: (request: object) => object = (request) => request) =>
  Effect.gen(function*() {
    const api = yield* PublicApi
    const answers = new Map<string, GroundingOutcome>()
    for (const request of numbers.flatMap(requestsOf)) {
      const outcome = yield* api.ground(change(request), ownerOf(request))
      answers.set(`${outcome.session_id} ${outcome.request_id}`, outcome)
    }
    return answers as Answers
  })

const supposed = (suppose: Supposition) =>
  Effect.gen(function*() {
    const { whatIf } = yield* AuditApi
    return yield* Effect.forEach(numbers, (number) =>
      whatIf({ session_id: `n${number}`, suppose }, ownerOf({ session_id: `n${number}` })))
  })

/** Where the supposed run and the one that was made say something else of how the record differs. */
const disagreements = (recorded: Answers, fresh: Answers, whatIfs: ReadonlyArray<WhatIf>) => {
  const counts = { same: 0, changed: 0, undetermined: 0, unfinished: 0 }
  const wrong: Array<unknown> = []
  for (const { requests, session_id } of whatIfs) {
    for (const { change, needs, request_id, verdict } of requests) {
      const before = recorded.get(`${session_id} ${request_id}`)
      const after = fresh.get(`${session_id} ${request_id}`)
      assert.isDefined(before)
      assert.isDefined(after)
      if (before === undefined || after === undefined) continue
      counts[verdict] += 1
      if (verdict === "undetermined") {
        if (!isNew(needs[0], before, after)) wrong.push({ session_id, request_id, needs })
      } else {
        const expected = OutcomeChange.changeBetween(before, after)
        if (JSON.stringify(expected) !== JSON.stringify(change ?? {})) {
          wrong.push({ session_id, request_id, expected, change })
        }
      }
    }
  }
  return { counts, wrong }
}

/** Whether the run that was made has asked for the fact, and the recorded one has not. */
const isNew = (
  need: NeededFact | undefined,
  before: GroundingOutcome,
  after: GroundingOutcome
): boolean => {
  const asked = (outcome: GroundingOutcome) => outcome.searches.map(({ query }) => query)
  switch (need?.fact) {
    case "search":
      return asked(after).includes(need.what) && !asked(before).includes(need.what)
    case "engine_answer":
      return need.step === "Plan" && before.plan === undefined && after.plan !== undefined
    case "hits":
      // Where no hit is left, another provider would have been asked if there was one.
      return asked(before).includes(need.what) &&
        after.searches.every(({ hits_count, query }) => query !== need.what || hits_count === 0)
    case "other_request":
      return true
    default:
      return false
  }
}

interface Case {
  readonly what: string
  readonly suppose: Supposition
  readonly limits?: Partial<Limits["Service"]>
  readonly request?: (request: object) => object
  /** Tried whenever the tests run, and not in the full ones alone. */
  readonly isAlways?: boolean
}

const cases: ReadonlyArray<Case> = [
  {
    what: "fewer passages",
    suppose: { passages_max: 1 },
    limits: { chunksMax: 1 },
    isAlways: true
  },
  { what: "fewer pages", suppose: { pages_max: 2 }, limits: { pagesMax: 2 } },
  {
    what: "a shorter evidence block",
    suppose: { evidence_chars_max: 400 },
    limits: { evidenceCharsMax: 400 }
  },
  { what: "a higher score", suppose: { score_min: 0.35 }, limits: { scoreMin: 0.35 } },
  {
    what: "another tier",
    suppose: { tier: "premium" },
    request: (request) => ({ ...request, tier: "premium" }),
    isAlways: true
  },
  {
    what: "one query",
    suppose: { queries_max: 1 },
    request: (request) => ({ ...request, overrides: { max_queries: 1 } })
  },
  {
    what: "no query",
    suppose: { queries_max: 0 },
    request: (request) => ({ ...request, overrides: { max_queries: 0 } })
  }
]

describe("supposing", () => {
  it.live("nothing leaves every answer as it was", () =>
    Effect.gen(function*() {
      yield* grounded()
      const whatIfs = yield* supposed({})
      const verdicts = new Set(
        whatIfs.flatMap(({ requests }) => requests.map(({ verdict }) => verdict))
      )
      assert.deepStrictEqual(verdicts, new Set(["same"]))
    }).pipe(Effect.provide(over({})), Effect.provide(sandbox)))

  it.live.each(cases.filter(({ isAlways }) => isFull || isAlways))(
    "$what changes what a run that was made with it has changed, and nothing else",
    ({ limits: changedLimits = {}, request, suppose, what }) =>
      Effect.gen(function*() {
        const fresh = yield* grounded(request).pipe(
          Effect.provide(over(changedLimits), { local: true })
        )
        const { counts, wrong } = yield* Effect.gen(function*() {
          const recorded = yield* grounded()
          return disagreements(recorded, fresh, yield* supposed(suppose))
        }).pipe(Effect.provide(over({}), { local: true }))
        if (isFull) console.log(what, counts)
        assert.deepStrictEqual(wrong, [])
        assert.isAbove(counts.changed, 0)
      }).pipe(Effect.provide(sandbox)),
    caseMsMax
  )
})
