import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { fold } from "../../src/application/log/CommandHandler.ts"
import { emptyPack } from "../../src/domain/pack/GroundingPack.ts"
import { RequestConflict } from "../../src/domain/request/GroundingRequest.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { proposeNeed, tellFact } from "../../src/domain/session/Session.ts"
import { SearchStopped, SessionEvent, ShownToUser } from "../../src/domain/session/SessionEvent.ts"
import { makeDice } from "../support/dice.ts"
import { scenario } from "../support/scenario.ts"
import {
  cachedPackUsed,
  called,
  callStarted,
  decided,
  hit,
  moment,
  need,
  packCreated,
  planned,
  requested,
  requestOf,
  rung
} from "../support/sessionFacts.ts"
import { walk } from "../support/sessionHistories.ts"

const { given } = scenario(Session)

const histories = process.env["WG_TEST_FULL"] === "1" ? 2_000 : 100
/** Enough for both requests of a history to be answered in most of them. */
const commandsOfHistory = 24

const request = (input = {}) => tellFact(requested(input))
const start = (index = 0, fields = {}) => tellFact(callStarted(index, fields))
const needOf = (request_id = "r") => proposeNeed({ request_id, proposed: need, rung })

/** The same decider without the fold that owns its state. */
const { evolveAll: _, ...oneByOne } = Session

/** Facts of half as many requests. */
const manyFacts = (count: number): ReadonlyArray<SessionEvent> =>
  Array.from({ length: count / 2 }, (_, index) => `r${index}`).flatMap((request_id) => [
    requested({ request_id }),
    decided({ request_id })
  ])

/** How many entries of maps are copied into new maps meanwhile. */
const copiesIn = (work: () => unknown): number => {
  const Real = globalThis.Map
  let copied = 0
  class Counting<K, V> extends Real<K, V> {
    constructor(entries?: Iterable<readonly [K, V]> | null) {
      super(entries)
      copied += this.size
    }
  }
  globalThis.Map = Counting as MapConstructor
  try {
    work()
  } finally {
    globalThis.Map = Real
  }
  return copied
}

describe("a session", () => {
  it("takes a request once", () => {
    given().when(request()).then(requested())
  })

  it("takes the same request again with another deadline as the same", () => {
    given(requested()).when(request({ deadline_ms: 1_000 })).thenNothing()
  })

  it("refuses another question under the same request id", () => {
    given(requested()).when(request({ topic: "Something else" })).thenRejected(
      new RequestConflict({ request_id: "r" })
    )
  })

  it("refuses what is said of an unknown request", () => {
    given().when(needOf()).thenRejected(
      new Session.CommandRefused({ command: "WEB_GROUNDING_DECIDED", request_id: "r" })
    )
  })

  it("keeps the gate's wish when phase and budget allow", () => {
    given(requested()).when(needOf()).then(decided())
  })

  const otherSetup = requested({ request_id: "r2", topic: "Other" })
  const refusedSetup = decided({
    request_id: "r2",
    need: { ...need, need_search: false, reason_codes: ["PHASE_NOT_ELIGIBLE"], max_queries: 0 }
  })

  it("grounds its setup at most once", () => {
    const found = [callStarted(0), called(0, [hit("https://a.example/1")])]
    given(requested(), decided(), planned(), ...found, otherSetup).when(needOf("r2"))
      .then(refusedSetup)
    const stored = packCreated({ pack: { ...emptyPack, confidence: 0.4 } })
    given(requested(), decided(), stored, otherSetup).when(needOf("r2")).then(refusedSetup)
  })

  it("has its setup still before it after a search in mid-chat", () => {
    const midChat = { phase: "mid_chat", user_asked_for_facts: true } as const
    const found = [callStarted(0), called(0, [hit("https://a.example/1")])]
    given(requested(midChat), decided(), planned(), ...found, otherSetup).when(needOf("r2"))
      .then(decided({ request_id: "r2", need: { ...need, max_queries: 1 } }))
  })

  it("leaves its setup open after a try that found nothing, and counts its search", () => {
    const tried = [requested(), decided(), planned(), callStarted(0)]
    const open = decided({ request_id: "r2", need: { ...need, max_queries: 1 } })
    for (const status of ["timeout", "network_error", "no_results"] as const) {
      given(...tried, called(0, [], { status }), packCreated(), otherSetup).when(needOf("r2"))
        .then(open)
    }
    given(...tried, callStarted(1), called(1, [], { status: "timeout" }), otherSetup)
      .when(needOf("r2")).then(decided({
        request_id: "r2",
        need: { ...need, need_search: false, reason_codes: ["BUDGET_EXHAUSTED"], max_queries: 0 }
      }))
  })

  it("searches in mid-chat only when the user asked or realism is blocked", () => {
    const refused = decided({
      need: { ...need, need_search: false, reason_codes: ["PHASE_NOT_ELIGIBLE"], max_queries: 0 }
    })
    given(requested({ phase: "mid_chat" })).when(needOf()).then(refused)
    // One unasked mid-chat search is all that the standard tier has.
    given(requested({ phase: "mid_chat", realism_blocked: true })).when(needOf()).then(
      decided({ need: { ...need, max_queries: 1 } })
    )
    given(requested({ phase: "mid_chat", user_asked_for_facts: true })).when(needOf()).then(
      decided()
    )
  })

  it("searches what the user asked for after its setup was answered, whatever the phase", () => {
    const found = [callStarted(0), called(0, [hit("https://a.example/1")])]
    for (const phase of ["session_setup", "mid_chat"] as const) {
      const asked = requested({
        request_id: "r2",
        topic: "Other",
        phase,
        user_asked_for_facts: true
      })
      given(requested(), decided(), planned(), ...found, asked).when(needOf("r2"))
        .then(decided({ request_id: "r2", need: { ...need, max_queries: 1 } }))
    }
  })

  it("is set up until that is answered, then in mid-chat, where a request names no phase", () => {
    const unnamed = (fields = {}) => {
      const { phase: _, ...request } = requestOf(fields)
      return { ...requested(fields), request }
    }
    const second = unnamed({ request_id: "r2", topic: "Other" })
    const in_ = (phase: "session_setup" | "mid_chat") =>
      requested({ request_id: "r2", topic: "Other", phase })
    const tried = [requested(), decided(), planned(), callStarted(0)]
    given().when(Session.tellFact(unnamed())).then(requested())
    given(...tried, called(0, [], { status: "timeout" })).when(Session.tellFact(second))
      .then(in_("session_setup"))
    const found = [...tried, called(0, [hit("https://a.example/1")])]
    given(...found).when(Session.tellFact(second)).then(in_("mid_chat"))
    given(requested(), cachedPackUsed()).when(Session.tellFact(second)).then(in_("mid_chat"))
    // Repeated, it is the same request, in whichever phase it was recorded.
    given(...found, in_("mid_chat")).when(Session.tellFact(second)).thenNothing()
  })

  it("says that the budget is exhausted instead of searching", () => {
    given(
      requested({ phase: "mid_chat", user_asked_for_facts: true }),
      decided(),
      planned(),
      callStarted(0),
      callStarted(1),
      requested({ request_id: "r2", topic: "Other", phase: "mid_chat", user_asked_for_facts: true })
    ).when(needOf("r2")).then(decided({
      request_id: "r2",
      need: { ...need, need_search: false, reason_codes: ["BUDGET_EXHAUSTED"], max_queries: 0 }
    }))
  })

  it("reserves a search before it is made, and not twice", () => {
    given(requested(), decided(), planned()).when(start()).then(callStarted())
    given(requested(), decided(), planned(), callStarted()).when(
      start(0, { call_id: "someone else's" })
    ).thenNothing()
  })

  it("refuses a search beyond the budget", () => {
    given(requested(), decided(), planned(["one", "two", "three"]), callStarted(0), callStarted(1))
      .when(start(2)).thenRejected(new Session.BudgetRefused({ request_id: "r" }))
  })

  it("records the outcome of a call once, and of no call that was not started", () => {
    const record = tellFact(called())
    given(requested(), decided(), planned(), callStarted()).when(record).then(called())
    given(requested(), decided(), planned()).when(record).thenRejected(
      new Session.CommandRefused({ command: "WEB_GROUNDING_CALLED", request_id: "r" })
    )
  })

  it("records a showing once an audience, and only of a finished pack", () => {
    const shown = { request_id: "r", audience: "coach", shown_at: moment } as const
    given(requested(), decided(), packCreated()).when(tellFact(ShownToUser.make(shown))).then(
      ShownToUser.make(shown)
    )
    given(requested()).when(tellFact(ShownToUser.make(shown))).thenRejected(
      new Session.CommandRefused({ command: "WEB_GROUNDING_SHOWN_TO_USER", request_id: "r" })
    )
  })

  it("records nothing when any command of a history is repeated", () => {
    const moves = Array.from(
      { length: histories },
      (_, seed) => walk(makeDice(seed), commandsOfHistory)
    ).flat()
    for (const { after, command, wasRefused } of moves) {
      if (wasRefused) continue
      assert.deepStrictEqual(Session.decide(command, after), Result.succeed([]))
    }
    const recording = moves.filter(({ recorded }) => recorded.length > 0)
    assert.isAtLeast(recording.length, moves.length / 2)
    const recorded = new Set(recording.flatMap((move) => move.recorded.map(({ _tag }) => _tag)))
    assert.sameMembers([...recorded], Object.keys(SessionEvent.cases))
  })

  it.prop(
    "folds many events at once to what one at a time makes of them, and changes no state before",
    [Schema.Array(SessionEvent), Schema.Array(SessionEvent)],
    ([first, second]) => {
      const before = fold(oneByOne, first)
      const kept = new Map(before.groundings)
      assert.deepStrictEqual(Session.evolveAll(before, second), fold(oneByOne, second, before))
      assert.deepStrictEqual(before.groundings, kept)
    }
  )

  it("copies its groundings once a fold, however many events are folded", () => {
    for (const count of [1_000, 8_000]) {
      const facts = manyFacts(count)
      const from = fold(Session, facts)
      assert.strictEqual(from.groundings.size, count / 2)
      assert.strictEqual(copiesIn(() => fold(Session, facts)), 0)
      assert.strictEqual(copiesIn(() => fold(Session, facts, from)), count / 2)
    }
  })

  it("counts a stopped search as a fact of its own", () => {
    const state = fold(Session, [
      requested(),
      SearchStopped.make({ request_id: "r", reason: "deadline" })
    ])
    assert.strictEqual(state.groundings.get("r")?.stopped?.reason, "deadline")
    assert.strictEqual(requestOf().phase, "session_setup")
  })
})
