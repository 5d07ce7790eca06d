/** Faults of the audit: the chain of digests, the comparison and the check of quotes. */
import type { Mutant } from "./Mutant.ts"

const chain = "src/domain/audit/HashChain.ts"
const difference = "src/domain/audit/OutcomeChange.ts"
const quotes = "src/domain/audit/PackQuotes.ts"
const chained = ["test/domain/HashChain.test.ts"] as const
const compared = ["test/domain/Difference.test.ts"] as const
const placed = ["test/domain/PackQuotes.test.ts"] as const
const tree = "src/domain/audit/MerkleTree.ts"
const proven = ["test/domain/MerkleTree.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "merkle-leaf-prefix",
    file: tree,
    text: "sha256(`\\0${entry}`)",
    replacement: "sha256(entry)",
    means: "an inner node passes for an entry",
    tests: ["test/golden/receipts.test.ts"]
  },
  {
    id: "merkle-proof-length",
    file: tree,
    text: "return last === 0 && reached === given.root",
    replacement: "return reached === given.root",
    means: "a proof is believed that is of another tree's size",
    tests: proven
  },
  {
    id: "merkle-earlier-root",
    file: tree,
    text: "last === 0 && earlier === before.root && later === after.root",
    replacement: "last === 0 && later === after.root",
    means: "a rewritten beginning passes for the one that was anchored",
    tests: proven
  },
  {
    id: "chain-head-hash",
    file: chain,
    text: "head.version === version && head.hash === previous",
    replacement: "head.version === version",
    means: "a head whose hash was changed passes for the stream's end",
    tests: chained
  },
  {
    id: "chain-head-version",
    file: chain,
    text: "head.version === version && head.hash === previous",
    replacement: "head.hash === previous",
    means: "a head whose version was changed passes for the stream's end",
    tests: chained
  },
  {
    id: "chain-gap",
    file: chain,
    text: `if (event.version !== expected.version) return "version_gap"`,
    replacement: "",
    means: "a missing event is told as an edited one",
    tests: chained
  },
  {
    id: "chain-erased-data",
    file: chain,
    text: "if (event.salt === null) return event.data === null",
    replacement: "if (event.salt === null) return true",
    means: "a forged payload passes as an erased one",
    tests: chained
  },
  {
    id: "chain-payload",
    file: chain,
    text: "return Result.isSuccess(data) &&",
    replacement: "return Result.isSuccess(data) ||",
    means: "an edited payload passes",
    tests: chained
  },
  {
    id: "chain-links",
    file: chain,
    text: `return hash === event.hash ? undefined : "link_broken"`,
    replacement: "return undefined",
    means: "events can be exchanged, left out or put in without a sign",
    tests: chained
  },
  {
    id: "chain-metadata",
    file: chain,
    text: "const header = { ...event, streamId, metadataText: metadata.success }",
    replacement:
      "const header = { ...event, streamId, metadataText: event.metadata === null ? '' : '{}' }",
    means: "sound logs are called broken",
    tests: chained
  },
  {
    id: "chain-seal-previous",
    file: chain,
    text: "sealed.at(-1)?.hash ?? head.hash",
    replacement: "head.hash",
    means: "the second event of an append breaks the chain of its own log",
    tests: chained
  },
  {
    id: "chain-seal-version",
    file: chain,
    text: "const version = head.version + sealed.length + 1",
    replacement: "const version = head.version + 1",
    means: "two events of an append claim one place",
    tests: chained
  },
  {
    id: "chain-unsalted",
    file: chain,
    text: `\`wg:1:payload\\0\${salt}\${dataText}\``,
    replacement: `\`wg:1:payload\\0\${dataText}\``,
    means: "the digest of an erased payload tells what it was to who guesses it",
    tests: chained
  },
  {
    id: "chain-undated",
    file: chain,
    text: `"\${recordedAt}",\${metadataText}`,
    replacement: `"",\${metadataText}`,
    means: "the date of an event can be changed without a sign",
    tests: chained
  },
  {
    id: "chain-any-id",
    file: chain,
    text: "if (!uuid.test(eventId))",
    replacement: "if (uuid.test('') && eventId)",
    means: "an event id is recorded that the database cannot hold",
    tests: chained
  },
  {
    id: "chain-any-type",
    file: chain,
    text: "if (!typeName.test(type))",
    replacement: "if (typeName.test('') && type)",
    means: "a type with quotes in it is recorded, which another header could imitate",
    tests: chained
  },
  {
    id: "chain-after-start",
    file: chain,
    text: `let version = known.version
`,
    replacement: `let version = 0
`,
    means: "every log read on from a known place is called broken",
    tests: chained
  },
  {
    id: "chain-after-genesis",
    file: chain,
    text: `let previous = known.hash
`,
    replacement: `let previous = genesis(digests, head.streamId)
`,
    means: "every log read on from a known place is called broken",
    tests: chained
  },
  {
    id: "difference-added",
    file: difference,
    text: "new Set([...left.keys(), ...right.keys()])",
    replacement: "new Set(left.keys())",
    means: "a field that the log lacks is no difference: forged facts pass by leaving it out",
    tests: compared
  },
  {
    id: "difference-missing",
    file: difference,
    text: "new Set([...left.keys(), ...right.keys()])",
    replacement: "new Set(right.keys())",
    means: "a field that was added to the log is no difference",
    tests: compared
  },
  {
    id: "difference-kinds",
    file: difference,
    text: `left === undefined || right === undefined ||
    Array.isArray(recorded) !== Array.isArray(recomputed)`,
    replacement: "left === undefined || right === undefined",
    means: "a list and a record with the same items pass for the same",
    tests: compared
  },
  {
    id: "difference-order",
    file: difference,
    text: "].sort()",
    replacement: "]",
    means: "two replays of one log name different paths",
    tests: compared
  },
  {
    id: "difference-loose",
    file: difference,
    text: "if (recorded === recomputed)",
    replacement: "if (recorded == recomputed)",
    means: "an absent value passes for null, and a number for its text",
    tests: compared
  },
  {
    id: "difference-path",
    file: difference,
    text: "[...path, key]",
    replacement: "[key]",
    means: "an auditor is shown a key without the way to it",
    tests: compared
  },
  {
    id: "quotes-disputed",
    file: quotes,
    text: `  "disputed_or_uncertain"
`,
    replacement: "",
    means: "a made-up quote passes among the disputed claims",
    tests: placed
  },
  {
    id: "quotes-first-source",
    file: quotes,
    text: "of sources.entries())",
    replacement: "of sources.slice(0, 1).entries())",
    means: "a made-up quote passes as a claim's second source",
    tests: placed
  },
  {
    id: "quotes-first",
    file: quotes,
    text: "quotes.findIndex((quote) =>",
    replacement: "quotes.slice(0, 1).findIndex((quote) =>",
    means: "a made-up quote passes behind a true one",
    tests: placed
  },
  {
    id: "quotes-anywhere",
    file: quotes,
    text: "text.slice(quote.start, quote.end) !== quote.text",
    replacement: "!text.includes(quote.text)",
    means: "a quote passes whose offsets lead elsewhere",
    tests: placed
  },
  {
    id: "quotes-unkept",
    file: quotes,
    text: `if (text === "") continue`,
    replacement: "",
    means: "a pack of pages whose texts were not kept is called forged",
    tests: placed
  }
]
