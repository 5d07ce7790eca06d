/** Asks the evidence store before the web, and joins its pages to those that were read. */
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import { DateTime, Effect, Struct } from "effect"
import * as Eligibility from "../../domain/need/Eligibility.ts"
import type { Page } from "../../domain/page/Page.ts"
import { addressesOf } from "../../domain/page/PageOrigin.ts"
import { type GroundingRequest, questionOf } from "../../domain/request/GroundingRequest.ts"
import * as StoreKnowledge from "../../domain/retrieval/StoreKnowledge.ts"
import { freshMsByTopic } from "../../domain/search/QueryCacheEntry.ts"
import type { Grounding } from "../../domain/session/Grounding.ts"
import { tellFact } from "../../domain/session/Session.ts"
import { EvidenceRead, StoreAsked } from "../../domain/session/SessionEvent.ts"
import { Limits } from "../ports/Limits.ts"
import {
  nothingFound,
  StoredEvidence,
  type UsablePages,
  type Wanted
} from "../ports/StoredEvidence.ts"
import * as Deadline from "./Deadline.ts"
import { needed, type OutsideStep, type Run, type StepOf } from "./Step.ts"

export const recall = (tenantId: string, grounding: Grounding, deadline: Deadline.Deadline) =>
  grounding.request.overrides?.sources === "web" || grounding.request.listing !== undefined
    ? Effect.succeed(nothingFound)
    : find(tenantId, grounding, deadline)

/** Whether the store knows enough; where time matters, stale entries are ignored. */
const perform = Effect.fn("AskStore.perform")(
  function*({ grounding, need }: StepOf<"AskStore">, { deadline, tenantId }: Run) {
    const { request, requestedAt } = grounding
    const isTimely = need.reason_codes.includes("TIME_SENSITIVE") || need.topic !== "general"
    const { kept: entries } = yield* find(
      tenantId,
      grounding,
      deadline,
      isTimely
        ? { collected_from: before(requestedAt, freshMsByTopic[need.topic]) }
        : {}
    )
    const { city } = request.region ?? {}
    return tellFact(StoreAsked.make({
      request_id: request.request_id,
      knowledge: StoreKnowledge.measure(
        Eligibility.questionOf(request),
        entries.filter((entry) => isOfRegion(request, entry)),
        city
      ),
      entries: entries.map(({ text_sha256, url }) => ({ url, text_sha256 }))
    }))
  }
)

export const askStore: OutsideStep<"AskStore"> = {
  perform,
  // The store's content may have changed since.
  replay: (_, event) =>
    Effect.succeed(event._tag === "WEB_GROUNDING_STORE_ASKED" ? tellFact(event) : undefined),
  suppose: (_, { storeAsked }) =>
    storeAsked === undefined ? needed("AskStore", "store") : Effect.succeed(tellFact(storeAsked)),
  empty: ({ grounding: { request: { request_id } } }) =>
    tellFact(
      StoreAsked.make({ request_id, knowledge: StoreKnowledge.measure("", []), entries: [] })
    )
}

const find = Effect.fn("AskStore.find")(
  function*(
    tenantId: string,
    { policy, request }: Grounding,
    deadline: Deadline.Deadline,
    since: Pick<Wanted, "collected_from"> = {}
  ): Effect.fn.Return<UsablePages, never, Limits | StoredEvidence> {
    const limit = policy.entries_max ?? 0
    // A remote embedder may get the question: PII is stripped.
    const question = QueryPrivacy.strip(questionOf(request))
    if (limit === 0 || question === "") return nothingFound
    const store = yield* StoredEvidence
    const { engineTimeoutMs } = yield* Limits
    const leftMs = yield* Deadline.shareMs(deadline, "Read")
    const retrieval = request.overrides?.sources === "vector_first" ? "vector_first" : "hybrid"
    const wanted = {
      question,
      limit,
      retrieval,
      ...Struct.pick(policy, ["sites"]),
      ...since
    } as const
    return yield* store.find(tenantId, wanted).pipe(
      Effect.timeout(Math.min(engineTimeoutMs, leftMs)),
      Effect.orElseSucceed(() => nothingFound)
    )
  }
)

/** Whether a passage may concern the region: not if it names only other countries. */
const isOfRegion = (request: GroundingRequest, { text, title }: Page): boolean => {
  const { region } = request
  const asked = QuestionTerms.countriesIn(questionOf(request))
  const named = QuestionTerms.countriesIn(`${title} ${text}`)
  const isAsked = (code: string) => asked.has(code) || region?.country === code
  return (region === undefined && asked.size === 0) || named.size === 0 || [...named].some(isAsked)
}

const before = (iso: string, ms: number): string =>
  DateTime.formatIso(DateTime.subtract(DateTime.makeUnsafe(iso), { milliseconds: ms }))

export const join = (
  evidence: typeof EvidenceRead.Type,
  { kept: recalled, left_out = 0 }: UsablePages
): typeof EvidenceRead.Type => {
  const read = new Set(evidence.pages.flatMap(addressesOf))
  const others = recalled.filter((entry) =>
    !addressesOf(entry).some((address) => read.has(address))
  )
  const left = (evidence.left_out ?? 0) + left_out
  return EvidenceRead.make({
    ...evidence,
    pages: [...evidence.pages, ...others],
    ...(left === 0 ? {} : { left_out: left })
  })
}
