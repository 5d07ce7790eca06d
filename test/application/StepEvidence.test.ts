/** What single steps make of pages, stored entries, rankings and drafts. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as LocalEngines from "../../src/adapters/rules/LocalEngines.ts"
import { fold } from "../../src/application/log/CommandHandler.ts"
import { type Engine, EngineFailed } from "../../src/application/ports/Engines.ts"
import { Digest, Sites } from "../../src/application/ports/Platform.ts"
import * as AskStore from "../../src/application/steps/AskStore.ts"
import * as Deadline from "../../src/application/steps/Deadline.ts"
import type { PerformedStep } from "../../src/application/steps/Step.ts"
import * as Steps from "../../src/application/steps/Steps.ts"
import * as Confidence from "../../src/domain/pack/Confidence.ts"
import type { DraftClaim } from "../../src/domain/pack/GroundingPack.ts"
import type { Judgement } from "../../src/domain/pack/Judgement.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import * as Session from "../../src/domain/session/Session.ts"
import { EvidenceRead, type SessionEvent } from "../../src/domain/session/SessionEvent.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import { claimOf, pageOf } from "../support/evidencePages.ts"
import { engines, limitsAlone, plain, unguarded, whileTimePasses } from "../support/grounding.ts"
import { standingClaims } from "../support/packChecker.ts"
import {
  called,
  callStarted,
  decided,
  evidenceRanked,
  evidenceRead,
  hit,
  planned,
  requested
} from "../support/sessionFacts.ts"

const notice = "A tenant must give one month's notice before moving out of an ordinary flat."
const site = { siteOf: (host: string) => host }
const found = Array.from(
  { length: 8 },
  (_, index) => hit(`https://a${index}.example/`, { content: notice, rank: index + 1 })
)
const [first] = found

const stepAfter = <Tag extends NextStep.NextStep["_tag"]>(
  tag: Tag,
  ...facts: ReadonlyArray<SessionEvent>
): Extract<NextStep.NextStep, { readonly _tag: Tag }> => {
  const step = NextStep.next(fold(Session, facts), "r")
  const isOfTag = (one: NextStep.NextStep): one is Extract<typeof step, { readonly _tag: Tag }> =>
    one._tag === tag
  return isOfTag(step) ? step : assert.fail(step._tag)
}

const asked = [requested(), decided(), planned(["one"]), callStarted()]

/** The fact that comes of a step within the time. */
const factOf = <Type extends SessionEvent["_tag"]>(
  step: PerformedStep,
  type: Type,
  deadlineMs = 45_000
) =>
  Effect.gen(function*() {
    const command = yield* Steps.perform(step, {
      deadline: yield* Deadline.deadlineAfter(deadlineMs),
      documents: [],
      tenantId: "t",
      search: () => Effect.never,
      settle: () => Effect.never,
      keepTexts: () => Effect.void
    })
    const fact = command?.fact
    const isOfType = (one: typeof fact): one is Extract<typeof fact, { readonly _tag: Type }> =>
      one?._tag === type
    return isOfType(fact) ? fact : assert.fail(JSON.stringify(command))
  }).pipe(
    Effect.provide(Layer.mergeAll(
      unguarded,
      plain,
      Layer.succeed(Digest, { sha256, canonical }),
      Layer.succeed(Sites, site)
    ))
  )

describe("the pages of a step", () => {
  const step = (hits: typeof found) =>
    stepAfter(
      "Read",
      { ...requested(), policy: { ...requested().policy, pages_max: 8 } },
      decided(),
      planned(["one"]),
      callStarted(),
      called(0, hits)
    )

  const read = (
    ask: Engine<"reader">["ask"],
    options: { readonly hits?: typeof found; readonly deadlineMs?: number } = {}
  ) =>
    factOf(step(options.hits ?? found), "WEB_GROUNDING_EVIDENCE_READ", options.deadlineMs).pipe(
      Effect.provide(Layer.merge(
        limitsAlone({ readTimeoutMs: 60_000 }),
        engines({
          reader: {
            preferred: [{ info: { engine: "web", version: "1" }, ask }],
            last: LocalEngines.reader
          }
        })
      ))
    )

  it.effect("are read within the step's time, also those that had to wait", () =>
    Effect.gen(function*() {
      let asked = 0
      const hanging = read(() =>
        Effect.suspend(() => {
          asked += 1
          return Effect.never
        }), { deadlineMs: 10_000 })
      const { pages, rung } = yield* whileTimePasses(hanging, 6_750)
      assert.lengthOf(pages, found.length)
      assert.isTrue(pages.every(({ reader }) => reader === "snippet"))
      // Five at a time; nothing was left for the others.
      assert.strictEqual(asked, 5)
      assert.deepStrictEqual(rung.faults, [{ engine: "web", reason: "timeout" }])
    }))

  it.effect("have no date that lies ahead of the request, nor a change before they were made", () =>
    Effect.gen(function*() {
      const dated = (dates: object) =>
        read(
          () =>
            Effect.succeed({
              reader: "web",
              text: notice,
              chunks: [{ start: 0, end: 8 }],
              ...dates
            }),
          { hits: found.slice(0, 1) }
        )
      const { pages: [ahead] } = yield* dated({ published_date: "2099-01-01" })
      assert.isDefined(ahead)
      assert.notProperty(ahead, "published_date")
      const { pages: [past] } = yield* dated({
        published_date: "2025-03-01",
        modified_date: "2025-02-01"
      })
      assert.deepInclude(past, { published_date: "2025-03-01" })
      assert.notProperty(past, "modified_date")
    }))

  it.effect("keep the search's date where the page has none of its own", () =>
    Effect.gen(function*() {
      const text = { reader: "web", text: notice, chunks: [{ start: 0, end: 8 }] } as const
      const hits = [{ ...hit("https://a.example/"), published_date: "2025-01-01" }]
      const { pages: [page] } = yield* read(() => Effect.succeed(text), { hits })
      assert.deepInclude(page, { published_date: "2025-01-01", text_sha256: sha256(notice) })
      const dated = { ...text, published_date: "2024-01-01" }
      const { pages: [own] } = yield* read(() => Effect.succeed(dated), { hits })
      assert.deepInclude(own, { published_date: "2024-01-01" })
    }))

  it.effect("without any text are left out, and the others keep their numbers", () =>
    Effect.gen(function*() {
      const { pages } = yield* read(
        () => Effect.fail(new EngineFailed({ engine: "web", reason: "refused" })),
        {
          hits: [
            hit("https://bare.example/", { content: "" }),
            hit("https://told.example/", { content: notice, rank: 2 })
          ]
        }
      )
      assert.deepStrictEqual(pages.map(({ source_id, url }) => [source_id, url]), [
        ["s2", "https://told.example/"]
      ])
    }))

  it.effect("name the engine that read most of them, and every fault once", () =>
    Effect.gen(function*() {
      const { rung } = yield* read(({ url }) =>
        url.includes("a0") || url.includes("a1")
          ? Effect.fail(new EngineFailed({ engine: "web", reason: "refused", detail: "robots" }))
          : Effect.succeed({ reader: "web", text: notice, chunks: [{ start: 0, end: 8 }] })
      )
      assert.deepStrictEqual(rung, {
        engine: "web",
        version: "1",
        faults: [{ engine: "web", reason: "refused", detail: "robots" }]
      })
    }))
})

describe("entries of the evidence store", () => {
  const { _tag: _, ...facts } = evidenceRead(first?.url ?? "")
  const evidence = (fields: object) =>
    EvidenceRead.make({
      ...facts,
      pages: facts.pages.map((page) => ({ ...page, ...fields }))
    })
  const entry = (url: string, fields: object = {}) =>
    pageOf(notice, { source_id: "e1", url, reader: "store", ...fields })
  const urlsOf = (joined: typeof EvidenceRead.Type) =>
    joined.pages.map(({ source_id }) => source_id)

  it("are added to the pages, unless one of these is the same page", () => {
    const url = "https://page.example/x"
    const other = "https://other.example/"
    const table: ReadonlyArray<readonly [object, ReturnType<typeof entry>, number]> = [
      [{ url }, entry(other), 2],
      [{ url }, entry(url), 1],
      [{ url: other, hit_url: url }, entry(url), 1],
      [{ url: other, canonical_url: url }, entry(url), 1],
      [{ url }, entry(other, { canonical_url: url }), 1]
    ]
    for (const [page, stored, count] of table) {
      const joined = AskStore.join(evidence(page), { kept: [stored] })
      assert.deepStrictEqual(urlsOf(joined), ["s1", "e1"].slice(0, count), JSON.stringify(page))
    }
  })
})

describe("a ranking", () => {
  const urls = found.slice(0, 3).map(({ url }) => url)
  const step = stepAfter("Rank", ...asked, called(0, found), evidenceRead(...urls))
  const ranked = (ask: Engine<"ranker">["ask"]) =>
    factOf(step, "WEB_GROUNDING_EVIDENCE_RANKED").pipe(
      Effect.provide(Layer.merge(
        limitsAlone({ rankTimeoutMs: 2_000 }),
        engines({
          ranker: {
            preferred: [{ info: { engine: "model", version: "1" }, ask }],
            last: LocalEngines.ranker
          }
        })
      ))
    )

  it.effect("is by words where the ranker fails, or takes longer than the setting says", () =>
    Effect.gen(function*() {
      const failing = Effect.fail(new EngineFailed({ engine: "model", reason: "refused" }))
      const refused = yield* ranked(() => failing)
      const hanging = yield* whileTimePasses(ranked(() => Effect.never), 2_000)
      for (const { rung } of [refused, hanging]) {
        assert.strictEqual(rung.engine, LocalEngines.ranker.info.engine)
      }
      assert.deepStrictEqual(hanging.rung.faults, [{ engine: "model", reason: "timeout" }])
      assert.deepStrictEqual(hanging.scored, refused.scored)
    }))

  it.effect("loses no passage that the ranker left out: it comes last", () =>
    Effect.gen(function*() {
      const { scored } = yield* ranked(() => Effect.succeed([0.2, 0.9]))
      assert.deepStrictEqual(scored.map(({ score, source_id }) => [source_id, score]), [
        ["s1", 0.2],
        ["s2", 0.9],
        ["s3", 0]
      ])
    }))
})

describe("a pack", () => {
  const page = evidenceRead(first?.url ?? "")
  const whole = {
    ...page,
    pages: page.pages.map((one) => ({
      ...one,
      official: true,
      chunks: [{ start: 0, end: notice.length }]
    }))
  }
  const step = stepAfter(
    "Write",
    ...asked,
    called(0, found.slice(0, 1)),
    whole,
    evidenceRanked("s1")
  )
  const borne = claimOf(notice, { s1: notice })
  const invented = claimOf("The fee is 70 euros.", { s1: "The fee is 70 euros." })

  const writer = (
    engine: string,
    ...claims: ReadonlyArray<DraftClaim>
  ): Engine<"writer", never> => ({
    info: { engine, version: "1" },
    ask: () => Effect.succeed({ claims, what_to_ask_user: [] })
  })
  const failing: Engine<"writer"> = {
    info: { engine: "model", version: "1" },
    ask: () => Effect.fail(new EngineFailed({ engine: "model", reason: "malformed" }))
  }
  const saying = (judgement: Judgement): Engine<"judge"> => ({
    info: { engine: "judge", version: "1" },
    ask: ({ claims }) => Effect.succeed(claims.map(({ claim }) => ({ claim, judgement })))
  })

  const written = (
    preferred: ReadonlyArray<Engine<"writer">>,
    judges: ReadonlyArray<Engine<"judge">> = [],
    at = step
  ) =>
    factOf(at, "WEB_GROUNDING_PACK_CREATED").pipe(
      Effect.provide(Layer.merge(
        limitsAlone(),
        engines({
          writer: { preferred, last: writer("rules", borne) },
          judge: { preferred: judges, last: LocalEngines.judge }
        })
      ))
    )

  it.effect("of the local writer is trusted less, and least where it took over from a model", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* written([])).confidence_max, Confidence.localMax)
      assert.strictEqual((yield* written([failing])).confidence_max, Confidence.afterFailureMax)
      const judges = [saying("supported")]
      assert.strictEqual((yield* written([writer("model", borne)], judges)).confidence_max, 1)
      const second = yield* written([failing, writer("other", borne)], judges)
      assert.deepStrictEqual([second.confidence_max, second.rung.engine], [1, "other"])
      assert.isAtMost((yield* written([failing])).pack.confidence, Confidence.afterFailureMax)
    }))

  it.effect("of an unjudged model is no surer than the local writer's", () =>
    Effect.gen(function*() {
      const local = (yield* written([])).pack.confidence
      const silent = { ...saying("supported"), ask: () => Effect.succeed([]) }
      for (const judges of [[], [silent]]) {
        const { confidence_max, pack } = yield* written([writer("model", borne)], judges)
        assert.isAtMost(pack.confidence, local)
        assert.strictEqual(confidence_max, local)
        assert.strictEqual(pack.notes.includes("judge_failed"), judges.length > 0)
        assert.notInclude(pack.notes, "extractive")
      }
    }))

  it.effect("is not one none of whose claims the quotes support: the next writer is asked", () =>
    Effect.gen(function*() {
      const { draft, rung } = yield* written([writer("model", invented)])
      assert.strictEqual(rung.engine, "rules")
      assert.deepStrictEqual(rung.faults, [
        { engine: "model", reason: "refused", detail: "nothing_borne_out" }
      ])
      assert.deepStrictEqual(draft.claims, [borne])
      assert.strictEqual((yield* written([writer("model", borne, invented)])).rung.engine, "model")
      // A writer that claims nothing has answered.
      assert.strictEqual((yield* written([writer("model")])).rung.engine, "model")
    }))

  it.effect("follows what a judge says of its claims, which is recorded", () =>
    Effect.gen(function*() {
      const { judging, pack } = yield* written([], [saying("supported")])
      assert.lengthOf(standingClaims(pack), 1)
      assert.deepStrictEqual(judging?.judgements, [{ claim: 0, judgement: "supported" }])
      const silent = { ...saying("supported"), ask: () => Effect.succeed([]) }
      assert.deepStrictEqual(
        standingClaims((yield* written([], [silent])).pack).map((one) => one.unverified_infra),
        [true]
      )
      const unsure = yield* written([], [saying("contradicted")])
      assert.deepStrictEqual(
        standingClaims(unsure.pack).map(({ wording }) => wording),
        ["verbatim"]
      )
    }))

  it.effect("keeps of a judge each judgement once, and of claims it was asked about alone", () =>
    Effect.gen(function*() {
      const chatty: Engine<"judge"> = {
        info: { engine: "judge", version: "1" },
        ask: () =>
          Effect.succeed([0, 0, 7].map((claim) => ({ claim, judgement: "supported" as const })))
      }
      const { judging } = yield* written([], [chatty])
      assert.deepStrictEqual(judging?.judgements, [{ claim: 0, judgement: "supported" }])
    }))

  it.effect("without evidence is left to the local writer", () =>
    Effect.gen(function*() {
      const bare = stepAfter("Write", ...asked, called())
      const { rung } = yield* written([writer("model", borne)], [], bare)
      assert.deepStrictEqual(rung, { engine: "rules", version: "1", faults: [] })
    }))
})
