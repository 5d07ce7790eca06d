/**
 * `export`: sessions as a self-contained, verifiable file. `import`: such a file into an empty
 * store.
 */
import { Console, Effect, FileSystem, Option, type PlatformError, Ref } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { AskedCalls } from "../../application/operations/Calls.ts"
import type { PublicFailure } from "../../contract/PublicFailure.ts"
import type { Exported } from "../../contract/SessionRange.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { counted } from "../../domain/session/FactText.ts"
import * as Ed25519 from "../../infrastructure/signing/Ed25519.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import { rangeFlags } from "./audit/SessionRangeFlags.ts"
import { CommandFailed, commandFailed } from "./terminal/Terminal.ts"
import { asking, part, type Wiring } from "./Wiring.ts"

const { all, since, until } = rangeFlags

export const exporting = (wiring: Wiring) =>
  Command.make(
    "export",
    {
      session_id: Argument.String("session").pipe(
        Argument.withDescription("Session id; left out with --all"),
        Argument.optional
      ),
      output: Flag.String("output").pipe(
        Flag.withDescription("File that is written; default: standard output"),
        Flag.optional
      ),
      all,
      since,
      until
    },
    Effect.fnUntraced(
      function*({ all, output, session_id, since, until }) {
        if (all === Option.isSome(session_id)) {
          return yield* new CommandFailed({ sentence: "Name one session, or --all of them" })
        }
        const write = yield* writing(output)
        const input = asGiven({ session_id, since, until })
        const done = yield* Ref.make({ parts: 0, sessions: 0, events: 0 })
        const parts = (
          { ExportSessions }: Pick<AskedCalls, "ExportSessions">,
          before?: Exported
        ): Effect.Effect<void, ExportFailure> =>
          Effect.gen(function*() {
            const made = yield* ExportSessions({
              ...input,
              ...(before === undefined ? {} : {
                part: before.part + 1,
                previous: before.digest,
                ...asGiven({ cursor: before.next })
              })
            })
            yield* write(made.jsonl)
            yield* Ref.update(done, ({ events, parts, sessions }) => ({
              parts: parts + 1,
              sessions: sessions + made.sessions,
              events: events + made.events
            }))
            if (made.next !== undefined) yield* parts({ ExportSessions }, made)
          })
        yield* asking(wiring, { mock: false }, parts)
        const { events, parts: count, sessions } = yield* Ref.get(done)
        yield* Console.error(
          `${counted(sessions, "session")}, ${counted(events, "event")}, ` +
            counted(count, "part")
        )
      },
      Effect.scoped,
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Export sessions as JSON Lines that verify on their own"))

type ExportFailure = PublicFailure | PlatformError.PlatformError

/** Truncates the file; parts are appended to it. */
const writing = Effect.fnUntraced(function*(output: Option.Option<string>) {
  const files = yield* FileSystem.FileSystem
  if (Option.isNone(output)) {
    // `Console.log` adds the line break.
    return (text: string) => Console.log(text.trimEnd())
  }
  const path = output.value
  yield* files.writeFileString(path, "")
  return (text: string) => files.writeFileString(path, text, { flag: "a" })
})

export const importCommand = (wiring: Wiring) =>
  Command.make(
    "import",
    {
      file: Argument.String("file").pipe(Argument.withDescription("What export has written")),
      key: Flag.String("key").pipe(
        Flag.withDescription("Public key, PEM, by which the export's anchor is verified"),
        Flag.optional
      )
    },
    Effect.fnUntraced(
      function*({ file, key }) {
        const files = yield* FileSystem.FileSystem
        const text = yield* files.readFileString(file)
        const pem = Option.isSome(key)
          ? Option.some(yield* files.readFileString(key.value))
          : Option.none()
        const signer = Option.flatMap(pem, (pem) =>
          Option.map(Ed25519.fingerprint(pem), (keyId) => ({ keyId, pem })))
        if (Option.isSome(key) && Option.isNone(signer)) {
          return yield* new CommandFailed({
            sentence: `${oneLine(key.value)} holds no Ed25519 public key`
          })
        }
        const take = yield* part(wiring, ({ importing }) =>
          importing)
        const lines = text.endsWith("\n") ? text.slice(0, -1) : text
        const { erased, events, held, parts, proven, sessions } = yield* take(
          yield* part(wiring, ({ tenantId }) => tenantId),
          lines.split("\n"),
          signer
        )
        yield* Console.log(
          `${counted(sessions, "session")}, ${counted(events, "event")}, ` +
            `${counted(parts, "part")}; ${proven} sessions proven by the anchor` +
            (erased === 0 ? "" : `; ${erased} erased`) + (held === 0 ? "" : `; ${held} held`)
        )
      },
      Effect.scoped,
      Effect.mapError(commandFailed)
    )
  ).pipe(
    Command.withDescription("Verify an export, and record it in a store without sessions")
  )
