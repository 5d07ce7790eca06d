/** Examples of docstrings and of packages: they compile in strict mode, and what they say of themselves holds. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { globSync } from "node:fs"
import { join, resolve } from "node:path"
import { examples, written } from "../support/docExamples.ts"
import { inDirectory, run } from "../support/installed.ts"
import { sandboxService } from "../support/sandboxService.ts"
import { url } from "../support/service.ts"

/** Modules and packages that show how they are used. */
const shown = [
  ...globSync("{,packages/*/}README.md"),
  "packages/client/src/connect.ts",
  "packages/client/src/effect.ts",
  "src/application/ports/SearchProvider.ts",
  "src/application/steps/RungWalk.ts",
  "src/application/log/CommandHandler.ts",
  "src/domain/audit/HashChain.ts",
  "src/domain/audit/MerkleTree.ts",
  "packages/language/src/privacy/QueryPrivacy.ts",
  "packages/language/src/passages/Chunking.ts",
  "src/domain/search/KeyPool.ts",
  "src/domain/search/WebAddress.ts",
  "src/domain/session/NextStep.ts"
]

describe("examples", () => {
  it.live(
    "compile, and do what they say, against a service where they ask one",
    () =>
      Effect.gen(function*() {
        const service = yield* url
        yield* Effect.promise(() =>
          inDirectory(async (directory) => {
            const files = written(directory, service)
            assert.isAtLeast(files.length, shown.length)
            const compiler = resolve("node_modules/typescript/bin/tsc")
            const settings = ["--noEmit", "-p", join(directory, "tsconfig.json")]
            const compiled = await run(process.execPath, [compiler, ...settings], {
              cwd: directory
            })
            assert.strictEqual(compiled.code, 0, compiled.out)
            const ran = await run(process.execPath, [join(directory, "all.mjs")], {
              cwd: directory
            })
            assert.strictEqual(ran.code, 0, ran.err)
          })
        )
      }).pipe(Effect.provide(sandboxService)),
    120_000
  )

  it("are in the packages, and in the modules that others begin with", () => {
    const files = examples.map(({ file }) => file)
    assert.deepStrictEqual(shown.filter((file) => !files.includes(file)), [])
  })
})
