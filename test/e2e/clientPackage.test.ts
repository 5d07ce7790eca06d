/** The packages as others install them: what they weigh, and that they work where they are put. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  bytesIn,
  copied,
  emptyDirectory,
  inDirectory,
  jsonIn,
  nodes,
  packed,
  run,
  unpackedBeside
} from "../support/installed.ts"
import { sandboxService } from "../support/sandboxService.ts"
import { url } from "../support/service.ts"

const full = process.env["WG_TEST_FULL"] === "1"

const installedBytesMax = 1_000_000
const nodesMin = 1

const compiler = realpathSync("node_modules/typescript/bin/tsc")
const nodeTypes = realpathSync("node_modules/@types")

/** Where the client is installed from its tarball, without a network. */
let directory = ""
let remove = () => {}

beforeAll(async () => {
  const temporary = emptyDirectory()
  directory = temporary.path
  remove = temporary.remove
  writeFileSync(join(directory, "package.json"), `{"type":"module"}`)
  const tarball = await packed("packages/client", directory)
  const args = ["install", tarball, "--offline", "--no-audit", "--no-fund", "--ignore-scripts"]
  const installed = await run("npm", args, {
    cwd: directory,
    env: { npm_config_cache: join(directory, "cache") }
  })
  assert.strictEqual(installed.code, 0, installed.err)
})

afterAll(() => remove())

/** By `tsc --strict`, which also checks the package's own declarations. */
const compiled = async (file: string): Promise<void> => {
  const { code, out } = await run(process.execPath, [
    compiler,
    "--strict",
    "--exactOptionalPropertyTypes",
    "--target",
    "ES2022",
    "--module",
    "NodeNext",
    "--outDir",
    join(directory, "out"),
    "--typeRoots",
    nodeTypes,
    "--types",
    "node",
    copied(file, directory)
  ], { cwd: directory })
  assert.strictEqual(code, 0, out)
}

const answered = (out: string): any => JSON.parse(out)

describe("the packed client", () => {
  it("weighs less than a megabyte installed, with no other package", () => {
    const modules = join(directory, "node_modules")
    const packages = readdirSync(modules).filter((name) => !name.startsWith("."))
    assert.deepStrictEqual(packages, ["@web-grounding"])
    const folder = join(modules, "@web-grounding/client")
    assert.isBelow(bytesIn(folder), installedBytesMax)
    const { exports } = jsonIn(join(folder, "package.json"))
    for (const entry of Object.values<Record<string, string>>(exports)) {
      for (const file of Object.values(entry)) assert.isTrue(existsSync(join(folder, file)), file)
    }
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    assert.deepStrictEqual(files.filter((file) => /(?<!\.d)\.ts$/.test(file)), [])
  })

  it.layer(sandboxService, { timeout: "120 seconds", excludeTestServices: true })((it) => {
    const asking = (example: string, test: (address: string) => Promise<void>) =>
      Effect.flatMap(url, (address) =>
        Effect.promise(async () => {
          await compiled(example)
          await test(address)
        }))

    it.effect("compiles the README's example strictly, and answers on every Node there is", () =>
      asking("examples/ground.ts", async (address) => {
        const installed = await nodes()
        assert.isAtLeast(installed.length, nodesMin)
        for (const { path, version } of installed) {
          const { code, err, out } = await run(path, ["out/ground.js", address], { cwd: directory })
          assert.strictEqual(code, 0, `${version} ${err}`)
          assert.strictEqual(answered(out).mode, "snippets_only", version)
          assert.include(err, "WEB_GROUNDING_FINISHED", version)
        }
        const nowhere = ["out/ground.js", "http://127.0.0.1:1"]
        const failed = await run(process.execPath, nowhere, { cwd: directory })
        assert.strictEqual(failed.code, 1)
        assert.include(failed.err, "ServiceUnreachable")
        assert.notInclude(failed.err, "    at ")
      }))

    it.effect("has a chat turn go on with what was found, and without where nothing can be", () =>
      asking("examples/chatTurn.ts", async (address) => {
        const script = "out/chatTurn.js"
        const questions = [
          "How much notice must a tenant give in Japan?",
          "What is a tram ride in Halvern?"
        ]
        const args = [script, address, ...questions]
        const found = await run(process.execPath, args, { cwd: directory })
        assert.strictEqual(found.code, 0, found.err)
        assert.strictEqual(found.out.split("[SOURCES]").length - 1, questions.length)
        const away = await run(process.execPath, [script, "http://127.0.0.1:1"], { cwd: directory })
        assert.strictEqual(away.code, 0, away.err)
        assert.include(answered(away.out)[0].content, "Nothing could be looked up")
        assert.include(away.err, "not looked up: ServiceUnreachable")
      }))

    it.effect("is not needed: fetch alone gets the same answer", () =>
      asking("examples/plainFetch.ts", async (address) => {
        const args = ["out/plainFetch.js", address]
        const { code, err, out } = await run(process.execPath, args, { cwd: directory })
        assert.strictEqual(code, 0, err)
        assert.isNotEmpty(answered(out).pack.constraints_and_rules)
      }))

    it.effect("has its Effect layer where effect is installed", () => {
      for (const name of ["effect", "@effect"]) {
        symlinkSync(realpathSync(join("node_modules", name)), join(directory, "node_modules", name))
      }
      return asking("examples/groundInEffect.ts", async (address) => {
        const args = ["out/groundInEffect.js", address]
        const { code, err, out } = await run(process.execPath, args, { cwd: directory })
        assert.strictEqual(code, 0, err)
        assert.strictEqual(answered(out).mode, "snippets_only")
      })
    })
  })
})

// Packing compiles everything and installs it: half a minute that seldom finds a fault.
describe.runIf(full)("the packed service", () => {
  it("grounds a question in the sandbox where there are no sources to strip", () =>
    inDirectory(async (directory) => {
      await unpackedBeside(await packed(".", directory), "web-grounding", directory)
      const folder = join(directory, "node_modules/web-grounding")
      assert.isFalse(existsSync(join(folder, "src")))
      const { bin, exports } = jsonIn(join(folder, "package.json"))
      for (
        const file of ["./client", "./rpc"].flatMap((name) => Object.values<string>(exports[name]))
      ) {
        assert.isTrue(existsSync(join(folder, file)), file)
      }
      const args = [
        join(folder, bin["web-grounding"]),
        "ground",
        "How much notice must a tenant give in Japan?",
        "--sandbox",
        "--json"
      ]
      const { code, err, out } = await run(process.execPath, args, { cwd: directory })
      assert.strictEqual(code, 0, err)
      assert.strictEqual(answered(out).mode, "grounded", err)
      assert.include(answered(out).pack.constraints_and_rules[0].text, "one month")
    }))
})
