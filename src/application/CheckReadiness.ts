/**
 * Runs the readiness audit against this deployment's configuration. It makes one real, recorded
 * search; failures are simulated by failing providers behind the production steps.
 */
import { Context, Effect, Layer, References } from "effect"
import type { PublicFailure } from "../contract/PublicFailure.ts"
import * as SentInput from "../contract/SentInput.ts"
import {
  type Check,
  type CheckName,
  type ReadinessReport,
  reportOf
} from "../domain/health/Readiness.ts"
import {
  coarse,
  isOwnServer,
  type SearchAttempt,
  type SearchStatus
} from "../domain/search/SearchStatus.ts"
import { counted } from "../domain/session/FactText.ts"
import type { SessionEvent } from "../domain/session/SessionEvent.ts"
import * as GroundQuestion from "./GroundQuestion.ts"
import { Embedders } from "./ports/Embedder.ts"
import { Engines, infosOf } from "./ports/Engines.ts"
import { PayloadsKept } from "./ports/EventStore.ts"
import { KeptVectors } from "./ports/EvidenceStore.ts"
import { Limits } from "./ports/Limits.ts"
import { Ids } from "./ports/Platform.ts"
import * as SearchProvider from "./ports/SearchProvider.ts"
import { Credits, type KeySlots, SearchFailed, SearchProviders } from "./ports/SearchProvider.ts"
import { PublicApi } from "./PublicApi.ts"
import { CoalesceSearch } from "./sharing/CoalesceSearch.ts"
import { KeyRing } from "./steps/KeyRing.ts"
import * as SearchWeb from "./steps/SearchWeb.ts"

/** With more a caller gives up before the chain has. */
const attemptTimeoutMsMax = 10_000

const question = "What is the current time zone of Japan?"

const played: ReadonlyArray<SearchStatus> = [
  "no_results",
  "api_key_missing",
  "network_error",
  "timeout",
  "rate_limited",
  "unknown_error"
]

export class CheckReadiness extends Context.Service<CheckReadiness, {
  readonly check: (tenantId: string) => Effect.Effect<ReadinessReport, PublicFailure>
}>()("web-grounding/application/CheckReadiness") {}

/** Ports without limits or memory, around a provider with a fixed status. */
const playing = (status: SearchStatus) =>
  SearchWeb.layer.pipe(Layer.provide(Layer.mergeAll(
    Layer.succeed(
      SearchProviders,
      SearchProviders.forEveryone([[{
        name: "mock",
        search: () =>
          status === "no_results"
            ? Effect.succeed({ hits: [], droppedCount: 0 })
            : new SearchFailed({ provider: "mock", status })
      }]])
    ),
    Layer.succeed(KeyRing, {
      usable: (_, slots) => Effect.succeed(slots),
      learn: () => Effect.void,
      restingStatus: () => Effect.succeed("rate_limited" as const),
      loaded: () => Effect.void
    }),
    Layer.succeed(SearchProvider.Breakers, SearchProvider.none),
    Layer.succeed(Credits, {
      reserve: (provider, keySlot) => Effect.succeed({ provider, keySlot, month: "" }),
      correct: () => Effect.void
    })
  )))

/** No cached answer may replace the simulated failure. */
const uncached = Layer.succeed(CoalesceSearch, {
  turn: () => Effect.succeed({ _tag: "Leads", lead: { key: { tenantId: "", key: "" } } }),
  release: () => Effect.void,
  isLed: () => Effect.succeed(true),
  bearable: () => Effect.undefined
})

export const layer = Layer.effect(
  CheckReadiness,
  Effect.gen(function*() {
    const services = yield* Effect.context<GroundQuestion.Needs>()
    const { Ground } = yield* PublicApi
    const providersOf = yield* SearchProvider.providersBy
    const { attemptTimeoutMs } = yield* Limits
    const { uuid } = yield* Ids
    const chains = yield* Engines
    const engines = enginesText({
      readers: infosOf(chains.reader).map(({ engine }) => engine),
      rankers: infosOf(chains.ranker).map(({ engine }) => engine),
      embedders: (yield* Embedders).map(({ dimensions, engine, model }) =>
        `${engine} ${model} (${dimensions})`
      ),
      evidence: [(yield* KeptVectors) ? "words and vectors" : "words alone, no extension vector"],
      payloads: [(yield* PayloadsKept) === "plaintext" ? "stored as plaintext" : "stored encrypted"]
    })

    const asked = Effect.flatMap(uuid, (request_id) =>
      Effect.map(
        SentInput.decode("Ground", {
          session_id: `readiness-${request_id}`,
          topic: question,
          phase: "mid_chat",
          user_asked_for_facts: true,
          // Unlike any search before, so that no cached answer is used.
          overrides: { max_queries: 1, exclude_domains: [`${request_id}.invalid`] }
        }),
        (request) => ({ ...request, request_id })
      ))

    const realAttempts = Effect.fnUntraced(function*(tenantId: string) {
      const attempts: Array<SearchAttempt> = []
      const keep = (event: SessionEvent) =>
        event._tag === "WEB_GROUNDING_CALLED" ? attempts.push(...event.attempts) : 0
      yield* Ground(
        yield* asked,
        { tenantId, actor: "readiness" },
        ({ event }) => Effect.sync(() => void keep(event))
      )
      return attempts
    })

    const alone = { leftMs: attemptTimeoutMs, tenantId: "" }
    const playedStatus = (status: SearchStatus) =>
      Effect.flatMap(SearchWeb.SearchWeb, ({ search }) => search(searchRequest, alone)).pipe(
        Effect.provide(playing(status), { local: true }),
        Effect.provideService(References.MinimumLogLevel, "None"),
        Effect.map((searched) => coarse(searched.status) === coarse(status))
      )

    const goesOn = Effect.fnUntraced(function*(tenantId: string) {
      const request = yield* asked
      const failing = GroundQuestion.layer.pipe(
        Layer.provide(Layer.mergeAll(playing("network_error"), uncached))
      )
      const outcome = yield* Effect.flatMap(
        GroundQuestion.GroundQuestion,
        ({ ground }) => ground(request, { tenantId, actor: "readiness" }, () => Effect.void)
      ).pipe(
        Effect.provide(failing, { local: true }),
        Effect.provideService(References.MinimumLogLevel, "None")
      )
      return outcome.llm_context !== "" && outcome.pack.confidence === 0
    }, Effect.orElseSucceed(() => false))

    const check = Effect.fn("CheckReadiness.check")(function*(tenantId: string) {
      const attempts = yield* realAttempts(tenantId)
      const apart = yield* Effect.forEach(played, playedStatus)
      const mixedUp = played.filter((_, index) => apart[index] !== true)
      const continues = yield* goesOn(tenantId)
      const providers = providersOf(tenantId)
      const names = providers.map((slots) => `${slots[0].name} (${slots.length})`)
      const sent = attempts.filter(isSent)
      const text = attempts.map(({ provider, status }) => `${provider} ${status}`).join(", ")
      const checks: ReadonlyArray<Check> = [
        found(
          "client_exists",
          names.length > 0,
          `providers: ${names.join(", ") || "none"}; ${engines}`
        ),
        keyLoaded(providers[0], attempts),
        found("request_sent", sent.length > 0, text === "" ? "no attempt was made" : text),
        found(
          "timeout_configured",
          attemptTimeoutMs <= attemptTimeoutMsMax,
          `${attemptTimeoutMs} ms an attempt`
        ),
        found(
          "failures_told_apart",
          mixedUp.length === 0,
          mixedUp.length === 0 ? `${played.length} kinds` : `mixed up: ${mixedUp.join(", ")}`
        ),
        found("task_continues", continues, continues ? "answered without search" : "it ended")
      ]
      return reportOf(checks)
    })

    return CheckReadiness.of({
      check: (tenantId) => check(tenantId).pipe(Effect.provide(services))
    })
  })
)

const enginesText = (named: Readonly<Record<string, ReadonlyArray<string>>>): string =>
  Object.entries(named).map(([what, names]) => `${what}: ${names.join(", ") || "none"}`).join("; ")

const searchRequest = {
  query: question,
  hitsMax: 5,
  depth: "basic",
  topic: "general",
  locale: "en",
  includeDomains: [],
  excludeDomains: []
} as const

const found = (name: CheckName, passed: boolean, finding: string): Check => ({
  name,
  passed,
  finding
})

/**
 * Checks the preferred provider's keys alone: others are fallbacks. An operator's own server must
 * answer. A refused key counts as none; without an answer only its presence is known.
 */
const keyLoaded = (
  preferred: KeySlots | undefined,
  attempts: ReadonlyArray<SearchAttempt>
): Check => {
  if (preferred === undefined) return found("key_loaded", false, "no provider to have a key")
  const [{ name }] = preferred
  const own = attempts.filter(({ key_slot, provider }) =>
    provider === name &&
    (key_slot === undefined || preferred.some(({ keySlot }) => keySlot === key_slot))
  )
  const isKeyless = preferred.every(({ keySlot }) => keySlot === undefined)
  const known = own.filter(({ status }) => coarse(status) !== "api_key_missing")
  const refused = own.filter(({ status }) => status === "invalid_key").length
  if (isKeyless) {
    const isHeard = own.some(isSent)
    const finding = isHeard ? "is asked without a key" : "needs no key and did not answer"
    return found("key_loaded", isHeard && isOwnServer(name), `${name} ${finding}`)
  }
  if (known.some(isSent)) return found("key_loaded", true, `${name} was asked with a key`)
  const [unheard] = known
  if (unheard !== undefined) {
    return found("key_loaded", true, `${name} has a key and did not answer: ${unheard.status}`)
  }
  if (refused > 0) return found("key_loaded", false, `${name} refused ${counted(refused, "key")}`)
  return found("key_loaded", false, `${name} has no key`)
}

/** Whether the provider itself answered: with a result or an HTTP status. */
const isSent = ({ http_status, status }: SearchAttempt): boolean =>
  http_status !== undefined || status === "success" || status === "no_results"
