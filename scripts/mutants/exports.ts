/** Faults of exports and imports: what a changed file must not get past. */
import type { Mutant } from "./Mutant.ts"

const check = "src/domain/audit/ExportCheck.ts"
const lines = "src/domain/audit/ExportLines.ts"
const taking = "src/application/audit/ImportSessions.ts"
const giving = "src/application/audit/ExportSessions.ts"
const proofs = "src/application/audit/InclusionProofs.ts"
const tests = ["test/application/Exports.test.ts"] as const

const fault = (
  id: string,
  file: string,
  text: string,
  replacement: string,
  means: string
): Mutant => ({ id, file, text, replacement, means, tests })

export const mutants: ReadonlyArray<Mutant> = [
  fault(
    "export-any-digest",
    check,
    "!== line.digest) {",
    "=== \"\") {",
    "a file that lacks a session passes as whole"
  ),
  fault(
    "export-any-chain",
    check,
    "if (broken !== undefined) return fault(fieldsOfFault",
    "if (broken === \"head_mismatch\") return fault(fieldsOfFault",
    "an edited event is recorded"
  ),
  fault(
    "export-any-tenant",
    check,
    "if (line.tenant_id !== tenantId)",
    "if (line.tenant_id === \"\")",
    "one tenant's sessions are recorded as another's"
  ),
  fault(
    "export-session-twice",
    check,
    "if (seen.sessions.has(session_id))",
    "if (seen.sessions.has(\"\"))",
    "a session that stands twice is told by another field, or not at all"
  ),
  fault(
    "export-event-less",
    check,
    "open !== undefined && open.version !== open.session.version",
    "open !== undefined && open.version < 0",
    "a session without its last event passes"
  ),
  fault(
    "export-cut",
    check,
    "isEnded ? undefined : fault",
    "totals.parts > 0 ? undefined : fault",
    "a file without its last part passes as whole"
  ),
  fault(
    "export-parts-mixed",
    check,
    "if (line.part !== totals.parts + 1)",
    "if (line.part < 1)",
    "parts in another order are told by another field, or not at all"
  ),
  fault(
    "export-any-proof",
    check,
    "if (!MerkleTree.includes(hash,",
    "if (index < 0 && !MerkleTree.includes(hash,",
    "a session that was chained again passes as anchored"
  ),
  fault(
    "export-positions",
    check,
    "if (position <= open.position)",
    "if (position < 0n)",
    "events out of the log's order are recorded"
  ),
  fault(
    "export-any-field",
    lines,
    "{ onExcessProperty: \"error\" }",
    "{ onExcessProperty: \"ignore\" }",
    "a field that no export has is told by the digest, or not at all"
  ),
  fault(
    "export-not-ascii",
    lines,
    "/[\\u007f-\\uffff]/g",
    "/[\\u007f-\\u00ff]/g",
    "a terminal changes the file that it is printed to"
  ),
  fault(
    "export-any-store",
    taking,
    "(yield* store.streams(tenantId, 1)).length > 0",
    "(yield* store.streams(tenantId, 1)).length < 0",
    "an import into a store with sessions is told by a conflict, or not at all"
  ),
  fault(
    "export-order",
    taking,
    "one.position < other.position ? -1 : 1",
    "one.position < other.position ? 1 : -1",
    "the events of an import stand in another order than they were recorded"
  ),
  fault(
    "export-any-signer",
    taking,
    "line.anchor === null || Option.isNone(key)) return undefined",
    "line.anchor !== null || Option.isNone(key)) return undefined",
    "an anchor that nobody known has signed passes"
  ),
  fault(
    "export-late-proof",
    giving,
    "position <= anchor.lastPosition",
    "position >= 0n",
    "a session is told as anchored that was recorded after the anchor"
  ),
  fault(
    "export-proof-range",
    proofs,
    "if (index >= range.start && index < range.end)",
    "if (index >= range.start)",
    "a proof holds events that are not of its range, and leads nowhere"
  ),
  {
    id: "export-half",
    file: "src/adapters/postgres/RestoredEvents.ts",
    text: "yield* postgres.transaction(Effect.forEach(",
    replacement: "yield* Effect.suspend(() => Effect.forEach(",
    means: "an import that fails leaves half of its events",
    tests: ["test/contract/PostgresEventStore.test.ts"]
  }
]
