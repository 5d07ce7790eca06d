/**
 * Secrets in files: `NAME_FILE` is the path for `NAME`. Problems do not show the path: a secret may
 * have been entered by mistake.
 */
import { ConfigProvider, Effect, Result } from "effect"
import { readFile, stat } from "node:fs/promises"

const fileBytesMax = 65_536

export const nameOf = (secret: string): string => `${secret}_FILE`

/** A setting's text in the environment; `undefined` if it is not set. */
export const textOf = (name: string): Effect.Effect<string | undefined> =>
  Effect.flatMap(ConfigProvider.ConfigProvider, (provider) => provider.load([name])).pipe(
    Effect.map((node) => node?.value),
    Effect.orElseSucceed(() => undefined)
  )

/** The secret without trailing line breaks, or the problem; `undefined` without a file. */
export const contentOf = Effect.fnUntraced(function*(secret: string) {
  const path = yield* textOf(nameOf(secret))
  if (path === undefined) return undefined
  return ((yield* textOf(secret)) ?? "") === ""
    ? yield* Effect.result(readFrom(path))
    : Result.fail(`${secret} is set too: leave one of them out`)
})

const readFrom = Effect.fnUntraced(function*(path: string) {
  if (path === "") return yield* Effect.fail("It is empty: give a value or leave it out")
  const { isFile, size } = yield* Effect.tryPromise({
    try: () => stat(path).then((found) => ({ isFile: found.isFile(), size: found.size })),
    catch: unreadable
  })
  if (!isFile) return yield* Effect.fail("Expected a file")
  if (size > fileBytesMax) return yield* Effect.fail(`Expected at most ${fileBytesMax} bytes`)
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: unreadable
  })
  const secret = text.replace(/[\r\n]+$/, "")
  return secret === "" ? yield* Effect.fail("The file is empty") : secret
})

const unreadable = (cause: unknown): string =>
  String(cause).includes("ENOENT") ? "There is no such file" : "The file cannot be read"
