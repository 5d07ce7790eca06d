/** Faults of the verification of the whole log. */
import type { Mutant } from "./Mutant.ts"

const check = "src/domain/audit/LogCheck.ts"
const useCase = "src/application/audit/VerifyLog.ts"
const statements = "src/adapters/postgres/LogRowStatements.ts"
const rows = "src/adapters/postgres/PostgresLogRows.ts"
const tampered = ["test/faults/verifiedLog.test.ts"] as const
const watched = ["test/application/WatchLog.test.ts"] as const
const contract = ["test/contract/LogRows.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "verify-tenant",
    file: check,
    text: "else if (owner.tenantId !== row.tenantId) kinds.push",
    replacement: "else if (owner === undefined) kinds.push",
    means: "an event can be given to another tenant",
    tests: tampered
  },
  {
    id: "verify-erasure",
    file: check,
    text: "if (owner !== undefined && owner.isErased !== isErased) {",
    replacement: "if (owner !== undefined && owner.isErased && !isErased && version < 0) {",
    means: "single payloads can be erased, or erased ones put back, without a sign",
    tests: tampered
  },
  {
    id: "verify-positions",
    file: check,
    text: "previous.position >= position",
    replacement: "previous.position < 0n",
    means: "events of a stream can be told in another order",
    tests: tampered
  },
  {
    id: "verify-heads",
    file: check,
    text: "row.version !== last.version || row.hash !== last.hash",
    replacement: "row.version !== last.version",
    means: "a stream's head can be another hash",
    tests: tampered
  },
  {
    id: "verify-created",
    file: check,
    text: "row.firstRecordedAt !== row.createdAt",
    replacement: "row.firstRecordedAt === ''",
    means: "a stream can be dated otherwise than its first event",
    tests: tampered
  },
  {
    id: "verify-anchor-owner",
    file: "src/domain/audit/MerkleTree.ts",
    text: "JSON.stringify([String(position), tenantId, sessionId ?? null, hash])",
    replacement: "JSON.stringify([String(position), hash])",
    means: "a whole stream can be given to another tenant or session, anchor or not",
    tests: tampered
  },
  {
    id: "verify-anchor-end",
    file: "src/domain/audit/LogCheck.ts",
    text: "close(next, true)",
    replacement: "break",
    means: "an end of the log that was cut off passes, as no event stands beyond its anchor",
    tests: tampered
  },
  {
    id: "verify-anchor-unsound",
    file: useCase,
    text: "return view.sound && log !== undefined",
    replacement: "return log !== undefined",
    means: "a damaged log is told to be kept as if it were sound",
    tests: tampered
  },
  {
    id: "verify-given-anchor",
    file: "src/application/audit/KnownAnchors.ts",
    text: "...(given === undefined ? [] : [given])",
    replacement: "",
    means: "an anchor that the caller kept is not looked at",
    tests: contract
  },
  {
    id: "verify-rewritten",
    file: "src/domain/audit/LogCheck.ts",
    text: "return isNews ? \"rewritten\" : undefined",
    replacement: "return undefined",
    means: "a session that was written anew, chain and all, passes beside an outside anchor",
    tests: ["test/application/RewrittenLog.test.ts"]
  },
  {
    id: "verify-resurrection",
    file: useCase,
    text: "tell([LogCheck.resurrection(found)])",
    replacement: "found",
    means: "an erased session that somebody put back with its key passes",
    tests: ["test/faults/erasure.test.ts"]
  },
  {
    id: "verify-stops",
    file: useCase,
    text: "counts.faults += found.length",
    replacement: "counts.faults += Math.min(found.length, 0)",
    means: "a log with named faults is told to be sound",
    tests: contract
  },
  {
    id: "verify-ties",
    file: statements,
    text:
      "          order by position fetch first ${eventsPageMax} rows with ties\n          ) rows",
    replacement:
      "          order by position fetch first ${eventsPageMax} rows with ties offset 1\n          ) rows",
    means: "the first event of each page is not looked at",
    tests: contract
  },
  {
    id: "verify-follows",
    file: rows,
    text: "const before = row.follows ? events.at(-1) : undefined",
    replacement: "const before = events.at(-1)",
    means: "an event is held against an event of another stream",
    tests: contract
  },
  {
    id: "verify-admin",
    file: "src/application/operations/UseCases.ts",
    text: `yield* granted("admin")(caller)`,
    replacement: "",
    means: "an auditor of one tenant is told of the sessions of others",
    tests: ["test/application/VerifyCalls.test.ts"]
  },
  {
    id: "verify-alone",
    file: "src/domain/audit/VerificationLog.ts",
    text: "if (isRunning || isWithin",
    replacement: "if (isWithin",
    means: "each replica reads the whole log at the same time",
    tests: watched
  },
  {
    id: "verify-all-payloads",
    file: "src/domain/audit/VerificationLog.ts",
    text: "now.sinceFull + 1 >= fullEach ||",
    replacement: "",
    means: "old payloads are never looked at again by the service",
    tests: watched
  },
  {
    id: "verify-unsound",
    file: "src/domain/audit/VerificationLog.ts",
    text: "unsoundSince: last.faults_count === 0",
    replacement: "unsoundSince: last.faults_count >= 0",
    means: "faults of the log open no alert",
    tests: watched
  }
]
