/** What a session does not record: facts that come late, twice, or of nothing. */
import { assert, describe, it } from "@effect/vitest"
import { fold } from "../../src/application/log/CommandHandler.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { proposeNeed, tellFact } from "../../src/domain/session/Session.ts"
import {
  PackReused,
  SearchStopped,
  type SessionEvent,
  ShownToUser
} from "../../src/domain/session/SessionEvent.ts"
import { scenario } from "../support/scenario.ts"
import {
  cacheUsed,
  called,
  callStarted,
  decided,
  evidenceRanked,
  evidenceRead,
  finished,
  hit,
  moment,
  need,
  packCreated,
  packReused,
  planned,
  requested,
  researched,
  rung
} from "../support/sessionFacts.ts"

const { given } = scenario(Session)

const refused = (command: string, request_id = "r") =>
  new Session.CommandRefused({ command, request_id })

const one = hit("https://a.example/1")
/** A page whose text the log does not hold, as when the run that read it is gone. */
const withoutText = () => {
  const { pages, ...facts } = evidenceRead(one.url)
  return { ...facts, pages: pages.map((page) => ({ ...page, reader: "web" as const })) }
}
const found = [requested(), decided(), planned(), callStarted(), called(0, [one])]
const readTwice = [...found, withoutText(), evidenceRead(one.url)]

const evidence = (reading: number) => tellFact(evidenceRead(one.url), reading)
const ranking = (reading: number) => tellFact(evidenceRanked("s1"), reading)
const pack = (reading: number) => tellFact(packCreated(), reading)

const groundingAfter = (...facts: ReadonlyArray<SessionEvent>) =>
  fold(Session, facts).groundings.get("r")

describe("a run that is late", () => {
  it("lays no pages over those that another run has read meanwhile", () => {
    given(...found, withoutText()).when(evidence(1)).then(evidenceRead(one.url))
    given(...found, withoutText()).when(evidence(0)).thenNothing()
    given(...found, withoutText(), withoutText()).when(evidence(1)).thenNothing()
  })

  it("lays no ranking over pages that were read after it", () => {
    given(...readTwice).when(ranking(2)).then(evidenceRanked("s1"))
    for (const reading of [0, 1]) given(...readTwice).when(ranking(reading)).thenNothing()
  })

  it("has no pack of other pages recorded", () => {
    const ranked = [...readTwice, evidenceRanked("s1")]
    given(...ranked).when(pack(2)).then(packCreated())
    for (const reading of [0, 1]) given(...ranked).when(pack(reading)).thenNothing()
  })

  it("takes the ranking of pages with it when they are read again", () => {
    const ranked = [...found, withoutText(), evidenceRanked("s1")]
    assert.isDefined(groundingAfter(...ranked)?.ranking)
    const again = groundingAfter(...ranked, evidenceRead(one.url))
    assert.isUndefined(again?.ranking)
    assert.strictEqual(again?.evidence?.reading, 2)
  })

  it("changes nothing once pages are read whole, ranked or written", () => {
    const read = [...found, evidenceRead(one.url)]
    given(...read).when(evidence(1)).thenNothing()
    given(...read, evidenceRanked("s1")).when(ranking(1)).thenNothing()
    given(...read, packCreated()).when(pack(1)).thenNothing()
    given(...found, withoutText(), packCreated()).when(evidence(1)).thenNothing()
  })
})

describe("a session", () => {
  const recordNeed = proposeNeed({ request_id: "r", proposed: need, rung })
  const recordPlan = tellFact(planned())
  const reuse = tellFact(PackReused.make({ request_id: "r2", from_request_id: "r" }))
  const second = requested({ request_id: "r2" })

  it("decides nothing for a request that an earlier pack answers", () => {
    const other = [requested(), decided(), packCreated(), second]
    given(...other, packReused("r2", "r")).when(
      proposeNeed({ request_id: "r2", proposed: need, rung })
    ).thenNothing()
  })

  it("decides once, whatever another run proposes", () => {
    given(requested(), decided()).when(
      proposeNeed({ request_id: "r", proposed: { ...need, max_queries: 1 }, rung })
    ).thenNothing()
  })

  it("takes a plan only where a search is wanted, and one of them", () => {
    const unwanted = { ...need, need_search: false, max_queries: 0 }
    given(requested(), decided()).when(recordPlan).then(planned())
    given(requested()).when(recordPlan).thenRejected(refused("WEB_GROUNDING_QUERY_PLANNED"))
    given(requested(), decided({ need: unwanted })).when(recordPlan).thenRejected(
      refused("WEB_GROUNDING_QUERY_PLANNED")
    )
    given(requested(), decided(), planned(["other"])).when(recordPlan).thenNothing()
  })

  it("answers a planned query once: from the cache or by a call", () => {
    const cached = tellFact(cacheUsed())
    const start = tellFact(callStarted())
    const past = [requested(), decided(), planned()]
    given(...past).when(cached).then(cacheUsed())
    given(...past, cacheUsed()).when(tellFact({ ...cacheUsed(), source_event_id: "another" }))
      .thenNothing()
    given(...past, callStarted()).when(cached).thenNothing()
    given(...past, cacheUsed()).when(start).thenNothing()
    given(...past, cacheUsed()).when(tellFact(cacheUsed(1))).then(cacheUsed(1))
  })

  it("gives again only a pack that is written", () => {
    given(requested(), decided(), packCreated(), second).when(reuse).then(packReused("r2", "r"))
    given(requested(), decided(), second).when(reuse).thenRejected(
      refused("WEB_GROUNDING_PACK_REUSED", "r2")
    )
    given(second).when(reuse).thenRejected(refused("WEB_GROUNDING_PACK_REUSED", "r2"))
  })

  it("gives no earlier pack to a request that is decided", () => {
    given(requested(), decided(), packCreated(), second, decided({ request_id: "r2" })).when(reuse)
      .thenNothing()
  })

  it("keeps the first outcome of a call", () => {
    const late = tellFact(called(0, [one]))
    const lost = called(0, [], { status: "unknown_error", detail: "in_doubt" })
    given(requested(), decided(), planned(), callStarted(), lost).when(late).thenNothing()
    const after = groundingAfter(
      requested(),
      decided(),
      planned(),
      callStarted(),
      callStarted(1),
      called(1, [one])
    )
    assert.deepStrictEqual(
      after?.calls.map(({ outcome }) => outcome?.hits.length),
      [undefined, 1]
    )
  })

  it("stops searching once, for the first reason", () => {
    const stop = (reason: "budget" | "deadline") =>
      tellFact(SearchStopped.make({ request_id: "r", reason }))
    const stopped = SearchStopped.make({ request_id: "r", reason: "deadline" })
    given(requested(), decided(), planned()).when(stop("deadline")).then(stopped)
    given(requested(), decided(), planned(), stopped).when(stop("budget")).thenNothing()
  })

  it("takes research for a written pack only, and once", () => {
    const research = tellFact(researched())
    const other = tellFact({ ...researched(), researched_at: "2026-01-02T00:00:00.000Z" })
    given(requested(), decided(), packCreated()).when(research).then(researched())
    given(requested(), decided()).when(research).thenRejected(refused("WEB_GROUNDING_RESEARCHED"))
    given(requested(), decided(), packCreated(), researched()).when(other).thenNothing()
  })

  it("takes an outline without a pack where nothing is searched, and nowhere else", () => {
    const course = {
      course_title: "Renting a flat",
      audience_category: "general",
      depth_requirement: "introduction",
      learning_mode: "self_paced"
    }
    const unsearched = decided({ need: { ...need, need_search: false } })
    const outline = requested({ course: { ...course, purpose: "outline" } })
    const research = tellFact(researched())
    const rejected = refused("WEB_GROUNDING_RESEARCHED")
    given(outline, unsearched).when(research).then(researched())
    given(outline, decided()).when(research).thenRejected(rejected)
    given(outline).when(research).thenRejected(rejected)
    given(requested({ course }), unsearched).when(research).thenRejected(rejected)
  })

  it("gives one answer: the first that was recorded", () => {
    const later = finished({ finished_at: "2026-01-02T00:00:00.000Z" })
    given(requested(), decided(), packCreated(), finished()).when(tellFact(later)).thenNothing()
  })

  it("records every audience that a pack is shown to, of a pack given again, too", () => {
    const show = (audience: "coach" | "user", request_id = "r") =>
      ({ request_id, audience, shown_at: moment }) as const
    const written = [requested(), decided(), packCreated()]
    given(...written, ShownToUser.make(show("coach"))).when(
      tellFact(ShownToUser.make(show("user")))
    )
      .then(ShownToUser.make(show("user")))
    given(...written, second, packReused("r2", "r")).when(
      tellFact(ShownToUser.make(show("user", "r2")))
    )
      .then(ShownToUser.make(show("user", "r2")))
  })

  it("keeps the facts of a request that is recorded twice", () => {
    const twice = groundingAfter(requested(), decided(), planned(), requested({ topic: "Other" }))
    assert.deepStrictEqual(twice, groundingAfter(requested(), decided(), planned()))
    assert.isDefined(twice?.planned)
  })

  it("counts its setup as grounded only by what another setup request was granted", () => {
    // The other one is undecided, refused, or of another phase.
    given(requested(), requested({ request_id: "r2", topic: "Other" })).when(recordNeed).then(
      decided()
    )
    given(
      requested({ request_id: "r2", topic: "Other" }),
      decided({ request_id: "r2", need: { ...need, need_search: false } }),
      requested()
    ).when(recordNeed).then(decided())
    given(
      requested({ request_id: "r2", phase: "mid_chat", user_asked_for_facts: true }),
      decided({ request_id: "r2" }),
      requested()
    ).when(recordNeed).then(decided())
  })
})
