/** `anchors`: signed statements of the log's state. `verify` checks the log against them. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { AnchorStatement } from "../../domain/audit/MerkleTree.ts"
import { counted } from "../../domain/session/FactText.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { commandFailed, indentParts, jsonFlag } from "./terminal/Terminal.ts"
import { part, type Wiring } from "./Wiring.ts"

const json = jsonFlag()

export const make = (wiring: Wiring) =>
  Command.make("anchors").pipe(
    Command.withDescription("Sign how the log stands: `verify --all` holds it against that"),
    Command.withSubcommands([list(wiring), sign(wiring), prove(wiring), key(wiring)])
  )

const rootCharsShown = 16

const partsOf = (
  { at, last_position, root_hash, tree_size }: AnchorStatement
): ReadonlyArray<string> => [
  at,
  counted(tree_size, "event"),
  `to position ${last_position}`,
  `root ${root_hash.slice(0, rootCharsShown)}…`
]

const list = (wiring: Wiring) =>
  Command.make(
    "list",
    {
      limit: Flag.Int("limit").pipe(
        Flag.withDescription("The newest so many; default: 20"),
        Flag.withDefault(20)
      ),
      json
    },
    Effect.fnUntraced(
      function*({ json, limit }) {
        const anchors =
          (yield* Effect.flatMap(part(wiring, ({ anchors }) => anchors), ({ list }) => list))
            .slice(-Math.max(1, limit))
        const { columns } = yield* Terminal.style
        if (json) return yield* Console.log(JSON.stringify(anchors, undefined, 2))
        yield* Console.log(
          anchors.length === 0
            ? "No anchor was made."
            : anchors.flatMap((one) => indentParts(partsOf(one), 0, 2, columns)).join("\n")
        )
      },
      Effect.scoped,
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Show the anchors in the database, oldest first"))

const sign = (wiring: Wiring) =>
  Command.make(
    "make",
    { json },
    Effect.fnUntraced(
      function*({ json }) {
        const { anchor, shipped } = yield* Effect.flatMap(
          part(wiring, ({ anchors }) => anchors),
          ({ make }) => make
        )
        const { columns } = yield* Terminal.style
        const made = Option.getOrUndefined(anchor)
        if (json) return yield* Console.log(JSON.stringify({ made, shipped }, undefined, 2))
        yield* Console.log(
          [
            ...(made === undefined
              ? ["Nothing was recorded since the newest anchor."]
              : indentParts(partsOf(made), 0, 2, columns)),
            `${counted(shipped, "anchor")} put outside.`
          ].join("\n")
        )
      },
      Effect.scoped,
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Sign the log as it stands and put the anchor outside"))

const prove = (wiring: Wiring) =>
  Command.make(
    "prove",
    {
      before: Argument.Int("before").pipe(
        Argument.withDescription("Events that the earlier anchor covers")
      ),
      after: Argument.Int("after").pipe(
        Argument.withDescription("Events that the later anchor covers; default: the newest"),
        Argument.optional
      )
    },
    Effect.fnUntraced(
      function*({ after, before }) {
        const { prove } = yield* part(wiring, ({ anchors }) => anchors)
        const proof = yield* prove(before, Option.getOrUndefined(after))
        yield* Console.log(JSON.stringify(proof))
      },
      Effect.scoped,
      Effect.mapError(commandFailed)
    )
  ).pipe(
    Command.withDescription(
      "Prove that the log of a later anchor begins with that of an earlier one"
    )
  )

const key = (wiring: Wiring) =>
  Command.make(
    "key",
    {},
    Effect.fnUntraced(
      function*() {
        const { keyId, pem } = yield* Effect.flatMap(
          part(wiring, ({ anchors }) => anchors),
          ({ key }) => key
        )
        yield* Console.log(pem.trimEnd())
        yield* Console.error(`Key ${keyId}`)
      },
      Effect.scoped,
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Print the public key that verifies anchors and receipts"))
