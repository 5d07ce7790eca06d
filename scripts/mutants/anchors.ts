/** Faults of anchors: how they are made, checked and shipped. */
import { faultsIn } from "./Mutant.ts"

export const mutants = [
  ...faultsIn("src/application/audit/MakeAnchors.ts", ["test/application/Anchors.test.ts"], [
    {
      id: "anchors-trusted-frontier",
      text: "return isSame ? statement :",
      replacement: "return statement !== undefined ? statement :",
      means: "a new anchor signs a tree that somebody put beside the old one"
    },
    {
      id: "anchors-turn",
      text: "if (!(yield* ledger.claim(id, turnMs)))",
      replacement: "if (!(yield* ledger.claim(id, turnMs)) && turnMs === 0)",
      means: "two processes make anchors at the same time"
    }
  ]),
  ...faultsIn("src/domain/audit/LogCheck.ts", ["test/application/Anchors.test.ts"], [
    {
      id: "anchors-truncation",
      text: "if (counted < expected) {",
      replacement: "if (counted < expected && !isEnd) {",
      means: "a log that was cut off is not told as such"
    },
    {
      id: "anchors-resurrection",
      text: "if (counted > expected) return \"resurrected\"",
      replacement: "",
      means: "an event that was put in is told as a rewritten one"
    }
  ]),
  ...faultsIn("src/adapters/anchors/SigningKey.ts", ["test/application/Anchors.test.ts"], [
    {
      id: "anchors-signature",
      text: "if (!Ed25519.verifies(key.pem, { payloadType, payload, signature: signature.sig })) {",
      replacement: "if (payload === \"\") {",
      means: "an anchor is believed whose signature nobody verified"
    }
  ]),
  ...faultsIn("src/adapters/anchors/OutsideAnchors.ts", ["test/contract/Anchors.test.ts"], [
    {
      id: "anchors-command-failed",
      text: "if (code === 0) return resume(Effect.void)",
      replacement: "if (code !== null) return resume(Effect.void)",
      means: "an anchor counts as outside that the command refused"
    }
  ]),
  ...faultsIn("src/application/audit/ProveAnchors.ts", ["test/e2e/receipts.test.ts"], [
    {
      id: "anchors-unproven",
      text: "(start >= size ? later.shift() : left.pop())",
      replacement: "(start >= size ? later.shift() : left.shift())",
      means: "no proof between two anchors can be made but where the earlier tree is a whole one"
    }
  ]),
  ...faultsIn("src/application/audit/MakeReceipt.ts", ["test/application/MakeReceipt.test.ts"], [
    {
      id: "receipts-unproven",
      text: "size: tree_size, root: root_hash })",
      replacement: "size: tree_size, root: root_hash }) || found !== undefined",
      means: "a receipt is made whose proof leads nowhere"
    },
    {
      id: "receipts-path",
      text: "(start > index ? later.shift() : left.pop())",
      replacement: "(start > index ? later.pop() : left.pop())",
      means: "no receipt can be made where later events are in the anchor"
    }
  ]),
  ...faultsIn("src/domain/audit/MerkleTree.ts", ["test/golden/receipts.test.ts"], [
    {
      id: "receipts-single-payload",
      text: "...(shown === undefined ? {",
      replacement: "...(shown !== -1 ? {",
      means: "a receipt of one claim gives the whole answer away"
    }
  ])
]
