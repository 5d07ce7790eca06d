/**
 * Commands on the machine of a running service that holds the data directory: they call it over
 * RPC, by every operation of operators and auditors.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as CommandLine from "../support/commandLine.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"

const home = preparedDirectory("wg-attached-")
const env = { ...compiled, WEB_GROUNDING_DATA_DIR: home, NO_COLOR: "1" }

/** All that is said, on one line. */
const run = async (...args: ReadonlyArray<string>) => {
  const { code, err, out } = await CommandLine.run(args, { WEB_GROUNDING_DATA_DIR: home })
  return { code, out: `${err}${out}`.replace(/\s+/g, " ") }
}

const service = spawn(process.execPath, ["bin/wg.js", "serve", "--sandbox", "--port", "0"], {
  stdio: ["ignore", "pipe", "ignore"],
  env
})
let address = ""

beforeAll(() =>
  new Promise<void>((resolve, reject) => {
    service.stdout.on("data", (chunk) => {
      const [, told] = /Serving groundings on (\S+)/.exec(String(chunk)) ?? []
      if (told === undefined) return
      address = told
      resolve()
    })
    service.on("close", () => reject(new Error("the service ended")))
  }), 60_000)

afterAll(() => {
  service.removeAllListeners("close")
  service.kill("SIGKILL")
  for (const made of [home, papers]) rmSync(made, { recursive: true, force: true })
})

const papers = mkdtempSync(join(tmpdir(), "wg-attached-papers-"))

const file = (name: string, text: string): string => {
  writeFileSync(join(papers, name), text)
  return join(papers, name)
}

const page = "http://www.kenko-hoken.go.example/en/copayment"

describe("a command while a service holds its data directory", () => {
  const question = "How much notice must a tenant give in Japan?"

  it("grounds, shows and replays by asking the service", async () => {
    const grounded = await run("ground", question, "--session", "s", "--request", "r")
    assert.strictEqual(grounded.code, 0, grounded.out)
    assert.match(grounded.out, /Planned · “.*one month's notice/)
    assert.match((await run("session", "s")).out, /^Session s: 1 request, .* Planned · “/)
    assert.match((await run("sessions")).out, /^s How much notice .* answered · confidence 0\.\d\d/)
    assert.match((await run("pack", "s", "r")).out, /one month's notice/)
    assert.strictEqual((await run("pack", "s")).out, (await run("pack", "s", "r")).out)
    const replayed = await run("replay", "s")
    assert.match(replayed.out, /^Session s: identical .* hash chain intact/)
    assert.strictEqual(replayed.code, 0)
    assert.match((await run("replay", "--all")).out, /^1 session: 1 identical/)
    const supposed = await run("what-if", "s", "--set", "tier=premium")
    assert.match(
      supposed.out,
      /Request r: undetermined .*not recorded: page texts at Rank.*consent_raw_content/
    )
    const exported = await run("export", "s")
    assert.match(exported.out, /"line":"header".*"line":"end"[^}]*\}/s)
    const refused = await run("import", file("one.jsonl", exported.out))
    assert.match(refused.out, /already open in process/)
    assert.strictEqual(refused.code, 1)
  }, 60_000)

  it("keeps, finds, promotes and removes evidence by asking the service", async () => {
    const note = file("notice.md", "# Notice\n\nA tenant gives notice in writing.")
    const ingested = await run("evidence", "ingest", note, "--source-type", "user_note", "--json")
    assert.strictEqual(ingested.code, 0, ingested.out)
    const [{ source_id }] = JSON.parse(ingested.out)
    assert.match(
      (await run("evidence", "search", "notice in writing")).out,
      /A tenant gives notice/
    )
    const read = await run("evidence", "ingest", page)
    assert.strictEqual(read.code, 0, read.out)
    const node = file(
      "node.json",
      "{\"node_id\":\"n\",\"node_label\":\"Rule\",\"name\":\"Copayment\"}"
    )
    assert.match((await run("evidence", "promote", page, node)).out, /^kg_node n: 1 in, [1-9]/)
    const removed = await run("evidence", "remove", "user_note", source_id)
    assert.match(removed.out, /: 1 out/)
    assert.match((await run("evidence", "status")).out, /1 passage of 1 source /)
    assert.match((await run("evidence", "reembed")).out, /1 in all/)
    assert.strictEqual((await run("evidence", "gather")).code, 0)
  }, 60_000)

  it("looks after health, readiness and read models by asking the service", async () => {
    assert.match((await run("health")).out, /Web Search Health/)
    const healthy = await run("health")
    assert.match((await run("readiness")).out, /6\/6 → WEB_SEARCH_RELIABLE/)
    assert.strictEqual((await run("health")).out, healthy.out)
    assert.notInclude((await run("sessions")).out, "readiness")
    assert.match((await run("projections", "list")).out, /search_health@\d+ +running/)
    const verified = await run("verify", "--all")
    assert.match(verified.out, /^Log: sound\. [1-9]\d* events of [1-9]/)
    const [, anchor = ""] = /Anchor: (\{.*\})/.exec(verified.out) ?? []
    const kept = join(home, "anchor.json")
    writeFileSync(kept, anchor)
    assert.strictEqual((await run("verify", "--all", "--anchor", kept)).code, 0)
    writeFileSync(kept, anchor.replace(/"root_hash":"[^"]*"/, `"root_hash":"${"0".repeat(64)}"`))
    const other = await run("verify", "--all", "--anchor", kept)
    assert.match(other.out, /not as it was recorded.*rewritten, after position 0/)
    assert.strictEqual(other.code, 1)
    const rebuilt = await run("projections", "rebuild")
    assert.match(rebuilt.out, /search_health +\d+ rows, all as the log says/)
    assert.match(rebuilt.out, /query_cache +[1-9]\d* rows, all as the log says/)
    assert.strictEqual(rebuilt.code, 0)
  }, 60_000)

  it("holds, erases and erases again by asking the service", async () => {
    assert.strictEqual((await run("ground", question, "--session", "e", "--request", "r")).code, 0)
    const held = await run("erase", "hold", "e", "--matter", "case 7")
    assert.strictEqual(held.out, "Session e is under legal hold. ")
    const refused = await run("erase", "--session", "e")
    assert.match(refused.out, /Session e is under legal hold \(case 7\): lift it first/)
    assert.strictEqual(refused.code, 1)
    assert.strictEqual((await run("erase", "lift", "e")).code, 0)
    const erased = await run("erase", "--session", "e")
    assert.match(erased.out, /^Session e erased at \S+ \(requested\), \d+ events, .*key destroyed/)
    assert.match((await run("pack", "e", "r")).out, /content of session e was erased at 20/)
    const page = await fetch(`${address}/sessions/e`)
    assert.strictEqual(page.status, 410)
    assert.match(await page.text(), /content of session e was erased at 20/)
    const listed = await run("erase", "list", "--json")
    const kept = file("erasures.jsonl", listed.out)
    assert.strictEqual(JSON.parse(listed.out).session_id, "e")
    const again = await run("erase", "--again", kept)
    assert.match(again.out, /Erased again: 1 session of 1 on the list/)
    const both = await run("erase", "--session", "e", "--again", kept)
    assert.match(both.out, /Expected --session, --subject or --again, one of them/)
    const unread = await run("erase", "--again", file("other.jsonl", "{}"))
    assert.match(unread.out, /Line 1 of the list is no report/)
  }, 60_000)

  it("erases all sessions of a person, but for held ones, and no others", async () => {
    const asked = async (session_id: string, subject?: string) => {
      const body = { session_id, topic: question, user_asked_for_facts: true, subject }
      const answer = await fetch(new URL("/v1/groundings", address), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body)
      })
      assert.strictEqual(answer.status, 200)
    }
    for (const session of ["p1", "p2", "p3"]) await asked(session, "person-7")
    await asked("p2")
    await asked("q1", "person-8")
    assert.strictEqual((await run("erase", "hold", "p3", "--matter", "case 9")).code, 0)
    const listed = await fetch(new URL("/v1/sessions?subject=person-7", address))
    assert.lengthOf(JSON.parse(await listed.text()).sessions, 3)

    const erased = await run("erase", "--subject", "person-7")
    assert.strictEqual(erased.code, 0)
    assert.match(
      erased.out,
      /Session p3 stays: it is under legal hold \(case 9\) Erased: 2 sessions/
    )
    assert.match(erased.out, /Session p1 erased at \S+ \(subject\)/)
    for (const session of ["p1", "p2"]) {
      assert.include((await run("replay", session)).out, "was erased at", session)
    }
    for (const session of ["p3", "q1"]) {
      assert.strictEqual((await run("replay", session)).code, 0, session)
    }
    assert.match((await run("erase", "--subject", "nobody")).out, /Erased: 0 sessions/)
    await run("erase", "lift", "p3")
    assert.match((await run("erase", "--subject", "person-7")).out, /Erased: 1 session\./)
  }, 60_000)

  it("is the same erasure on a page, where the session's id is typed", async () => {
    assert.strictEqual((await run("ground", question, "--session", "page")).code, 0)
    const erase = async (confirmed: string) => {
      const answer = await fetch(new URL("/sessions/page/erase", address), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ confirmed })
      })
      return answer.text()
    }
    assert.include(await erase("pag"), "Nothing was erased")
    assert.strictEqual((await run("session", "page")).code, 0)
    assert.match(await erase("page"), /the content of \d+ events is gone/)
    assert.include((await run("replay", "page")).out, "was erased at")
  }, 60_000)

  it("reports the service's refusals as its own", async () => {
    const unknown = await run("session", "nobody")
    assert.strictEqual(unknown.out, "web-grounding: No session nobody is recorded ")
    assert.strictEqual(unknown.code, 1)
    const gone = await run("evidence", "remove", "paper", "nothing")
    assert.match(gone.out, /Nothing of paper nothing is in the evidence store/)
  }, 60_000)

  it("asks a service of the sandbox for the sandbox, and says that of every answer", async () => {
    const made = await run("ground", question, "--sandbox")
    assert.match(made.out, /Made up by the sandbox.*one month's notice/)
    assert.notInclude(made.out, "the running service searches the sandbox")
    const real = await run("ground", question)
    assert.match(real.out, /the running service searches the sandbox.*Made up by the sandbox/)
    const own = await run("ground", question, "--sandbox", "--model", "good")
    assert.match(own.out, /already open in process \d+ .*, which searches the sandbox: /)
  }, 60_000)
})

// Each is a process of its own: what the everyday tests compare are HTTP, RPC and MCP.
describe.runIf(process.env["WG_TEST_FULL"] === "1")("what a command prints as JSON", () => {
  /** HTTP says `null` where a command leaves out what is absent. */
  const masked = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value)
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then")
        .replace(/"(\w*ms|\w*position)":"?\d+"?/g, `"$1":0`),
      (_, part) => part === null ? undefined : part
    )
  const asked = async (path: string, body?: object): Promise<any> => {
    const response = await fetch(
      `${address}/v1/${path}`,
      body === undefined ? {} : {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body)
      }
    )
    return response.json()
  }

  it("is what HTTP answers", async () => {
    const ids = ["--session", "json", "--request", "r"]
    await run("ground", "What does a tram ride in Halvern cost?", ...ids, "--json")
    const pairs: ReadonlyArray<readonly [ReadonlyArray<string>, (answer: any) => unknown, any]> = [
      [["pack", "json", "r"], (answer) => answer, await asked("groundings/json/r")],
      [["replay", "json"], (answer) => answer, await asked("sessions/json/replay")],
      [["health"], (answer) => answer, await asked("health")],
      [["projections", "list"], ({ projections }) => projections, await asked("projections")],
      [["tokens", "list"], ({ tokens }) => tokens, await asked("tokens")],
      [
        ["evidence", "search", "tram"],
        (answer) => answer,
        await asked("evidence/search", { query: "tram" })
      ]
    ]
    for (const [args, partOf, answer] of pairs) {
      const { code, out } = await run(...args, "--json")
      assert.strictEqual(code, 0, out)
      assert.deepStrictEqual(masked(JSON.parse(out)), masked(partOf(answer)), args.join(" "))
    }
  }, 120_000)
})
