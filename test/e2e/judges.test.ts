/** Whole groundings with each kind of judge: none lifts a claim, and each is taken from the log. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, References, Stream } from "effect"
import { EventStore, logStart } from "../../src/application/ports/EventStore.ts"
import { applicationOf } from "../support/chat.ts"
import { askedRequest, caller } from "../support/grounding.ts"
import { standingClaims } from "../support/packChecker.ts"
import { replays } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"

/** Judges that fail are the point here; their warnings are dropped. */
const quietly = Effect.provideService(References.MinimumLogLevel, "None")

const groundedBy = (writer: string, judge?: string) =>
  Effect.gen(function*() {
    const api = yield* PublicApi
    const outcome = yield* api.ground(askedRequest, caller)
    const events = yield* Stream.runCollect((yield* EventStore).all(logStart))
    yield* replays()
    return { outcome, events, standing: standingClaims(outcome.pack) }
  }).pipe(
    Effect.provide(applicationOf(writer, {
      engineTimeoutMs: judge === "slow" ? 400 : 5_000,
      ...(judge === undefined ? {} : { judge })
    })),
    quietly
  )

const textsOf = (claims: ReadonlyArray<{ readonly text: string }>) =>
  claims.map(({ text }) => text).toSorted()

describe("a judge of claims", () => {
  it.live("confirms what the quotes say, and is recorded with its tokens", () =>
    Effect.gen(function*() {
      const { events, outcome, standing } = yield* groundedBy("good", "good")
      assert.isNotEmpty(standing)
      assert.isTrue(standing.every(({ unverified_infra }) => unverified_infra === undefined))
      assert.match(outcome.rungs["judge"]?.version ?? "", /^judge-v\d+\+translator-v\d+ good$/)
      assert.isAbove(outcome.rungs["judge"]?.usage?.prompt_tokens ?? 0, 0)
      const written = JSON.stringify(events.map(({ data }) => data))
      assert.match(written, /"judgement":"supported"/)
    }))

  it.live("leaves of what it refuses the sources' own words, as background", () =>
    Effect.gen(function*() {
      const { outcome, standing } = yield* groundedBy("good", "always-no")
      assert.deepStrictEqual(standing, [])
      assert.isNotEmpty(outcome.pack.disputed_or_uncertain)
      assert.isTrue(
        outcome.pack.disputed_or_uncertain.every(({ reason, wording }) =>
          reason === "beside_question" && wording === "verbatim"
        )
      )
      assert.isAtMost(outcome.pack.confidence, 0.2)
    }))

  it.live.each(["always-yes", "malicious", "broken"])(
    "%s lifts nothing of a turned writer",
    (judge) =>
      Effect.gen(function*() {
        const without = yield* groundedBy("malicious")
        const { outcome, standing } = yield* groundedBy("malicious", judge)
        // What it calls an answer is usable at least, and in its source's own words.
        const added = standing.filter(({ text }) => !textsOf(without.standing).includes(text))
        assert.isTrue(
          added.every(({ confidence, wording }) => confidence === 0.3 && wording === "verbatim")
        )
        assert.lengthOf(standing, without.standing.length + added.length)
        assert.deepStrictEqual(
          outcome.pack.disputed_or_uncertain.map(({ reason, text }) => [text, reason]),
          without.outcome.pack.disputed_or_uncertain.map(({ reason, text }) => [text, reason])
        )
        const honest = yield* groundedBy("good", "good")
        assert.isAtMost(outcome.pack.confidence, honest.outcome.pack.confidence)
      })
  )

  it.live.each(["broken", "garbage", "wrong-shape", "limited", "truncated", "slow"])(
    "that fails (%s) leaves the claims marked and the confidence as without it",
    (judge) =>
      Effect.gen(function*() {
        const writer = "good"
        const without = yield* groundedBy(writer)
        const { outcome, standing } = yield* groundedBy(writer, judge)
        assert.deepStrictEqual(textsOf(standing), textsOf(without.standing))
        assert.isNotEmpty(standing)
        assert.isTrue(standing.every(({ unverified_infra }) => unverified_infra === true))
        assert.strictEqual(outcome.pack.confidence, without.outcome.pack.confidence)
        assert.strictEqual(outcome.rungs["judge"]?.engine, "rules")
        assert.lengthOf(outcome.rungs["judge"]?.faults ?? [], 1)
      })
  )
})
