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

const store = faultsIn("src/adapters/postgres/PostgresEventStore.ts", payloads, [
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

export const mutants: ReadonlyArray<Mutant> = [...keys, ...cipher, ...start, ...store]
