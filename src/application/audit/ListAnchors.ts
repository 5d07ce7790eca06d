/** The anchors of the database, as they say of themselves. */
import { Effect } from "effect"
import * as MerkleTree from "../../domain/audit/MerkleTree.ts"
import { AnchorKeys } from "./AnchorKeys.ts"
import { AnchorLedger } from "./AnchorLedger.ts"
import { decodeStatement } from "./MakeAnchors.ts"

/** More than a hundred years of one an hour. */
const anchorsMax = 1_000_000

/**
 * Anchors, oldest first. One whose signature does not verify is left out: `VerifyLog` reports it.
 */
export const list = Effect.gen(function*() {
  const { keys: known, list } = yield* AnchorLedger
  const { open } = yield* AnchorKeys
  const keys = yield* known
  const opened = yield* Effect.forEach(
    yield* list(0, anchorsMax),
    ({ envelope }) =>
      open(MerkleTree.payloadType, envelope, keys).pipe(
        Effect.flatMap(decodeStatement),
        Effect.option
      )
  )
  return opened.flatMap((one) => one._tag === "Some" ? [one.value] : [])
})
