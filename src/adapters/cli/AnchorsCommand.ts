/** `anchors`: signed statements of the log's state. `verify` checks the log against them. */
import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type { AnchorStatement } from "../../domain/audit/MerkleTree.ts"
import { counted } from "../../domain/session/FactText.ts"
import * as Flags from "./terminal/Flags.ts"
import { indentParts } from "./terminal/Terminal.ts"
import { answering, command, part } from "./Wiring.ts"

const rootCharsShown = 16

const partsOf = (
  { at, last_position, root_hash, tree_size }: AnchorStatement
): ReadonlyArray<string> => [
  at,
  counted(tree_size, "event"),
  `to position ${last_position}`,
  `root ${root_hash.slice(0, rootCharsShown)}…`
]

const list = answering(
  "list",
  "Show the anchors in the database, oldest first",
  { limit: Flags.wholeOr("limit", 20, "Number of the newest; default: 20") },
  Effect.fnUntraced(function*({ limit }) {
    const { list } = yield* part(({ anchors }) => anchors)
    return (yield* list).slice(-Math.max(1, limit))
  }),
  (anchors, { columns }) =>
    anchors.length === 0
      ? "No anchor was made."
      : anchors.flatMap((one) => indentParts(partsOf(one), columns))
)

const sign = answering(
  "make",
  "Sign the log's current state, and send the anchor to its outlets",
  {},
  Effect.fnUntraced(function*() {
    const { make } = yield* part(({ anchors }) => anchors)
    const { anchor, shipped } = yield* make
    return { made: Option.getOrUndefined(anchor), shipped }
  }),
  ({ made, shipped }, { columns }) => [
    ...(made === undefined
      ? ["Nothing was recorded since the newest anchor."]
      : indentParts(partsOf(made), columns)),
    `${counted(shipped, "anchor")} put outside.`
  ]
)

const prove = command(
  "prove",
  "Prove that a later anchor's log begins with an earlier one's",
  {
    before: Argument.Int("before").pipe(
      Argument.withDescription("Events that the earlier anchor covers")
    ),
    after: Argument.Int("after").pipe(
      Argument.withDescription("Events that the later anchor covers; default: the newest"),
      Argument.optional
    )
  },
  function*({ after, before }) {
    const { prove } = yield* part(({ anchors }) => anchors)
    const proof = yield* prove(before, Option.getOrUndefined(after))
    yield* Console.log(JSON.stringify(proof))
  }
)

const key = command(
  "key",
  "Print the public key that verifies anchors and receipts",
  {},
  function*() {
    const { key } = yield* part(({ anchors }) => anchors)
    const { keyId, pem } = yield* key
    yield* Console.log(pem.trimEnd())
    yield* Console.error(`Key ${keyId}`)
  }
)

export const anchors = Command.make("anchors").pipe(
  Command.withDescription("Sign the log's state, for later comparison by `verify --all`"),
  Command.withSubcommands([list, sign, prove, key])
)
