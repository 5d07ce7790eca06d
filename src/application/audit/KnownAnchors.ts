/** Every anchor there is, in the database and outside, as far as its signature verifies. */
import { Effect, Option, Result } from "effect"
import * as LogCheck from "../../domain/audit/LogCheck.ts"
import * as MerkleTree from "../../domain/audit/MerkleTree.ts"
import { AnchorKeys, type PublicKey } from "./AnchorKeys.ts"
import { AnchorLedger } from "./AnchorLedger.ts"
import { AnchorOutlets } from "./AnchorOutlets.ts"
import { decodeStatement } from "./MakeAnchors.ts"

/** Anchors that the database is asked for at once. */
const pageAnchorsMax = 1_000

type Statements = ReadonlyArray<MerkleTree.AnchorStatement>

interface Opened {
  readonly statements: Statements
  /** Anchors that are said to be kept outside. */
  readonly shipped: Statements
  readonly faults: ReadonlyArray<MerkleTree.AnchorFault>
}

/** Anchors of database and outlet whose signatures verify, and what contradicts them. */
export interface KnownAnchors {
  /** Each once, smallest tree first. */
  readonly anchors: Statements
  /** The newest of the database. */
  readonly newest: MerkleTree.AnchorStatement | undefined
  /** Anchors that cannot be read or contradict each other, or stand in one place alone. */
  readonly faults: ReadonlyArray<MerkleTree.AnchorFault>
  /** Whether a file outside was read. */
  readonly isOutside: boolean
}

/** The statement, or why nothing can be held against it. */
const opened = Effect.fnUntraced(
  function*(envelope: MerkleTree.Envelope, known: ReadonlyArray<PublicKey>) {
    const { open } = yield* AnchorKeys
    const text = yield* open(MerkleTree.payloadType, envelope, known)
    return yield* Effect.mapError(decodeStatement(text), () => "unreadable" as const)
  },
  Effect.result
)

const inDatabase = Effect.fnUntraced(function*(known: ReadonlyArray<PublicKey>) {
  const ledger = yield* AnchorLedger
  const statements: Array<MerkleTree.AnchorStatement> = []
  const shipped: Array<MerkleTree.AnchorStatement> = []
  const faults: Array<MerkleTree.AnchorFault> = []
  let after = 0
  for (let count = pageAnchorsMax; count === pageAnchorsMax;) {
    const page = yield* ledger.list(after, pageAnchorsMax)
    for (const { envelope, isShipped, treeSize } of page) {
      const statement = yield* opened(envelope, known)
      if (Result.isFailure(statement)) {
        faults.push({ kind: statement.failure, tree_size: treeSize })
      } else {
        statements.push(statement.success)
        if (isShipped) shipped.push(statement.success)
      }
      after = treeSize
    }
    count = page.length
  }
  return { statements, shipped, faults } satisfies Opened
})

const outside = Effect.fnUntraced(function*(known: ReadonlyArray<PublicKey>) {
  const { recorded } = yield* AnchorOutlets
  const lines = yield* recorded
  if (lines === undefined) return undefined
  const statements: Array<MerkleTree.AnchorStatement> = []
  const faults: Array<MerkleTree.AnchorFault> = []
  for (const [place, envelope] of lines.entries()) {
    const statement = envelope === undefined
      ? Result.fail("unreadable" as const)
      : yield* opened(envelope, known)
    if (Result.isFailure(statement)) faults.push({ kind: statement.failure, line: place + 1 })
    else statements.push(statement.success)
  }
  return { statements, shipped: statements, faults } satisfies Opened
})

/**
 * All anchors that this deployment knows, of its database and its file, with what is wrong with
 * any. `given` is one that a caller kept; it counts like the others.
 */
export const readAnchors = Effect.fn("KnownAnchors.readAnchors")(
  function*(given: MerkleTree.AnchorStatement | undefined) {
    const keys = yield* AnchorKeys
    const ledger = yield* AnchorLedger
    const known = [...Option.toArray(keys.current), ...yield* ledger.keys]
    const database = yield* inDatabase(known)
    const file = yield* outside(known)
    const { anchors, faults } = LogCheck.ordered([
      ...database.statements,
      ...file?.statements ?? [],
      ...(given === undefined ? [] : [given])
    ])
    const all: KnownAnchors = {
      anchors,
      newest: database.statements.at(-1),
      faults: [
        ...faults,
        ...database.faults,
        ...(file === undefined ? [] : [
          ...file.faults,
          ...LogCheck.missingAnchors(file.statements, database.statements, "anchor_removed"),
          ...LogCheck.missingAnchors(database.shipped, file.statements, "not_outside")
        ])
      ],
      isOutside: file !== undefined
    }
    return all
  }
)
