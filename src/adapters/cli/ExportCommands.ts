/** `export`: sessions as a verifiable file. `import`: such a file into an empty store. */
import { Console, Effect, FileSystem, Option } from "effect"
import type { Exported } from "../../contract/SessionRange.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { counted } from "../../domain/session/FactText.ts"
import * as Ed25519 from "../../infrastructure/signing/Ed25519.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import * as Flags from "./terminal/Flags.ts"
import { CommandFailed, failWhen, textOfFile } from "./terminal/Terminal.ts"
import { asking, command, part } from "./Wiring.ts"

const { all, since, until } = Flags.rangeFlags

export const exporting = command(
  "export",
  "Export sessions as JSON Lines that can be verified without the database",
  {
    session_id: Flags.oneOrAll,
    output: Flags.text("output", "File to write; default: standard output"),
    all,
    since,
    until
  },
  function*({ all, output, session_id, since, until }) {
    yield* failWhen(all === Option.isSome(session_id), "Name one session, or --all of them")
    const write = yield* writing(output)
    const input = asGiven({ session_id, since, until })
    const done = { parts: 0, sessions: 0, events: 0 }
    yield* asking(Effect.fnUntraced(function*({ ExportSessions }) {
      let before: Exported | undefined
      do {
        before = yield* ExportSessions({ ...input, ...(before === undefined ? {} : after(before)) })
        yield* write(before.jsonl)
        done.parts += 1
        done.sessions += before.sessions
        done.events += before.events
      } while (before.next !== undefined)
    }))
    const { events, parts, sessions } = done
    yield* Console.error(
      `${counted(sessions, "session")}, ${counted(events, "event")}, ${counted(parts, "part")}`
    )
  }
)

/** Input of the part that follows. */
const after = ({ digest, next, part }: Exported) => ({
  part: part + 1,
  previous: digest,
  ...asGiven({ cursor: next })
})

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

const signerIn = Effect.fnUntraced(function*(file: string) {
  const pem = yield* textOfFile(file)
  return yield* Option.match(Ed25519.fingerprint(pem), {
    onNone: () => new CommandFailed({ sentence: `${oneLine(file)} holds no Ed25519 public key` }),
    onSome: (keyId) => Effect.succeed({ keyId, pem })
  })
})

export const importCommand = command(
  "import",
  "Verify an export, and record it in a store without sessions",
  {
    file: Flags.argument("file", "File of an export"),
    key: Flags.text("key", "Public key, PEM, that verifies the export's anchor"),
    unproven: Flags.bool("unproven", "With --key: also sessions that the anchor does not prove")
  },
  function*({ file, key, unproven }) {
    const text = yield* textOfFile(file)
    const signer = Option.isNone(key) ? Option.none() : Option.some(yield* signerIn(key.value))
    const take = yield* part(({ importing }) => importing)
    const lines = text.endsWith("\n") ? text.slice(0, -1) : text
    const { erased, events, extents, held, parts, sessions } = yield* take(
      yield* part(({ tenantId }) => tenantId),
      lines.split("\n"),
      signer,
      unproven ? "allowed" : "refused"
    )
    const open = Option.isNone(key) ? [] : extents.filter(({ events, proven }) => proven < events)
    const proven = extents.filter(({ proven }) => proven > 0)
    yield* Console.log(
      `${counted(sessions, "session")}, ${counted(events, "event")}, ` +
        `${counted(parts, "part")}; ${counted(proven.length, "session")} proven by the anchor` +
        (erased === 0 ? "" : `; ${erased} erased`) + (held === 0 ? "" : `; ${held} held`)
    )
    for (const { events, line, proven, session_id } of open) {
      const extent = proven === 0 ? "not proven" : `proven up to event ${proven} of ${events}`
      yield* Console.log(`  ${oneLine(session_id)} (line ${line}): ${extent}`)
    }
  }
)
