/** Faults of single steps: searches, what they cost, and what is made of what they found. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const steps = "src/application/steps"
const busy = "test/application/BusySession.test.ts"
const grounding = "test/application/GroundQuestion.test.ts"
const evidence = "test/application/StepEvidence.test.ts"

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn(`${steps}/AttemptSearch.ts`, ["test/application/SearchCharges.test.ts"], [
    {
      id: "step-attempt-retries",
      text: "const retriesMax = 2",
      replacement: "const retriesMax = 50",
      means: "a provider that is down is asked six times as often"
    },
    {
      id: "step-attempt-answer-free",
      text: "return outcome.answer.credits ?? price",
      replacement: "return outcome.answer.credits ?? 0",
      means: "an answer without a figure costs nothing: the ceiling is overrun"
    },
    {
      id: "step-attempt-failure-free",
      text: "return SearchFault.mayBeCharged(outcome.failed) ? price : 0",
      replacement: "return 0",
      means: "a search that ran out of time costs nothing: the ceiling is overrun"
    },
    {
      id: "step-attempt-failure-charged",
      text: "return SearchFault.mayBeCharged(outcome.failed) ? price : 0",
      replacement: "return price",
      means: "refused requests use up the month's credits"
    },
    {
      id: "step-attempt-price-of-depth",
      text: "const price = creditsByDepth[request.depth]",
      replacement: "const price = creditsByDepth.basic",
      means: "an advanced search is booked as a basic one"
    },
    {
      id: "step-attempt-uncounted",
      text: "    // Nothing is bought that cannot be counted.\n" +
        "    (outcome, provider) =>\n      Effect.catchTag(outcome, \"EventStoreUnavailable\", () => " +
        "Effect.succeed(uncountable(provider)))",
      replacement: "    (outcome) => Effect.orDie(outcome)",
      means: "an outage of the ledger ends a grounding as a bug"
    },
    {
      id: "step-attempt-ceiling",
      text: "if (month === undefined) return ceilingReached(provider)",
      replacement: "if (month === undefined) return yield* ask(provider, request, timeoutMs)",
      means: "searches are made beyond the operator's ceiling"
    },
    {
      id: "step-attempt-resent",
      text: "detail === \"unsent\" ? quota.spend(provider.name) : false",
      replacement: "quota.spend(provider.name)",
      means: "a search that may have been charged is sent again"
    },
    {
      id: "step-attempt-refund-waits",
      text: "Effect.ignore(Effect.timeout(credits.correct(month, by), correctMsMax))",
      replacement: "Effect.ignore(credits.correct(month, by))",
      means: "a ledger that hangs costs the answer that was paid for"
    },
    {
      id: "step-attempt-below-price",
      text: "return credits < least ? \"below_price\" : undefined",
      replacement: "return undefined",
      means: "a provider that reports no charge is free for ever"
    },
    {
      id: "step-attempt-weak-hits",
      text: "score === undefined || score >= scoreMin",
      replacement: "true",
      means: "hits that do not fit the question are read and quoted"
    }
  ]),
  ...faultsIn(`${steps}/SearchWeb.ts`, ["test/application/SearchWeb.test.ts"], [
    {
      id: "step-search-shorter-reservation",
      text: "durationMsMax: keysCount * attemptTimeoutMs",
      replacement: "durationMsMax: providers.length * attemptTimeoutMs",
      means: "a search that still runs is recorded as lost, and its answer is thrown away"
    },
    {
      id: "step-search-keys-not-turned",
      text: "return KeyPool.isAboutKey(status, detail)\n",
      replacement: "return false\n",
      means: "one spent key makes the provider unusable"
    },
    {
      id: "step-search-scarce",
      text: "latest.hits.length > Math.min(hitsScarceMax, request.hitsMax - 1)",
      replacement: "latest.hits.length > 0",
      means: "a search with a single hit is not completed by the next provider"
    },
    {
      id: "step-search-unlearned",
      text: "          yield* keyRing.learn(latest.attempt)\n",
      replacement: "",
      means: "a refused key is asked again by every search"
    },
    {
      id: "step-search-bookkeeping",
      text: "Option.isSome(inTime) ? inTime.value.flat() : yield* Ref.get(finished)",
      replacement: "Option.isSome(inTime) ? inTime.value.flat() : []",
      means: "an answer that was paid for is lost when the ledger hangs"
    },
    {
      id: "step-search-failure-told-as-nothing",
      text: "attempts.findLast(({ status }) => status === \"no_results\") ??\n",
      replacement: "",
      means: "that nothing was found is told as an outage"
    }
  ]),
  ...faultsIn(`${steps}/CallSearch.ts`, ["test/application/CallsElsewhere.test.ts"], [
    {
      id: "step-call-own",
      text: "Effect.map(Ref.get(reserved), (own) => own.has(call.call_id))",
      replacement: "Effect.map(Ref.get(reserved), () => true)",
      means: "every twin of a request sends and pays for the same search",
      tests: [grounding, "test/application/CallsElsewhere.test.ts"]
    },
    {
      id: "step-call-lead-kept",
      text: "      yield* close\n      const leftMs",
      replacement: "      const leftMs",
      means: "others wait for a search that nobody makes, until its lead's heartbeats run out",
      tests: ["test/application/HeldLead.test.ts"]
    },
    {
      id: "step-call-lost",
      text: "const isDead = instance.sole && step.call.owner !== instance.id",
      replacement: "const isDead = step.call.owner !== instance.id",
      means: "the running search of another replica is recorded as lost"
    },
    {
      id: "step-call-own-process-lost",
      text: "const isDead = instance.sole && step.call.owner !== instance.id",
      replacement: "const isDead = instance.sole",
      means: "a twin in the same process records a running search as lost"
    },
    {
      id: "step-call-dead-waited-for",
      text: "const isDead = instance.sole && step.call.owner !== instance.id",
      replacement: "const isDead = false",
      means: "after a restart a request waits for a search that nobody makes any more"
    },
    {
      id: "step-call-grace",
      text: "const graceMs = 2_000",
      replacement: "const graceMs = 0",
      means: "an answer that is being recorded is taken for lost"
    },
    {
      id: "step-call-ever-waited-for",
      text: "millisOf(step.call.expires_at) + graceMs",
      replacement: "millisOf(step.call.expires_at) + 1_000 * graceMs",
      means: "the search of a process that died is waited for until the deadline"
    },
    {
      id: "step-call-ended-by-waiter",
      text: "own ? unanswered(step.call, \"interrupted\") : undefined",
      replacement: "unanswered(step.call, \"interrupted\")",
      means: "a caller who goes away ends the search of another run"
    },
    {
      id: "step-call-abandoned-unrecorded",
      text: "own ? unanswered(step.call, \"interrupted\") : undefined",
      replacement: "undefined",
      means: "the search of a caller who went away is waited for until it expires",
      tests: [grounding]
    },
    {
      id: "step-call-expiry",
      text: "Math.min(Math.floor(leftMs), searchWeb.durationMsMax)",
      replacement: "Math.floor(leftMs)",
      means: "a lost search is waited for much longer than any search takes",
      tests: [grounding]
    },
    {
      id: "step-call-outlives-expiry",
      text: "Math.max(0, Math.min(expiresInMs, yield* Deadline.shareMs(deadline, \"Search\")))",
      replacement: "yield* Deadline.shareMs(deadline, \"Search\")",
      means: "a search goes on after others have recorded it as lost",
      tests: [busy]
    },
    {
      id: "step-call-not-released",
      text: "(lead) => lead === undefined ? Effect.void : coalesce.release(lead)\n    )",
      replacement: "() => Effect.void\n    )",
      means: "a search that was not made keeps others who ask the same waiting",
      tests: [busy]
    },
    {
      id: "step-call-uncached",
      text: ": { ...called, cache: { key: lead.key.key, fresh_ms: lead.freshMs(status) } }",
      replacement: ": called",
      means: "no answer is given again: every session pays for the same search",
      tests: ["test/application/QueryCache.test.ts"]
    },
    {
      id: "step-call-no-stale-answer",
      text: "const older = yield* coalesce.bearable(tenantId, request)",
      replacement:
        "const older = undefined as Effect.Success<ReturnType<typeof coalesce.bearable>>",
      means: "when every provider is down no earlier answer stands in",
      tests: ["test/application/QueryCache.test.ts"]
    }
  ]),
  ...faultsIn("src/application/sharing/SingleFlight.ts", [
    "test/application/CoalesceSearch.test.ts"
  ], [
    {
      id: "step-lead-everybody",
      text: "if (!isFirst) return undefined\n",
      replacement: "",
      means: "every process makes and pays for the same search"
    },
    {
      id: "step-lead-late-kept",
      text: "      if (isFirst === undefined) yield* giveUp\n",
      replacement: "",
      means: "a lead that was granted too late keeps others waiting for nobody"
    },
    {
      id: "step-lead-left-kept",
      text: "Effect.onInterrupt(() => giveUp)",
      replacement: "Effect.onInterrupt(() => Effect.void)",
      means: "a lead that is granted to who went away keeps others waiting for nobody"
    },
    {
      id: "step-lead-turn-kept",
      text: ": giveBack(lead.key, mine)\n",
      replacement: ": Effect.void\n",
      means: "a caller who goes away while it waits keeps its process from that search for good"
    },
    {
      id: "step-lead-not-resigned",
      text: "      yield* cache.resign(key, held.owner)\n      yield* giveBack",
      replacement: "      yield* giveBack",
      means: "other processes wait out a lease after every search"
    },
    {
      id: "step-lead-turn-not-given-back",
      text: "      yield* giveBack(key, held.turn)\n",
      replacement: "",
      means: "who asks the same in this process waits a third of its time for nothing"
    },
    {
      id: "step-lead-lifeless",
      text: "Effect.repeat({ while: (isHeld) => isHeld, times: Math.ceil(leftMs / heartbeatMs) })",
      replacement: "Effect.asVoid",
      means: "a slow search is made a second time by another process"
    },
    {
      id: "step-lead-waits-long",
      text: "Math.floor(leftMs * waitingShareMax)",
      replacement: "Math.floor(leftMs)",
      means: "who waits for a slow leader has no time left for a search of its own"
    },
    {
      id: "step-lead-one-name",
      text:
        "const owner = `${instance.id} ${yield* Ref.updateAndGet(leadsCount, (count) => count + 1)}`",
      replacement: "const owner = \"leader\"",
      means: "processes share one lease: each of them leads",
      tests: ["test/application/QueryCache.test.ts", "test/application/CoalesceSearch.test.ts"]
    },
    {
      id: "step-lead-tenants",
      text: "const nameOf = ({ key, tenantId }: CacheKey): string => `${tenantId} ${key}`",
      replacement: "const nameOf = ({ key }: CacheKey): string => key",
      means: "one tenant's search keeps another tenant's waiting"
    }
  ]),
  ...faultsIn(`${steps}/Fallback.ts`, ["test/application/RungWalk.test.ts"], [
    {
      id: "step-walk-takes-all",
      text: "isLast ? restMs : restMs / 2",
      replacement: "restMs",
      means: "one engine that hangs takes the time of all that follow"
    },
    {
      id: "step-walk-no-timeout",
      text: "Math.min(timeoutMs, isLast ? restMs : restMs / 2)",
      replacement: "isLast ? restMs : restMs / 2",
      means: "an engine's own time limit does not hold"
    },
    {
      id: "step-walk-fault-lost",
      text: ": from(index + 1, [...made, attempt])",
      replacement: ": from(index + 1, made)",
      means: "a failed engine is not recorded: the answer is trusted as if none had failed"
    },
    {
      id: "step-walk-late",
      text: "candidate === undefined || restMs < attemptMsMin",
      replacement: "candidate === undefined",
      means: "engines are asked, and paid for, that cannot answer in time"
    },
    {
      id: "step-walk-goes-on",
      text: "isEnough(attempt)\n",
      replacement: "false\n",
      means: "every engine is asked and paid for, though the first has answered"
    }
  ]),
  ...faultsIn(`${steps}/RungWalk.ts`, ["test/application/RungWalk.test.ts"], [
    {
      id: "step-walk-unmetered",
      text: "(more) => Ref.update(used, (before) => Usage.added(before, more))",
      replacement: "() => Effect.void",
      means: "what models cost is not told"
    }
  ]),
  ...faultsIn(`${steps}/RungWalk.ts`, ["test/contract/EngineRest.test.ts"], [
    {
      id: "step-walk-unguarded",
      text: "info.upstream === undefined ? timed :",
      replacement: "true ? timed :",
      means: "a model that is down is waited for by every request"
    },
    {
      id: "step-walk-blamed",
      text: "limitMs === time.timeoutMs",
      replacement: "true",
      means: "a model is left alone because requests in a hurry did not wait for it"
    }
  ]),
  ...faultsIn("src/adapters/breakers/MemoryBreakers.ts", ["test/contract/EngineRest.test.ts"], [
    {
      id: "breaker-rest-untold",
      text: "CircuitBreaker.failure({ retryAfter: Duration.millis(fault.restMs) })",
      replacement: "CircuitBreaker.failure()",
      means: "a server that asks for a pause is asked again at once"
    },
    {
      id: "breaker-refusals-count",
      text: "return Option.contains(fault, \"broken\") ?",
      replacement: "return Option.isSome(fault) ?",
      means: "a server that refuses some requests is taken for broken"
    }
  ]),
  ...faultsIn(`${steps}/WritePack.ts`, [evidence], [
    {
      id: "step-write-local-as-model",
      text: "if (engine !== local) return 1\n",
      replacement: "return 1\n",
      means: "what the local engine quoted is rated as a model's answer"
    },
    {
      id: "step-write-after-failure",
      text: "faults.length > 0 ? Confidence.afterFailureMax : Confidence.localMax",
      replacement: "Confidence.localMax",
      means: "a stand-in for a failed model is trusted as if it had been chosen"
    },
    {
      id: "step-write-unjudged",
      text: "        ...(judging === undefined ? {} : { judgements: judging.judgements }),\n",
      replacement: "",
      means: "what the judge said is not heard"
    },
    {
      id: "step-write-unproved",
      text: "draft.claims.length === 0 || judgeable.length > 0",
      replacement: "true",
      means: "a model that invents everything leaves an empty pack instead of the local one"
    },
    {
      id: "step-write-asks-without-evidence",
      text: "chunks.length === 0 ? { ...writers, preferred: [] } : writers",
      replacement: "writers",
      means: "a model is paid to write about nothing"
    }
  ]),
  ...faultsIn(`${steps}/ReadPages.ts`, [evidence], [
    {
      id: "step-read-late",
      text: "const leftMs = untilMs - (yield* Clock.currentTimeMillis)",
      replacement: "const leftMs = 60_000",
      means: "slow pages take the time that ranking and writing need"
    },
    {
      id: "step-read-future",
      text: "...PageDates.plausibleDates(dates, now),",
      replacement: "...dates,",
      means: "a page dated in the future counts as the freshest"
    },
    {
      id: "step-read-many",
      text: "wanted.slice(0, grounding.policy.pages_max)",
      replacement: "wanted",
      means: "every hit is fetched, however many there are",
      tests: ["test/application/PageTexts.test.ts"]
    },
    {
      id: "step-read-searched-date",
      text: "published_date = hit.published_date,",
      replacement: "published_date,",
      means: "a date that only the search knows is lost"
    }
  ]),
  ...faultsIn(`${steps}/JoinEntries.ts`, [evidence], [
    {
      id: "step-join-twice",
      text: "!addressesOf(entry).some((address) => read.has(address))",
      replacement: "true",
      means: "one page counts as two sources that agree"
    },
    {
      id: "step-join-redirected",
      text: "new Set(evidence.pages.flatMap(addressesOf))",
      replacement: "new Set(evidence.pages.map(({ url }) => url))",
      means: "a page that was read under another address counts as a second source"
    }
  ]),
  ...faultsIn(`${steps}/PerformStep.ts`, [evidence], [
    {
      id: "step-rank-left-out",
      text: "const scores = chunks.map((_, index) => answer[index] ?? 0)",
      replacement: "const scores = chunks.map((_, index) => answer[index] ?? 1)",
      means: "a passage that the ranker left out is placed first"
    }
  ]),
  ...faultsIn(`${steps}/JudgeClaims.ts`, [evidence], [
    {
      id: "step-judge-unasked",
      text: "places.has(claim) &&\n",
      replacement: "true &&\n",
      means: "a judge's word about claims that nobody asked about is recorded"
    }
  ])
]
