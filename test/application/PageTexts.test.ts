import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Ref } from "effect"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import { EngineFailed } from "../../src/application/ports/Engines.ts"
import {
  askedNotice as asked,
  caller,
  inMemory,
  providers,
  readingBy,
  scripted
} from "../support/grounding.ts"
import { replays, textIn, typesIn } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"
import { timePasses } from "../support/testTime.ts"

const notice = "A tenant must give one month's notice before moving out of an ordinary flat."
/** Text of the page that no answer shows and no snippet has. */
const canary = "Quokka-7731"
const filler = (word: string) =>
  `The ${word} of the building is open on working days and closed on public holidays. `.repeat(12)
const text = `${notice}\n\n${filler("office")}\n\n${filler("garden")}${canary} is its name.`

const found = hit("https://housing.gov.example/notice", {
  official: true,
  site: "gov.example",
  content: "Rules of tenancies."
})
const search = () => scripted(answerWith([found]))

/** Reads what `page` says each time it is asked. */
const reading = (page: Effect.Effect<string, EngineFailed>) =>
  readingBy(() =>
    Effect.map(page, (body) => ({ reader: "web", text: body, chunks: chunksOfText(body) }))
  )

const stored = Effect.all({ dump: textIn(), types: typesIn() })

const steady = reading(Effect.succeed(text))

const grounded = (fields: object = {}) =>
  Effect.flatMap(PublicApi, (api) => api.ground({ ...asked, ...fields }, caller))

describe("a page's text", () => {
  it.effect("is quoted from, and without consent not kept", () =>
    Effect.gen(function*() {
      const outcome = yield* grounded()
      assert.strictEqual(outcome.mode, "grounded")
      assert.include(JSON.stringify(outcome.pack), notice)
      assert.include(outcome.evidence_block, notice)
      const { dump } = yield* stored
      assert.include(dump, notice, "what is quoted is kept")
      assert.notInclude(dump, canary)

      assert.deepStrictEqual(yield* grounded(), outcome, "told again")
      const replayed = yield* replays()
      assert.strictEqual(replayed.not_recomputed, 2)
    }).pipe(Effect.provide(inMemory(providers(search()), { readers: steady }))))

  it.effect("is kept with consent, and replay computes everything anew", () =>
    Effect.gen(function*() {
      yield* grounded({ consent_raw_content: true })
      // The same scan finds what is kept: it would have found it above.
      assert.include((yield* stored).dump, canary)
      const replayed = yield* replays()
      assert.strictEqual(replayed.not_recomputed, 0)
    }).pipe(Effect.provide(inMemory(providers(search()), { readers: steady }))))

  it.effect("is read again when the run that knew it died", () => {
    const provider = search()
    return Effect.gen(function*() {
      const api = yield* PublicApi
      const dying = api.ground(
        asked,
        caller,
        ({ event }) => event._tag === "WEB_GROUNDING_EVIDENCE_READ" ? Effect.interrupt : Effect.void
      )
      assert.strictEqual((yield* Effect.exit(dying))._tag, "Failure")
      const searches = provider.queries.length
      const outcome = yield* grounded()
      assert.include(JSON.stringify(outcome.pack), notice)
      assert.deepStrictEqual((yield* stored).types.slice(-5), [
        "WEB_GROUNDING_EVIDENCE_READ",
        "WEB_GROUNDING_EVIDENCE_READ",
        "WEB_GROUNDING_EVIDENCE_RANKED",
        "WEB_GROUNDING_PACK_CREATED",
        "WEB_GROUNDING_FINISHED"
      ])
      assert.strictEqual(provider.queries.length, searches, "nothing is searched again")
      yield* replays()
    }).pipe(Effect.provide(inMemory(providers(provider), { readers: steady })))
  })

  it.effect("may be another for each of two runs of one request: one answer is kept", () =>
    Effect.gen(function*() {
      const times = yield* Ref.make(0)
      const changing = reading(
        Effect.map(
          Ref.updateAndGet(times, (count) => count + 1),
          (count) => `${text} Visit ${count}.`
        )
      )
      yield* Effect.gen(function*() {
        const [left, right] = yield* Effect.all([grounded(), grounded()], { concurrency: 2 })
        assert.deepStrictEqual(left, right)
        assert.include(JSON.stringify(left.pack), notice)
        const { types } = yield* stored
        assert.strictEqual(types.filter((type) => type.endsWith("PACK_CREATED")).length, 1)
        assert.isAtMost(yield* Ref.get(times), 8, "the two do not chase each other")
        yield* replays()
      }).pipe(Effect.provide(inMemory(providers(search()), { readers: changing })))
    }))

  it.effect("is read of the best pages only, of all at the same time", () => {
    const many = scripted(answerWith(Array.from(
      { length: 5 },
      (_, index) => hit(`https://${index}.example/`, { rank: index + 1, score: 0.9 - index / 10 })
    )))
    const slow = reading(Effect.as(Effect.sleep("1 second"), text))
    return Effect.gen(function*() {
      const running = yield* Effect.forkChild(grounded())
      yield* timePasses("1 second")
      const { evidence_block } = yield* Fiber.join(running)
      const { dump } = yield* stored
      assert.lengthOf(dump.match(/"reader":"web"/g) ?? [], 6, "pages and sources")
      assert.deepStrictEqual(
        [...new Set(Array.from(dump.matchAll(/"source_id":"(\w+)"/g), ([, id]) => id))].toSorted(),
        ["s1", "s2", "s3"]
      )
      assert.lengthOf(evidence_block.match(/^\[\d\]~ /gm) ?? [], 1)
    }).pipe(Effect.provide(
      inMemory(providers(many), { limits: { pagesMax: 3, chunksMax: 1 }, readers: slow })
    ))
  })

  it.effect("is waited for as long as the setting says", () =>
    Effect.gen(function*() {
      const running = yield* Effect.forkChild(grounded())
      yield* timePasses("2 seconds")
      const { rungs } = yield* Fiber.join(running)
      assert.deepStrictEqual(rungs["reader"]?.faults, [{ engine: "local", reason: "timeout" }])
    }).pipe(
      Effect.provide(
        inMemory(providers(search()), {
          limits: { readTimeoutMs: 2_000 },
          readers: reading(Effect.never)
        })
      )
    ))

  it.effect("falls back to the snippet, and the outcome says why", () =>
    Effect.gen(function*() {
      const outcome = yield* grounded()
      assert.deepStrictEqual(outcome.rungs["reader"]?.faults, [
        { engine: "local", reason: "refused", detail: "robots" }
      ])
      yield* replays()
    }).pipe(
      Effect.provide(
        inMemory(providers(search()), {
          readers: reading(
            Effect.fail(new EngineFailed({ engine: "local", reason: "refused", detail: "robots" }))
          )
        })
      )
    ))
})
