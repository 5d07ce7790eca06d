import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { fold } from "../../src/application/log/CommandHandler.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { proposeNeed, tellFact } from "../../src/domain/session/Session.ts"
import { SearchStopped, ShownToUser } from "../../src/domain/session/SessionEvent.ts"
import { makeDice } from "../support/dice.ts"
import {
  cachedPackUsed,
  cacheUsed,
  called,
  callStarted,
  decided,
  finished,
  hit,
  moment,
  need,
  packCreated,
  planned,
  requested,
  rung
} from "../support/sessionFacts.ts"
import { walk } from "../support/sessionHistories.ts"

const histories = 60
const commandsOfHistory = 30

const of = (...events: Parameters<typeof Session.evolve>[1][]) => fold(Session, events)

const recordedBy = (
  decide: typeof Session.decide,
  command: Parameters<typeof Session.decide>[0],
  session: Session.Session
) => Result.getOrElse(decide(command, session), () => []).map(({ _tag }) => _tag)

/** What is recorded, and what would be if it did not matter that it comes too late. */
const told = (command: Parameters<typeof Session.decide>[0], session: Session.Session) => [
  recordedBy(Session.decideInTime, command, session),
  recordedBy(Session.decide, command, session)
]

const searched = [requested(), decided(), planned(), callStarted(), called(0, [])]
const answered = [...searched, packCreated(), finished()]
const stop = SearchStopped.make({ request_id: "r", reason: "deadline" })
const twin = [
  requested({ request_id: "r0" }),
  decided({ request_id: "r0" }),
  { ...packCreated({ pack: { ...packCreated().pack, confidence: 0.6 } }), request_id: "r0" }
]
/** All searches of a session. */
const spent = ["r0", "r1"].flatMap((request_id) => [
  requested({ request_id, topic: request_id }),
  decided({ request_id }),
  planned(["one", "two"], { request_id }),
  callStarted(0, { request_id })
])

describe("a command that comes too late", () => {
  it("reserves no search for an answer that another run has recorded", () => {
    assert.deepStrictEqual(told(tellFact(callStarted(1)), of(...answered)), [
      [],
      ["WEB_GROUNDING_CALL_STARTED"]
    ])
  })

  it("does not stop the searches of a recorded answer, or of a running call", () => {
    for (const events of [answered, searched.slice(0, -1)]) {
      assert.deepStrictEqual(told(tellFact(stop), of(...events)), [
        [],
        ["WEB_GROUNDING_SEARCH_STOPPED"]
      ])
    }
  })

  it("decides nothing for what another request of the session has answered meanwhile", () => {
    const session = of(...twin, requested())
    for (
      const command of [
        proposeNeed({ request_id: "r", proposed: need, rung }),
        tellFact(cachedPackUsed())
      ]
    ) {
      const [timely, late] = told(command, session)
      assert.deepStrictEqual(timely, [])
      assert.lengthOf(late ?? [], 1)
    }
  })

  it("takes nothing from a cache for what has no search left", () => {
    const session = of(...spent, requested(), decided(), planned())
    assert.strictEqual(NextStep.next(session, "r")._tag, "StopSearch")
    assert.deepStrictEqual(told(tellFact(cacheUsed(0, [hit("https://a.example/1")])), session), [
      [],
      ["WEB_GROUNDING_CACHE_USED"]
    ])
  })

  it("informs a run that finds the budget spent", () => {
    const session = of(...spent, requested(), decided(), planned())
    const refused = Result.flip(Session.decideInTime(tellFact(callStarted()), session))
    assert.isTrue(Result.isSuccess(refused) && refused.success._tag === "BudgetRefused")
  })

  it("records that an answer was shown, and what came of a search, whenever it is reported", () => {
    const shown = ShownToUser.make({ request_id: "r", audience: "user", shown_at: moment })
    assert.lengthOf(told(tellFact(shown), of(...answered))[0] ?? [], 1)
    const late = of(...searched.slice(0, -1), packCreated(), finished())
    assert.lengthOf(told(tellFact(called(0, [])), late)[0] ?? [], 1)
  })

  it("records what the session itself does at each such step", () => {
    let timely = 0
    for (let seed = 0; seed < histories; seed++) {
      let before = Session.initial
      for (const { after, command, recorded } of walk(makeDice(seed), commandsOfHistory)) {
        const own = Result.getOrElse(Session.decideInTime(command, before), () => [])
        if (own.length > 0) assert.deepStrictEqual(own, recorded)
        timely += own.length
        before = after
      }
    }
    assert.isAbove(timely, histories * 5)
  })
})
