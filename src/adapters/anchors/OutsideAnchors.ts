/**
 * Anchors outside the database: appended to a file of JSON Lines, and sent to a command one by one.
 */
import { Effect, Layer, Option, Predicate, Redacted, Result, Schema } from "effect"
import { spawn } from "node:child_process"
import { open, readFile, stat } from "node:fs/promises"
import {
  AnchorKeyMissing,
  AnchorKeys,
  AnchorNotShipped,
  AnchorOutlets,
  type PublicKey
} from "../../application/audit/MakeAnchors.ts"
import { ErasureList } from "../../application/erasure/EraseSession.ts"
import { Envelope } from "../../domain/audit/MerkleTree.ts"
import * as Ed25519 from "../../infrastructure/signing/Ed25519.ts"

const commandMsMax = 30_000
/** The command's environment excludes the settings, which may hold keys. */
const commandPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
/** An anchor takes less than 1 kB; one an hour fills this in some thirty years. */
const fileBytesMax = 268_435_456
const ownerOnly = 0o600

export interface Outlets {
  /** Each anchor is appended as a line. Created if missing. */
  readonly file: Option.Option<string>
  /** Program and arguments separated by spaces; no shell interprets it. */
  readonly command: Option.Option<string>
}

const decodeLine = Schema.decodeUnknownResult(Schema.fromJsonString(Envelope))

export const layer = ({ command, file }: Outlets) =>
  Layer.sync(AnchorOutlets, () => ({
    isSet: Option.isSome(file) || Option.isSome(command),
    ship: shippedTo([
      Option.map(file, (path): Outlet => (line) =>
        Effect.mapError(appended(path, line), fileFailed("written"))),
      Option.map(command, (words): Outlet => (line) =>
        run(words, line))
    ].flatMap(Option.toArray)),
    recorded: Option.match(file, {
      onNone: () => Effect.undefined,
      onSome: (path) => Effect.map(content(path), linesOf)
    })
  }))

type Outlet = (line: string) => Effect.Effect<void, AnchorNotShipped>

/** Anchors known to have arrived, by outlet: one that failed for days gets the missing ones. */
const arrivedMax = 10_000

const shippedTo = (outlets: ReadonlyArray<Outlet>) => {
  const arrivals = outlets.map((outlet) => ({ outlet, arrived: new Set<string>() }))
  return (envelope: Envelope): Effect.Effect<void, AnchorNotShipped> => {
    const line = `${JSON.stringify(envelope)}\n`
    const sent = arrivals.filter(({ arrived }) => !arrived.has(line)).map(({ arrived, outlet }) =>
      Effect.tap(outlet(line), () =>
        Effect.sync(() => {
          const [oldest] = arrived
          if (arrived.size >= arrivedMax && oldest !== undefined) arrived.delete(oldest)
          arrived.add(line)
        })).pipe(Effect.exit)
    )
    return Effect.flatMap(Effect.all(sent), (exits) => Effect.asVoid(Effect.all(exits)))
  }
}

const linesOf = (text: string) =>
  text.split("\n").filter((line, place, lines) => line !== "" || place < lines.length - 1)
    .map((line) => Result.getOrUndefined(decodeLine(line)))

/** The path is not logged: a secret may have been entered by mistake. */
const fileFailed = (doing: string) => (problem: string) =>
  new AnchorNotShipped({
    outlet: "ANCHOR_FILE",
    problem: `The file cannot be ${doing} (${problem})`
  })

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") ? String(cause.code) : "unknown"

/** On disk before the call returns; fails with the system's code. */
const appended = (path: string, line: string) =>
  Effect.tryPromise({
    try: () =>
      open(path, "a", ownerOnly).then((handle) =>
        handle.writeFile(line).then(() => handle.sync()).finally(() => handle.close())
      ),
    catch: codeOf
  })

const content = (path: string) =>
  Effect.tryPromise({
    try: () =>
      stat(path).then(
        ({ size }) =>
          size > fileBytesMax
            ? Promise.reject(Object.assign(new Error("too large"), { code: "EFBIG" }))
            : readFile(path, "utf8"),
        (cause) => codeOf(cause) === "ENOENT" ? "" : Promise.reject(cause)
      ),
    catch: (cause) => fileFailed("read")(codeOf(cause))
  })

const run = (words: string, line: string): Effect.Effect<void, AnchorNotShipped> => {
  const [program = "", ...given] = words.trim().split(/\s+/)
  return Effect.callback<void, AnchorNotShipped>((resume) => {
    const failed = (problem: string) =>
      resume(new AnchorNotShipped({ outlet: "ANCHOR_COMMAND", problem }))
    const child = spawn(program, given, {
      env: { PATH: commandPath },
      stdio: ["pipe", "ignore", "ignore"],
      timeout: commandMsMax,
      killSignal: "SIGKILL",
      windowsHide: true
    })
    child.on("error", (cause) => failed(`It did not start (${codeOf(cause)})`))
    child.on("exit", (code, signal) => {
      if (code === 0) return resume(Effect.void)
      failed(signal === null ? `It ended with ${code}` : `It was ended by ${signal}`)
    })
    // The exit code says whether it took the line; a closed pipe means nothing more.
    child.stdin.on("error", () => {})
    child.stdin.end(line)
    return Effect.sync(() => {
      child.kill("SIGKILL")
    })
  })
}

const strictText = new TextDecoder("utf-8", { fatal: true })
const decoded = Option.liftThrowable((base64: string) =>
  strictText.decode(Buffer.from(base64, "base64"))
)

/** From the settings, which are checked before: an unreadable key signs nothing. */
export const layerSigningKey = (key: Option.Option<Redacted.Redacted>) => {
  const own = Option.flatMap(key, (pem) => Ed25519.privateKey(Redacted.value(pem)))
  return Layer.succeed(AnchorKeys, {
    current: Option.map(own, ({ keyId, publicPem }) => ({ keyId, pem: publicPem })),
    hash: Ed25519.sha256OfHex,
    seal: (payloadType, text) =>
      Option.match(own, {
        onNone: () => new AnchorKeyMissing(),
        onSome: ({ keyId, sign }) =>
          Effect.sync(() => ({
            payloadType,
            payload: Buffer.from(text).toString("base64"),
            signatures: [{ keyid: keyId, sig: sign(payloadType, text) }]
          }))
      }),
    open: Effect.fnUntraced(function*(
      payloadType: string,
      envelope: Envelope,
      known: ReadonlyArray<PublicKey>
    ) {
      const [signature] = envelope.signatures
      if (envelope.payloadType !== payloadType || signature === undefined) {
        return yield* Effect.fail("unreadable" as const)
      }
      const key = known.find(({ keyId, pem }) =>
        keyId === signature.keyid &&
        Option.contains(Ed25519.fingerprint(pem), keyId)
      )
      if (key === undefined) return yield* Effect.fail("unknown_key" as const)
      const { payload } = envelope
      if (!Ed25519.verifies(key.pem, { payloadType, payload, signature: signature.sig })) {
        return yield* Effect.fail("bad_signature" as const)
      }
      return yield* Effect.mapError(
        Effect.fromOption(decoded(payload)),
        () => "unreadable" as const
      )
    })
  })
}

// Erasure reports in a file of JSON Lines outside the database.

export const layerErasureFile = (path: string) =>
  Layer.succeed(ErasureList, {
    keep: (report) =>
      appended(path, `${JSON.stringify(report)}\n`).pipe(
        Effect.catch((problem) =>
          // The path is not logged: a secret may have been entered by mistake.
          Effect.logError("an erasure was not put at the end of ERASURE_FILE", {
            session_id: report.session_id,
            stream_id: report.stream_id,
            problem
          })
        )
      )
  })
