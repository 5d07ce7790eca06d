/**
 * Pages that no reader could read, extracted by a provider: which are asked for, what that may
 * cost, and what is recorded of it.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Ref, Schema } from "effect"
import { globSync, readFileSync } from "node:fs"
import { chunksOfText } from "../../packages/language/src/passages/Chunking.ts"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import {
  type Engine,
  EngineFailed,
  type ExtractAnswer,
  type ExtractRequest,
  type PageExtractor
} from "../../src/application/ports/Engines.ts"
import { Credits, SearchFailed } from "../../src/application/ports/SearchProvider.ts"
import {
  type EngineDetail,
  type EngineFault,
  outlookOf,
  RungDetail
} from "../../src/domain/session/EngineDetail.ts"
import {
  askedNotice as asked,
  caller,
  inMemory,
  providers,
  scripted
} from "../support/grounding.ts"
import { replays, textIn } from "../support/recordedSession.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"
import { timePasses } from "../support/testTime.ts"

const notice = "A tenant must give one month's notice before moving out of an ordinary flat."
const canary = "Quokka-7731"
const filler = (word: string) =>
  `The ${word} of the building is open on working days and closed on public holidays. `.repeat(12)
const text = `${notice}\n\n${filler("office")}\n\n${filler("garden")}${canary} is its name.`

const url = (name: string) => `https://${name}.gov.example/notice`
const hits = (...names: ReadonlyArray<string>) =>
  scripted(answerWith(names.map((name) =>
    hit(url(name), {
      official: true,
      site: `${name}.gov.example`,
      content: "Rules of tenancies."
    })
  )))

const grounded = (fields: object = {}) =>
  Effect.flatMap(PublicApi, (api) => api.ground({ ...asked, ...fields }, caller))

/** Fails as it is told for each host; unnamed ones are unreachable. */
const failing = (
  faults: Readonly<Record<string, readonly [EngineFault, EngineDetail?]>> = {}
): Engine<"reader"> => ({
  info: { engine: "local", version: "1" },
  ask: ({ url: address }) => {
    const name = new URL(address).hostname.split(".")[0] ?? ""
    const [reason, detail] = faults[name] ?? ["unreachable"]
    return Effect.fail(
      new EngineFailed({ engine: "local", reason, ...(detail === undefined ? {} : { detail }) })
    )
  }
})

const readers = (...preferred: ReadonlyArray<Engine<"reader">>) => ({
  preferred,
  last: LocalEngines.reader
})

type Answering = (request: ExtractRequest) => Effect.Effect<ExtractAnswer, SearchFailed>

const pageOf = (body: string) => ({
  reader: "tavily" as const,
  detail: "extracted",
  text: body,
  chunks: chunksOfText(body)
})

const answering = (credits?: number): Answering => ({ urls }) =>
  Effect.succeed({
    pages: new Map(urls.map((address) => [address, pageOf(text)])),
    ...(credits === undefined ? {} : { credits })
  })

const refusing = (status: SearchFailed["status"]): Answering => () =>
  Effect.fail(new SearchFailed({ provider: "tavily", status }))

/** A provider with a key for each way of answering, which notes what it is asked. */
const extractor = (...keys: ReadonlyArray<Answering>) => {
  const requests: Array<ExtractRequest & { readonly slot: number }> = []
  const extractors = keys.map((answer, index): PageExtractor => ({
    info: { engine: "tavily_extract", version: "1" },
    provider: "tavily",
    keySlot: index + 1,
    urlsMax: 20,
    pagesPerCredit: 3,
    mayBeTold: (address) => !address.includes("private"),
    extract: (request) =>
      Effect.suspend(() => {
        requests.push({ ...request, slot: index + 1 })
        return answer(request)
      })
  }))
  return { extractors, requests }
}

/** A ledger that shows what of a month is used by pages: searches have no price here. */
const ledger = (ceiling: number) => {
  const used = Ref.makeUnsafe(0)
  const layer = Layer.succeed(Credits, {
    reserve: (provider, keySlot, credits) =>
      Ref.modify(used, (before) =>
        before + credits > ceiling
          ? [undefined, before]
          : [{ provider, keySlot, month: "2026-11" }, before + credits]),
    correct: (_, credits) => Ref.update(used, (before) => before + credits)
  })
  return { layer, used: Ref.get(used) }
}

const recorded = textIn()

describe("a page that no reader could read", () => {
  it.effect("is quoted from what was extracted, all of a question by one request", () => {
    const { extractors, requests } = extractor(answering())
    return Effect.gen(function*() {
      const outcome = yield* grounded()
      assert.include(JSON.stringify(outcome.pack), notice)
      assert.deepInclude(outcome.rungs["reader"], { engine: "tavily_extract" })
      assert.deepStrictEqual(outcome.rungs["reader"]?.faults, [
        { engine: "local", reason: "unreachable" }
      ])
      assert.deepStrictEqual(requests.map(({ urls }) => urls), [[url("one"), url("two")]])
      assert.notInclude(yield* recorded, canary, "without consent the text is not kept")
      yield* replays()
      assert.strictEqual(requests.length, 1, "a replay asks nobody")
    }).pipe(Effect.provide(
      inMemory(providers(hits("one", "two")), { readers: readers(failing()), extractors })
    ))
  })

  it.effect("is kept with consent, as every page is", () =>
    Effect.gen(function*() {
      yield* grounded({ consent_raw_content: true })
      assert.include(yield* recorded, canary)
      yield* replays()
    }).pipe(Effect.provide(inMemory(providers(hits("one")), {
      readers: readers(failing()),
      extractors: extractor(answering()).extractors
    }))))

  it.effect.each(
    [
      ["refused", "robots"],
      ["refused", "address_forbidden"],
      ["refused", "name_forbidden"],
      ["refused", "http_401"],
      ["refused", "http_403"],
      ["refused", "http_404"],
      ["refused", "http_451"],
      ["refused", "type_forbidden"],
      ["refused", "too_large"]
    ] as const
  )("is not asked of others where it %s by %s", ([reason, detail]) => {
    const { extractors, requests } = extractor(answering())
    return Effect.gen(function*() {
      const { rungs } = yield* grounded()
      assert.deepStrictEqual(requests.map(({ urls }) => urls), [[url("two")]])
      assert.deepInclude([...rungs["reader"]?.faults ?? []], { engine: "local", reason, detail })
    }).pipe(Effect.provide(inMemory(providers(hits("one", "two")), {
      readers: readers(failing({ one: [reason, detail] })),
      extractors
    })))
  })

  it.effect("is not asked of others where one reader was refused and another timed out", () => {
    const { extractors, requests } = extractor(answering())
    const other: Engine<"reader"> = {
      info: { engine: "jina", version: "1" },
      ask: () => Effect.fail(new EngineFailed({ engine: "jina", reason: "timeout" }))
    }
    return Effect.gen(function*() {
      yield* grounded()
      assert.deepStrictEqual(requests, [])
    }).pipe(Effect.provide(inMemory(providers(hits("one")), {
      readers: readers(other, failing({ one: ["refused", "robots"] })),
      extractors
    })))
  })

  it.effect("is not told where its address is not public", () => {
    const { extractors, requests } = extractor(answering())
    return Effect.gen(function*() {
      yield* grounded()
      assert.deepStrictEqual(requests.map(({ urls }) => urls), [[url("one")]])
    }).pipe(Effect.provide(inMemory(providers(hits("private", "one")), {
      readers: readers(failing()),
      extractors
    })))
  })

  it.effect("is not asked for where all were read", () => {
    const { extractors, requests } = extractor(answering())
    const reader: Engine<"reader"> = {
      info: { engine: "local", version: "1" },
      ask: () => Effect.succeed({ reader: "web", text, chunks: chunksOfText(text) })
    }
    return Effect.gen(function*() {
      yield* grounded()
      assert.deepStrictEqual(requests, [])
    }).pipe(Effect.provide(
      inMemory(providers(hits("one")), { readers: readers(reader), extractors })
    ))
  })

  it.effect("keeps its snippet where the provider could not read it either", () => {
    const { extractors } = extractor(({ urls }) =>
      Effect.succeed({ pages: new Map(urls.slice(1).map((one) => [one, pageOf(text)])) })
    )
    return Effect.gen(function*() {
      const { rungs } = yield* grounded()
      assert.deepInclude([...rungs["reader"]?.faults ?? []], {
        engine: "tavily_extract",
        reason: "refused",
        detail: "not_extracted"
      })
      const stored = yield* recorded
      assert.include(stored, "\"reader\":\"tavily\"")
      assert.include(stored, "\"reader\":\"snippet\"")
      yield* replays()
    }).pipe(Effect.provide(
      inMemory(providers(hits("one", "two")), { readers: readers(failing()), extractors })
    ))
  })
})

describe("what an extraction may cost", () => {
  const five = ["a", "b", "c", "d", "e"]
  const four: Answering = ({ urls }) =>
    Effect.succeed({ pages: new Map(urls.slice(1).map((one) => [one, pageOf(text)])) })

  it.effect.each(
    [
      ["what is reported", answering(1), 1],
      ["a report of 2 for 5 pages", answering(2), 2],
      ["the pages that were read, without a report", four, 2],
      ["those pages, where the report is above the price", answering(3), 2],
      ["those pages, where it is below what they cost at least", answering(0), 2],
      ["those pages, where it is no number", answering(NaN), 2],
      ["nothing, where the key was refused", refusing("invalid_key"), 0],
      ["nothing, where it was asked too often", refusing("rate_limited"), 0],
      ["the price, where the work may have been done", refusing("network_error"), 2]
    ] as const
  )("is %s", ([, answer, expected]) => {
    const { layer, used } = ledger(100)
    return Effect.gen(function*() {
      yield* grounded()
      assert.strictEqual(yield* used, expected)
    }).pipe(Effect.provide(inMemory(providers(hits(...five)), {
      readers: readers(failing()),
      extractors: extractor(answer).extractors,
      credits: layer
    })))
  })

  it.effect("stays under the ceiling of the month: nothing is sent", () => {
    const { extractors, requests } = extractor(answering())
    const { layer, used } = ledger(1)
    return Effect.gen(function*() {
      const { mode, rungs } = yield* grounded()
      assert.deepStrictEqual(requests, [])
      assert.strictEqual(yield* used, 0)
      assert.strictEqual(rungs["reader"]?.engine, "snippet")
      assert.deepInclude([...rungs["reader"]?.faults ?? []], {
        engine: "tavily_extract",
        reason: "refused",
        detail: "own_ceiling"
      })
      assert.notStrictEqual(mode, "not_searched")
    }).pipe(Effect.provide(inMemory(providers(hits(...five)), {
      readers: readers(failing()),
      extractors,
      credits: layer
    })))
  })

  it.effect("is asked of the next key where one is refused, and the refused one rests", () => {
    const { extractors, requests } = extractor(refusing("invalid_key"), answering())
    return Effect.gen(function*() {
      for (const request_id of ["one", "two", "three"]) {
        yield* grounded({ session_id: request_id, request_id, overrides: { max_queries: 1 } })
      }
      const refused = requests.filter(({ slot }) => slot === 1)
      assert.isAtMost(refused.length, 1, "a disabled key is not asked again")
      assert.strictEqual(requests.filter(({ slot }) => slot === 2).length, 3)
    }).pipe(Effect.provide(
      inMemory(providers(hits("one")), { readers: readers(failing()), extractors })
    ))
  })

  it.effect("is nothing where every key rests", () => {
    const { extractors, requests } = extractor(refusing("invalid_key"))
    return Effect.gen(function*() {
      yield* grounded()
      const again = yield* grounded({ session_id: "s2", request_id: "r2" })
      assert.strictEqual(requests.length, 1)
      assert.deepInclude([...again.rungs["reader"]?.faults ?? []], {
        engine: "tavily_extract",
        reason: "refused",
        detail: "keys_resting"
      })
    }).pipe(Effect.provide(
      inMemory(providers(hits("one")), { readers: readers(failing()), extractors })
    ))
  })
})

describe("an extraction that takes too long", () => {
  const answers = (hanging: Engine<"reader">, answer: Answering, fields: object = {}) => {
    const { extractors, requests } = extractor(answer)
    return Effect.gen(function*() {
      const startMs = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const running = yield* Effect.forkChild(grounded({ deadline_ms: 8_000, ...fields }))
      for (let steps = 0; steps < 400 && running.pollUnsafe() === undefined; steps++) {
        yield* timePasses("50 millis")
      }
      const outcome = yield* Fiber.join(running)
      const tookMs = (yield* Effect.clockWith((clock) => clock.currentTimeMillis)) - startMs
      return { outcome, requests, tookMs }
    }).pipe(Effect.provide(
      inMemory(providers(hits("one")), { readers: readers(hanging), extractors })
    ))
  }

  it.effect("ends with the step, and the snippet stands", () =>
    Effect.gen(function*() {
      const { outcome, tookMs } = yield* answers(failing(), () => Effect.never)
      assert.deepInclude([...outcome.rungs["reader"]?.faults ?? []], {
        engine: "tavily_extract",
        reason: "timeout",
        detail: "timeout"
      })
      assert.isAtMost(tookMs, 8_000)
    }))

  it.effect("has half of the step's time where a reader hangs", () =>
    Effect.gen(function*() {
      const hanging: Engine<"reader"> = { ...failing(), ask: () => Effect.never }
      const { outcome, requests } = yield* answers(hanging, answering())
      assert.strictEqual(requests.length, 1)
      assert.isAbove(requests[0]?.timeoutMs ?? 0, 1_000)
      assert.include(JSON.stringify(outcome.pack), notice)
    }))
})

describe("the words for why an engine gave no answer", () => {
  const table = "src/domain/session/EngineDetail.ts"
  const rows = Array.from(
    readFileSync(table, "utf8").matchAll(/^ {2}(\w+): "(barred|unread|unsaid)",?$/gm),
    ([, word = "", outlook = ""]) => ({ word, outlook })
  )
  const sourcesIn = (pattern: string) =>
    globSync(pattern).filter((file) => file !== table)
      .map((file) => readFileSync(file, "utf8")).join("\n")
  const ungiven = (words: ReadonlyArray<string>, sources: string) =>
    words.filter((word) => !/^http_[45]\d\d$/.test(word) && !sources.includes(`"${word}"`))

  it("are given by engines, and those that decide on payment by readers of pages", () => {
    const readers = sourcesIn(
      "{src/adapters/{pages,jina}/*,packages/{pages,safe-fetch}/src/**/*,packages/dialects/src/Jina}.ts"
    )
    const deciding = rows.filter(({ outlook }) => outlook !== "unsaid").map(({ word }) => word)
    assert.isAbove(deciding.length, 15)
    assert.isAbove(rows.length, deciding.length)
    assert.deepStrictEqual(ungiven(deciding, readers), [])
    assert.deepStrictEqual(
      ungiven(rows.map(({ word }) => word), sourcesIn("{src,packages/*/src}/**/*.ts")),
      []
    )
    assert.deepStrictEqual(ungiven(["robots", "robot", "http_403"], readers), ["robot"])
  })

  it("decide alike whoever recorded them, and say nothing where another release did", () => {
    const decode = Schema.decodeUnknownSync(RungDetail)
    assert.strictEqual(outlookOf(decode("robots")), "barred")
    assert.strictEqual(outlookOf(decode("no_text")), "unread")
    assert.strictEqual(outlookOf(decode("http_500")), "unsaid")
    assert.strictEqual(outlookOf(decode("a word of long ago")), "unsaid")
    assert.strictEqual(outlookOf(undefined), "unsaid")
    assert.strictEqual(
      Schema.encodeUnknownSync(RungDetail)(decode("a word of long ago")),
      "a word of long ago"
    )
  })
})
