/** Pages that were found under one address and answered from another. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import type { PageText } from "../../src/application/ports/Engines.ts"
import * as PageOrigin from "../../src/domain/page/PageOrigin.ts"
import type { SearchHit } from "../../src/domain/search/SearchStatus.ts"
import type { GroundingOutcome } from "../../src/domain/session/GroundingOutcome.ts"
import { caller, inMemory, providers, readingBy, scripted } from "../support/grounding.ts"
import { eventsIn } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"
import { hit } from "../support/sessionFacts.ts"

const notice = "A tenant must give one month's notice before moving out of an ordinary flat."

interface Answer extends Partial<PageText> {
  readonly href?: string
}

/** Every address of `answers` redirects as it says; all have the same text. */
const reading = (answers: Readonly<Record<string, Answer>>) =>
  readingBy(({ url }) => {
    const { href, ...fields } = answers[url] ?? {}
    return Effect.succeed({
      reader: "web",
      text: notice,
      chunks: chunksOfText(notice),
      ...(href === undefined ? {} : { address: { href, host: new URL(href).hostname } }),
      ...fields
    })
  })

const grounded = (hits: ReadonlyArray<SearchHit>, answers: Readonly<Record<string, Answer>>) =>
  Effect.gen(function*() {
    const api = yield* PublicApi
    const outcome = yield* api.ground({
      session_id: "s",
      request_id: "r",
      topic: "How much notice must a tenant give now?",
      phase: "mid_chat",
      user_asked_for_facts: true
    }, caller)
    const events = yield* eventsIn()
    const read = events.find(({ type }) => type === "WEB_GROUNDING_EVIDENCE_READ")
    const { difference } = yield* api.replay({ session_id: "s" }, caller)
    return { outcome, read: JSON.stringify(read?.data), difference }
  }).pipe(
    Effect.provide(
      inMemory(providers(scripted({ droppedCount: 0, hits })), { readers: reading(answers) })
    )
  )

/** Of the pack's claims, in any section. */
const sourcesOf = ({ pack }: GroundingOutcome) =>
  pack === undefined ? [] : [
    ...pack.constraints_and_rules,
    ...pack.norms_and_expectations,
    ...pack.key_points,
    ...pack.disputed_or_uncertain
  ].flatMap(({ sources }) => sources)

const ministry = hit("https://www.housing.gov.example/go?to=x", {
  official: true,
  site: "housing.gov.example",
  rank: 1
})

describe("a page that was reached by a redirect", () => {
  it.effect("is never the official word of the host that redirected", () =>
    Effect.gen(function*() {
      const href = "https://www.spam.example/offer"
      const { difference, outcome, read } = yield* grounded([ministry], {
        [ministry.url]: { href }
      })
      const sources = sourcesOf(outcome)
      assert.isNotEmpty(sources)
      for (const { official, site, url } of sources) {
        assert.deepStrictEqual([official, site, url], [false, "spam.example", href])
      }
      assert.include(read, `"hit_url":"${ministry.url}"`)
      assert.isUndefined(difference)
      // As before: a credit to the hit's address is found.
      assert.isTrue(PageOrigin.originOf(ministry, { reader: "web" }, (host) => host).official)
    }))

  it.effect("is one source for any number of short links to it", () =>
    Effect.gen(function*() {
      const links = [1, 2].map((rank) =>
        hit(`https://link${rank}.example/a`, { rank, site: `link${rank}.example` })
      )
      const href = "https://www.paper.example/story"
      const { outcome, read } = yield* grounded(
        links,
        Object.fromEntries(links.map(({ url }) => [url, { href }]))
      )
      assert.deepStrictEqual(sourcesOf(outcome).map(({ url }) => url), [href])
      assert.lengthOf(read.match(/"source_id"/g) ?? [], 1)
      const { read: apart } = yield* grounded(links, {})
      assert.lengthOf(apart.match(/"source_id"/g) ?? [], 2, "the same without redirects")
    }))
})

describe("a page's own dates", () => {
  const old = hit("https://www.rules.gov.example/notice", {
    official: true,
    published_date: "2019-03-01"
  })
  const notesWith = (modified_date: string) =>
    Effect.map(
      grounded([old], { [old.url]: { modified_date } }),
      ({ outcome }) => [outcome.pack?.as_of, outcome.pack?.notes.includes("may_be_outdated")]
    )
  it.effect("make it as new as its last change, if that can be true", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 10, 22))
      assert.deepStrictEqual(yield* notesWith("2026-11-02"), ["2026-11-02", false])
      assert.deepStrictEqual(yield* notesWith("2099-01-01"), ["2019-03-01", true])
      assert.deepStrictEqual(yield* notesWith("2018-01-01"), ["2019-03-01", true])
    }))
})
