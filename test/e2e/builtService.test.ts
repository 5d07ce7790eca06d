/** What was built of the sources: it is run where it is current, and it loads little. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"

/** 51 and 57 are loaded; run from the sources a question loads 1,590. */
const modulesMax = 80

const directories: Array<string> = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** A folder with this clone's commands. */
const commandsAside = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "wg-built-"))
  directories.push(folder)
  cpSync("bin", join(folder, "bin"), { recursive: true })
  cpSync("package.json", join(folder, "package.json"))
  return folder
}

const run = (folder: string, ...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [join(folder, "bin/wg.js"), ...args], {
    encoding: "utf8",
    env: compiled,
    timeout: 60_000
  }).stdout.trim()

describe("a clone", () => {
  it("runs what was built of its sources, and the sources as soon as they are others", () => {
    const folder = commandsAside()
    const source = join(folder, "src/main.ts")
    const built = join(folder, "dist/src/main.js")
    for (const file of [source, built]) mkdirSync(join(file, ".."), { recursive: true })
    writeFileSync(source, "const told: string = \"one\"\nconsole.log(told)\n")
    writeFileSync(built, "console.log(\"built\")\n")
    assert.strictEqual(run(folder), "one")

    const digest = "import(process.argv[1]).then((made) => console.log(made.digestOfSources()))"
    const sources = pathToFileURL(join(folder, "bin/sources.js")).href
    const { stdout } = spawnSync(process.execPath, ["-e", digest, sources], { encoding: "utf8" })
    assert.match(stdout, /^[0-9a-f]{64}\n$/)
    writeFileSync(join(folder, "dist/sources.sha256"), stdout.trim())
    assert.strictEqual(run(folder), "built")

    // An edit that changes neither size nor time of the file.
    const { atime, mtime } = statSync(source)
    const first = readFileSync(source, "utf8")
    writeFileSync(source, first.replace("one", "two"))
    utimesSync(source, atime, mtime)
    assert.strictEqual(run(folder), "two")
    writeFileSync(source, first)
    assert.strictEqual(run(folder), "built")
    mkdirSync(join(folder, "packages/any/src"), { recursive: true })
    assert.strictEqual(run(folder), "built")
    for (const file of ["packages/any/src/Another.ts", "src/Another.ts"]) {
      writeFileSync(join(folder, file), "")
      assert.strictEqual(run(folder), "one")
      rmSync(join(folder, file))
    }
  })
})

describe("what is built", () => {
  let folder = ""
  let env: NodeJS.ProcessEnv = {}

  beforeAll(() => {
    folder = commandsAside()
    const data = preparedDirectory("wg-built-data-")
    directories.push(data)
    env = { ...compiled, WEB_GROUNDING_DATA_DIR: data, WEB_GROUNDING_PORT: "0" }
    symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"))
    const script = "import(process.argv[1]).then(({ bundle }) => " +
      "bundle(process.cwd(), process.argv[2]))"
    const { status, stderr } = spawnSync(
      process.execPath,
      ["-e", script, pathToFileURL("scripts/bundle.js").href, join(folder, "dist")],
      { encoding: "utf8", timeout: 120_000 }
    )
    assert.strictEqual(status, 0, stderr)
  })

  const preloaded = ["--import", join(process.cwd(), "test/support/nameModules.ts")]

  const assertFew = (said: string) => {
    const modules = said.split("\n").filter((line) => line.startsWith("module: "))
    assert.isAbove(modules.length, 20, said)
    assert.isAtMost(modules.length, modulesMax, said)
    assert.deepEqual(modules.filter((url) => /tiktoken|redis|\.ts$/.test(url)), [])
  }

  it("answers a question from few modules", () => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [
        ...preloaded,
        join(folder, "bin/wg.js"),
        "ground",
        "How much notice must a tenant give in Japan?",
        "--sandbox"
      ],
      { encoding: "utf8", env, timeout: 120_000 }
    )
    assert.strictEqual(status, 0, stderr)
    assert.include(stdout, "one month")
    assert.include(stderr, "5 whole")
    assertFew(stderr)
  })

  it("serves from few modules", async () => {
    const args = [...preloaded, join(folder, "bin/wg.js"), "serve", "--sandbox"]
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] })
    let said = ""
    const begun = new Promise<string>((resolve, reject) => {
      child.stdout.on("data", (chunk) => {
        const url = /http:\/\/[\d.]+:\d+/.exec(String(chunk))?.[0]
        if (url !== undefined) resolve(url)
      })
      child.once("exit", () => reject(new Error(said)))
    })
    child.stderr.on("data", (chunk) => said += String(chunk))
    const ended = new Promise((resolve) => child.once("close", resolve))
    try {
      const url = await begun
      for (const path of ["/livez", "/sign-in"]) {
        assert.strictEqual((await fetch(`${url}${path}`)).status, 200, path)
      }
      child.kill("SIGTERM")
      assert.strictEqual(await ended, 0, said)
      assertFew(said)
    } finally {
      child.kill("SIGKILL")
    }
  })
})
