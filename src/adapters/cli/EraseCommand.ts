/** `erase`: destroys the content of sessions, holds sessions, and lists erasures. */
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readFile } from "node:fs/promises"
import { ErasureReport, type SubjectErasure } from "../../contract/Erasure.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { counted } from "../../domain/session/FactText.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import { CommandFailed, commandFailed, jsonFlag } from "./terminal/Terminal.ts"
import { asking, part, type Wiring } from "./Wiring.ts"

/** Most bytes of a list of erasures; a report takes less than 1 kB. */
const json = jsonFlag()

const listBytesMax = 268_435_456

const sessionFlag = Flag.String("session").pipe(
  Flag.withDescription("Session id"),
  Flag.optional
)

export const make = (wiring: Wiring) =>
  Command.make(
    "erase",
    {
      session: sessionFlag,
      subject: Flag.String("subject").pipe(
        Flag.withDescription("Person whose sessions go, as their requests named it"),
        Flag.optional
      ),
      again: Flag.String("again").pipe(
        Flag.withDescription("File of reports, as ERASURE_FILE or `erase list --json` has them"),
        Flag.optional
      ),
      json
    },
    Effect.fnUntraced(
      function*({ again, json, session, subject }) {
        if ([again, session, subject].filter(Option.isSome).length !== 1) {
          return yield* new CommandFailed({
            sentence: "Expected --session, --subject or --again, one of them"
          })
        }
        if (Option.isSome(subject)) {
          const told = yield* asking(
            wiring,
            { mock: false },
            ({ EraseSubject }) => EraseSubject({ subject: subject.value })
          )
          return yield* Console.log(json ? JSON.stringify(told) : subjectText(told))
        }
        if (Option.isSome(session)) {
          const report = yield* asking(
            wiring,
            { mock: false },
            ({ EraseSession }) => EraseSession({ session_id: session.value })
          )
          return yield* Console.log(json ? JSON.stringify(report) : textOf(report))
        }
        const listed = yield* reportsIn(Option.getOrElse(again, () => ""))
        const tenantId = yield* part(wiring, ({ tenantId }) => tenantId)
        const own = listed.filter(({ tenant_id }) => tenant_id === tenantId)
        const done = yield* asking(wiring, { mock: false }, ({ EraseSession }) =>
          Effect.forEach(own, ({ session_id }) =>
            EraseSession({ session_id, reason: "restored" }).pipe(
              Effect.map((report) => [report]),
              // The backup is older than the session.
              Effect.catchTag("SessionNotFound", () =>
                Effect.succeed([]))
            )))
        const reports = done.flat()
        yield* Console.log(
          json
            ? reports.map((report) =>
              JSON.stringify(report)
            ).join("\n")
            : [
              ...reports.map(textOf),
              `Erased again: ${counted(reports.length, "session")} of ${own.length} on the list.`
            ].join("\n")
        )
        if (own.length < listed.length) {
          yield* Console.error(
            `${
              listed.length - own.length
            } on the list are of other tenants: set WEB_GROUNDING_TENANT`
          )
        }
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(
    Command.withDescription("Destroy the content of a session; its hash chain stays"),
    Command.withSubcommands([list(wiring), hold(wiring), lift(wiring)])
  )

const list = (wiring: Wiring) =>
  Command.make(
    "list",
    {
      limit: Flag.Int("limit").pipe(
        Flag.withDescription("Erasures at most, 1 to 1000; default: 100"),
        Flag.optional
      ),
      json
    },
    Effect.fnUntraced(
      function*({ json, limit }) {
        const { erasures } = yield* asking(wiring, { mock: false }, ({ ListErasures }) =>
          ListErasures(asGiven({ limit })))
        if (json) {
          return yield* Console.log(
            erasures.map((report) =>
              JSON.stringify(report)
            ).join("\n")
          )
        }
        yield* Console.log(
          erasures.length === 0 ? "Nothing was erased." : erasures.map(textOf).join("\n")
        )
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Show what was erased, the newest first; --json a line each"))

const sessionArgument = Argument.String("session").pipe(Argument.withDescription("Session id"))

const hold = (wiring: Wiring) =>
  Command.make(
    "hold",
    {
      session_id: sessionArgument,
      matter: Flag.String("matter").pipe(
        Flag.withDescription("What it is held for, by a reference that names nobody")
      )
    },
    Effect.fnUntraced(
      function*({ matter, session_id }) {
        yield* asking(
          wiring,
          { mock: false },
          ({ SetLegalHold }) => SetLegalHold({ session_id, matter, held: true })
        )
        yield* Console.log(`Session ${oneLine(session_id)} is under legal hold.`)
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Keep a session from being erased"))

const lift = (wiring: Wiring) =>
  Command.make(
    "lift",
    { session_id: sessionArgument },
    Effect.fnUntraced(
      function*({ session_id }) {
        yield* asking(
          wiring,
          { mock: false },
          ({ SetLegalHold }) => SetLegalHold({ session_id, held: false })
        )
        yield* Console.log(`Session ${oneLine(session_id)} is held no more.`)
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Lift a legal hold"))

const decodeReport = Schema.decodeUnknownEffect(Schema.fromJsonString(ErasureReport))

/** One report a line. If any line cannot be read, nothing is erased. */
const reportsIn = Effect.fnUntraced(function*(path: string) {
  const text = yield* Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.mapError(() => new CommandFailed({ sentence: "The list cannot be read" }))
  )
  if (text.length > listBytesMax) {
    return yield* new CommandFailed({ sentence: "The list is too long" })
  }
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

export const makeRetentionCommand = (wiring: Wiring) =>
  Command.make(
    "retention",
    {
      look: Flag.Boolean("dry-run").pipe(
        Flag.withDescription("Say what would go, and change nothing"),
        Flag.withDefault(false)
      ),
      json: jsonFlag()
    },
    Effect.fnUntraced(
      function*({ json, look }) {
        const retained = yield* part(wiring, ({ retained }) => retained(look ? "look" : "erase"))
        const verb = look ? "would go" : "went"
        yield* Console.log(
          json ? JSON.stringify(retained, undefined, 2) : [
            ...retained.map(({ cached, pages, sessions, tenant_id }) =>
              `Tenant ${oneLine(tenant_id)}: ${counted(sessions, "session")}, ` +
              `${cached} of the caches, ${counted(pages, "page")} ${verb}`
            ),
            ...(retained.length === 0 ? ["Nothing was kept for too long."] : [])
          ].join("\n")
        )
        const failed = retained.reduce((sum, { failed }) => sum + failed, 0)
        if (failed > 0) {
          return yield* new CommandFailed({ sentence: `${failed} of them could not be erased` })
        }
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Erase what was kept as long as the settings say"))

// `payloads`: management of the key that encrypts payloads.

export const makePayloadsCommand = (wiring: Wiring) =>
  Command.make("payloads").pipe(
    Command.withDescription("Look after the key that payloads are encrypted under"),
    Command.withSubcommands([rewrap(wiring)])
  )

const rewrap = (wiring: Wiring) =>
  Command.make("rewrap", {}, () =>
    Effect.gen(function*() {
      const { left, rewrapped } = yield* part(wiring, ({ rewrapped }) => rewrapped)
      yield* Console.log(`Wrapped anew under PAYLOAD_KEY: ${counted(rewrapped, "data key")}.`)
      if (left > 0) {
        return yield* new CommandFailed({
          sentence: `${counted(left, "data key")} cannot be unwrapped: see PAYLOAD_KEYS_FORMER`
        })
      }
    }).pipe(Effect.mapError(commandFailed))).pipe(
      Command.withDescription("Wrap every data key under PAYLOAD_KEY; then former keys may go")
    )
