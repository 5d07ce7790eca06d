/**
 * Wrapping keys of this deployment, from settings or a file of the embedded store; never in the
 * database. Without any, payloads are plaintext.
 */
import { Context, Effect, Option, Predicate, Redacted, Result, Schema } from "effect"
import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as PayloadCipher from "./PayloadCipher.ts"

/** Wrapping keys of this process. None: payloads are stored as plaintext. */
export class PayloadKeys extends Context.Service<
  PayloadKeys,
  Option.Option<PayloadCipher.Wrapping>
>()("web-grounding/infrastructure/encryption/PayloadKeys") {}

/** A stored payload's key was wrapped by a key unknown to this process. */
export class PayloadKeyMissing
  extends Schema.TaggedError<PayloadKeyMissing>()("PayloadKeyMissing", {
    key_id: Schema.String
  })
{
  override get message(): string {
    return `Payloads were encrypted under the key ${this.key_id}, which is not set: ` +
      "give it as PAYLOAD_KEY or among PAYLOAD_KEYS_FORMER"
  }
}

export class PayloadKeyUnusable
  extends Schema.TaggedError<PayloadKeyUnusable>()("PayloadKeyUnusable", {
    file: Schema.String,
    problem: Schema.String
  })
{
  override get message(): string {
    return `The key file ${this.file} cannot be used: ${this.problem}`
  }
}

const fileName = "payload.key"
const privateMode = 0o600

interface Given {
  readonly current: Option.Option<Redacted.Redacted>
  readonly former: Option.Option<Redacted.Redacted>
}

const formerOf = (former: Given["former"]): ReadonlyArray<string> =>
  Option.match(former, {
    onNone: () => [],
    onSome: (text) => Redacted.value(text).split(",").map((key) => key.trim())
  })

/** Keys of the settings. None without a current key. */
export const ofSettings = (
  { current, former }: Given
): Option.Option<PayloadCipher.Wrapping> =>
  Option.map(current, (key) => PayloadCipher.wrappingOf(Redacted.value(key), formerOf(former)))

/**
 * Also the directory's key file, which wraps if no key is set. Created at the first start. The
 * caller must hold the directory's lock.
 */
export const ofDirectory = (
  directory: string,
  given: Given
): Effect.Effect<Option.Option<PayloadCipher.Wrapping>, PayloadKeyUnusable> =>
  Effect.gen(function*() {
    const kept = yield* keyIn(join(directory, fileName), Option.isSome(given.current))
    const former = formerOf(given.former)
    return Option.match(given.current, {
      onNone: () => Option.map(kept, (key) => PayloadCipher.wrappingOf(key, former)),
      onSome: (key) =>
        Option.some(
          PayloadCipher.wrappingOf(Redacted.value(key), [...former, ...Option.toArray(kept)])
        )
    })
  })

/** Written to a temporary file and renamed: no partial key is left. */
const keyIn = (file: string, isSet: boolean) => {
  const unusable = (cause: unknown) =>
    new PayloadKeyUnusable({
      file,
      problem: Predicate.hasProperty(cause, "code") ? String(cause.code) : "unknown"
    })
  return Effect.gen(function*() {
    const found = Result.try({ try: () => readFileSync(file, "utf8").trim(), catch: unusable })
    if (Result.isSuccess(found)) {
      yield* Effect.try({ try: () => chmodSync(file, privateMode), catch: unusable })
      return PayloadCipher.isKeyText(found.success)
        ? Option.some(found.success)
        : yield* new PayloadKeyUnusable({ file, problem: "it holds no key" })
    }
    if (found.failure.problem !== "ENOENT") return yield* found.failure
    if (isSet) return Option.none()
    const key = PayloadCipher.drawnKey()
    yield* Effect.try({
      try: () => {
        writeFileSync(`${file}.new`, `${key}\n`, { mode: privateMode })
        renameSync(`${file}.new`, file)
      },
      catch: unusable
    })
    return Option.some(key)
  })
}
