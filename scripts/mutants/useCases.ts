/** Faults of the use cases: the loop, its log, its deadlines, its keys. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const busy = ["test/application/BusySession.test.ts"] as const
const elsewhere = ["test/application/CallsElsewhere.test.ts"] as const
const origin = ["test/application/RecordedOrigin.test.ts"] as const

const packTests = ["test/application/PackCache.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/application/sharing/RecentAnswers.ts", [
    "test/application/RecentAnswers.test.ts"
  ], [
    {
      id: "recent-any-tenant",
      text: "JSON.stringify([tenantId, session_id, request_id])",
      replacement: "JSON.stringify([tenantId.length, session_id, request_id])",
      means: "an answer is told to another tenant that uses the same ids"
    },
    {
      id: "recent-any-request",
      text: "JSON.stringify([tenantId, session_id, request_id])",
      replacement: "JSON.stringify([tenantId, session_id])",
      means: "the second question of a session is answered with the first one's answer",
      equivalent: "Two requests are never the same question: `isSame` compares their ids, too."
    },
    {
      id: "recent-any-question",
      text: " || !isSame(known.request, request)",
      replacement: "",
      means: "another question under a used id is answered with the old answer instead of refused"
    },
    {
      id: "recent-continued",
      text: "  now.version === known.version && now.hash === known.hash",
      replacement: "  now.version >= known.version",
      means: "an answer is told that the session's newer facts may say otherwise of"
    },
    {
      id: "recent-erased",
      text: "now.erasedAt === undefined && ",
      replacement: "",
      means: "the answer of an erased session is told on"
    },
    {
      id: "recent-pages",
      text: "outcome: structuredClone(answer.outcome)",
      replacement: "outcome: answer.outcome",
      means: "each answer in memory keeps the whole pages that it quotes"
    },
    {
      id: "recent-never",
      text: "keep(tenantId, { head:",
      replacement: "void (tenantId, { head:",
      means: "each repeated request reads and folds its whole session"
    }
  ]),
  ...faultsIn("src/domain/session/PackSharing.ts", packTests, [
    {
      id: "packs-personal",
      text: "texts.every(QueryPrivacy.isOpen)",
      replacement: "texts.length > 0",
      means: "a pack about one user's matter is given to another"
    },
    {
      id: "packs-known-facts",
      text: "known_facts.length === 0 &&\n",
      replacement: "\n",
      means: "a pack that was made with a user's own facts is given to another"
    },
    {
      id: "packs-stored",
      text: "some((id) => isStored(grounding, id))",
      replacement: "some(() => false)",
      means: "what was removed from the evidence store is still quoted to others"
    },
    {
      id: "packs-timely",
      text: `need.topic !== "general" || need.reason_codes.includes("TIME_SENSITIVE")`,
      replacement: `need.max_queries > 9`,
      means: "yesterday's news is given as today's"
    }
  ]),
  ...faultsIn("src/application/sharing/SharePacks.ts", packTests, [
    {
      id: "packs-ageless",
      text: "pack === undefined || !isFresh(pack, nowMs)",
      replacement: "pack === undefined",
      means: "a pack is given for ever"
    },
    {
      id: "packs-tenantless",
      text: "return { tenantId, key: sha256(",
      replacement: "return { tenantId: tenantId.slice(0, 0), key: sha256(",
      means: "one tenant is given another's packs"
    },
    {
      id: "packs-overtaken",
      text: "if (yield* isOvertaken(key.tenantId, grounding, pack)) return undefined\n",
      replacement: "",
      means: "what the evidence store has learnt since is not told"
    }
  ]),
  ...faultsIn("src/application/health/HealthNotes.ts", ["test/application/HealthNotes.test.ts"], [
    {
      id: "use-told-to-all",
      text: "return facts.length > 0",
      replacement: "return facts.length >= 0",
      means: "a missing key is told in every answer while it lasts"
    }
  ]),
  ...faultsIn("src/domain/health/HealthNote.ts", ["test/application/HealthNotes.test.ts"], [
    {
      id: "use-told-for-ever",
      text: "(notes.told.get(facts.key_slot) ?? \"\") >= facts.since",
      replacement: "notes.told.has(facts.key_slot)",
      means: "a key that is missing for the second time is not told"
    }
  ]),
  ...faultsIn("src/application/health/WatchCredits.ts", ["test/application/WatchCredits.test.ts"], [
    {
      id: "use-credits-asked-always",
      text: "if (ageMs < everyMs * freshShare) return",
      replacement: "if (ageMs < 0) return",
      means: "each process asks a provider for its counts"
    }
  ]),
  ...faultsIn("src/application/GroundQuestion.ts", busy, [
    {
      id: "use-ground-tenant",
      text: "join({ tenant_id: caller.tenantId, session_id: request.session_id })",
      replacement: "join({ tenant_id: \"t\", session_id: request.session_id })",
      means: "all tenants share one session of a name",
      tests: origin
    },
    {
      id: "use-ground-waits-on",
      text: "if ((yield* Deadline.leftMs(deadline)) > 0) return yield* newest",
      replacement: "if ((yield* Deadline.leftMs(deadline)) >= 0) return yield* newest",
      means: "a caller hears after its deadline that its request is in progress",
      tests: elsewhere
    },
    {
      id: "use-ground-retry-after",
      text: "const retryAfterMs = 1_000",
      replacement: "const retryAfterMs = 0",
      means: "callers of a busy session ask again at once, all of them",
      tests: elsewhere
    },
    {
      id: "use-ground-lost-race",
      text: "        Effect.catchTag(\"BudgetRefused\", () => newest)\n",
      replacement: "",
      means: "a request that loses the race for the last search fails as a bug"
    },
    {
      id: "use-ground-conflict",
      text: "StreamConflict: () => Effect.fail(inProgress(request)),",
      replacement: "StreamConflict: (bug) => Effect.die(bug),",
      means: "a busy session fails as a bug"
    },
    {
      id: "use-ground-not-closed",
      text: "Effect.ensuring(advance(opened), performer.close)",
      replacement: "advance(opened)",
      means: "a search that was not made keeps others who ask the same waiting"
    },
    {
      id: "use-ground-unbounded",
      text: "Effect.timeoutOption(Fiber.join(fiber), leftMs + answerGraceMs)",
      replacement: "Effect.timeoutOption(Fiber.join(fiber), leftMs + 60_000)",
      means: "a log that does not answer holds callers long after their deadline"
    },
    {
      id: "use-ground-hasty",
      text: "Effect.timeoutOption(Fiber.join(fiber), leftMs + answerGraceMs)",
      replacement: "Effect.timeoutOption(Fiber.join(fiber), leftMs / 2)",
      means: "callers are sent away while half of their time is left",
      tests: ["test/application/GroundQuestion.test.ts"]
    },
    {
      id: "use-ground-held",
      text: "const abandonMsMax = 1_000",
      replacement: "const abandonMsMax = 60_000",
      means: "a caller that goes away is held for a minute by a log that does not answer"
    },
    {
      id: "use-ground-unrecorded-leave",
      text: "Effect.onInterrupt(() => recordAbandoned(place, step))",
      replacement: "Effect.onInterrupt(() => Effect.void)",
      means: "the search of a caller who went away is waited for until it expires",
      tests: ["test/application/GroundQuestion.test.ts"]
    },
    {
      id: "use-ground-searched-untold",
      text: "if (step._tag === \"AwaitCall\") yield* Ref.set(hasSearched, Option.some(true))\n",
      replacement: "",
      means: "a caller is told that nothing was searched although a search was paid for"
    },
    {
      id: "use-ground-earlier-search-untold",
      text: "Option.some(known !== undefined && known.calls.length > 0)",
      replacement: "Option.some(false)",
      means: "a caller is told that nothing was searched although an earlier run did"
    },
    {
      id: "use-ground-deadline-unset",
      text: "          Effect.provideService(RetryUntil, deadline.atMs),\n",
      replacement: "",
      means: "a busy log is retried for five seconds, whatever the deadline"
    }
  ]),
  ...faultsIn("src/application/run/RunRecord.ts", busy, [
    {
      id: "use-ground-listener",
      text: "yield* Effect.interruptible(\n        Effect.forEach(facts, (fact)",
      replacement: "yield* Effect.uninterruptible(\n" +
        "        Effect.forEach(facts, (fact)",
      means: "a listener that is slow keeps a run from ending"
    },
    {
      id: "use-ground-silent",
      text: "Effect.forEach(facts, (fact) => report(fact, texts), { discard: true })",
      replacement: "Effect.void",
      means: "callers see no progress",
      tests: ["test/application/GroundQuestion.test.ts"]
    },
    {
      id: "use-ground-paid-lost",
      text: "isPaid(command) ? pastDeadline(recording) : recording",
      replacement: "recording",
      means: "the answer of a paid search is lost when the log is busy at the deadline"
    },
    {
      id: "use-record-outside-late",
      text:
        "        const before = yield* recorded(place)\n        return { before, command: yield* performer.perform(step) }",
      replacement: "        return { before: place, command: yield* performer.perform(step) }",
      means: "somebody outside is asked before the log holds what it is asked for",
      tests: ["test/application/RunRecord.test.ts"]
    },
    {
      id: "use-record-intent-late",
      text: "    command.fact._tag === \"WEB_GROUNDING_CALL_STARTED\" ||\n",
      replacement: "",
      means: "a search is reserved in no log while others may take the last one",
      tests: ["test/application/RunRecord.test.ts"],
      equivalent: "The search is made by the next step, which asks outside and records it before."
    },
    {
      id: "use-record-answer-late",
      text: "asksOutside(step) || isToldAtOnce(command) || restsOnUnseen",
      replacement: "isToldAtOnce(command) || restsOnUnseen",
      means:
        "what a model was paid for is used before it is recorded, and paid again after a crash",
      tests: ["test/application/RunRecord.test.ts"]
    },
    {
      id: "use-record-apart",
      text: "        : wait(place, command)",
      replacement: "        : record(place, command)",
      means: "each step of a grounding waits for the disk",
      tests: ["test/application/RunRecord.test.ts"]
    },
    {
      id: "use-record-waits-on",
      text: "const waitingMsMax = 100",
      replacement: "const waitingMsMax = 100_000",
      means: "what a run has worked out shows nowhere while it waits for another one's answer",
      tests: ["test/application/RunRecord.test.ts"]
    },
    {
      id: "use-record-rejected",
      text: "      if (Option.isSome(rejected)) return yield* Effect.fail(rejected.value)\n",
      replacement: "",
      means: "another question under a used id goes on as if it was recorded"
    }
  ]),
  ...faultsIn("src/application/sharing/SessionTurns.ts", busy, [
    {
      id: "use-turns-stale",
      text: "Effect.tapError(() => outdated)",
      replacement: "Effect.tapError(() => Effect.void)",
      means: "a request that lost the last search asks for it again until it looks at the log anew",
      equivalent: "that is 50 ms later, and it gives its lead back before it asks again"
    },
    {
      id: "use-turns-refused-early",
      text: "Option.isSome(answer.rejected) && answer.facts.length === 0",
      replacement: "false",
      means: "what rests on another process's facts is refused while a run here has not seen them",
      tests: elsewhere
    },
    {
      id: "use-turns-never-fresh",
      text: "latest !== undefined && nowMs - readAtMs < freshMs ? latest : yield* read",
      replacement: "latest ?? (yield* read)",
      means: "what another process records is never seen",
      tests: elsewhere
    }
  ]),
  ...faultsIn("src/application/log/CommandHandler.ts", origin, [
    {
      id: "use-log-correlation",
      text: "correlation_id: correlationOf(command),",
      replacement: "correlation_id: \"\",",
      means: "the audit trail does not say to which request a fact belongs"
    },
    {
      id: "use-log-causation",
      text: "causation_id: commandId,",
      replacement: "causation_id: correlationOf(command),",
      means: "the audit trail does not say which command led to a fact"
    },
    {
      id: "use-log-actor",
      text: "          actor\n        }",
      replacement: "          actor: \"service\"\n        }",
      means: "the audit trail does not say who asked"
    },
    {
      id: "use-log-event-ids",
      text: "ids.derived(commandId, ordinal)",
      replacement: "ids.derived(correlationOf(command), ordinal)",
      means: "two facts of a request get one id, and the second is taken for a repeat of the first"
    },
    {
      id: "use-log-old-state",
      text: "Effect.flatMap((fresh) => decideAndAppend(fresh, identified, actor)),",
      replacement:
        "Effect.flatMap(({ head }) => decideAndAppend({ ...loaded, head }, identified, actor)),",
      means: "the loser of a race is decided on the state before it: budgets are overspent",
      tests: busy
    },
    {
      id: "use-log-one-retry",
      text: "? mayRetry(untilMs)\n",
      replacement: "? Effect.succeed(false)\n",
      means: "a request fails when two other processes write first",
      tests: busy
    },
    {
      id: "use-log-restored",
      text: "    if (last?.hash !== known.hash) return yield* load(known.ref)\n",
      replacement: "",
      means: "after a restore of the database facts are decided on a past that is gone",
      tests: ["test/application/KeyRing.test.ts"]
    }
  ]),
  ...faultsIn("src/application/steps/KeyRing.ts", ["test/application/KeyReports.test.ts"], [
    {
      id: "use-keys-log-away",
      text: "Effect.orElseSucceed(chosen, () => slots)",
      replacement: "Effect.orElseSucceed(chosen, (): ReadonlyArray<number> => [])",
      means: "no search is made while the log is away"
    },
    {
      id: "use-keys-blamed",
      text: "      if (!KeyPool.isRefusal(status, detail)) return\n",
      replacement: "",
      means: "a slow provider sends its keys to rest",
      equivalent: "the pool of keys records nothing of a report that is no refusal"
    },
    {
      id: "use-keys-retry-after",
      text: "          ...(retry_after_ms === undefined ? {} : { retry_after_ms }),\n",
      replacement: "",
      means: "a key is used before its provider allows it"
    },
    {
      id: "use-keys-failing",
      text:
        "        Effect.catchCause((cause) => Effect.logWarning(\"a key's state was not recorded\", cause))",
      replacement: "        Effect.orDie",
      means: "an outage of the log ends a search that was answered"
    },
    {
      id: "use-keys-keyless",
      text: "      if (attempt.key_slot === undefined) return\n",
      replacement: "",
      means: "a provider without keys fails on a report about a key"
    }
  ])
]
