/** Examples of docstrings: they compile in strict mode, and what they say of themselves holds. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { inDirectory, run } from "../support/installed.ts"
import { sandboxService } from "../support/sandboxService.ts"
import { url } from "../support/service.ts"

interface Example {
  readonly file: string
  readonly code: string
}

/** The blocks of TypeScript in a source's docstrings, in order. */
const examplesIn = (file: string, source: string): ReadonlyArray<Example> =>
  Array.from(source.matchAll(/\/\*\*[^]*?\*\//g)).flatMap(([docstring]) =>
    Array.from(docstring.matchAll(/^ *\* ```ts\n([^]*?)^ *\* ```$/gm), ([, block = ""]) => ({
      file,
      code: block.replace(/^ *\* ?/gm, "")
    }))
  )

const examples: ReadonlyArray<Example> = globSync([
  "src/**/*.ts",
  "packages/*/src/**/*.ts"
]).sort().flatMap((file) => examplesIn(file, readFileSync(file, "utf8")))

const packages: Readonly<Record<string, string>> = {
  "@web-grounding/client": "packages/client/src/connect.ts",
  "@web-grounding/client/effect": "src/client.ts"
}

/** What an example says, with its imports found from anywhere and its claims asserted. */
const runnable = ({ code, file }: Example, service: string): string => {
  const found = code.replace(/ from "([^"]+)"/g, (whole, from: string) => {
    const target = packages[from] ?? (from.startsWith(".") ? join(dirname(file), from) : undefined)
    return target === undefined ? whole : ` from ${JSON.stringify(resolve(target))}`
  })
  const asserted = found.replace(
    /^(?!\s)(.+?) \/\/ => (.+)$/gm,
    (_, said: string, value: string) => `examined.deepStrictEqual(${said}, ${value})`
  )
  return `import examined from "node:assert/strict"\n${
    asserted.replaceAll("http://127.0.0.1:7420", service)
  }`
}

/** Writes the examples into a folder of their own, with a file that runs them one after another. */
const written = (directory: string, service: string): ReadonlyArray<string> => {
  mkdirSync(directory, { recursive: true })
  symlinkSync(resolve("node_modules"), join(directory, "node_modules"))
  writeFileSync(join(directory, "package.json"), `{"type":"module"}`)
  const files = examples.map((example, place) => {
    const name = `example${place}.ts`
    writeFileSync(join(directory, name), runnable(example, service))
    return name
  })
  const all = files.map((name) => `await import(${JSON.stringify(`./${name}`)})`)
  writeFileSync(join(directory, "all.mjs"), `${all.join("\n")}\n`)
  const compilerOptions = { typeRoots: [resolve("node_modules/@types")] }
  const settings = { extends: resolve("tsconfig.json"), compilerOptions, include: ["*.ts"] }
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ ...settings, exclude: [] }))
  return files
}

/** Modules that show how they are used. */
const shown = [
  "packages/client/src/connect.ts",
  "src/client.ts",
  "src/application/ports/SearchProvider.ts",
  "src/application/steps/RungWalk.ts",
  "src/domain/Decider.ts",
  "src/domain/audit/HashChain.ts",
  "src/domain/audit/MerkleTree.ts",
  "packages/language/src/privacy/QueryPrivacy.ts",
  "packages/language/src/passages/Chunking.ts",
  "src/domain/retrieval/Ranking.ts",
  "src/domain/search/KeyPool.ts",
  "src/domain/search/WebAddress.ts",
  "src/domain/session/NextStep.ts"
]

describe("examples of docstrings", () => {
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

  it("stand in the modules that others begin with", () => {
    const files = examples.map(({ file }) => file)
    assert.deepStrictEqual(shown.filter((file) => !files.includes(file)), [])
  })
})
