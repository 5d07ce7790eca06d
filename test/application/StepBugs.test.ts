/** Whatever a model answers, and whatever bug a step meets, a request ends with an outcome. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, References, Result } from "effect"
import { listening, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as JinaReranker from "../../src/adapters/jina/JinaReranker.ts"
import * as CollectPages from "../../src/application/evidence/CollectPages.ts"
import { fold } from "../../src/application/log/CommandHandler.ts"
import { type Engine, Engines as EngineChains } from "../../src/application/ports/Engines.ts"
import { Digest, Sites } from "../../src/application/ports/Platform.ts"
import * as Deadline from "../../src/application/steps/Deadline.ts"
import type { PerformedStep, Run } from "../../src/application/steps/Step.ts"
import * as Steps from "../../src/application/steps/Steps.ts"
import type { Grounding } from "../../src/domain/session/Grounding.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { useCasesWith } from "../../src/wiring/layers.ts"
import * as Models from "../../src/wiring/Models.ts"
import { draw, makeDice } from "../support/dice.ts"
import { pageOf } from "../support/evidencePages.ts"
import {
  caller,
  instance,
  limits,
  limitsAlone,
  plain,
  providers,
  scripted,
  unguarded
} from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, decided, hit, need, planned, requested } from "../support/sessionFacts.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const answersMax = full ? 2_000 : 70
const answersMsMax = full ? 30 * 60_000 : 240_000
const notice = "A tenant in Halvern must give notice of one month before the flat is handed over."
const question = "How much notice must a tenant give in Halvern?"

type Json = string | number | boolean | null | ReadonlyArray<Json> | {
  readonly [key: string]: Json
}

const answers: Readonly<Record<string, Json>> = {
  search_need: {
    need_search: true,
    reason_codes: ["POLICY_LEGAL"],
    queries: ["tenant notice Halvern"],
    topic: "general"
  },
  grounding_claims: {
    claims: [{
      from: ["1.1"],
      text: notice,
      section: "constraints_and_rules"
    }]
  },
  claim_judgements: {
    judgements: ["supported", "unsupported"].map((judgement, place) => ({
      claim: place + 1,
      judgement,
      answering: "answers",
      against: []
    }))
  },
  course_outline: {
    key_topics: ["notice"],
    modules: [{ title: "Notice", description: notice, source: 1 }],
    learning_objectives: [notice],
    skills: ["notice"],
    outline: {
      modules: [{ title: "Notice", description: notice, support: [{ source: 1, quote: notice }] }],
      outcomes: [{ text: notice, source: 1, quote: notice }]
    }
  },
  rerank: { model: "m", results: [{ index: 0, relevance_score: 0.5 }] },
  completion: { model: "m", finish_reason: "stop" }
}

const odd: ReadonlyArray<Json> = [
  ...["\0", "\ud83d", "\ude00", "", " ", "\u200b\u202e", "\ufffe", "__proto__", "null", "[1]"],
  ...["a".repeat(100_000), "1%".repeat(5_000), "([<".repeat(3_000), "🙂".repeat(199) + "\ud83d"],
  ...[`${notice}\0`, `${notice}\ud83d`, "</evidence>", "toString", "9".repeat(400), "NaN"],
  ...[0, -1, 1e308, 2 ** 53, true, null, [], {}, [["a"]], { a: { b: [] } }]
]

type Path = ReadonlyArray<string>

/** Places of the strings in a value. */
const stringsIn = (value: Json, path: Path = []): ReadonlyArray<Path> =>
  typeof value === "string"
    ? [path]
    : typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => stringsIn(inner, [...path, key]))
    : []

const places = Object.entries(answers).flatMap(([task, value]) => stringsIn(value, [task]))

/** The value with another one in a place. */
const put = (value: Json | undefined, [key, ...rest]: Path, other: Json): Json => {
  if (key === undefined) return other
  if (Array.isArray(value)) {
    return value.map((one, place) => String(place) === key ? put(one, rest, other) : one)
  }
  const fields = Object.entries(value ?? {})
  return Object.fromEntries(
    fields.map(([name, one]) => [name, name === key ? put(one, rest, other) : one])
  )
}

const said: { answers: Json } = { answers }
const sayingOf = (name: string): Json | undefined =>
  Object.entries(said.answers ?? {}).find(([task]) => task === name)?.[1]

const models = Layer.unwrap(Effect.gen(function*() {
  const http = yield* listening((request, response) => {
    const parts: Array<Uint8Array> = []
    request.on("data", (part) => parts.push(part)).on("end", () => {
      const sent = JSON.parse(Buffer.concat(parts).toString())
      const task = sent.response_format?.json_schema?.name
      const message = { role: "assistant", content: JSON.stringify(sayingOf(task)) }
      const completion = sayingOf("completion")
      const answer = task === undefined
        ? sayingOf("rerank")
        : Object.assign({}, completion, { choices: [Object.assign({ message }, completion)] })
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
    })
  })
  const baseUrl = `http://127.0.0.1:${portOf(http)}`
  const apiKey = Option.some(Redacted.make("k"))
  const model = Option.some({ baseUrl: `${baseUrl}/v1`, apiKey, model: "m", prices: Option.none() })
  const made = yield* Models.engines({
    gate: model,
    writer: model,
    judge: model,
    researcher: model
  })
  const reranker = JinaReranker.make({ baseUrl, apiKey: Redacted.make("k"), model: "m" })
  return Engines.layer({ ...made, ranker: [reranker] })
}))

const found = answerWith(["one", "two"].map((name) =>
  hit(`https://${name}.example/`, {
    content: `${notice} The site ${name} says so.`,
    title: "Notice in Halvern"
  })
))

const application = useCasesWith(models).pipe(
  Layer.provideMerge(Layer.mergeAll(
    providers(scripted(found)),
    MemoryEventStore.layer,
    instance("p1"),
    limits()
  ))
)

describe("a request ends with an outcome", () => {
  it.live("whatever JSON is in a string field of a model's answer", () =>
    Effect.gen(function*() {
      const api = yield* PublicApi
      const dice = makeDice(3)
      const failed: Array<unknown> = []
      for (let count = 0; count <= answersMax; count++) {
        const place = places[count - 1] ?? draw(dice, places)
        const value = draw(dice, odd)
        said.answers = count === 0 ? answers : put(answers, place, value)
        const answer = yield* Effect.result(api.ground({
          session_id: `s${count}`,
          request_id: "r",
          topic: `${question} (${count})`,
          phase: "mid_chat",
          user_asked_for_facts: true,
          course: { course_title: "Notice in Halvern", purpose: "outline" }
        }, caller))
        if (Result.isFailure(answer)) failed.push([place, value, answer.failure])
        if (count === 0 && Result.isSuccess(answer)) {
          const { planner, reader: _, ...rungs } = answer.success.rungs
          assert.deepStrictEqual(
            Object.values(rungs).map(({ faults }) => faults),
            Array(5).fill([])
          )
          assert.notInclude(Object.values(rungs).map(({ engine }) => engine), "rules")
          assert.deepStrictEqual([planner?.engine, planner?.faults], ["rules", []])
        }
      }
      assert.deepStrictEqual(failed, [])
    }).pipe(
      Effect.provide(application),
      Effect.provideService(References.MinimumLogLevel, "None")
    ), answersMsMax)
})

/** Throws when it is read. */
const broken = new Proxy({}, {
  get: () => {
    throw new RangeError("Invalid array length")
  }
})

const grounding = (() => {
  const known = fold(Session, [requested({ topic: question }), decided(), planned()])
    .groundings.get("r")
  return known ?? assert.fail("no grounding")
})()

/** The grounding of a request of which only what identifies it can be read. */
const unreadable = { ...grounding, request: { ...grounding.request, topic: broken } } as Grounding
const page = pageOf(notice)
const chunk = { page, index: 0, start: 0, end: notice.length, text: notice }

const steps: ReadonlyArray<PerformedStep> = [
  { _tag: "Decide", grounding: unreadable },
  { _tag: "AskStore", grounding, need },
  { _tag: "Plan", grounding: unreadable, need },
  { _tag: "Read", grounding, hits: [] },
  { _tag: "Rank", grounding, chunks: [{ ...chunk, text: broken } as never] },
  { _tag: "Write", grounding, need, pages: [{ ...page, text: broken } as never], chunks: [] },
  { _tag: "Research", grounding, course: broken as never, isOutlined: true, sources: [] },
  { _tag: "Conclude", grounding: { ...grounding, written: { pack: broken } as never } }
]

const run: Omit<Run, "deadline"> = {
  tenantId: "t",
  documents: [],
  search: () => Effect.die("a bug"),
  settle: () => Effect.die("a bug"),
  keepTexts: () => Effect.die("a bug")
}
const around = Layer.mergeAll(
  Engines.local,
  unguarded,
  limitsAlone(),
  plain,
  Layer.succeed(Digest, { sha256, canonical }),
  Layer.succeed(Sites, { siteOf: (host: string) => host })
)

describe("a bug", () => {
  it.effect.each(steps)(
    "in $_tag leaves the step empty, recorded and without odd text",
    (step) =>
      Effect.gen(function*() {
        const deadline = yield* Deadline.deadlineAfter(1_000)
        const command = yield* Steps.perform(step, { ...run, deadline })
        assert.isDefined(command)
        assert.isTrue(Result.isSuccess(canonical(command)))
        const fresh = fold(Session, [requested({ topic: question })])
        if (step._tag === "Decide" && command !== undefined) {
          assert.isTrue(Result.isSuccess(Session.decide(command, fresh)))
        }
      }).pipe(Effect.provide(around))
  )

  it.effect("behind a model's draft has the local engine write", () =>
    Effect.gen(function*() {
      const info = { engine: "model", version: "1" }
      const draft = new (class {
        readonly claims = []
        get what_to_ask_user(): never {
          throw new RangeError("Invalid array length")
        }
      })()
      const step = { _tag: "Write", grounding, need, pages: [page], chunks: [chunk] } as const
      const deadline = yield* Deadline.deadlineAfter(1_000)
      const command = yield* Steps.perform(step, { ...run, deadline }).pipe(
        Effect.updateService(EngineChains, (chains) => ({
          ...chains,
          writer: { ...chains.writer, preferred: [{ info, ask: () => Effect.succeed(draft) }] }
        }))
      )
      const fact = command?.fact
      if (fact?._tag !== "WEB_GROUNDING_PACK_CREATED") return assert.fail("no pack")
      assert.deepStrictEqual(fact.rung.faults, [
        { engine: "model", reason: "malformed", detail: "crashed" }
      ])
      assert.strictEqual(fact.rung.engine, "rules")
      assert.isNotEmpty(fact.draft.claims)
    }).pipe(Effect.provide(around)))

  it.effect("in a reader of a named page ends that reader alone", () =>
    Effect.gen(function*() {
      const info = { engine: "one", version: "1" }
      const text = { reader: "web", text: notice, chunks: [] } as const
      const reading = (...readers: ReadonlyArray<Engine<"reader">["ask"]>) =>
        CollectPages.readPage({ href: "https://one.example/", host: "one.example" }).pipe(
          Effect.updateService(EngineChains, (chains) => ({
            ...chains,
            reader: { ...chains.reader, preferred: readers.map((ask) => ({ info, ask })) }
          }))
        )
      const breaks = () => Effect.succeed({ ...text, title: broken } as never)
      const read = yield* reading(breaks, () => Effect.succeed(text))
      assert.strictEqual(read.material.text, notice)
      assert.strictEqual((yield* Effect.flip(reading(breaks))).reason, "crashed")
    }).pipe(Effect.provide(around)))

  it.effect("in sending a search is none that a second search mends", () =>
    Effect.gen(function*() {
      const deadline = yield* Deadline.deadlineAfter(1_000)
      let sent = 0
      const search = () => {
        sent += 1
        return Effect.die("a bug")
      }
      const step = { _tag: "Search", grounding, need, queryIndex: 0, query: "notice" } as const
      const ended = yield* Effect.exit(Steps.perform(step, { ...run, search, deadline }))
      assert.strictEqual(ended._tag, "Failure")
      assert.strictEqual(sent, 1)
    }).pipe(Effect.provide(around), Effect.provideService(References.MinimumLogLevel, "None")))
})
