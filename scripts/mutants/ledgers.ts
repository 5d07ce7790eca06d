/** Faults of the credit ledger and the query cache in PostgreSQL. */
import type { Mutant } from "./Mutant.ts"

const credits = "src/adapters/postgres/PostgresCredits.ts"
const cache = "src/adapters/postgres/PostgresQueryCache.ts"
const ledgerTests = ["test/contract/Ledgers.test.ts"] as const
const monthTests = ["test/contract/Ledgers.test.ts", "test/faults/creditMonth.test.ts"] as const

const extracting = "src/application/steps/ExtractPages.ts"
const extractedTests = ["test/application/ExtractedPages.test.ts"] as const
const extract = "src/adapters/tavily/TavilyExtract.ts"
const extractTests = ["test/contract/TavilyExtract.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "extract-barred",
    file: extracting,
    text: `!faults.some(({ detail }) => outlookOf(detail) === "barred") &&`,
    replacement: "",
    means: "what a site's robots.txt refuses us is fetched for us by others",
    tests: extractedTests
  },
  {
    id: "extract-robots",
    file: "src/domain/session/EngineDetail.ts",
    text: "robots: \"barred\"",
    replacement: "robots: \"unsaid\"",
    means: "a page that one reader may not read is extracted because another one timed out",
    tests: extractedTests
  },
  {
    id: "extract-inside",
    file: extracting,
    text: "[...new Set(all.urls)].filter(first.mayBeTold)",
    replacement: "[...new Set(all.urls)]",
    means: "addresses of the inside are told to a provider",
    tests: extractedTests
  },
  {
    id: "extract-unpaid",
    file: extracting,
    text: "if (month === undefined) {",
    replacement: "if (month === undefined && price > 99) {",
    means: "pages are bought beyond the ceiling of the month",
    tests: extractedTests
  },
  {
    id: "extract-any-report",
    file: extracting,
    text: "credits !== undefined && credits >= least && credits <= price",
    replacement: "credits !== undefined",
    means: "a report that cannot be true empties or spares the month's credits",
    tests: extractedTests
  },
  {
    id: "extract-refund-all",
    file: extracting,
    text: "SearchFault.mayBeCharged(outcome.failed) ? price : 0",
    replacement: "0",
    means: "what was paid for a failed extraction is spent again",
    tests: extractedTests
  },
  {
    id: "extract-first-key",
    file: extracting,
    text: "return (yield* askKeys(others, wanted, untilMs)) ?? outcome",
    replacement: "return outcome",
    means: "one key that is refused ends extraction for all",
    tests: extractedTests
  },
  {
    id: "extract-unlearnt",
    file: extracting,
    text: "yield* keyRing.learn({",
    replacement: "void ({",
    means: "a key that is refused is asked with each question",
    tests: extractedTests
  },
  {
    id: "extract-no-time",
    file: "src/application/steps/ReadPages.ts",
    text: "(info === undefined ? shareMs : shareMs / 2)",
    replacement: "shareMs",
    means: "a page that hangs leaves no time to have it extracted",
    tests: extractedTests
  },
  {
    id: "extract-unasked",
    file: extract,
    text: "if (!asked.has(href)) return []",
    replacement: "",
    means: "an answer may bring the text of a page that nobody asked for",
    tests: extractTests
  },
  {
    id: "extract-controls",
    file: extract,
    text: "clean(cut(raw_content, rawCharsMax))",
    replacement: "{ removedCount: 0, text: cut(raw_content, rawCharsMax) }",
    means: "controls and invisible characters of a page reach the terminal and the model",
    tests: extractTests
  },
  {
    id: "credits-over",
    file: credits,
    text: `where \${ceiling ?? null}::int is null or c.used + excluded.used <= \${ceiling ?? null}`,
    replacement: `where \${ceiling ?? null}::int is null or c.used <= \${ceiling ?? null}`,
    means: "the last search of a month goes beyond what was allowed to be spent",
    tests: ledgerTests
  },
  {
    id: "credits-first-over",
    file: credits,
    text: "if (ceiling !== undefined && credits > ceiling) return undefined",
    replacement: "",
    means: "a first search that costs more than the month is made",
    tests: ledgerTests
  },
  {
    id: "credits-below-nothing",
    file: credits,
    text: `set used = greatest(0, used + \${credits})`,
    replacement: `set used = used + \${credits}`,
    means: "credits that were given back twice are spent beyond the ceiling",
    tests: ledgerTests
  },
  {
    id: "credits-of-all-keys",
    file: credits,
    text: `and key_slot = \${keySlot} and month`,
    replacement: `and \${keySlot}::int is not null and month`,
    means: "what one key is given back, all keys are",
    tests: ledgerTests
  },
  {
    id: "credits-by-zone",
    file: credits,
    text: "now() at time zone 'utc'",
    replacement: "now()",
    means: "the month turns hours early or late, by the server's zone",
    tests: monthTests
  },
  {
    id: "cache-of-all-tenants",
    file: cache,
    text: `.where("tenant_id", "=", tenantId).where("key", "=", key).execute()
        )
        const [row]`,
    replacement: `.where("key", "=", key).execute()
        )
        const [row]`,
    means: "one tenant is answered with what another asked",
    tests: ledgerTests
  },
  {
    id: "cache-older-wins",
    file: cache,
    text: "where c.recorded_at_ms <= excluded.recorded_at_ms",
    replacement: "where c.recorded_at_ms > 0",
    means: "an older search's answer replaces the newer one",
    tests: ledgerTests
  },
  {
    id: "cache-two-leaders",
    file: cache,
    text: "where f.owner = excluded.owner or f.until < now()",
    replacement: "where f.owner = excluded.owner or f.until < now() + interval '1 hour'",
    means: "two processes pay for the same search",
    tests: ledgerTests
  },
  {
    id: "cache-leader-for-ever",
    file: cache,
    text: "where f.owner = excluded.owner or f.until < now()",
    replacement: "where f.owner = excluded.owner",
    means: "a process that died keeps everybody from a search for ever",
    tests: ledgerTests
  },
  {
    id: "cache-renews-any",
    file: cache,
    text: `and key = \${key} and owner = \${owner}
            returning owner`,
    replacement: `and key = \${key} and \${owner}::text is not null
            returning owner`,
    means: "a late leader keeps the lease of the next one and both go on",
    tests: ledgerTests
  },
  {
    id: "cache-resigns-any",
    file: cache,
    text: `
            .where("owner", "=", owner).execute()`,
    replacement: ".execute()",
    means: "a late leader ends the lease of the next one: two search",
    tests: ledgerTests
  }
]
