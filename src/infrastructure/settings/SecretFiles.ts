/**
 * Secrets in files: `NAME_FILE` is the path for `NAME`. Problems do not show the path: a secret may
 * have been entered by mistake.
 */
import { ConfigProvider, Effect, Result } from "effect"
import { readFile, stat } from "node:fs/promises"

const fileBytesMax = 65_536

export const nameOf = (secret: string): string => `${secret}_FILE`

export interface SecretFile {
  readonly secret: string
  /** The secret without trailing line breaks, or the problem. */
  readonly content: Result.Result<string, string>
}

/** Values of the secrets with a file. Each file is read once. */
export const readSecrets = Effect.fnUntraced(function*(secrets: ReadonlyArray<string>) {
  const provider = yield* ConfigProvider.ConfigProvider
  const valueOf = (name: string) =>
    provider.load([name]).pipe(
      Effect.map((node) => node?.value),
      Effect.orElseSucceed(() => undefined)
    )
  const files = yield* Effect.forEach(secrets, (secret) =>
    Effect.gen(function*() {
      const path = yield* valueOf(nameOf(secret))
      if (path === undefined) return []
      const isSetToo = ((yield* valueOf(secret)) ?? "") !== ""
      const content = isSetToo
        ? Result.fail(`${secret} is set too: leave one of them out`)
        : yield* Effect.result(contentOf(path))
      return [{ secret, content } satisfies SecretFile]
    }))
  return files.flat()
})

const contentOf = Effect.fnUntraced(function*(path: string) {
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
