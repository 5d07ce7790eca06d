/** `audit`: what a session asked, spent and claimed. `verify`: whether the log is unchanged. */
import { Console, Effect, FileSystem, Option, Schema } from "effect"
import { type EventView, everyEvent } from "../../contract/EventView.ts"
import type { LogVerification } from "../../contract/Replayed.ts"
import { AnchorStatement } from "../../domain/audit/MerkleTree.ts"
import type { Claim } from "../../domain/pack/GroundingPack.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { counted } from "../../domain/session/FactText.ts"
import type { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import * as SessionCommands from "./SessionCommands.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { CommandFailed, failWhen, indent, type Style } from "./terminal/Terminal.ts"
import { ask, asking, command } from "./Wiring.ts"

const hashCharsShown = 12

export const audit = command(
  "audit",
  "Show a session's questions, cost and claims, and whether it replays",
  {
    session_id: Flags.session,
    json: Flags.json()
  },
  function*({ json, session_id }) {
    const { events, outcomes, replayed } = yield* asking(
      Effect.fnUntraced(function*({ GetPack, GetSession, ReplaySession }) {
        const events = yield* everyEvent((after) => GetSession({ session_id, after }))
        const outcomes = yield* Effect.forEach(
          finishedIn(events),
          (request_id) => GetPack({ session_id, request_id })
        )
        return { events, outcomes, replayed: yield* ReplaySession({ session_id }) }
      })
    )
    yield* Terminal.print(json, { session_id, replayed, outcomes }, (_, style) => [
      SessionCommands.verdictText(replayed, style),
      ...outcomes.flatMap((outcome) => requestLines(outcome, events, style))
    ])
    yield* SessionCommands.failUnlessReplayed(replayed)
  }
)

const finishedIn = (events: ReadonlyArray<EventView>): ReadonlyArray<string> =>
  events.flatMap(({ correlation_id, type }) =>
    type === "WEB_GROUNDING_FINISHED" ? [correlation_id] : []
  )

const requestLines = (
  { budget, mode, need, pack, reason, request_id, searches }: GroundingOutcome,
  events: ReadonlyArray<EventView>,
  { columns, faint, strong }: Style
): ReadonlyArray<string> => {
  const own = events.filter(({ correlation_id }) => correlation_id === request_id)
  const [first, last] = [own[0]?.recorded_at ?? "", own.at(-1)?.recorded_at ?? ""]
  const line = (text: string) => indent(text, columns, 2)
  const claims = [...pack.constraints_and_rules, ...pack.norms_and_expectations, ...pack.key_points]
  return [
    "",
    ...indent(`Request ${oneLine(request_id)}: ${mode}`, columns).map(strong),
    ...line(`${first} to ${last}, ${counted(own.length, "event")}`).map(faint),
    ...line(`Decided: ${need.reason_codes.join(", ")}; came to: ${reason ?? "not recorded"}`),
    ...line(
      `Spent ${counted(budget.spent_by_request, "search")} of ${budget.limit} (${budget.tier})`
    ),
    ...searches.flatMap(({ hits_count, query, status, tool_used }) =>
      line(
        `“${oneLine(query)}”: ${status}, ${counted(hits_count, "hit")}${
          tool_used === undefined ? "" : ` by ${tool_used}`
        }`
      )
    ),
    ...claims.flatMap((claim) => claimLines(claim, columns, faint)),
    ...(pack.disputed_or_uncertain.length === 0
      ? []
      : line(`${counted(pack.disputed_or_uncertain.length, "claim")} disputed`))
  ]
}

/** Lines with the position of each quotation, and the fingerprint of its source text. */
const claimLines = (
  { confidence, sources, text }: Claim,
  columns: number,
  faint: (text: string) => string
): ReadonlyArray<string> => [
  ...indent(`• ${oneLine(text)} (${confidence.toFixed(2)})`, columns, 2),
  ...sources.flatMap(({ quotes, text_sha256, url }) =>
    quotes.flatMap(({ end, start }) =>
      indent(
        `${oneLine(url)} ${start}–${end} of ${text_sha256.slice(0, hashCharsShown)}`,
        columns,
        4
      )
        .map(faint)
    )
  )
]

const verifyFlags = {
  json: Flags.json(),
  all: Flags.bool("all", "Verify the log of every tenant, and compare it with its anchors"),
  anchor: Flags.text("anchor", "File with the anchor printed by an earlier run with --all")
}

const decodeAnchor = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Union([AnchorStatement, Schema.Struct({ anchor: AnchorStatement })])
  )
)

const anchorIn = Effect.fnUntraced(function*(file: string) {
  const { readFileString } = yield* FileSystem.FileSystem
  const read = yield* decodeAnchor(yield* readFileString(file))
  return "anchor" in read ? read.anchor : read
}, Effect.mapError(() => new CommandFailed({ sentence: "Expected a file that holds an anchor" })))

export const verify = command(
  "verify",
  "Verify every event and stream against the hash chains",
  verifyFlags,
  function*({ all, anchor, json }) {
    yield* failWhen(Option.isSome(anchor) && !all, "An anchor covers all tenants: add --all")
    const known = Option.isSome(anchor) ? { anchor: yield* anchorIn(anchor.value) } : {}
    const reach = all ? "deployment" as const : "tenant" as const
    const found = yield* ask("VerifyLog", { reach, ...known })
    yield* Terminal.print(json, found, (_, { columns }) => [
      ...verificationLines(found).flatMap((line) => indent(line, columns)),
      // To be copied unchanged: no line break within it.
      ...(found.anchor === undefined ? [] : [`Anchor: ${JSON.stringify(found.anchor)}`])
    ])
    yield* failWhen(isOfOtherLog(found), otherLog)
    yield* failWhen(!found.sound, "The log is not as it was recorded")
  }
)

const otherLog = "ANCHOR_FILE is of another log, or this log was written anew from its first event"

/** Nothing else is wrong. */
const isOfOtherLog = ({ faults, sound }: LogVerification): boolean =>
  !sound && faults.every(({ kind }) => kind === "other_log")

const verdictOf = (found: LogVerification): string => {
  if (found.sound) return "sound"
  if (isOfOtherLog(found)) return "not the one of the anchors"
  return `damaged, ${counted(found.faults_count, "fault")}`
}

const verificationLines = (found: LogVerification): ReadonlyArray<string> => {
  const { anchors, bytes, duration_ms, erased, events, faults, faults_count, streams } = found
  return [
    `Log: ${
      verdictOf(found)
    }. ${events} events of ${streams} streams, ${bytes} bytes, ${erased} erased, ` +
    `in ${(duration_ms / 1_000).toFixed(1)} s`,
    ...faults.map(faultLine),
    ...(faults_count > faults.length ? [`… and ${faults_count - faults.length} more`] : []),
    ...(anchors === undefined ? [] : anchorLines(anchors))
  ]
}

const anchorLines = (
  { count, outside, uncovered }: NonNullable<LogVerification["anchors"]>
): ReadonlyArray<string> => [
  `Held against ${counted(count, "anchor")}; ${counted(uncovered, "event")} not anchored yet`,
  ...(outside ? [] : ["ANCHOR_FILE is not set: who can write the database can change its anchors"])
]

const faultLine = (fault: LogVerification["faults"][number]): string => {
  const { after_position, kind, line, position, session_id, stream_id, tree_size, version } = fault
  const { log_id, tenant_id, until_position } = fault
  const parts = [
    kind,
    tenant_id === undefined ? "" : `tenant ${oneLine(tenant_id)}`,
    session_id === undefined ? "" : `session ${oneLine(session_id)}`,
    stream_id === undefined ? "" : `stream ${stream_id}`,
    version === undefined ? "" : `version ${version}`,
    position === undefined ? "" : `position ${position}`,
    until_position === undefined
      ? ""
      : `after position ${after_position ?? "0"}, up to ${until_position}`,
    tree_size === undefined ? "" : `anchor over ${counted(tree_size, "event")}`,
    line === undefined ? "" : `line ${line} of ANCHOR_FILE`,
    log_id === undefined ? "" : `anchors of the log ${log_id}`
  ]
  return parts.filter((part) => part !== "").join(", ")
}

// `receipt`: an answer's claims and quotations as a file that others can verify without us.

export const receipt = command(
  "receipt",
  "Print the signed receipt of an answer that an anchor covers, as JSON",
  {
    session_id: Flags.session,
    request_id: Flags.argument("request", "Request id"),
    claim: Flags.whole(
      "claim",
      "Number of the only claim to show, from 1; default: all"
    )
  },
  function*({ claim, request_id, session_id }) {
    const input = { session_id, request_id, ...asGiven({ claim }) }
    const made = yield* ask("GetReceipt", input)
    yield* Console.log(JSON.stringify(made))
  }
)
