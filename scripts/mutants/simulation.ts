/**
 * Faults in the order of things, which the simulation notices: each with the seed that shows it and
 * the invariant that is violated then.
 */
import type { Mutant } from "./Mutant.ts"

interface Planted extends Omit<Mutant, "id" | "tests"> {
  readonly id: `simulated-${string}`
  /** Of the scenario that shows it. */
  readonly seed: number
  /** What is violated there. */
  readonly violates: string
}

const planted: ReadonlyArray<Planted> = [
  {
    id: "simulated-late-facts",
    file: "src/domain/session/TimelySession.ts",
    text: "  isTimely(command, session) ? Session",
    replacement: "  isTimely(command, session) || command._tag === \"TellFact\" ? Session",
    means: "a slow run reserves a search, or stops one, for an answer that is recorded",
    seed: 60,
    violates: "each fact follows from those before"
  },
  {
    id: "simulated-budget-one-more",
    file: "src/domain/session/Session.ts",
    text: "const left = searchesMax - started.length",
    replacement: "const left = searchesMax - started.length + 1",
    means: "a session makes one search more than its tier has",
    seed: 3,
    violates: "a budget holds"
  },
  {
    id: "simulated-budget-unasked",
    file: "src/domain/session/Session.ts",
    text: "isUnaskedMidChat(request) ? Math.min(left, midChatMax - unasked) : left",
    replacement: "left",
    means: "what nobody asked for takes the searches of what users ask",
    seed: 5,
    violates: "a budget holds"
  },
  {
    id: "simulated-budget-first-request",
    file: "src/domain/session/Session.ts",
    text: "first?.request.tier ?? request.tier",
    replacement: "request.tier",
    means: "a later request raises the budget of its session",
    seed: 4,
    violates: "a budget holds"
  },
  {
    id: "simulated-budget-race",
    file: "src/domain/session/Session.ts",
    text:
      "return Budget.view(session.groundings.values(), grounding.request).remaining > 0\n        ? \"new\"",
    replacement:
      "return Budget.view(session.groundings.values(), grounding.request).remaining >= 0\n        ? \"new\"",
    means: "two requests that meet take the last search of a session twice",
    seed: 31,
    violates: "a budget holds"
  },
  {
    id: "simulated-send-anyones",
    file: "src/application/steps/CallSearch.ts",
    text: "if (yield* isOwn(step.call)) return yield* send(step, deadline)",
    replacement: "if (step.call.call_id !== \"\") return yield* send(step, deadline)",
    means: "whoever finds a reserved search sends it: it is paid twice",
    seed: 1,
    violates: "what is sent was reserved, and is sent once"
  },
  {
    id: "simulated-doubt-at-once",
    file: "src/application/steps/CallSearch.ts",
    text: "(yield* now) > millisOf(step.call.expires_at) + graceMs",
    replacement: "(yield* now) > 0",
    means: "a search under way is given up by whoever asks for it elsewhere",
    seed: 23,
    violates: "what came of a search is recorded by who made it"
  },
  {
    id: "simulated-abandoned-untold",
    file: "src/application/steps/CallSearch.ts",
    text: "own ? unanswered(step.call, \"interrupted\") : undefined",
    replacement: "own ? undefined : undefined",
    means: "what a caller who goes away leaves of its search is not recorded",
    seed: 3,
    violates: "what came of a search is recorded by who made it"
  },
  {
    id: "simulated-paid-not-retried",
    file: "src/application/run/RunRecord.ts",
    text: "isPaid(command) ? pastDeadline(recording) : recording",
    replacement: "recording",
    means: "an answer that was paid for is lost when the log is away at the deadline",
    seed: 512,
    violates: "what came of a search is recorded by who made it"
  },
  {
    id: "simulated-conflict-same-state",
    file: "src/application/log/CommandHandler.ts",
    text: "Effect.flatMap((fresh) => decideAndAppend(fresh, identified, actor)),",
    replacement:
      "Effect.flatMap((fresh) => decideAndAppend({ ...fresh, state: loaded.state }, identified, actor)),",
    means: "after a conflict a fact is appended that the newer events had settled",
    seed: 1,
    violates: "a request's facts are in order"
  },
  {
    id: "simulated-conflict-stale",
    file: "src/application/log/CommandHandler.ts",
    text: "Effect.andThen(catchUp(loaded)),",
    replacement: "Effect.andThen(Effect.succeed(loaded)),",
    means: "who lost a race for a stream loses it until its deadline",
    seed: 7,
    violates: "a call ends in time"
  },
  {
    id: "simulated-late-answer",
    file: "src/application/GroundQuestion.ts",
    text: "Effect.timeoutOption(Fiber.join(fiber), leftMs + answerGraceMs)",
    replacement: "Effect.timeoutOption(Fiber.join(fiber), leftMs + 10 * answerGraceMs)",
    means: "callers wait beyond their deadline",
    seed: 10,
    violates: "a call ends in time"
  },
  {
    id: "simulated-place-kept",
    file: "src/application/Admission.ts",
    text: "return Effect.ensuring(call, Effect.sync(() => running -= 1))",
    replacement: "return Effect.tap(call, () => Effect.sync(() => running -= 1))",
    means: "calls that fail are counted as running for ever",
    seed: 1,
    violates: "a call gives its place back"
  },
  {
    id: "simulated-place-waiting",
    file: "src/application/Admission.ts",
    text: "Effect.ensuring(Effect.sync(() => waiting -= 1)),",
    replacement: "Effect.tap(() => Effect.sync(() => waiting -= 1)),",
    means: "callers who give up are counted as waiting until nobody may wait",
    seed: 1,
    violates: "a call gives its place back"
  },
  {
    id: "simulated-tenant-kept",
    file: "src/application/LimitTenants.ts",
    text: "() => end(tenantId)",
    replacement: "() => Effect.void",
    means: "a tenant's ended calls are counted as running until it is refused",
    seed: 14,
    violates: "no call fails without a reason"
  },
  {
    id: "simulated-lead-leaked",
    file: "src/application/GroundQuestion.ts",
    text: "yield* Effect.ensuring(advance(opened), performer.close)",
    replacement: "yield* advance(opened)",
    means: "a run that is cut off keeps its lead, and others wait for nobody",
    seed: 3,
    violates: "who is done leads no more"
  },
  {
    id: "simulated-lead-late",
    file: "src/application/sharing/SingleFlight.ts",
    text: "      if (isFirst === undefined) yield* giveUp\n",
    replacement: "",
    means: "a lead that was granted too late keeps others waiting for nobody",
    seed: 152,
    violates: "who is done leads no more"
  },
  {
    id: "simulated-refusal-unlearnt",
    file: "src/application/steps/SearchWeb.ts",
    text: "yield* keyRing.learn(latest.attempt)",
    replacement: "void keyRing",
    means: "a key that was refused is asked again with the next search",
    seed: 33,
    violates: "who was refused rests"
  },
  {
    id: "simulated-rest-ignored",
    file: "src/domain/search/KeyPool.ts",
    text: "return !key.disabled && key.cooledUntilMs <= nowMs",
    replacement: "return !key.disabled && nowMs > 0",
    means: "keys that rest are used",
    seed: 565,
    violates: "a key that rests is not used"
  },
  {
    id: "simulated-ceiling-unpriced",
    file: "src/application/steps/AttemptSearch.ts",
    text: "credits.reserve(name, keySlot, price)",
    replacement: "credits.reserve(name, keySlot, 0)",
    means: "searches are bought without being counted",
    seed: 1,
    violates: "the ledger says what was charged"
  },
  {
    id: "simulated-refund-charged",
    file: "src/application/steps/AttemptSearch.ts",
    text: "SearchFault.mayBeCharged(outcome.failed) ? price : 0",
    replacement: "0",
    means: "what a provider charged for a failure is spent again",
    seed: 1,
    violates: "the ledger says what was charged"
  },
  {
    id: "simulated-resend-paid",
    file: "src/application/steps/AttemptSearch.ts",
    text: "detail === \"unsent\" ? quota.spend(provider.name) : false",
    replacement: "detail !== undefined ? quota.spend(provider.name) : false",
    means: "a search that failed after it was sent is sent and charged again",
    seed: 3,
    violates: "what is sent was reserved, and is sent once"
  },
  {
    id: "simulated-hang-forever",
    file: "src/application/steps/RungWalk.ts",
    text: "duration: Duration.millis(limitMs),",
    replacement: "duration: Duration.millis(100 * limitMs),",
    means: "an engine that hangs costs the caller its answer",
    seed: 715,
    violates: "no call fails without a reason"
  },
  {
    id: "simulated-search-forever",
    file: "src/application/steps/AttemptSearch.ts",
    text: "duration: Duration.millis(timeoutMs),",
    replacement: "duration: Duration.millis(100 * timeoutMs),",
    means: "a provider that hangs is recorded as if it had never been asked",
    seed: 1,
    violates: "what is sent is recorded"
  },
  {
    id: "simulated-page-half",
    file: "src/application/projections/HandlePage.ts",
    text: "events.at(-1)?.position ?? position",
    replacement: "events.at(0)?.position ?? position",
    means: "a page of events is folded twice",
    seed: 1,
    violates: "rows are a fold of the log"
  },
  {
    id: "simulated-rebuilt-unseen",
    file: "src/application/projections/ProjectionRunner.ts",
    text: "after.state === \"rebuilding\" ? yield* readModels.goLive(after) : after",
    replacement: "after",
    means: "after an update the lists stay as they were before it",
    seed: 18,
    violates: "read models catch up"
  },
  {
    id: "simulated-reader-gone",
    file: "src/application/projections/ProjectionRunner.ts",
    text: "return { ...atEase, isDeaf: true, waitMs: idleMsMax }",
    replacement: "return { ...atEase, isDeaf: true, waitMs: idleMsMax, isOver: true }",
    means: "when the reader of the log dies, no other process reads on",
    seed: 1,
    violates: "read models catch up"
  },
  {
    id: "simulated-reader-stops",
    file: "src/application/projections/ProjectionRunner.ts",
    text: "failures: failures + 1,\n                isDeaf: true,",
    replacement:
      "failures: failures + 1,\n                isOver: true,\n                isDeaf: true,",
    means: "an outage of the database ends the reading for good",
    seed: 13,
    violates: "read models catch up"
  },
  {
    id: "simulated-stale-session",
    file: "src/application/sharing/SessionTurns.ts",
    text: "const freshMs = 50",
    replacement: "const freshMs = 5_000",
    means: "who waits for another replica's search looks at the log too seldom",
    seed: 154,
    violates: "no call fails without a reason"
  },
  {
    id: "simulated-call-not-awaited",
    file: "src/domain/session/NextStep.ts",
    text:
      "if (unanswered !== undefined) return { _tag: \"AwaitCall\", grounding, call: unanswered }\n",
    replacement: "",
    means: "a search in flight is not waited for",
    seed: 1,
    violates: "a request's facts are in order"
  },
  {
    id: "simulated-pack-any-topic",
    file: "src/domain/session/PackSharing.ts",
    text: "    normal(topic),\n",
    replacement: "",
    means: "a session is given the answer to another question",
    seed: 1,
    violates: "an answer is to its own question"
  },
  {
    id: "simulated-query-any",
    file: "src/domain/search/QueryCacheEntry.ts",
    text: "identity.query.normalize(\"NFKC\").toLowerCase().replace(/\\s+/g, \" \").trim(),",
    replacement: "\"\",",
    means: "a query is answered with the hits of another one",
    seed: 1,
    violates: "an answer is to its own question"
  },
  {
    id: "simulated-tenant-mixed",
    file: "src/application/sharing/CoalesceSearch.ts",
    text: "      tenantId,\n      key: sha256",
    replacement: "      tenantId: \"\",\n      key: sha256",
    means: "a tenant is given what another one searched",
    seed: 3,
    violates: "nobody is given another tenant's"
  }
]

/** The seeds that show them, each once. */
export const plantedSeeds: ReadonlyArray<number> = [...new Set(planted.map(({ seed }) => seed))]

export const mutants: ReadonlyArray<Mutant> = planted.map(({ seed, violates, ...fault }) => ({
  ...fault,
  means: `${fault.means} (seed ${seed}: ${violates})`,
  tests: ["test/simulation/Simulation.test.ts"]
}))
