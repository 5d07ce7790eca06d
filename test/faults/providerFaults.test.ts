/**
 * Every fault that the sandbox knows, at one provider and at all of them at once, through the whole
 * path: the task goes on, inside its deadline, and what was spent is what the providers saw.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { dialects } from "../../packages/dialects/src/Dialects.ts"
import { faultNames } from "../../packages/sandbox/src/dialect/FaultAnswer.ts"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as DialectSearch from "../../src/adapters/search/DialectSearch.ts"
import { SearchProviders } from "../../src/application/ports/SearchProvider.ts"
import type { SearchAttempt } from "../../src/domain/search/SearchStatus.ts"
import { GroundingOutcome } from "../../src/domain/session/GroundingOutcome.ts"
import { useCases } from "../../src/wiring/layers.ts"
import * as Providers from "../../src/wiring/Providers.ts"
import { caller, instance, limits, oneQuery, sandbox } from "../support/grounding.ts"
import { grace, slowness } from "../support/machine.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { PublicApi } from "../support/sent.ts"

/** On a busy machine what has to be done in the time takes longer, too. */
const pace = Math.min(5, slowness())
/** Half of it is for searching: time for three attempts and what they cost besides. */
const deadlineMs = Math.round(2_500 * pace)
const graceIdleMs = 250
const attemptTimeoutMs = Math.round(300 * pace)

/** The chain that is asked where nothing else is set up; every engine has its own acceptance table. */
const rows = Providers.table.slice(0, 3)
type Name = (typeof rows)[number]["name"]

const providerNames = rows.map(({ name }) => name)

/** The chain as in production, each provider in the sandbox by its own name. */
const chainAt = (baseUrlOf: (name: Name) => string, firstKey?: string) =>
  Layer.succeed(
    SearchProviders,
    SearchProviders.forEveryone(rows.map((row, index) => [
      DialectSearch.make(dialects[row.name === "custom" ? "tavily" : row.name], {
        baseUrl: baseUrlOf(row.name),
        label: row.name,
        apiKey: index === 0 && firstKey !== undefined
          ? Option.some(Redacted.make(firstKey))
          : Providers.sandboxKeyOf(row),
        keySlot: 1
      })
    ]))
  )

const chain = (firstKey?: string) =>
  Layer.unwrap(
    Effect.map(SandboxServer.SandboxServer, ({ baseUrl }) => chainAt(() => baseUrl, firstKey))
  )

/** Of the first provider: it meets the fault with each request. */
const faultyKey = (fault: string): string =>
  Providers.table[0]?.ledger?.sandboxKey.replace(/1$/, `fault-${fault}`) ??
    assert.fail("the first provider has no key")

/** One fault of each kind: silence, ends, refusals, nonsense, nothing, too much. */
const kinds = ["hang", "drip", "reset", "cut", "401", "429", "500", "html-200", "empty", "huge"]

const pairs = providerNames.flatMap((one, place) =>
  providerNames.slice(place + 1).flatMap((other) =>
    kinds.flatMap((first) => kinds.map((second) => ({ one, first, other, second })))
  )
)

/** All pairs take minutes; a spread of them every time. */
const pairStep = process.env["WG_TEST_FULL"] === "1" ? 1 : 23

/** A sandbox for each provider, so that each may fail in its own way. */
const apart = Effect.gen(function*() {
  const server = Effect.map(
    Layer.build(Layer.fresh(sandbox)),
    (context) => Context.get(context, SandboxServer.SandboxServer)
  )
  return new Map(
    yield* Effect.forEach(
      providerNames,
      (name) => Effect.map(server, (one) => [name, one] as const)
    )
  )
})

const over = <E, R>(search: Layer.Layer<SearchProviders, E, R>) =>
  useCases.pipe(
    Layer.provide(Layer.mergeAll(
      search,
      MemoryEventStore.layer,
      instance("p1"),
      limits({ attemptTimeoutMs })
    ))
  )

/** A grounding on a log of its own, with what it took and what its attempts were. */
const ground = Effect.gen(function*() {
  const api = yield* PublicApi
  const attempts: Array<SearchAttempt> = []
  const startMs = yield* Clock.currentTimeMillis
  const outcome = yield* api.ground(
    oneQuery(deadlineMs),
    caller,
    ({ event }) =>
      Effect.sync(() => {
        if (event._tag === "WEB_GROUNDING_CALLED") attempts.push(...event.attempts)
      })
  )
  return { outcome, attempts, tookMs: (yield* Clock.currentTimeMillis) - startMs }
})

/** Whether the provider saw the attempt: its breaker was closed and a connection stood. */
const isSent = ({ detail, status }: SearchAttempt) =>
  status !== "circuit_open" && detail !== "unsent"

const isOutcome = Schema.is(GroundingOutcome)

describe("a provider's fault never fails the task", () => {
  it.layer(sandbox, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect.each(faultNames.map((fault) => ({ fault })))(
      "with $fault at the first provider",
      ({ fault }) =>
        Effect.gen(function*() {
          const server = yield* SandboxServer.SandboxServer
          yield* server.forget
          const { attempts, outcome, tookMs } = yield* ground.pipe(
            Effect.provide(over(chain(faultyKey(fault))), { local: true })
          )
          assert.isTrue(isOutcome(outcome))
          assert.isAtMost(tookMs, deadlineMs + grace(graceIdleMs))
          // The others answer: unless the first one did, with whatever, there is something to say.
          if (attempts[0]?.status !== "success") assert.notStrictEqual(outcome.mode, "ungrounded")
          const { by_fault, total } = yield* server.hits
          assert.property(by_fault, `fault:${fault}`)
          assert.strictEqual(total, attempts.filter(isSent).length)
          assert.strictEqual(outcome.budget.spent_by_request, 1)
        }),
      20_000
    )

    it.effect.each(faultNames.map((fault) => ({ fault })))(
      "with $fault at all of them",
      ({ fault }) =>
        Effect.gen(function*() {
          const server = yield* SandboxServer.SandboxServer
          yield* server.forget
          yield* server.setFault(fault)
          const { attempts, outcome, tookMs } = yield* ground.pipe(
            Effect.provide(over(chain()), { local: true }),
            Effect.ensuring(server.setFault(""))
          )
          assert.isTrue(isOutcome(outcome))
          assert.isAtMost(tookMs, deadlineMs + grace(graceIdleMs))
          const { total } = yield* server.hits
          assert.strictEqual(total, attempts.filter(isSent).length)
          if (outcome.mode !== "ungrounded") return
          assert.strictEqual(outcome.pack.confidence, 0)
          assert.notStrictEqual(outcome.llm_context, "")
        }),
      20_000
    )

    it.effect(
      `with any pair of faults at two of them, ${Math.ceil(pairs.length / pairStep)} pairs`,
      () =>
        Effect.gen(function*() {
          const servers = yield* apart
          const serverOf = (name: Name) => servers.get(name) ?? assert.fail(`no server for ${name}`)
          const all = [...servers.values()]
          for (const pair of pairs.filter((_, index) => index % pairStep === 0)) {
            const cell = JSON.stringify(pair)
            yield* Effect.forEach(
              all,
              (server) => Effect.andThen(server.forget, server.setFault(""))
            )
            yield* serverOf(pair.one).setFault(pair.first)
            yield* serverOf(pair.other).setFault(pair.second)
            const { attempts, outcome, tookMs } = yield* ground.pipe(
              Effect.provide(over(chainAt((name) => serverOf(name).baseUrl)), { local: true })
            )
            assert.isTrue(isOutcome(outcome), cell)
            assert.isAtMost(tookMs, deadlineMs + grace(graceIdleMs), cell)
            assert.strictEqual(outcome.budget.spent_by_request, 1, cell)
            // Two fail and another one answers, so there is something to say.
            assert.notStrictEqual(outcome.mode, "ungrounded", cell)
            const hits = yield* Effect.forEach(all, ({ hits }) => hits)
            const total = hits.reduce((sum, { total }) => sum + total, 0)
            assert.strictEqual(total, attempts.filter(isSent).length, cell)
          }
        }).pipe(Effect.scoped),
      1_200_000
    )
  })
})
