/** `anchors`: signed statements of how the log stood, and whether it still does. */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { Checked } from "../../application/anchors/CheckAnchors.ts"
import type { AnchorFault, AnchorStatement } from "../../domain/audit/Anchor.ts"
import { countedAs } from "./FactText.ts"
import { because, CommandFailed } from "./terminal/CommandFailed.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { indent, indentParts } from "./terminal/Wrapping.ts"
import type { Wiring } from "./Wiring.ts"

export const make = (wiring: Wiring) =>
  Command.make("anchors").pipe(
    Command.withDescription("Sign how the log stands, and hold it against what was signed"),
    Command.withSubcommands([list(wiring), sign(wiring), check(wiring), key(wiring)])
  )

const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON instead of text"),
  Flag.withDefault(false)
)

const rootCharsShown = 16

const partsOf = (
  { at, last_position, root_hash, tree_size }: AnchorStatement
): ReadonlyArray<string> => [
  at,
  countedAs(tree_size, "event"),
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
        const anchors = (yield* Effect.flatMap(wiring.anchors, ({ list }) => list))
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
      Effect.mapError(because)
    )
  ).pipe(Command.withDescription("Show the anchors in the database, oldest first"))

const sign = (wiring: Wiring) =>
  Command.make(
    "make",
    { json },
    Effect.fnUntraced(
      function*({ json }) {
        const { anchor, shipped } = yield* Effect.flatMap(wiring.anchors, ({ make }) => make)
        const { columns } = yield* Terminal.style
        const made = Option.getOrUndefined(anchor)
        if (json) return yield* Console.log(JSON.stringify({ made, shipped }, undefined, 2))
        yield* Console.log(
          [
            ...(made === undefined
              ? ["Nothing was recorded since the newest anchor."]
              : indentParts(partsOf(made), 0, 2, columns)),
            `${countedAs(shipped, "anchor")} put outside.`
          ].join("\n")
        )
      },
      Effect.scoped,
      Effect.mapError(because)
    )
  ).pipe(Command.withDescription("Sign the log as it stands and put the anchor outside"))

const check = (wiring: Wiring) =>
  Command.make(
    "check",
    { json },
    Effect.fnUntraced(
      function*({ json }) {
        const checked = yield* Effect.flatMap(wiring.anchors, ({ check }) => check)
        const { columns } = yield* Terminal.style
        yield* Console.log(
          json
            ? JSON.stringify(checked, undefined, 2)
            : linesOf(checked).flatMap((line) => indent(line, 0, 2, columns)).join("\n")
        )
        if (checked.faults.length > 0) {
          return yield* new CommandFailed({ sentence: "The log is not as it was anchored" })
        }
        if (checked.anchors === 0) {
          return yield* new CommandFailed({ sentence: "There is no anchor to check the log by" })
        }
      },
      Effect.scoped,
      Effect.mapError(because)
    )
  ).pipe(
    Command.withDescription("Hold the log against every anchor, in the database and outside")
  )

const key = (wiring: Wiring) =>
  Command.make(
    "key",
    {},
    Effect.fnUntraced(
      function*() {
        const { keyId, pem } = yield* Effect.flatMap(wiring.anchors, ({ key }) => key)
        yield* Console.log(pem.trimEnd())
        yield* Console.error(`Key ${keyId}`)
      },
      Effect.scoped,
      Effect.mapError(because)
    )
  ).pipe(Command.withDescription("Print the public key that verifies anchors and receipts"))

const linesOf = (
  { anchors, events, faults, isOutside, newest, uncovered }: Checked
): ReadonlyArray<string> => [
  `${countedAs(anchors, "anchor")} verified, ${countedAs(events, "event")} read, ` +
  `${uncovered} not anchored yet`,
  ...(newest === undefined ? [] : [`Newest: ${partsOf(newest).join(", ")}`]),
  ...(isOutside ? [] : ["ANCHOR_FILE is not set: who can write the database can change both."]),
  ...faults.map(sentenceOf)
]

const faultTexts: Record<AnchorFault["kind"], string> = {
  truncated: "The log ends before events that were anchored",
  removed: "Events that were anchored are missing",
  resurrected: "Events stand where none were anchored",
  rewritten: "Events are not as they were anchored",
  bad_signature: "An anchor's signature does not verify",
  unknown_key: "An anchor is signed by a key that is not known",
  unreadable: "An anchor cannot be read",
  forked: "An anchor contradicts another",
  anchor_removed: "An anchor stands outside, and the database lacks it",
  not_outside: "An anchor was put outside, and ANCHOR_FILE lacks it"
}

const sentenceOf = (
  { after_position, kind, line, tree_size, until_position }: AnchorFault
): string =>
  [
    `${kind}: ${faultTexts[kind]}`,
    ...(until_position === undefined
      ? []
      : [`after position ${after_position ?? "0"}, up to ${until_position}`]),
    ...(tree_size === undefined ? [] : [`anchor over ${countedAs(tree_size, "event")}`]),
    ...(line === undefined ? [] : [`line ${line} of ANCHOR_FILE`])
  ].join("; ")
