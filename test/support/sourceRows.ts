/**
 * The rows of `docs/sources.md`, each by its section and first cell: what must hold of the answers
 * of a running service, or why a call over RPC cannot show it.
 */
import { assert } from "vitest"
import type { SourceCallName } from "./sourceCalls.ts"
import { type Answer, goodSlot } from "./sourcesService.ts"

export interface Told {
  readonly answers: Readonly<Record<SourceCallName, Answer>>
  /** Bodies of the searches that Tavily was sent. */
  readonly sent: ReadonlyArray<Record<string, any>>
}

export interface Shown {
  readonly rows: ReadonlyArray<string>
  readonly holds: (told: Told) => void
}

const fact = ({ facts }: Answer, name: string): Record<string, any> =>
  facts.find(({ type }) => type === `WEB_GROUNDING_${name}`)?.["data"] ?? {}

const factsOf = ({ facts }: Answer): ReadonlyArray<string> =>
  facts.map(({ type }) => type.replace("WEB_GROUNDING_", ""))

const attempts = (answer: Answer): ReadonlyArray<Record<string, any>> =>
  answer.facts.flatMap(({ data, type }) => type === "WEB_GROUNDING_CALLED" ? data.attempts : [])

const sections = [
  "key_points",
  "norms_and_expectations",
  "constraints_and_rules",
  "disputed_or_uncertain"
]

const claims = ({ value }: Answer): ReadonlyArray<Record<string, any>> =>
  sections.flatMap((section) => value["pack"][section])

const every = <A>(list: ReadonlyArray<A>, holds: (item: A) => void): void => {
  assert.isNotEmpty(list)
  list.forEach(holds)
}

const failures = ["down", "late", "odd", "refused"] as const

const researchFields = [
  "search_query",
  "search_summary",
  "key_topics_found",
  "recommended_modules",
  "source_links",
  "learning_objectives_found",
  "skillset_recommendations",
  "confidence_score",
  "result_count",
  "high_quality_result_count",
  "tool_used",
  "execution_timestamp",
  "execution_time_ms",
  "fallback_used",
  "search_notes"
]

/** A row of section A, and so on. */
const of = (section: string) => (...names: ReadonlyArray<string>) =>
  names.map((name) => `${section}. ${name}`)
const [a, b, c, d, e] = [of("A"), of("B"), of("C"), of("D"), of("E")]

export const shown: ReadonlyArray<Shown> = [
  {
    rows: [
      ...a("A search client for Tavily", "Test: success", "Matrix: `success` – use the results"),
      ...e("A compact pack with citations", "`WEB_GROUNDING_PACK_CREATED`")
    ],
    holds: ({ answers: { grounded } }) => {
      assert.strictEqual(grounded.value["mode"], "grounded")
      assert.include(grounded.value["llm_context"], grounded.value["evidence_block"])
      assert.isAbove(fact(grounded, "PACK_CREATED")["pack"].confidence, 0.5)
    }
  },
  {
    rows: a(
      "Seven statuses: `success`, `no_results`, `api_key_missing`, `network_error`, `timeout`, " +
        "`rate_limited`, `unknown_error`",
      "Failure told apart from nothing found",
      "429 is `rate_limited`; other HTTP errors by their own word",
      "Kinds of failure logged apart",
      "Test: no results",
      "Test: timeout"
    ),
    holds: ({ answers: { down, grounded, late, none, odd, refused } }) => {
      const statuses = [grounded, none, down, late, refused, odd].map(({ value }) =>
        value["searches"][0].status
      )
      assert.deepStrictEqual(statuses, [
        "success",
        "no_results",
        "network_error",
        "timeout",
        "rate_limited",
        "unknown_error"
      ])
      every(attempts(odd), ({ detail }) => assert.strictEqual(detail, "bad_body"))
    }
  },
  {
    rows: [
      ...a(
        "A result of status, results and error message",
        "`is_success`, `is_degraded`",
        "The task goes on whatever fails",
        "Matrix: `api_key_missing`, `network_error`, `timeout`, `rate_limited` – go on with the " +
          "knowledge base",
        "Test: the tool returns the degraded message"
      ),
      ...d("Resilience: network error, timeout, all tools fail")
    ],
    holds: ({ answers }) =>
      failures.forEach((name) => {
        const { failure, value } = answers[name]
        assert.isUndefined(failure, name)
        assert.strictEqual(value["mode"], "ungrounded", name)
        assert.strictEqual(value["reason"], "search_failed", name)
        assert.match(value["llm_context"], /^\[Web search unavailable\] .*knowledge base/)
        // What the evidence store has may stand beside it, as background.
        assert.isBelow(value["pack"].confidence, 0.3)
      })
  },
  {
    rows: a("Matrix: `no_results` – go on, “no results, use existing knowledge”"),
    holds: ({ answers: { none } }) =>
      assert.match(
        none.value["llm_context"],
        /^\[Search finished\] Nothing was found .*existing knowledge/
      )
  },
  {
    rows: a("Korean texts `[검색 완료]` and `[웹 검색 사용 불가]` with the reason"),
    holds: ({ answers: { downKorean, korean, noneKorean } }) => {
      assert.match(downKorean.value["llm_context"], /^\[웹 검색 사용 불가\] .*사유: /)
      assert.match(noneKorean.value["llm_context"], /^\[검색 완료\] .*검색 결과가 없습니다/)
      assert.match(korean.value["llm_context"], /^\[검색 완료\]/)
    }
  },
  {
    rows: [
      ...a(
        "Each request logged before and after it is sent",
        "Event `web_search`: type, query, status, result count, error, timestamp"
      ),
      ...e("`WEB_GROUNDING_CALLED`")
    ],
    holds: ({ answers: { grounded } }) => {
      const names = factsOf(grounded)
      assert.strictEqual(names.indexOf("CALLED"), names.indexOf("CALL_STARTED") + 1)
      assert.strictEqual(
        fact(grounded, "CALL_STARTED")["query"],
        grounded.value["searches"][0].query
      )
      assert.strictEqual(fact(grounded, "CALLED")["status"], "success")
      every(
        attempts(grounded),
        (attempt) =>
          assert.containsAllKeys(attempt, ["status", "hits_count", "started_at", "duration_ms"])
      )
    }
  },
  {
    rows: [
      ...a("`max_results` 5"),
      ...b("Search parameters: `max_results` 5, `search_depth` basic, `include_raw_content` false"),
      ...d("`max_results_per_query` 5"),
      ...e(
        "`search_depth` basic, `max_results` 5, `topic` general, `include_answer` and " +
          "`include_raw_content` false"
      )
    ],
    holds: ({ answers: { grounded }, sent }) => {
      assert.strictEqual(fact(grounded, "DECIDED")["need"].max_sources_per_query, 5)
      every(sent.slice(0, 1), (body) =>
        assert.deepInclude(body, {
          search_depth: "basic",
          max_results: 5,
          topic: "general",
          include_answer: false,
          include_raw_content: false
        }))
    }
  },
  {
    rows: a("Results formatted as a numbered list with title, address and 200 characters"),
    holds: ({ answers: { grounded } }) =>
      assert.match(grounded.value["evidence_block"], /\[SOURCES\]\n\[1\] \S+ .*\n\[2\] /)
  },
  {
    rows: a("The last 1,000 events kept in Redis"),
    holds: ({ answers: { events } }) => {
      assert.strictEqual(events.value["events"][0].type, "WEB_GROUNDING_REQUESTED")
      assert.strictEqual(events.value["events"].at(-1).type, "WEB_GROUNDING_SHOWN_TO_USER")
    }
  },
  {
    rows: a(
      "`web_search_total{status}`",
      "`web_search_success_rate`",
      "`web_search_avg_results`",
      "`web_search_timeout_rate`",
      "View of 24 hours: counts and shares by status, average results, average latency"
    ),
    holds: ({ answers: { health } }) => {
      const { figures, hours } = health.value
      const total: Record<string, number> = figures.web_search_total
      assert.strictEqual(hours, 24)
      const sum = Object.values(total).reduce((all, count) => all + count, 0)
      assert.strictEqual(sum, figures.attempts)
      assert.isAbove(total["timeout"] ?? 0, 2)
      assert.strictEqual(figures.web_search_success_rate, (total["success"] ?? 0) / sum)
      assert.strictEqual(figures.web_search_timeout_rate, (total["timeout"] ?? 0) / sum)
      assert.isAbove(figures.web_search_avg_results, 0)
      assert.isAbove(figures.web_search_latency_ms.avg, 0)
    }
  },
  {
    rows: a("Warning below 50 % in the last hour, critical below 10 %"),
    holds: ({ answers: { health } }) => {
      const { alerts, figures } = health.value
      const rate = figures.web_search_success_rate
      assert.isBelow(rate, 0.5)
      const low = alerts.find(({ _tag }: { _tag: string }) => _tag === "SuccessRateLow")
      assert.strictEqual(low?.severity, rate < 0.1 ? "critical" : "warning")
    }
  },
  {
    rows: a(
      "Audit: client exists, key loaded, request sent, timeout set, failures told apart, task " +
        "goes on",
      "Score of six; `WEB_SEARCH_RELIABLE` or `WEB_SEARCH_UNRELIABLE`"
    ),
    holds: ({ answers: { readiness } }) => {
      const { checks, score, verdict } = readiness.value
      assert.lengthOf(checks, 6)
      assert.strictEqual(score, 6)
      assert.strictEqual(verdict, "WEB_SEARCH_RELIABLE")
    }
  },
  {
    rows: b(
      "Whole units are embedded, never single fields",
      "A node is one text: label and name, description, family, relations, seminal paper",
      "`node_id`, `node_label`",
      "Id `kg:{node_id}`"
    ),
    holds: ({ answers: { foundNode, nodeCollected } }) => {
      assert.strictEqual(nodeCollected.value["entries"], 1)
      const [node] = foundNode.value["found"]
      assert.deepInclude(node, { id: "kg:m:react", node_id: "m:react", node_label: "Method" })
      assert.strictEqual(
        node.text,
        "[Method] ReAct\nDescription: Reasoning and acting in turns.\nFamily: agents\n" +
          "Seminal paper: Yao 2022\nAddresses: Planning"
      )
    }
  },
  {
    rows: b("Embedding a node again overwrites its one entry"),
    holds: ({ answers: { foundNode, nodeAgain } }) => {
      assert.deepInclude(nodeAgain.value, { entries: 1, removed: 1 })
      assert.lengthOf(foundNode.value["found"], 1)
    }
  },
  {
    rows: b(
      "Every entry says where it is from",
      "Pipeline: extract, clean, chunk, embed, store",
      "`source_type`: `kg_node`, `web_search`, `paper`, `user_note`",
      "`source_id`, `source_url` (always there for the web)",
      "`collected_at`, `collector`",
      "`title`, `chunk_index`, `total_chunks`",
      "Id `web:{url_hash}:{chunk_index}`"
    ),
    holds: ({ answers: { found, page } }) => {
      assert.isAbove(page.value["entries"], 0)
      const entries: ReadonlyArray<Record<string, any>> = found.value["found"]
      const types = new Set(entries.map(({ source_type }) => source_type))
      assert.sameMembers([...types], ["kg_node", "paper", "user_note", "web_search"])
      every(entries, (entry) => {
        assert.containsAllKeys(entry, ["source_id", "collected_at", "collector", "title"])
        assert.isBelow(entry["chunk_index"], entry["total_chunks"])
        assert.isDefined(entry["embedding_model"])
      })
      every(entries.filter(({ source_type }) => source_type === "web_search"), (entry) => {
        assert.match(entry["id"], new RegExp(`^web:[0-9a-f]{64}:${entry["chunk_index"]}$`))
        assert.match(entry["source_url"], /^https:/)
      })
    }
  },
  {
    rows: b("A snippet (`content`) is one chunk"),
    holds: ({ answers: { foundSnippet, snippet } }) => {
      assert.strictEqual(snippet.value["entries"], 1)
      assert.strictEqual(foundSnippet.value["found"][0].total_chunks, 1)
    }
  },
  {
    rows: b("Papers: 500 to 1,000 tokens, 100 shared", "Id `doc:{doc_id}:{chunk_index}`"),
    holds: ({ answers: { foundPapers } }) => {
      const found: ReadonlyArray<Record<string, any>> = foundPapers.value["found"]
      assert.isAbove(found.length, 2)
      every(found, ({ chunk_index, id, text }) => {
        assert.strictEqual(id, `doc:lease-paper:${chunk_index}`)
        assert.isAtLeast(text.length / 4, 500)
        assert.isAtMost(text.length / 4, 1_100)
      })
      const inOrder = found.toSorted((left, right) => left["chunk_index"] - right["chunk_index"])
      const [first = "", second = ""] = inOrder.map(({ text }) => text)
      assert.include(first, second.slice(0, 300))
    }
  },
  {
    rows: b(
      "Collecting an address again deletes and inserts",
      "Promotion: `web:*` goes, `kg:*` comes"
    ),
    holds: ({ answers: { foundPage, page, pageAgain, promoted } }) => {
      const { entries, source_id } = page.value
      assert.deepInclude(pageAgain.value, { entries, source_id, removed: entries })
      assert.deepInclude(promoted.value, { source_type: "kg_node", entries: 1, removed: entries })
      assert.deepStrictEqual(foundPage.value["found"], [])
    }
  },
  {
    rows: b(
      "One collection, told apart by `source_type`; filters on metadata",
      "`vector_first` and `hybrid` retrieval",
      "One embedding model for all entries; vectors of two are not compared",
      "The collection is built anew for another schema"
    ),
    holds: ({ answers: { found, foundNear, foundPapers, reembedded, store } }) => {
      every(
        foundPapers.value["found"],
        ({ collector, source_type }: Record<string, any>) =>
          assert.deepStrictEqual([source_type, collector], ["paper", "librarian"])
      )
      assert.strictEqual(found.value["vectors"], "compared")
      const ids = (answer: Answer) => answer.value["found"].map(({ id }: { id: string }) => id)
      assert.sameMembers(ids(found), ids(foundNear))
      assert.notDeepEqual(ids(found), ids(foundNear), "another ranking")
      assert.deepStrictEqual(reembedded.value["model"], found.value["model"])
      assert.strictEqual(store.value["embedded"], reembedded.value["entries"])
    }
  },
  {
    rows: b("Search when the graph brings too little"),
    holds: ({ answers: { storeFirst, storeLittle } }) => {
      for (const answer of [storeFirst, storeLittle]) {
        assert.include(factsOf(answer), "STORE_ASKED")
      }
      assert.notInclude(factsOf(storeFirst), "CALLED", "the store knows enough")
      assert.include(factsOf(storeLittle), "CALLED", "the store knows too little")
    }
  },
  {
    rows: [
      ...b("Results: `title`, `url`, `content`, `score`"),
      ...c("The best addresses of all results"),
      ...d("Results deduplicated by address, over queries and tools", "Tools: deduplication")
    ],
    holds: ({ answers: { grounded, news } }) => {
      every(
        fact(grounded, "CALLED")["hits"],
        (hit: Record<string, any>) =>
          assert.containsAllKeys(hit, ["title", "url", "content", "score"])
      )
      assert.lengthOf(news.value["searches"], 2)
      const urls = news.value["evidence"].sources.map(({ url }: { url: string }) => url)
      assert.strictEqual(new Set(urls).size, urls.length)
    }
  },
  {
    rows: [
      ...b("Answers name their sources by address"),
      ...e("Claim: `text`, `sources` with `url` and `title`, `confidence`"),
      ...d("Provenance: tool, time, fallback, addresses")
    ],
    holds: ({ answers: { grounded, research } }) => {
      every(claims(grounded), ({ confidence, sources, text }) => {
        assert.isNotEmpty(text)
        assert.isAtLeast(confidence, 0)
        every(sources, (source: Record<string, any>) => {
          assert.match(source["url"], /^https:\/\//)
          assert.isNotEmpty(source["title"])
        })
      })
      assert.strictEqual(research.value["tool_used"], "tavily")
      every(
        research.value["source_links"],
        ({ url }: { url: string }) => assert.match(url, /^https:\/\//)
      )
    }
  },
  {
    rows: e("Every claim cited, or disputed"),
    holds: ({ answers: { grounded } }) => {
      const { disputed_or_uncertain, ...pack } = grounded.value["pack"]
      every(
        sections.slice(0, 3).flatMap((section) => pack[section]),
        ({ sources }) =>
          every(
            sources,
            ({ quotes }: { quotes: ReadonlyArray<{ text: string }> }) =>
              every(quotes, ({ text }) => assert.isNotEmpty(text))
          )
      )
      every(disputed_or_uncertain, ({ reason }: Record<string, any>) => assert.isNotEmpty(reason))
    }
  },
  {
    rows: c(
      "`TAVILY_API_KEY`, `TAVILY_API_KEY_2` to `_5`",
      "Rotation on 429 and 403",
      "Test: key rotation"
    ),
    holds: ({ answers }) => {
      const all: ReadonlyArray<ReadonlyArray<Record<string, any>>> = Object.values(answers)
        .flatMap(({ facts }) => facts)
        .flatMap(({ data, type }) => type === "WEB_GROUNDING_CALLED" ? [data.attempts] : [])
      const tavily = all.map((made) => made.filter(({ provider }) => provider === "tavily"))
      const rotated = tavily.filter((made) =>
        made.length > 1 && made.at(-1)?.["status"] === "success"
      )
      every(rotated, (made) => {
        assert.strictEqual(made.at(-1)?.["key_slot"], goodSlot)
        every(made.slice(0, -1), ({ http_status, key_slot }) => {
          assert.notStrictEqual(key_slot, goodSlot)
          assert.include([401, 403, 429, 432], http_status)
        })
      })
    }
  },
  {
    rows: c("Key state: current key, disabled keys with their times", "Keys rest 60 s"),
    holds: ({ answers: { health } }) => {
      const keys: ReadonlyArray<Record<string, any>> = health.value["keys"]
      const bad = keys.filter(({ key_slot, provider }) =>
        provider === "tavily" && key_slot !== goodSlot
      )
      every(bad, ({ key_slot, reason, since, state, until }) => {
        assert.strictEqual(state, key_slot === 4 ? "disabled" : "cooling")
        assert.isDefined(reason)
        const restMs = Date.parse(until) - Date.parse(since)
        if (key_slot !== 4) assert.isAtLeast(restMs, 60_000)
      })
    }
  },
  {
    rows: c(
      "`internet_rag_search_and_extract(query, max_sources, chunk_size, top_k)`",
      "Returns sources and evidence chunks with their source's number",
      "Chunks of 800 to 1,200 characters, paragraphs kept whole"
    ),
    holds: ({ answers: { grounded, limited } }) => {
      const { chunks, sources } = limited.value["evidence"]
      assert.lengthOf(sources, 2)
      assert.isAtMost(chunks.length, 3)
      every(
        chunks,
        ({ source_index }: { source_index: number }) => assert.isDefined(sources[source_index])
      )
      const lengthsOf = (answer: Answer): ReadonlyArray<number> =>
        answer.value["evidence"].chunks.map(
          ({ end, start }: { end: number; start: number }) => end - start
        )
      assert.isBelow(Math.max(...lengthsOf(limited)), 600)
      assert.isAbove(Math.max(...lengthsOf(grounded)), 800)
      assert.isAtMost(Math.max(...lengthsOf(grounded)), 1_200)
    }
  },
  {
    rows: c(
      "`MAX_EVIDENCE_CHARS`, 1400",
      "`build_web_evidence_block` with `[SOURCES]` and `[EVIDENCE EXCERPTS]`",
      "Test: evidence block"
    ),
    holds: ({ answers: { grounded } }) => {
      const block: string = grounded.value["evidence_block"]
      assert.match(block, /\[SOURCES\]\n\[1\] [^]*\[EVIDENCE EXCERPTS\]\n\[\d\]/)
      assert.isAtMost(block.length, 1_400)
    }
  },
  {
    rows: [
      ...c("Search with `search_depth` advanced and raw content"),
      ...e("Basic depth unless explicitly needed")
    ],
    holds: ({ answers: { advanced, grounded }, sent }) => {
      assert.strictEqual(fact(grounded, "DECIDED")["need"].search_depth, "basic")
      assert.strictEqual(fact(advanced, "DECIDED")["need"].search_depth, "advanced")
      const asked = sent.filter(({ search_depth }) => search_depth === "advanced")
      assert.isNotEmpty(asked)
      assert.isAbove(sent.length, 2 * asked.length)
    }
  },
  {
    rows: c("Extraction of several pages at once", "Reranking by Jina"),
    holds: ({ answers: { grounded } }) => {
      const { pages, rung } = fact(grounded, "EVIDENCE_READ")
      assert.isAbove(pages.length, 2)
      assert.strictEqual(rung.engine, "local")
      assert.strictEqual(grounded.value["rungs"].ranker.engine, "jina")
    }
  },
  {
    rows: c("Falls back to snippets when extraction fails"),
    holds: ({ answers: { extracted, unread } }) => {
      const readersOf = (answer: Answer): ReadonlyArray<string> =>
        fact(answer, "EVIDENCE_READ")["pages"].map(({ reader }: { reader: string }) => reader)
      assert.include(readersOf(extracted), "tavily")
      assert.deepStrictEqual([...new Set(readersOf(unread))], ["snippet"])
      assert.strictEqual(unread.value["mode"], "snippets_only")
      const faults = unread.value["rungs"].reader.faults
      const met = faults.map(({ detail, engine }: Record<string, string>) => [engine, detail])
      assert.deepInclude(met, ["local", "http_503"])
      assert.deepInclude(met, ["tavily_extract", "upstream_5xx"])
    }
  },
  {
    rows: [
      ...c("Timeouts on every outside call"),
      ...d("`timeout_ms` 5000 (`search_timeout_ms`, for each tool)")
    ],
    holds: ({ answers: { late } }) =>
      every(attempts(late), ({ duration_ms, status }) => {
        assert.strictEqual(status, "timeout")
        assert.isBelow(duration_ms, 5_000)
      })
  },
  {
    rows: d(
      "Tavily, then DuckDuckGo, then SerpAPI",
      "Next when one fails or finds no more than two; the last may find any",
      "DuckDuckGo needs no key",
      "Tools: fallback chain",
      "`fallback_used`",
      "`tool_used`: `tavily`, `duckduckgo`, `serpapi`, mock or unknown"
    ),
    holds: ({ answers: { grounded, none, research, researchDown, scarce, second, third } }) => {
      const tool = ({ value }: Answer) => {
        const { fallback_used, tool_used } = value["searches"][0]
        return [tool_used, fallback_used]
      }
      assert.deepStrictEqual(tool(grounded), ["tavily", false])
      assert.deepStrictEqual(tool(second), ["duckduckgo", true])
      assert.deepStrictEqual(tool(scarce), ["duckduckgo", true])
      assert.deepStrictEqual(tool(third), ["serpapi", true])
      const order = [...new Set(attempts(none).map(({ provider }) => provider))]
      assert.deepStrictEqual(order, ["tavily", "duckduckgo", "serpapi"])
      assert.strictEqual(research.value["tool_used"], "tavily")
      assert.strictEqual(researchDown.value["tool_used"], "unknown")
    }
  },
  {
    rows: d(
      "Input `course_title` (`title`), `audience_category`, `depth_requirement`, " +
        "`learning_mode`, `session_id`",
      ...researchFields.slice(0, 10).filter((field) => field !== "tool_used").map((field) =>
        `\`${field}\``
      ),
      "`execution_timestamp`",
      "`execution_time_ms`",
      "`search_notes`",
      "Tools: result format",
      "Schema: creation, empty search, thresholds",
      "Schema: source links and recommended modules",
      "Agent: initialisation, query generation, full pipeline",
      "Integration: from input to output"
    ),
    holds: ({ answers: { badInput, research } }) => {
      assert.hasAllKeys(research.value, [...researchFields, "is_usable", "is_high_confidence"])
      assert.isAbove(research.value["result_count"], 1)
      every(
        research.value["recommended_modules"],
        (module: Record<string, any>) =>
          assert.hasAllKeys(module, ["title", "description", "source_url"])
      )
      assert.deepInclude(badInput.failure, { _tag: "InvalidInput", field: "course_title" })
    }
  },
  {
    rows: d(
      "Three queries: syllabus, course outline, learning objectives",
      "`search_budget` 3",
      "Agent: no results, LLM synthesis, synthesis with fallback, search budget"
    ),
    holds: ({ answers: { replayedResearch, research, researchBudget }, sent }) => {
      const queries = sent.map(({ query }) => String(query)).filter((query) =>
        query.startsWith("Tenant notice in Japan")
      )
      assert.strictEqual(new Set(queries).size, 3)
      const joined = queries.join(" ")
      for (const word of ["syllabus", "outline", "objectives"]) assert.include(joined, word)
      assert.match(research.value["search_notes"], /Searches: \d no_results, \d success/)
      assert.match(researchBudget.value["search_notes"], /Searches: 1 from the cache/)
      assert.strictEqual(replayedResearch.value["difference"], null)
    }
  },
  {
    rows: d(
      "`min_results` 2, `min_results_threshold` 2",
      "`confidence_threshold` 0.7",
      "Confidence from number of results, the model's quality and the sources",
      "Bands: 0.7 high, 0.3 usable, below not, 0 nothing",
      "`is_high_confidence()`, `is_usable()`",
      "Invalid JSON or a failing model: simple extraction at 0.3"
    ),
    holds: ({ answers: { research, researchDown, researchStrict } }) => {
      assert.deepInclude(research.value, {
        confidence_score: 0.3,
        is_usable: true,
        is_high_confidence: false
      })
      assert.isBelow(researchStrict.value["confidence_score"], 0.3)
      assert.deepInclude(researchStrict.value, { is_usable: false, is_high_confidence: false })
      assert.match(researchStrict.value["search_notes"], /fewer than the 10 wanted/)
      assert.strictEqual(researchDown.value["confidence_score"], 0)
    }
  },
  {
    rows: d(
      "All fail: empty output, `tool_used` unknown, confidence 0, no results, `fallback_used`, " +
        "“All tools failed”",
      "Errors: query generation fails – empty output"
    ),
    holds: ({ answers: { researchDown } }) => {
      assert.isUndefined(researchDown.failure)
      assert.deepInclude(researchDown.value, {
        tool_used: "unknown",
        confidence_score: 0,
        result_count: 0,
        fallback_used: true
      })
      assert.match(researchDown.value["search_notes"], /^All tools failed/)
    }
  },
  {
    rows: d(
      "Execution context grows: input, documents, web results, outline",
      "Context fields `user_input`, `session_id`, `timestamps`, `retrieved_documents`, " +
        "`web_search_results`",
      "`course_title`, `modules` with title, description, `references_from`",
      "`learning_outcomes`, `total_duration_hours`",
      "`references` from `internal` or `external`"
    ),
    holds: ({ answers: { outline } }) => {
      const { course_title, execution_context, modules, references } = outline.value
      assert.strictEqual(course_title, "Tenant notice in Japan")
      assert.containsAllKeys(execution_context, [
        "user_input",
        "session_id",
        "timestamps",
        "retrieved_documents",
        "web_search_results"
      ])
      every(modules, (module: Record<string, any>) => {
        assert.containsAllKeys(module, ["title", "description"])
        every(
          module["references_from"],
          ({ type }: Record<string, any>) => assert.include(["internal", "external"], type)
        )
      })
      every(
        references,
        ({ from }: Record<string, any>) => assert.include(["internal", "external"], from)
      )
      assert.isArray(outline.value["learning_outcomes"])
      assert.isAbove(outline.value["total_duration_hours"], 0)
    }
  },
  {
    rows: d(
      "Web step does not block; skipped on error",
      "Step can be disabled (`Enabled`, `Blocking`, `Skip on error`)",
      "Below 0.3 internal knowledge only"
    ),
    holds: ({ answers: { outlineDown, outlineSkipped } }) =>
      [outlineDown, outlineSkipped].forEach((answer) => {
        assert.isUndefined(answer.failure)
        assert.deepStrictEqual(answer.value["references"], [])
        assert.deepStrictEqual(
          answer.value["execution_context"].web_search_results.links,
          []
        )
      })
  },
  {
    rows: d(
      "Tools: search statistics",
      "Tools: search history",
      "Step 7: outline validated; steps 3 and 8: start and end logged"
    ),
    holds: ({ answers: { health, outline, replayedResearch } }) => {
      every(
        health.value["by_key"],
        ({ attempts }: Record<string, any>) => assert.isAbove(attempts, 0)
      )
      assert.isAbove(replayedResearch.value["events"], 8)
      const { finished, started } = outline.value["execution_context"].timestamps
      assert.isAtLeast(Date.parse(finished), Date.parse(started))
    }
  },
  {
    rows: [
      ...e("Search only when needed"),
      ...d("When to search: current, public, validating; skip when private, known or urgent")
    ],
    holds: ({ answers: { poem } }) => {
      assert.strictEqual(poem.value["mode"], "not_searched")
      assert.deepStrictEqual(factsOf(poem), ["REQUESTED", "DECIDED", "FINISHED"])
    }
  },
  {
    rows: e(
      "Gate input: topic description, `template_id`, region hints, user question, known facts, " +
        "unknown required slots",
      "`need_search`, `reason_codes`, `max_queries`, `max_sources_per_query`, `search_depth`, " +
        "`topic`",
      "`WEB_GROUNDING_DECIDED`"
    ),
    holds: ({ answers: { grounded } }) => {
      assert.containsAllKeys(fact(grounded, "REQUESTED")["request"], [
        "topic",
        "template_id",
        "region",
        "user_question",
        "known_facts",
        "unknown_required_slots"
      ])
      assert.hasAllKeys(fact(grounded, "DECIDED")["need"], [
        "need_search",
        "reason_codes",
        "max_queries",
        "max_sources_per_query",
        "search_depth",
        "topic"
      ])
    }
  },
  {
    rows: e(
      "Triggers: culture and norms",
      "Triggers: policy and law",
      "Triggers: time-sensitive",
      "Triggers: niche institutions and laws"
    ),
    holds: ({ answers: { culture, law, niche, timely } }) => {
      const wanted = [
        [culture, "CULTURE_NORMS"],
        [law, "POLICY_LEGAL"],
        [timely, "TIME_SENSITIVE"],
        [niche, "NICHE_ENTITY"]
      ] as const
      for (const [{ value }, code] of wanted) {
        assert.include(value["need"].reason_codes, code)
        assert.isTrue(value["need"].need_search)
      }
    }
  },
  {
    rows: e("Topic `general`, `news` or `finance`"),
    holds: ({ answers: { grounded, news, timely } }) => {
      assert.strictEqual(grounded.value["need"].topic, "general")
      assert.strictEqual(news.value["need"].topic, "news")
      assert.include(["general", "news", "finance"], timely.value["need"].topic)
    }
  },
  {
    rows: e(
      "Planner: one to three queries",
      "Planner: the region where there is one",
      "`queries`, `must_have_evidence`, `stop_conditions`",
      "Stop conditions, e.g. two reputable sources agree",
      "`WEB_GROUNDING_QUERY_PLANNED`"
    ),
    holds: ({ answers: { grounded } }) => {
      const { plan } = fact(grounded, "QUERY_PLANNED")
      assert.isAtLeast(plan.queries.length, 1)
      assert.isAtMost(plan.queries.length, 3)
      every(plan.queries, (query: string) => assert.include(query, "Japan"))
      assert.isNotEmpty(plan.must_have_evidence)
      assert.isNotEmpty(plan.stop_conditions)
      assert.isBelow(grounded.value["searches"].length, plan.queries.length)
    }
  },
  {
    rows: e(
      "`key_points`, `norms_and_expectations`, `constraints_and_rules`",
      "`disputed_or_uncertain`",
      "Several sources for policy and law",
      "Law is presented as “based on sources”, not as advice"
    ),
    holds: ({ answers: { grounded, niche } }) => {
      assert.isNotEmpty(niche.value["pack"].key_points)
      const { constraints_and_rules, disputed_or_uncertain, notes } = grounded.value["pack"]
      every(constraints_and_rules, ({ sources }: Record<string, any>) =>
        assert.isTrue(
          sources.length > 1 || sources.some(({ official }: Record<string, any>) => official)
        ))
      assert.isNotEmpty(disputed_or_uncertain)
      assert.include(notes, "based_on_sources_not_legal_advice")
    }
  },
  {
    rows: e("`what_to_ask_user` with `q` and `why`", "Unknown stays unknown"),
    holds: ({ answers: { grounded } }) => {
      const questions: ReadonlyArray<Record<string, string>> =
        grounded.value["pack"].what_to_ask_user
      assert.lengthOf(questions, 2)
      every(questions, (question) => assert.hasAllKeys(question, ["q", "why"]))
    }
  },
  {
    rows: e("No personal facts of the user inferred"),
    holds: ({ answers: { grounded } }) =>
      every(claims(grounded), ({ text }) => assert.notMatch(text, /\b(the user|you are)\b/i))
  },
  {
    rows: e(
      "Standard: 2 searches a session, 1 of them mid-chat unless the user asks",
      "Premium: 4 searches a session"
    ),
    holds: ({ answers }) => {
      const { first, premium1, premium2, premium3, premium4, premium5, realism, spent } = answers
      const spentBy = ({ value }: Answer) => value["budget"].spent_by_request
      assert.deepStrictEqual([first, realism, spent].map(spentBy), [1, 1, 0])
      assert.strictEqual(spent.value["reason"], "budget_exhausted")
      const premium = [premium1, premium2, premium3, premium4, premium5]
      assert.deepStrictEqual(premium.map(spentBy), [1, 1, 1, 1, 0])
      assert.strictEqual(premium5.value["reason"], "budget_exhausted")
      assert.deepInclude(premium5.value["budget"], { tier: "premium", limit: 4 })
    }
  },
  {
    rows: e("Query cache: normalised query and region; 24 to 72 h"),
    holds: ({ answers: { grounded, otherSession } }) => {
      assert.include(factsOf(otherSession), "CACHE_USED")
      assert.notInclude(factsOf(otherSession), "CALLED")
      assert.isAtLeast(otherSession.value["searches"][0].cached_age_ms, 0)
      const { fresh_ms } = fact(grounded, "CALLED")["cache"]
      assert.isAtLeast(fresh_ms, 0.9 * 24 * 3_600_000)
      assert.isAtMost(fresh_ms, 1.1 * 72 * 3_600_000)
    }
  },
  {
    rows: [
      ...e("Session cache: the pack is used again"),
      ...b("1,000 requests a month; caching spares them")
    ],
    holds: ({ answers: { again, grounded, sameSession, thirdSession } }) => {
      assert.deepStrictEqual(again.value["pack"], grounded.value["pack"])
      assert.strictEqual(sameSession.value["reused_from_request_id"], "r")
      assert.isAtLeast(thirdSession.value["cached"].age_ms, 0)
      for (const { value } of [sameSession, thirdSession]) {
        assert.strictEqual(value["budget"].spent_by_request, 0)
      }
    }
  },
  {
    rows: e("Session setup: grounded once"),
    holds: ({ answers: { setup, setupAgain } }) => {
      assert.strictEqual(setup.value["mode"], "grounded")
      assert.strictEqual(setupAgain.value["reason"], "phase_not_eligible")
      assert.strictEqual(setupAgain.value["mode"], "not_searched")
    }
  },
  {
    rows: e("Mid-chat: only if the user asks or realism is blocked"),
    holds: ({ answers: { first, realism, unasked } }) => {
      assert.strictEqual(unasked.value["reason"], "phase_not_eligible")
      for (const { value } of [first, realism]) assert.isTrue(value["need"].need_search)
    }
  },
  {
    rows: e("Roleplay: background only; standard does not coach"),
    holds: ({ answers: { coachOfStandard, role } }) => {
      assert.deepInclude(coachOfStandard.failure, { _tag: "InvalidInput", field: "audience" })
      every(role.value["facts"], (told: object) => assert.hasAllKeys(told, ["section", "text"]))
      assert.notMatch(role.value["text"], /https?:|confidence|\[1\]/)
    }
  },
  {
    rows: e("Premium coach with citations"),
    holds: ({ answers: { coach } }) => {
      every(coach.value["claims"], ({ citations, confidence }: Record<string, any>) => {
        assert.isNotEmpty(citations)
        assert.isAbove(confidence, 0)
      })
      assert.match(coach.value["text"], /\[1\] .* https:\/\//)
    }
  },
  {
    rows: e("`WEB_GROUNDING_SHOWN_TO_USER`"),
    holds: ({ answers: { events, shown, shownAgain } }) => {
      assert.deepStrictEqual(
        [shown, shownAgain].map(({ value }) => value["recorded"]),
        [true, false]
      )
      const types = events.value["events"].map(({ type }: { type: string }) => type)
      const showings = types.filter((type: string) => type.endsWith("SHOWN_TO_USER"))
      assert.lengthOf(showings, 1)
    }
  },
  {
    rows: e("Raw content stored with consent only"),
    holds: ({ answers: { grounded, otherSession, replayed } }) => {
      every(
        fact(grounded, "EVIDENCE_READ")["pages"],
        ({ text }: Record<string, any>) => assert.isNotEmpty(text)
      )
      every(
        fact(otherSession, "EVIDENCE_READ")["pages"],
        (page: object) => assert.notProperty(page, "text")
      )
      assert.deepInclude(replayed.value, { difference: null, chain_fault: null })
    }
  }
]

/** Rows that no call shows, by the reason. Their tests stand in `docs/sources.md`. */
export const unshown: ReadonlyArray<{
  readonly because: string
  readonly rows: ReadonlyArray<string>
}> = [
  {
    because: "not built, or built otherwise: the row says so",
    rows: [
      ...a("A method `qna`"),
      ...d("User interface: Streamlit or API", "High confidence from 0.85 (in one diagram)")
    ]
  },
  {
    because: "the default of a setting, which this service fixes",
    rows: [
      ...a("Timeout of 10 s for a search"),
      ...c(
        "`INTERNET_RAG_CHUNK_SIZE`, 800",
        "`INTERNET_RAG_TOP_K`, 6",
        "`INTERNET_RAG_MAX_EXTRACT_URLS`, 5",
        "`JINA_READER_TIMEOUT`, 12 s a page",
        "`JINA_RERANKER_TIMEOUT`, 8 s"
      )
    ]
  },
  {
    because: "needs a service with other settings, keys or none: read at the start",
    rows: [
      ...a(
        "`TAVILY_API_KEY`, optional; without it a warning",
        "Info once: a key is missing",
        "Test: missing key"
      ),
      ...b(
        "`raw_content` is split by paragraphs",
        "Result field `raw_content`",
        "Every web result is chunked, embedded and stored",
        "Key in the settings, the provider's own client as dependency",
        "Model `text-embedding-3-small`"
      ),
      ...c("`JINA_API_KEY` (Reader and Reranker)", "Full text of pages by Jina Reader"),
      ...d(
        "`use_mock`, `WEB_SEARCH_MOCK`",
        "Without `TAVILY_API_KEY` results are mocked",
        "`SERPAPI_API_KEY`; without it SerpAPI is skipped"
      )
    ]
  },
  {
    because: "needs a model, which this service has none of",
    rows: [
      ...a("Test: the agent answers anyway"),
      ...d(
        "The ten best results formatted for the model: title, URL, snippet",
        "A prompt template with rules against invention",
        "LLM of any make; timeout 30 s",
        "Outline generated by a model from both sources",
        "Resilience: LLM failure, malformed answer"
      ),
      ...e("Gate by LLM with a strict schema", "Synthesis by LLM, structured")
    ]
  },
  {
    because: "needs a provider that answers in a way of its own",
    rows: b("Results of a low score are left out")
  },
  {
    because: "a matter of the code, of documents beside it, or a pure law",
    rows: [
      ...c("Test: imports", "Test: chunking"),
      ...d(
        "Internal retrieval before the web",
        "Between 0.3 and 0.7: review before use",
        "Tools: initialisation, one instance (singleton)",
        "Tools: batch search",
        "Schema: to and from a dictionary",
        "Schema: representation as text",
        "Errors: deduplication or formatting fails"
      ),
      ...e("Runs inside the application", "Tavily by its SDK, direct HTTP as fallback")
    ]
  },
  {
    because: "a figure of time, which depends on the machine",
    rows: d("About 2 s for research, 15 s for an outline")
  }
]
