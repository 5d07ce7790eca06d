/** Faults of the evidence store in PostgreSQL. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const evidence = "src/adapters/postgres/EvidenceStatements.ts"
const terms = "src/adapters/postgres/EvidenceTerms.ts"
const vectors = "src/adapters/postgres/EvidenceVectorStatements.ts"
const kept = "src/adapters/postgres/PostgresEvidenceStore.ts"
const evidenceTests = ["test/contract/EvidenceStores.test.ts"] as const

const firstTests = ["test/application/StoreFirst.test.ts"] as const
const gatherTests = ["test/application/CollectPages.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/domain/retrieval/StoreKnowledge.ts", firstTests, [
    {
      id: "store-first-names",
      text: "holds_kind && missing_names === 0 && coverage",
      replacement: "holds_kind && coverage",
      means: "an entry about another place or year passes for the answer"
    },
    {
      id: "store-first-any",
      text: "coverage >= coverageMin",
      replacement: "coverage > 0 * coverageMin",
      means: "an entry that only shares a subject passes for the answer"
    },
    {
      id: "store-first-law",
      text: `!reason_codes.includes("POLICY_LEGAL") ||`,
      replacement: `reason_codes.length > 0 ||`,
      means: "a blog of the store is taken for the law"
    }
  ]),
  ...faultsIn("src/application/evidence/CollectPages.ts", gatherTests, [
    {
      id: "gather-snippets",
      text: `page.material.extent === "snippet" || `,
      replacement: "",
      means: "a snippet takes the place of the whole page"
    },
    {
      id: "gather-forgets",
      text: "          also: done(tenantId, taken)\n",
      replacement: "",
      means: "a collected page stays in the queue and is collected over and over"
    }
  ]),
  ...faultsIn("src/application/steps/LeavePages.ts", gatherTests, [
    {
      id: "gather-without-consent",
      text: "policy.collects_pages !== true",
      replacement: "policy.entries_max === 0",
      means: "pages are kept without consent"
    }
  ]),
  {
    id: "gather-mock",
    file: "src/domain/store/Material.ts",
    text: ` || providers.includes("mock")`,
    replacement: "",
    means: "what the sandbox made up stands in the evidence store",
    tests: gatherTests
  },
  {
    id: "evidence-deletes-of-all",
    file: evidence,
    text: `where tenant_id = \${tenantId} and source_key = any`,
    replacement: `where \${tenantId}::text is not null and source_key = any`,
    means: "a source put by one tenant takes away another's",
    tests: evidenceTests
  },
  {
    id: "evidence-reads-of-all",
    file: evidence,
    text: `where e.tenant_id = \${tenantId} and e.source_key = \${source}`,
    replacement: `where \${tenantId}::text is not null and e.source_key = \${source}`,
    means: "one tenant reads another's private notes",
    tests: evidenceTests
  },
  {
    id: "evidence-finds-of-all",
    file: evidence,
    text: `    sql\`e.tenant_id = \${tenantId}\`,`,
    replacement: `    sql\`\${tenantId}::text is not null\`,`,
    means: "one tenant's question is answered from another's private notes",
    tests: evidenceTests
  },
  {
    id: "evidence-until",
    file: evidence,
    text: `e.collected_at < \${collected_until}`,
    replacement: `e.collected_at <= \${collected_until}`,
    means: "a filter by time lets in what was collected at its end",
    tests: evidenceTests
  },
  {
    id: "evidence-published",
    file: evidence,
    text: `\${published} >= \${dayOf(published_from)}`,
    replacement: `\${published} > \${dayOf(published_from)}`,
    means: "a filter by day leaves out the first day",
    tests: evidenceTests
  },
  {
    id: "evidence-worst-first",
    file: evidence,
    text: `select entry_id, (
`,
    replacement: `select entry_id, -(
`,
    means: "a search gives the passages that fit least",
    tests: evidenceTests
  },
  {
    id: "evidence-far-first",
    file: evidence,
    text: `order by distance, e.entry_id limit \${limit}`,
    replacement: `order by distance desc, e.entry_id limit \${limit}`,
    means: "a search by meaning gives what is farthest from it",
    tests: evidenceTests
  },
  {
    id: "evidence-any-model",
    file: evidence,
    text: `where v.tenant_id = \${tenantId} and v.model = \${model} and`,
    replacement: `where v.tenant_id = \${tenantId} and \${model}::text > '' and`,
    means: "vectors of two models are compared with each other",
    tests: evidenceTests
  },
  {
    id: "evidence-injected",
    file: terms,
    text: `.replaceAll("'", "''")}'\``,
    replacement: "}'`",
    means: "a word with an apostrophe in it breaks every search that holds it",
    tests: evidenceTests,
    equivalent:
      "The terms of a text hold letters and digits alone, so that nothing is left to be " +
      "quoted; the quoting is a second fence."
  },
  {
    id: "evidence-common-words",
    file: terms,
    text: "Math.log(1 + holdersMax / Math.max(1, holders))",
    replacement: "Math.log(1 + Math.max(1, holders))",
    means: "common words decide what is found, rare ones do not",
    tests: evidenceTests
  },
  {
    id: "evidence-long-terms",
    file: terms,
    text: "if (term.length > termCharsMax) return",
    replacement: "",
    means: "one long line of base64 keeps a document out of the store",
    tests: evidenceTests
  },
  {
    id: "evidence-stale-vector",
    file: vectors,
    text: `        and e.text_sha256 = given.text_sha256
`,
    replacement: `        and given.text_sha256 is not null
`,
    means: "a text that was replaced meanwhile is found by the old one's meaning",
    tests: evidenceTests
  },
  {
    id: "evidence-old-model-kept",
    file: vectors,
    text: `where tenant_id = \${tenantId} and (model, dimensions) <> (\${model}, \${dimensions})`,
    replacement:
      `where tenant_id = \${tenantId} and model = '' and (model, dimensions) <> (\${model}, ` +
      `\${dimensions})`,
    means: "vectors of the old model stay in the table for ever",
    tests: evidenceTests
  },
  {
    id: "evidence-early-model",
    file: kept,
    text: "if (missing.length > 0) return false",
    replacement: "",
    means: "searches compare by a model that half of the entries lack",
    tests: evidenceTests
  },
  {
    id: "evidence-any-length",
    file: kept,
    text: "if (!keepsVectors || vector.length !== model.dimensions) return []",
    replacement: "if (!keepsVectors) return []",
    means: "a vector of another length is an outage of the store",
    tests: evidenceTests
  },
  {
    id: "evidence-limitless",
    file: kept,
    text: "Statements.selectByText(tenantId, candidates, held, filter, Math.min(limit, foundMax))",
    replacement: "Statements.selectByText(tenantId, candidates, held, filter, foundMax)",
    means: "a search gives more passages than were asked for",
    tests: evidenceTests
  }
]
