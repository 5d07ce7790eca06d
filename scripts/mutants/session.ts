/** Faults of the decider, of the budget and of the answer. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const fences = ["test/domain/SessionFences.test.ts"] as const
const paths = ["test/domain/NextStep.test.ts", "test/domain/NextStepPaths.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/domain/session/Session.ts", ["test/domain/Session.test.ts", ...fences], [
    {
      id: "session-late-evidence",
      text: "written === undefined && isOfThisReading &&\n",
      replacement: "written === undefined &&\n",
      means: "a dead run's pages replace those of the run that goes on"
    },
    {
      id: "session-late-ranking",
      text: "grounding.ranking === undefined && isOfThisReading",
      replacement: "grounding.ranking === undefined",
      means: "a ranking of other pages is laid over these: citations point at what was not ranked"
    },
    {
      id: "session-late-pack",
      text: "newIf(written === undefined && isOfThisReading)",
      replacement: "newIf(written === undefined)",
      means: "a pack of other pages is recorded"
    },
    {
      id: "session-ranking-kept",
      text: "change(session, event, ({ ranking: _, ...grounding }) => ({",
      replacement: "change(session, event, (grounding) => ({",
      means: "the old ranking stays over pages that are read again"
    },
    {
      id: "session-reading-not-counted",
      text: "reading: readingOf(grounding) + 1",
      replacement: "reading: readingOf(grounding)",
      means: "no reading is later than another, so late facts are not told from current ones"
    },
    {
      id: "session-evidence-after-pack",
      text: "written === undefined && isOfThisReading &&\n",
      replacement: "isOfThisReading &&\n",
      means: "pages are recorded that a written pack does not rest on"
    },
    {
      id: "session-evidence-read-twice",
      text: "evidence === undefined || evidence.pages.some(isTextMissing)",
      replacement: "true",
      means: "whole pages are replaced by a second reading of them"
    },
    {
      id: "session-ranked-twice",
      text: "grounding.ranking === undefined && isOfThisReading",
      replacement: "isOfThisReading",
      means: "a second ranking is recorded of the same pages"
    },
    {
      id: "session-written-twice",
      text: "newIf(written === undefined && isOfThisReading)",
      replacement: "newIf(isOfThisReading)",
      means: "a second pack replaces the one that was answered with"
    },
    {
      id: "session-decided-after-reuse",
      text: "decision === undefined && reused === undefined && cachedPack === undefined\n",
      replacement: "decision === undefined && cachedPack === undefined\n",
      means: "a request that an earlier pack answers is decided and searched again"
    },
    {
      id: "session-decided-twice",
      text: "decision === undefined && reused === undefined && cachedPack === undefined\n",
      replacement: "reused === undefined && cachedPack === undefined\n",
      means: "a second run overrides the decision that the first searches by"
    },
    {
      id: "session-plan-unwanted",
      text: "return decision?.need.need_search === true ?",
      replacement: "return decision !== undefined ?",
      means: "a plan is recorded where no search is wanted"
    },
    {
      id: "session-planned-twice",
      text: "if (planned !== undefined) return \"known\"\n",
      replacement: "",
      means: "a second plan changes what the indexes of reserved queries mean"
    },
    {
      id: "session-search-reserved-twice",
      text: "if (isTaken(grounding, fact.query_index)) return \"known\"\n",
      replacement: "",
      means: "one planned query is reserved and paid for twice"
    },
    {
      id: "session-budget-one-more",
      text: "request).remaining > 0\n",
      replacement: "request).remaining >= 0\n",
      means: "a session makes searches beyond its budget"
    },
    {
      id: "session-cached-twice",
      text: "newIf(!isTaken(grounding, fact.query_index))",
      replacement: "\"new\"",
      means: "one planned query is answered from the cache twice"
    },
    {
      id: "session-outcome-of-no-call",
      text: "call === undefined ? \"unfounded\" :",
      replacement: "call === undefined ? \"known\" :",
      means: "the answer of a search that nobody reserved is dropped in silence"
    },
    {
      id: "session-call-answered-twice",
      text: "newIf(call.outcome === undefined)",
      replacement: "\"new\"",
      means: "a late answer replaces the one that the evidence was read of"
    },
    {
      id: "session-outcome-of-every-call",
      text: "call.call_id === outcome.call_id ? { ...call, outcome } : call",
      replacement: "({ ...call, outcome })",
      means: "one answer ends every call of the request"
    },
    {
      id: "session-reuse-unwritten",
      text: "return session.groundings.get(fact.from_request_id)?.written === undefined",
      replacement: "return session.groundings.get(fact.from_request_id) === undefined",
      means: "a request is answered by a pack that does not exist yet"
    },
    {
      id: "session-reuse-decided",
      text: "const isBegun = decision !== undefined || reused",
      replacement: "const isBegun = reused",
      means: "a request that is being searched for is also answered by an earlier pack"
    },
    {
      id: "session-stopped-twice",
      text: "newIf(grounding.stopped === undefined)",
      replacement: "\"new\"",
      means: "the reason why a search ended changes after the fact"
    },
    {
      id: "session-research-unwritten",
      text: "written === undefined && !isOutlinedApart(grounding)",
      replacement: "false",
      means: "findings for a course are recorded before there is a pack"
    },
    {
      id: "session-researched-twice",
      text: "newIf(grounding.researched === undefined)",
      replacement: "\"new\"",
      means: "a second run replaces the findings that a course was built on"
    },
    {
      id: "session-finished-twice",
      text: "newIf(finished === undefined)",
      replacement: "\"new\"",
      means: "a repeated request is given another answer than the first"
    },
    {
      id: "session-shown-once",
      text: "newIf(!shown.some(({ audience }) => audience === fact.audience))",
      replacement: "newIf(shown.length === 0)",
      means: "only the first audience of a pack is recorded"
    },
    {
      id: "session-shown-reused",
      text: "if (written === undefined && reused === undefined && cachedPack",
      replacement: "if (written === undefined && cachedPack",
      means: "showing a pack that is given again is refused"
    },
    {
      id: "session-request-wiped",
      text: "session.groundings.has(request_id) ? undefined : {",
      replacement: "false ? undefined : {",
      means: "a second request fact wipes everything known of the request"
    },
    {
      id: "session-request-conflict",
      text: "isSame(grounding.request, fact.request)",
      replacement: "isSame(fact.request, fact.request)",
      means: "another question under a used request id gets the first question's answer"
    },
    {
      id: "session-own-setup",
      text: "other.request.request_id !== request.request_id && other",
      replacement: "other",
      means: "a request counts itself as the earlier setup",
      equivalent: "a request is decided once, before any search of its own"
    },
    {
      id: "session-setup-of-any-phase",
      text: "other.request.phase === \"session_setup\" &&\n",
      replacement: "\n",
      means: "a search in mid-chat takes the session its setup's grounding"
    },
    {
      id: "session-setup-refused",
      text: "    isFruitful(other)\n",
      replacement: "    other.decision?.need.need_search === true\n",
      means: "a setup whose search failed keeps every later one from searching"
    },
    {
      id: "session-fold-shares-state",
      text: "const groundings = new Map(from.groundings)\n",
      replacement: "const groundings = from.groundings as Map<string, Grounding>\n",
      means: "folding newer facts changes the state that another caller still decides on"
    }
  ]),
  ...faultsIn("src/domain/session/Session.ts", ["test/domain/Budget.test.ts"], [
    {
      id: "session-budget-premium",
      text: "premium: { searchesMax: 4,",
      replacement: "premium: { searchesMax: 5,",
      means: "a premium session makes five searches"
    },
    {
      id: "session-budget-standard",
      text: "standard: { searchesMax: 2, midChatMax: 1 }",
      replacement: "standard: { searchesMax: 2, midChatMax: 2 }",
      means: "a standard session spends everything on searches that the user did not ask for"
    },
    {
      id: "session-budget-unasked-alone",
      text: "Math.min(left, midChatMax - unasked)",
      replacement: "midChatMax - unasked",
      means: "an unasked search is made although the session's budget is spent"
    },
    {
      id: "session-budget-asked-in-mid-chat",
      text: "request.phase === \"mid_chat\" && !request.user_asked_for_facts",
      replacement: "request.phase === \"mid_chat\"",
      means: "searches that the user asked for are refused as unasked ones"
    }
  ]),
  ...faultsIn("src/domain/session/Grounding.ts", paths, [
    {
      id: "session-cached-not-taken",
      text: "calls.some(({ query_index }) => query_index === queryIndex) ||\n" +
        "  cached.some(({ query_index }) => query_index === queryIndex)",
      replacement: "calls.some(({ query_index }) => query_index === queryIndex)",
      means: "a query that the cache answered is sent and paid for all the same"
    },
    {
      id: "session-cached-hits-lost",
      text: "    ...cached.map(({ hits, query_index }) => ({ queryIndex: query_index, hits }))\n",
      replacement: "",
      means: "what the cache answered is not read"
    },
    {
      id: "session-text-kept-without-consent",
      text: "reader === \"snippet\" || request.consent_raw_content",
      replacement: "true",
      means: "page texts are kept in the log without the caller's consent",
      tests: ["test/application/PageTexts.test.ts"]
    },
    {
      id: "session-snippet-text-lost",
      text: "(page.reader === \"snippet\" ? snippets.get(page.url) : undefined)",
      replacement: "undefined",
      means: "pages of snippets are read again without end"
    }
  ]),
  ...faultsIn("src/domain/session/Outcome.ts", ["test/application/StoreFirst.test.ts"], [
    {
      id: "session-answer-store-unsaid",
      text: " && !isStoreEnough(grounding)",
      replacement: "",
      means: "an answer of the store, asked first, is told as a search that ran out of time"
    }
  ]),
  ...faultsIn("src/domain/session/Outcome.ts", ["test/domain/Outcome.test.ts"], [
    {
      id: "session-answer-rederived",
      text: "grounding.finished?.outcome ?? derived(grounding)",
      replacement: "derived(grounding)",
      means: "a repeated request is answered anew by changed rules"
    },
    {
      id: "session-answer-store-hides",
      text: "if (isSearched(grounding) && !isFound && failedCount === searches.length) {",
      replacement: "if (evidence_block === \"\" && failedCount === searches.length) {",
      means: "a model is told that a search finished which failed, where the store has background"
    },
    {
      id: "session-answer-spent",
      text: "grounding.reused === undefined ? calls.length : 0",
      replacement: "calls.length",
      means: "a reused answer reports searches that it did not make"
    },
    {
      id: "session-answer-beside",
      text:
        "if (standing.every(({ beside_question }) => beside_question === true)) return \"ungrounded\"\n",
      replacement: "",
      means: "background beside the question is reported as a grounded answer"
    },
    {
      id: "session-answer-stale",
      text:
        "  if (searches.some(({ stale_age_ms }) => stale_age_ms !== undefined)) return \"stale_cache\"\n",
      replacement: "",
      means: "an old answer that stood in for a failed search is not told as old"
    },
    {
      id: "session-answer-partial",
      text: "  if (searches.some(({ status }) => !isAnswered(status))) return \"partial\"\n",
      replacement: "",
      means: "an answer hides that some of its searches failed"
    },
    {
      id: "session-answer-advice",
      text: "failedCount > 0 && failedCount < searches.length",
      replacement: "failedCount === searches.length",
      means: "a model is told that nothing was found although a search failed"
    },
    {
      id: "session-answer-evidence",
      text: "block === \"\" ? opening :",
      replacement: "true ? opening :",
      means: "a model is told what happened and never gets the evidence"
    }
  ]),
  ...faultsIn("src/domain/session/TimelySession.ts", ["test/domain/TimelySession.test.ts"], [
    {
      id: "session-timely-search",
      text: `["Search", "StopSearch"],
  WEB_GROUNDING_CACHE_USED`,
      replacement: `["Search", "StopSearch", "Finish"],
  WEB_GROUNDING_CACHE_USED`,
      means: "a slow twin pays a search for an answer that is recorded already"
    },
    {
      id: "session-timely-decision",
      text: `? ["Decide"]`,
      replacement: `? ["Decide", "Reuse"]`,
      means: "a replay finds a difference where two requests of a session met"
    },
    {
      id: "session-timely-shown",
      text: "if (steps === undefined) return true",
      replacement: "if (steps === undefined) return false",
      means: "nobody can record that an answer was shown, nor what a search brought"
    }
  ])
]
