/** `erase`: destroys the content of sessions, holds sessions, and lists erasures. */
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { readFile } from "node:fs/promises"
import { ErasureReport, type SubjectErasure } from "../../contract/Erasure.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { counted } from "../../domain/session/FactText.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { CommandFailed, failWhen } from "./terminal/Terminal.ts"
import { ask, asking, command, part } from "./Wiring.ts"

const json = Flags.json()

/** Most bytes of a list of erasures; a report takes less than 1 kB. */
const listBytesMax = 268_435_456

const list = command("list", "Show erasures, the newest first; with --json one a line", {
  limit: Flags.whole("limit", "Most erasures, 1 to 1000; default: 100"),
  json
}, function*({ json, limit }) {
  const { erasures } = yield* ask("ListErasures", asGiven({ limit }))
  const text = erasures.length === 0 ? "Nothing was erased." : erasures.map(textOf).join("\n")
  yield* Console.log(json ? linesOf(erasures) : text)
})

const hold = command("hold", "Set a legal hold: the session cannot be erased", {
  session_id: Flags.session,
  matter: Flag.String("matter").pipe(
    Flag.withDescription("Reason, by a reference without personal names")
  )
}, function*({ matter, session_id }) {
  yield* ask("SetLegalHold", { session_id, matter, held: true })
  yield* Console.log(`Session ${oneLine(session_id)} is under legal hold.`)
})

const lift = command(
  "lift",
  "Lift a legal hold",
  { session_id: Flags.session },
  function*({ session_id }) {
    yield* ask("SetLegalHold", { session_id, held: false })
    yield* Console.log(`Session ${oneLine(session_id)} is held no more.`)
  }
)

export const erase = command(
  "erase",
  "Destroy the content of a session; its hash chain stays",
  {
    session: Flags.text("session", "Session id"),
    subject: Flags.text(
      "subject",
      "Erase all sessions whose requests have this `subject`, a pseudonym"
    ),
    again: Flags.text(
      "again",
      "File of erasures to repeat: ERASURE_FILE, or the output of `erase list --json`"
    ),
    json
  },
  function*({ again, json, session, subject }) {
    yield* failWhen(
      [again, session, subject].filter(Option.isSome).length !== 1,
      "Expected --session, --subject or --again, one of them"
    )
    if (Option.isSome(subject)) {
      const told = yield* ask("EraseSubject", { subject: subject.value })
      return yield* Console.log(json ? JSON.stringify(told) : subjectText(told))
    }
    if (Option.isSome(session)) {
      const report = yield* ask("EraseSession", { session_id: session.value })
      return yield* Console.log(json ? JSON.stringify(report) : textOf(report))
    }
    const listed = yield* reportsIn(Option.getOrElse(again, () => ""))
    const tenantId = yield* part(({ tenantId }) => tenantId)
    const own = listed.filter(({ tenant_id }) => tenant_id === tenantId)
    const done = yield* asking(({ EraseSession }) =>
      Effect.forEach(own, ({ session_id }) =>
        EraseSession({ session_id, reason: "restored" }).pipe(
          Effect.map((report) => [report]),
          // The backup is older than the session.
          Effect.catchTag("SessionNotFound", () => Effect.succeed([]))
        ))
    )
    const reports = done.flat()
    yield* Console.log(
      json ? linesOf(reports) : [
        ...reports.map(textOf),
        `Erased again: ${counted(reports.length, "session")} of ${own.length} on the list.`
      ].join("\n")
    )
    if (own.length < listed.length) {
      yield* Console.error(
        `${listed.length - own.length} on the list are of other tenants: set WEB_GROUNDING_TENANT`
      )
    }
  }
).pipe(Command.withSubcommands([list, hold, lift]))

const linesOf = (reports: ReadonlyArray<ErasureReport>): string =>
  reports.map((report) => JSON.stringify(report)).join("\n")

const decodeReport = Schema.decodeUnknownEffect(Schema.fromJsonString(ErasureReport))

/** One report a line. If any line cannot be read, nothing is erased. */
const reportsIn = Effect.fnUntraced(function*(path: string) {
  const text = yield* Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.mapError(() => new CommandFailed({ sentence: "The list cannot be read" }))
  )
  yield* failWhen(text.length > listBytesMax, "The list is too long")
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  return yield* Effect.forEach(lines, (line, index) =>
    Effect.mapError(
      decodeReport(line),
      () => new CommandFailed({ sentence: `Line ${index + 1} of the list is no report` })
    ))
})

const subjectText = ({ erasures, held }: SubjectErasure): string =>
  [
    ...erasures.map(textOf),
    ...held.map(({ matter, session_id }) =>
      `Session ${oneLine(session_id)} stays: it is under legal hold (${oneLine(matter)})`
    ),
    `Erased: ${counted(erasures.length, "session")}.`
  ].join("\n")

const textOf = ({ erased_at, reason, removed, session_id, version }: ErasureReport): string => {
  const copies = removed.read_model_rows + removed.cached_searches + removed.cached_packs +
    removed.waiting_pages
  return [
    `Session ${oneLine(session_id)} erased at ${erased_at} (${reason})`,
    counted(version, "event"),
    `${removed.payloads} with payload`,
    removed.data_keys === 0 ? "no data key" : "data key destroyed",
    `copies: ${copies}`,
    `${removed.evidence_entries} evidence entries`
  ].join(", ")
}

// `retention`: erases what exceeds its retention time, now.

export const retention = command("retention", "Erase what is older than the settings allow", {
  look: Flags.bool("dry-run", "Report what would be erased, and change nothing"),
  json: Flags.json()
}, function*({ json, look }) {
  const retained = yield* part(({ retained }) => retained(look ? "look" : "erase"))
  const verb = look ? "would go" : "went"
  yield* Terminal.print(json, retained, () =>
    retained.length === 0
      ? "Nothing was kept for too long."
      : retained.map(({ cached, pages, sessions, tenant_id }) =>
        `Tenant ${oneLine(tenant_id)}: ${counted(sessions, "session")}, ` +
        `${cached} of the caches, ${counted(pages, "page")} ${verb}`
      ))
  const failed = retained.reduce((sum, { failed }) => sum + failed, 0)
  yield* failWhen(failed > 0, `${failed} of them could not be erased`)
})

// `payloads`: management of the key that encrypts payloads.

const rewrap = command(
  "rewrap",
  "Wrap every data key with PAYLOAD_KEY; afterwards former keys may be removed",
  {},
  function*() {
    const { left, rewrapped } = yield* part(({ rewrapped }) => rewrapped)
    yield* Console.log(`Wrapped anew under PAYLOAD_KEY: ${counted(rewrapped, "data key")}.`)
    yield* failWhen(
      left > 0,
      `${counted(left, "data key")} cannot be unwrapped: see PAYLOAD_KEYS_FORMER`
    )
  }
)

export const payloads = Command.make("payloads").pipe(
  Command.withDescription("Manage the key of encrypted payloads"),
  Command.withSubcommands([rewrap])
)
