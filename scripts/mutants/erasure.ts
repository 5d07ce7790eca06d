/** Faults of encryption and erasure. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const payloads = ["test/faults/encryptedPayloads.test.ts"] as const

const keys = faultsIn("src/adapters/postgres/StreamKeys.ts", payloads, [
  {
    id: "payload-any-place",
    text: "JSON.stringify([tenantId, streamId, version, type])",
    replacement: "JSON.stringify([tenantId, streamId])",
    means: "a ciphertext put in the place of another is read as if it had been recorded there"
  },
  {
    id: "payload-damage-hidden",
    text: `const damaged: Payload = { data: {}, salt: "" }`,
    replacement: "const damaged: Payload = { data: null, salt: null }",
    means: "a payload that somebody destroyed is told as erased"
  },
  {
    id: "payload-key-redrawn",
    text: "if (known !== undefined && version > 0) return { key: known.key }",
    replacement: "if (known === undefined && version < 0) return undefined",
    means: "each append asks the database for the key that the process holds"
  }
])

const cipher = faultsIn("src/infrastructure/encryption/PayloadCipher.ts", payloads, [
  {
    id: "payload-same-nonce",
    text: "const nonce = randomBytes(nonceBytes)",
    replacement: "const nonce = Buffer.alloc(nonceBytes)",
    means: "two payloads under one key give each other away"
  },
  {
    id: "payload-unbound",
    text: "cipher.setAAD(Buffer.from(bound, \"utf8\"))\n  return Buffer.concat([nonce",
    replacement:
      "cipher.setAAD(Buffer.from(bound.slice(0, 0), \"utf8\"))\n  return Buffer.concat([nonce",
    means: "nothing that was encrypted can be read"
  }
])

const start = faultsIn("src/infrastructure/postgres/WrappingKeys.ts", payloads, [
  {
    id: "payload-key-unasked",
    text: "if (missing !== undefined) return",
    replacement: "if (missing === rows) return",
    means: "a service without the key starts, and no session of before can be read"
  }
])

const store = faultsIn("src/adapters/postgres/AppendStatement.ts", payloads, [
  {
    id: "payload-salt-open",
    text: "{ dataText, salt, type, version }), \"\"]",
    replacement: "{ dataText, salt, type, version }), salt]",
    means: "a guess of a small payload is confirmed by its salt and digest"
  },
  {
    id: "payload-plaintext",
    text: "const [data, open] = key === undefined",
    replacement: "const [data, open] = key !== null",
    means: "payloads are stored as they are although a key is set"
  }
])

const erasure = ["test/faults/erasure.test.ts"] as const

const purge = faultsIn("src/adapters/postgres/erasure/PostgresErasure.ts", erasure, [
  {
    id: "erasure-rows-left",
    text: "const rows = yield* rowsOf(deleteRows(rowKey))",
    replacement: "const rows = yield* rowsOf(deleteRows(`${rowKey}?`))",
    means: "what was erased is still listed, until a projection comes to it"
  },
  {
    id: "erasure-other-tenant",
    text: "where tenant_id = ${tenant_id} and session_id = ${session_id} for update",
    replacement: "where ${tenant_id} <> '' and session_id = ${session_id} for update",
    means: "one tenant erases another's session"
  },
  {
    id: "erasure-unnamed-right",
    text: "new ErasureRefused({ reason: \"not_allowed\" })",
    replacement: "new ErasureRefused({ reason: \"unknown_session\" })",
    means: "an operator is told that a session is not there, where the login may not erase it"
  }
])

const useCase = faultsIn("src/application/erasure/EraseSession.ts", erasure, [
  {
    id: "erasure-evidence-left",
    text: "const evidence_entries = yield* removeEvidence(ref, actor)",
    replacement:
      "const evidence_entries = yield* removeEvidence({ ...ref, session_id: \"\" }, actor)",
    means: "pages that were read for an erased session are found for others"
  }
])

const rows = faultsIn("src/application/projections/ErasedRows.ts", erasure, [
  {
    id: "erasure-late-row",
    text: "event.request_ids.map((id) => keyOf(event.tenant_id, event.session_id, id))",
    replacement: "event.request_ids.map((id) => keyOf(event.tenant_id, event.stream_id, id))",
    means: "a projection that was reading meanwhile brings a question back for good"
  }
])

const collected = faultsIn("src/application/evidence/CollectPages.ts", erasure, [
  {
    id: "erasure-page-of-nobody",
    text: "forSession: taken.session_id,",
    replacement: "forSession: actor,",
    means: "a collected page is not known to be of the session, and stays"
  }
])

const told = faultsIn("src/application/log/CommandHandler.ts", erasure, [
  {
    id: "erasure-untimed",
    text: "new EventErased({ stream_id: streamId, erased_at })",
    replacement: "new EventErased({ stream_id: streamId, erased_at: erased_at.slice(0, 4) })",
    means: "a caller is not told when a session was erased"
  }
])

const rewrapping = faultsIn("src/adapters/postgres/erasure/PayloadRewrap.ts", erasure, [
  {
    id: "rewrap-forgets-former",
    text: "if (told.left === 0) {",
    replacement: "if (told.left < 0) {",
    means: "a former key can never be taken out: nothing starts without it"
  },
  {
    id: "rewrap-only-looks",
    text: "told.rewrapped += 1",
    replacement: "told.rewrapped += 0",
    means: "an operator is told that there was nothing to wrap anew"
  }
])

const retained = faultsIn("src/adapters/postgres/erasure/PostgresRetention.ts", erasure, [
  {
    id: "retention-of-held",
    text: "erased_at is null and not legal_hold",
    replacement: "erased_at is null",
    means: "each run fails on sessions that are held, and an operator learns to overlook it"
  }
])

const applied = faultsIn("src/application/erasure/ApplyRetention.ts", erasure, [
  {
    id: "retention-of-all",
    text: "const kept = tenants.get(tenant_id) ?? every",
    replacement: "const kept = [...tenants.values()][1] ?? every",
    means: "what is set for a tenant does not hold for it"
  },
  {
    id: "retention-looks-hard",
    text: "const caches = how === \"look\" ? store.cached : store.dropCached",
    replacement: "const caches = how === \"look\" ? store.dropCached : store.dropCached",
    means: "a dry run deletes"
  }
])

const persons: ReadonlyArray<Mutant> = [
  {
    id: "erasure-subject-forgotten",
    file: "src/application/projections/SessionsModel.ts",
    text: "if (named === undefined) return known",
    replacement: "if (named === undefined) return []",
    means: "a session whose later requests name nobody outlives the erasure of its person",
    tests: ["test/e2e/attached.test.ts"]
  },
  {
    id: "erasure-subject-held",
    file: "src/application/EraseSubject.ts",
    text: "held.push(...one.held)",
    replacement: "held.push(...one.held.slice(1))",
    means: "whoever erased a person is not told that a session of it stands",
    tests: ["test/e2e/attached.test.ts"]
  }
]

export const mutants: ReadonlyArray<Mutant> = [
  ...keys,
  ...cipher,
  ...start,
  ...store,
  ...purge,
  ...useCase,
  ...rows,
  ...collected,
  ...told,
  ...rewrapping,
  ...retained,
  ...applied,
  ...persons
]
