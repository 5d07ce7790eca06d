/**
 * The command line as a person runs it: what a command prints on either stream, and how it ends. A
 * process is started where its start, its output, a signal or a port is what is asked about.
 */
import { PGlite } from "@electric-sql/pglite"
import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, inject, it } from "vitest"
import { portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as CommandLine from "../support/commandLine.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"

const question = "How much notice must a tenant give in Japan?"
const directories: Array<string> = []

const freshDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), "wg-cli-"))
  directories.push(directory)
  return directory
}

/** One whose store is ready. */
const readyDirectory = () => {
  const directory = preparedDirectory("wg-cli-")
  directories.push(directory)
  return directory
}

const home = freshDirectory()

const spaced = (text: string): string => text.replace(/\s+/g, " ").trim()

/** What the README shows of its first command, line by line; what differs at each run left out. */
const shownInReadme = (): ReadonlyArray<string> => {
  const readme = readFileSync("README.md", "utf8")
  const [, block = ""] = /```text\n([^]*?)```/.exec(readme) ?? []
  return block.split("\n").filter((line) => !line.startsWith("session "))
    .flatMap((line) => line.split("…")).map(spaced).filter((part) => part !== "")
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const start = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  spawn(process.execPath, ["bin/wg.js", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], WEB_GROUNDING_DATA_DIR: home, ...env }
  })

const run = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  CommandLine.run(args, { WEB_GROUNDING_DATA_DIR: home, ...env })

const runProcess = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {}
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = start(args, env)
    const out: Array<string> = []
    const err: Array<string> = []
    child.stdout.on("data", (chunk) => out.push(String(chunk)))
    child.stderr.on("data", (chunk) => err.push(String(chunk)))
    const timer = setTimeout(() => child.kill("SIGKILL"), 60_000)
    child.on("close", (code) => {
      clearTimeout(timer)
      resolve({ code, out: out.join(""), err: err.join("") })
    })
  })

afterAll(() =>
  directories.forEach((directory) => rmSync(directory, { recursive: true, force: true }))
)

describe("the command line", () => {
  it("grounds a question from nothing but its own directory, and replays it", async () => {
    const grounded = await runProcess(["ground", question, "--sandbox", "--session", "s"])
    assert.strictEqual(grounded.code, 0, grounded.err)
    assert.match(grounded.out, /one month's notice/)
    assert.match(grounded.out, /\[1\] .+ · .+\.example/)
    const told = spaced(`${grounded.err} ${grounded.out}`)
    assert.isAbove(shownInReadme().length, 12)
    for (const line of shownInReadme()) assert.include(told, line)
    const replayed = await run(["replay", "s"])
    assert.match(replayed.out, /^Session s: identical \(9 events of 1 request, hash chain intact\)/)
    assert.strictEqual(replayed.code, 0)
    const listed = await run(["session", "s"])
    assert.match(spaced(listed.out), /Requested .* Planned .* Answered/)
    const audited = await run(["audit", "s"])
    assert.match(
      audited.out,
      /^Session s: identical[^]+Spent 1 search of 2[^]+\d+–\d+ of [0-9a-f]{12}/
    )
    assert.strictEqual(audited.code, 0)
    const searched = await run(["search", "tenant notice Japan", "--sandbox"])
    assert.match(searched.out, /^\d hits by mock \(success\)\n\n1\. [^]+https:\/\//m)
  })

  it("prints a pack as an audience may see it", async () => {
    const asked = ["--sandbox", "--session", "seen", "--request", "r", "--tier", "premium"]
    assert.strictEqual((await run(["ground", question, ...asked])).code, 0)
    const coach = await run(["pack", "seen", "r", "--audience", "coach"])
    assert.match(coach.out, /^<<[0-9a-f]{32}>> Claims from the web[^]+\[SOURCES\]\n\[1\] /)
    const background = await run(["pack", "seen", "r", "--audience", "roleplay_background"])
    assert.match(background.out, /^<<[0-9a-f]{32}>> What is so [^]+\n- .*one month's notice/)
    assert.notMatch(background.out, /\[1\]|confidence|\.example/)
    assert.match((await run(["pack", "seen", "r"])).out, /^Confidence 0\.\d\d/m)
  })

  it("reads whole pages of the sandbox, or snippets when it is set so", async () => {
    const readerOf = async (session: string, env: Record<string, string>) => {
      const asked = ["ground", question, "--sandbox", "--json", "--session", session]
      const { code, err, out } = await run(asked, env)
      assert.strictEqual(code, 0, err)
      assert.notInclude(out, "Hidden words")
      return JSON.parse(out).rungs.reader.engine
    }
    assert.strictEqual(await readerOf("whole", {}), "local")
    assert.notInclude((await run(["session", "whole", "--json"])).out, "Hidden words")
    const env = { LOCAL_READER_ENABLED: "false" }
    assert.strictEqual(await readerOf("snippets", env), "snippet")
    // An earlier search's answer would come without the texts.
    const raw = { ...env, TAVILY_RAW_CONTENT: "true", WEB_GROUNDING_DATA_DIR: readyDirectory() }
    assert.strictEqual(await readerOf("raw", raw), "tavily")
    const keyed = { ...env, JINA_API_KEY: "played-by-the-sandbox", TAVILY_RAW_CONTENT: "true" }
    assert.strictEqual(await readerOf("jina", keyed), "jina")
  })

  it("warns once, before it searches, where no provider has a key", async () => {
    const apart = { WEB_GROUNDING_DATA_DIR: readyDirectory(), DUCKDUCKGO_ENABLED: "false" }
    const warned = (args: ReadonlyArray<string>, env: Record<string, string>) =>
      run(args, { ...apart, ...env }).then(({ err }) =>
        err.match(/level=WARN [^\n]*TAVILY_API_KEY/g)?.length ?? 0
      )
    assert.strictEqual(await warned(["ground", question], {}), 1)
    assert.strictEqual(await warned(["ground", question, "--stored"], {}), 0)
    assert.strictEqual(await warned(["health"], {}), 0)
    const keyed = { TAVILY_API_KEY: "k", TAVILY_BASE_URL: "http://127.0.0.1:9" }
    assert.strictEqual(await warned(["ground", question], keyed), 0)
  })

  it("shows how the searches went", async () => {
    const shown = await run(["health"])
    assert.strictEqual(shown.code, 0, shown.err)
    assert.match(shown.out, /^Web Search Health \(last 24 h\)\n\n  Success +[1-9]\d* +\d+%  █/)
    assert.match(shown.out, /\n  mock +1 /)
    const json = await run(["health", "--hours", "1", "--json"])
    assert.isAbove(JSON.parse(json.out).figures.web_search_total.success, 0)
    const refused = await run(["health", "--hours", "0"])
    assert.strictEqual(refused.code, 1)
    assert.match(refused.err, /^web-grounding: hours: Expected .+\n$/)
  })

  it("shows it again and again to who watches, until the end", async () => {
    const child = start(["health", "--watch", "--json"])
    let told = ""
    const code = await new Promise((resolve) => {
      child.stdout.on("data", (chunk) => {
        told += String(chunk)
        if (told.split("\n").length > 2) child.kill("SIGINT")
      })
      child.on("close", resolve)
    })
    assert.strictEqual(code, 130)
    const [first, second] = told.split("\n").map((line) => line === "" ? "" : JSON.parse(line))
    assert.isBelow(Date.parse(first.as_of), Date.parse(second.as_of))
  })

  it("keeps evidence and finds it again", async () => {
    const taken = await run([
      "evidence",
      "ingest",
      "docs/reference/vocabulary.md",
      "--collector",
      "me"
    ])
    assert.strictEqual(taken.code, 0, taken.err)
    assert.match(taken.out, /^user_note vocabulary\.md~[0-9a-f]{16}: \d+ in, 0 out\n$/)
    const json = ["evidence", "search", "what is a watermark", "--collector", "me", "--json"]
    const { found, vectors } = JSON.parse((await run(json)).out)
    assert.strictEqual(vectors, "not_configured")
    assert.strictEqual(found[0].title, "Vocabulary")
    assert.match(found[0].source_id, /^vocabulary\.md~/)
    const folder = freshDirectory()
    writeFileSync(join(folder, "empty.md"), "")
    writeFileSync(join(folder, "whole.md"), "The reading room opens at half past seven.")
    const mixed = await run(["evidence", "ingest", folder])
    assert.strictEqual(mixed.code, 1)
    assert.match(
      mixed.out,
      /^user_note whole\.md~\w+: 1 in, 0 out\nfailed: \S+: it holds no text\n$/
    )
    assert.strictEqual(mixed.err, "web-grounding: 1 of 2 failed\n")
    const refused = await run(["evidence", "promote", "https://a.example/", "package.json"])
    assert.strictEqual(refused.code, 1)
    assert.match(refused.err, /^web-grounding: node\.\w+: .+\n$/)
  })

  it("researches a course's subject, in the sandbox by setting", async () => {
    const { code, err, out } = await run(["research", "Tenant notice in Japan"], {
      WEB_SEARCH_MOCK: "true"
    })
    assert.strictEqual(code, 0, err)
    const lines = out.split("\n")
    assert.strictEqual(lines[0], "Tenant notice in Japan: confidence 0.30 (usable)")
    assert.match(out.replace(/\s+/g, " "), /Why: Searches: \d .+ No model read them: simple/)
    assert.match(out, /^Based on \d+ results? from \d+ sites?\./m)
    assert.notMatch(out, /Overtime/)
    assert.include(lines, "Sources")
    assert.match(out, /\n\d+ results \(mock, \d+ ms\)/)
  })

  it("says how to go on when it is cut off, and goes on", async () => {
    const asked = ["ground", `${question} fault:slow,delay=3000`, "--sandbox"]
    const child = start(asked)
    const lines: Array<string> = []
    child.stderr.on("data", (chunk) => {
      lines.push(String(chunk))
      if (lines.join("").includes("Search reserved")) child.kill("SIGINT")
    })
    await new Promise((resolve) => child.on("close", resolve))
    const [, session = "", request = ""] =
      /cut off; .+ --session (\S+) --request (\S+) goes on/.exec(spaced(lines.join(""))) ?? []
    assert.notStrictEqual(request, "", lines.join(""))
    const again = await run([...asked, "--session", session, "--request", request])
    assert.strictEqual(again.code, 0, again.err)
    assert.notMatch(again.err, / 1 Requested/)
    assert.match(again.err, /Pack written/)
  })

  it("prints the whole outcome as JSON and nothing else", async () => {
    const { code, err, out } = await runProcess([
      "ground",
      question,
      "--sandbox",
      "--json",
      "--session",
      "j"
    ])
    assert.strictEqual(code, 0, err)
    const outcome = JSON.parse(out)
    assert.strictEqual(outcome.session_id, "j")
    assert.isNotEmpty(outcome.pack.constraints_and_rules)
    assert.strictEqual(err, "")
  })

  const wrong: ReadonlyArray<
    readonly [string, ReadonlyArray<string>, Record<string, string>, RegExp]
  > = [
    ["an unknown flag", ["ground", "x", "--frob"], {}, /--frob/],
    ["an unknown command", ["grond", "x"], {}, /grond/],
    ["a missing topic", ["ground"], {}, /topic/],
    ["an empty topic", ["ground", "", "--sandbox"], {}, /topic: Expected text that is not blank/],
    ["a topic of 100 kB", ["ground", "x".repeat(100_000), "--sandbox"], {}, /topic: .*2000/],
    ["a wrong tier", ["ground", "x", "--tier", "gold"], {}, /--tier.*"gold"/],
    [
      "a wrong country",
      ["ground", "x", "--country", "Japan", "--sandbox"],
      {},
      /country: .*capital/
    ],
    ["a port that is no number", ["serve", "--port", "many"], {}, /--port/],
    ["a port out of range", ["serve", "--port", "70000"], {}, /65535/],
    ["a broken setting", ["ground", "x"], { SEARCH_SCORE_MIN: "much" }, /SEARCH_SCORE_MIN/],
    [
      "a broken DATABASE_URL",
      ["ground", "x"],
      { DATABASE_URL: "nonsense" },
      /DATABASE_URL: .*not a URL/
    ],
    [
      "a database nobody serves",
      ["ground", "x"],
      { DATABASE_URL: "postgres://user:canary-pw@127.0.0.1:9/db" },
      /127\.0\.0\.1:9 cannot be reached/
    ],
    ["an unknown session", ["replay", "nobody"], {}, /No session nobody/],
    ["a missing file", ["evidence", "ingest", "no.md"], {}, /no\.md: no such file or folder/],
    ["a missing export", ["import", "no.jsonl"], {}, /no\.jsonl: no such file or folder/],
    [
      "a missing key",
      ["import", "package.json", "--key", "no.pem"],
      {},
      /no\.pem: no such file or folder/
    ],
    ["a folder without texts", ["evidence", "ingest", "bin"], {}, /holds no file in \.txt/]
  ]

  it.each(wrong)(
    "answers %s with one sentence and a failing exit code",
    async (_, args, env, said) => {
      const { code, err, out } = await run(args, env)
      assert.notStrictEqual(code, 0)
      assert.match(err, said)
      assert.strictEqual(err.trim().split("\n").length, 1, err)
      assert.strictEqual(out, "")
      assert.notInclude(err, "canary-pw")
      assert.notMatch(err, /\n\s+at /)
    }
  )

  it("refuses a server that may forget what it confirmed", async () => {
    const { code, err } = await run(["migrate"], { DATABASE_URL: inject("postgresUrl") })
    assert.strictEqual(code, 1)
    assert.match(err, /may forget what it confirmed: \w+ is off/)
  })

  it("refuses a database whose schema is newer than it knows", async () => {
    const directory = freshDirectory()
    const env = { WEB_GROUNDING_DATA_DIR: directory }
    cpSync(join(home, "data"), join(directory, "data"), { recursive: true })
    const database = await PGlite.create(join(directory, "data"))
    await database.query(
      "insert into wg.migrations (name, checksum) values ('9999_from_the_future', 'x')"
    )
    await database.close()
    const { code, err } = await run(["ground", question, "--sandbox"], env)
    assert.strictEqual(code, 1)
    assert.match(err, /9999_from_the_future/)
    assert.strictEqual(err.trim().split("\n").length, 1, err)
  })

  it("refuses an occupied port in one sentence", async () => {
    const occupant = createServer()
    await new Promise<void>((resolve) => occupant.listen(0, "127.0.0.1", resolve))
    const { code, err } = await run(["serve", "--sandbox", "--port", `${portOf(occupant)}`])
    occupant.close()
    assert.strictEqual(code, 1)
    assert.match(err, /the port is in use by another process/)
    assert.strictEqual(err.trim().split("\n").length, 1, err)
  })

  it("serves until it is stopped, keeps its directory meanwhile, and leaves nothing behind", async () => {
    const child = start(["serve", "--sandbox", "--port", "0"])
    const url = await new Promise<string>((resolve) => {
      child.stdout.on("data", (chunk) => {
        const found = /http:\/\/\S+/.exec(String(chunk))
        if (found !== null) resolve(found[0])
      })
    })
    assert.strictEqual((await fetch(`${url}/health`)).status, 200)
    // A model is for a process of its own, which the directory keeps out.
    const second = await run(["ground", question, "--sandbox", "--model", "good"])
    assert.strictEqual(second.code, 1)
    assert.match(second.err, new RegExp(`${child.pid}`))
    const ended = new Promise((resolve) => child.on("exit", resolve))
    child.kill("SIGTERM")
    await ended
    assert.isNull(await fetch(`${url}/health`).catch(() => null))
    assert.strictEqual((await run(["session", "s"])).code, 0)
  })
})
