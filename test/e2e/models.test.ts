/** Whole groundings with each of the sandbox's models: every one ends, and says who answered. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, References, Stream } from "effect"
import * as ChatScript from "../../packages/sandbox/src/chat/ChatScript.ts"
import * as WrittenAnswers from "../../packages/sandbox/src/chat/WrittenAnswers.ts"
import { EventStore, logStart } from "../../src/application/ports/EventStore.ts"
import * as Confidence from "../../src/domain/pack/Confidence.ts"
import type { GroundingPack } from "../../src/domain/pack/GroundingPack.ts"
import { applicationOf } from "../support/chat.ts"
import { askedRequest, caller } from "../support/grounding.ts"
import { replays } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"
import { witness } from "../support/witness.ts"
import { words } from "../support/words.ts"

const answering = words`
  good mediocre fences thinking stream repaired object-only object-only-in-list parts
  thinking-aloud words-only new-fields long-prompt uncounted half-counted always-yes always-no
`

const shownOf = (
  { constraints_and_rules, key_points, norms_and_expectations }: GroundingPack
) => [...key_points, ...norms_and_expectations, ...constraints_and_rules]

const grounded = Effect.fnUntraced(function*(fields: object = {}) {
  const api = yield* PublicApi
  const outcome = yield* api.ground({ ...askedRequest, ...fields }, caller)
  const events = yield* Stream.runCollect((yield* EventStore).all(logStart))
  const replayed = yield* api.replay({ session_id: "s" }, caller)
  return { outcome, events, replayed }
})

const groundedBy = (name: string, key?: string) =>
  grounded().pipe(
    Effect.provide(applicationOf(name, {
      engineTimeoutMs: name === "slow" ? 300 : 5_000,
      ...(key === undefined ? {} : { key })
    }))
  )

/** What was written for a model of that kind to search for. */
const plannedOf = (kind: WrittenAnswers.Kind) =>
  WrittenAnswers.requestOf(askedRequest.topic)?.plan?.[kind].queries

/** Engines that fail are the point here; their warnings are heard by a witness only. */
const quietly = Effect.provideService(References.MinimumLogLevel, "None")

describe("a grounding with a model", () => {
  it.live.each(
    ChatScript.names.filter((name) => !["malicious", "wrong", "hostile"].includes(name))
  )(
    "%s ends, is reported by its engines, and replays",
    (name) =>
      Effect.gen(function*() {
        const { outcome, replayed } = yield* quietly(groundedBy(name))
        const { gate, planner, writer } = outcome.rungs
        assert.isUndefined(replayed.difference, JSON.stringify(replayed.difference))
        const slow = outcome.notes?.filter((note) => note.includes("openai timed out in 1 ")) ?? []
        assert.lengthOf(slow, name === "slow" ? 1 : 0)
        const engine = answering.includes(name) ? "openai" : "rules"
        // The gate proposes queries with its decision, so that no model is asked for a plan.
        assert.deepStrictEqual([gate?.engine, planner?.engine, writer?.engine], [
          engine,
          "rules",
          engine
        ])
        if (engine === "rules") {
          assert.isAtMost(outcome.pack.confidence, 0.3)
          assert.include(outcome.pack.notes, "llm_failed")
          assert.deepStrictEqual(writer?.faults.map((fault) => fault.engine), ["openai"])
        } else {
          if (name.endsWith("counted")) {
            assert.doesNotHaveAnyKeys(writer?.usage ?? {}, ["cost_micros", "completion_tokens"])
          } else {
            assert.isAbove(writer?.usage?.cost_micros ?? 0, 0)
          }
          assert.match(writer?.version ?? "", new RegExp(`^writer-v\\d+ ${name}$`))
        }
      })
  )

  it.live("is answered from what the model was sent", () =>
    Effect.gen(function*() {
      const { events, outcome } = yield* groundedBy("good")
      assert.isAtLeast(outcome.pack.confidence, Confidence.usableMin)
      assert.isTrue(shownOf(outcome.pack).some(({ text }) => /one month's notice/.test(text)))
      assert.notInclude(outcome.pack.notes, "extractive")
      assert.isUndefined(outcome.answer)
      const planned = events.find(({ type }) => type === "WEB_GROUNDING_QUERY_PLANNED")
      assert.include(JSON.stringify(planned?.data), plannedOf("good")?.[0] ?? "none")
    }))

  it.live.each(["good", "broken"])(
    "answers shortly in claims that stand, where that is asked for: %s",
    (name) =>
      Effect.gen(function*() {
        const api = yield* PublicApi
        const { answer = "", citations, pack } = yield* api.ground(
          { ...askedRequest, answer: "short" },
          caller
        )
        yield* replays()
        const sentences = answer.split(/ (?:\[\d+\])+ ?/).filter((text) => text !== "")
        assert.isNotEmpty(sentences)
        const standing = new Set(shownOf(pack).map(({ text }) => text))
        assert.isTrue(sentences.every((text) => standing.has(text)), answer)
        const numbers = new Set((citations ?? []).map(({ n }) => `[${n}]`))
        assert.isTrue((answer.match(/\[\d+\]/g) ?? []).every((mark) => numbers.has(mark)), answer)
      }).pipe(quietly, Effect.provide(applicationOf(name)))
  )

  it.live.each(["wrong", "hostile"])(
    "searches nothing where a %s gate says that all is known, unless the user asks for facts",
    (name) =>
      Effect.gen(function*() {
        const asked = yield* quietly(groundedBy(name))
        assert.include(asked.outcome.need.reason_codes, "USER_ASKED")
        assert.isUndefined(asked.replayed.difference, JSON.stringify(asked.replayed.difference))
        const { outcome, replayed } = yield* grounded({
          phase: "session_setup",
          user_asked_for_facts: false
        }).pipe(Effect.provide(applicationOf(name)))
        assert.strictEqual(outcome.rungs.gate?.engine, "openai")
        assert.strictEqual(outcome.mode, "not_searched")
        assert.deepStrictEqual(outcome.searches, [])
        assert.strictEqual(outcome.pack.confidence, 0)
        assert.deepStrictEqual(shownOf(outcome.pack), [])
        assert.isUndefined(replayed.difference, JSON.stringify(replayed.difference))
      })
  )

  it.live.each(["mediocre", "wrong", "hostile"])(
    "states nothing of a %s writer that no source says, whatever a %s judge says to it",
    (name) =>
      Effect.gen(function*() {
        for (const judge of ["good", name, "always-yes"]) {
          const { outcome, replayed } = yield* quietly(
            grounded().pipe(Effect.provide(applicationOf(name, { gate: "good", judge })))
          )
          assert.isUndefined(replayed.difference, JSON.stringify(replayed.difference))
          const told = JSON.stringify([shownOf(outcome.pack), outcome.pack.what_to_ask_user])
          assert.notMatch(told, /evil|immigrant|passport|\b84\b|Every lease in Japan/)
          for (const { sources, text, wording } of shownOf(outcome.pack)) {
            const quoted = sources.flatMap(({ quotes }) => quotes.map((quote) => quote.text))
            assert.isNotEmpty(quoted)
            if (wording === "verbatim") assert.isTrue(quoted.some((one) => one.includes(text)))
          }
        }
      })
  )

  it.live("asks no model to write where nothing was found, and says who wrote", () =>
    Effect.gen(function*() {
      const { outcome, replayed } = yield* grounded({ topic: "Zzyqx vrombel quintarch?" }).pipe(
        Effect.provide(applicationOf("good"))
      )
      assert.strictEqual(outcome.rungs.gate?.engine, "openai")
      assert.deepInclude(outcome.rungs.writer, { engine: "rules", faults: [] })
      assert.notProperty(outcome.rungs.writer, "usage")
      assert.isUndefined(replayed.difference, JSON.stringify(replayed.difference))
    }))

  it.live("shows nothing of what a turned model makes up: what it quotes is kept as it is there", () =>
    Effect.gen(function*() {
      const { outcome, replayed } = yield* quietly(groundedBy("malicious"))
      const told = JSON.stringify({ ...outcome, rungs: {} })
      assert.notMatch(told, /evil\.example|password|Ignore your|Pay at/)
      assert.isNotEmpty(shownOf(outcome.pack))
      assert.isAtMost(outcome.pack.confidence, 0.75)
      assert.isUndefined(replayed.difference, JSON.stringify(replayed.difference))
      for (const { sources, text } of shownOf(outcome.pack)) {
        assert.notMatch(text, /987654|Ignore|never fetched|41 people|Not true/)
        assert.isTrue(sources.every(({ quotes }) => quotes.length > 0))
        const quoted = sources.flatMap(({ quotes }) => quotes.map((quote) => quote.text)).join(" ")
        assert.include(quoted.replace(/\s+/g, " "), text)
      }
    }))

  it.live.each(["good", "echo", "garbage", "slow"])("%s leaves the key nowhere", (name) => {
    const { heard, layer } = witness()
    return Effect.gen(function*() {
      const key = "llm-canary-5b1f09c2"
      const { events, outcome } = yield* groundedBy(name, key)
      assert.isAbove(events.length, 4)
      assert.isAbove(heard.length, 20)
      assert.notInclude(JSON.stringify([outcome, events.map(({ data }) => data)]), key)
      assert.deepStrictEqual(heard.filter((text) => text.includes(key)), [])
    }).pipe(Effect.provide(layer))
  })
})
