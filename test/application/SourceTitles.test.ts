/** Hostile titles of results and pages: none in packs, evidence blocks, prompts and the terminal. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PackText from "../../src/adapters/cli/rendering/PackText.ts"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import type { Claim } from "../../src/domain/pack/GroundingPack.ts"
import * as Outcome from "../../src/domain/session/Outcome.ts"
import {
  askedRequest,
  caller,
  inMemory,
  providers,
  readingBy,
  scripted
} from "../support/grounding.ts"
import { hostileTitles, isActive } from "../support/hostileTitles.ts"
import { replays } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const url = "https://housing.gov.example/notice"
const text = "A tenant must give one month's notice before moving out of an ordinary flat."
const as = (given: string) => given
const style = { strong: as, faint: as, good: as, doubtful: as, columns: 100 }

const found = (title: string) =>
  scripted(answerWith([hit(url, { official: true, title, content: text })]))

/** Reads every page as one of this title. */
const readersTitled = (title: string) =>
  readingBy(() =>
    Effect.succeed({ reader: "web", title, text, chunks: [{ start: 0, end: text.length }] })
  )

const grounded = Effect.gen(function*() {
  const api = yield* PublicApi
  const outcome = yield* api.ground(askedRequest, caller)
  const again = yield* api.pack({ session_id: "s", request_id: "r" }, caller)
  assert.deepStrictEqual(again, outcome)
  yield* replays()
  const { events } = yield* api.session({ session_id: "s" }, caller)
  return { outcome, events: JSON.stringify(events) }
})

describe("a hostile title", () => {
  it.effect.each(hostileTitles)("that an older release recorded is shown clean: %j", (
    [title, shown]
  ) =>
    Effect.gen(function*() {
      yield* grounded
      const { state } = yield* SessionLog.load({ tenant_id: caller.tenantId, session_id: "s" })
      const grounding = state.groundings.get("r")
      if (grounding?.written === undefined || grounding.evidence === undefined) {
        return assert.fail("nothing was written")
      }
      const titled = (claims: ReadonlyArray<Claim>) =>
        claims.map((claim) => ({
          ...claim,
          sources: claim.sources.map((source) => ({ ...source, title }))
        }))
      const { evidence, written } = grounding
      const pages = evidence.pages.map((page) => ({ ...page, title }))
      const { constraints_and_rules, key_points } = written.pack
      const { finished: _, ...unfinished } = grounding
      const older = {
        ...unfinished,
        evidence: { ...evidence, pages },
        written: {
          ...written,
          pack: {
            ...written.pack,
            constraints_and_rules: titled(constraints_and_rules),
            key_points: titled(key_points)
          }
        }
      }
      const { evidence_block, pack } = Outcome.outcomeOf(older)
      const claims = [...pack.constraints_and_rules, ...pack.key_points]
      assert.strictEqual(claims[0]?.sources[0]?.title, shown)
      assert.include(evidence_block.split("[EVIDENCE EXCERPTS]")[0], shown)
    }).pipe(Effect.provide(inMemory(providers(found("Notice"))))))

  it.effect.each(hostileTitles)("of a search result is cleaned before it is recorded: %j", (
    [title, shown]
  ) =>
    Effect.gen(function*() {
      const { events, outcome } = yield* grounded
      const claims = [...outcome.pack.constraints_and_rules, ...outcome.pack.key_points]
      assert.strictEqual(claims[0]?.sources[0]?.title, shown)
      assert.notInclude(events, "evil.com")
      const [, sources = ""] = outcome.evidence_block.split("[SOURCES]")
      assert.isFalse(isActive(sources.split("[EVIDENCE EXCERPTS]")[0] ?? ""))
      assert.isFalse(isActive(PackText.render(outcome, style)))
    }).pipe(Effect.provide(inMemory(providers(found(title))))))

  it.effect.each(hostileTitles)(
    "of a page that was read is cleaned too: %j",
    ([title, shown]) =>
      Effect.gen(function*() {
        const readers = readersTitled(title)
        const { events, outcome } = yield* Effect.provide(
          grounded,
          inMemory(providers(found("Notice")), { readers })
        )
        const claims = [...outcome.pack.constraints_and_rules, ...outcome.pack.key_points]
        assert.strictEqual(claims[0]?.sources[0]?.title, shown)
        assert.notInclude(events, "evil.com")
        assert.isFalse(isActive(PackText.render(outcome, style)))
      })
  )
})
