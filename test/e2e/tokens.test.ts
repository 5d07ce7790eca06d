/**
 * The operator's day: make a token, serve where others reach, call with it, revoke it.
 */
import { spawn } from "node:child_process"
import { readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import * as CommandLine from "../support/commandLine.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"

const home = preparedDirectory("wg-tokens-")
const env = { ...compiled, WEB_GROUNDING_DATA_DIR: home, NO_COLOR: "1" }

const start = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
  spawn(process.execPath, ["bin/wg.js", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...env, ...more }
  })

const run = async (...args: ReadonlyArray<string>) => {
  const ended = await CommandLine.run(args, { WEB_GROUNDING_DATA_DIR: home })
  return { ...ended, err: ended.err.replace(/\s+/g, " ") }
}

/** Where the service listens, and how it is ended. */
const serve = (host: string, more: Readonly<Record<string, string>> = {}) => {
  const child = start(["serve", "--sandbox", "--port", "0", "--host", host], more)
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()))
  const said: Array<string> = []
  child.stderr.on("data", (chunk) => said.push(String(chunk)))
  const port = new Promise<number>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      const found = /Serving groundings on \S+:(\d+)/.exec(String(chunk))
      if (found !== null) resolve(Number(found[1]))
    })
    child.on("close", () => reject(new Error(said.join(""))))
  })
  return { port, stop: () => (child.kill("SIGKILL"), ended) }
}

const question = {
  topic: "How much notice must a tenant give in Japan?",
  phase: "mid_chat",
  user_asked_for_facts: true
}

const ground = async (port: number, session_id: string) => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/groundings`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...question, session_id })
  })
  return {
    status: response.status,
    retryAfter: Number(response.headers.get("retry-after") ?? 0),
    body: JSON.parse(await response.text())
  }
}

const statusOf = async (port: number, token?: string): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/evidence/status`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` }
  })
  await response.arrayBuffer()
  return response.status
}

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe("tokens at the terminal", () => {
  it("are needed before the service listens where others reach it", async () => {
    const refused = await run("serve", "--sandbox", "--port", "0", "--host", "0.0.0.0")
    assert.notStrictEqual(refused.code, 0)
    assert.match(refused.err, /Refusing to listen on 0\.0\.0\.0 without a token: .*tokens create/)
    assert.notInclude(refused.out, "Serving")

    const made = await run("tokens", "create", "--name", "chat", "--tenant", "shop")
    assert.strictEqual(made.code, 0, made.err)
    const token = made.out.trim()
    assert.match(token, /^wg_[\w-]{43}$/)
    const [id = ""] = /[\da-f]{8}-[\da-f-]{27}/.exec(made.err) ?? []
    assert.match(made.err, /of tenant shop\. It is shown this once/)

    const service = serve("0.0.0.0")
    const port = await service.port
    assert.strictEqual(await statusOf(port), 401)
    assert.strictEqual(await statusOf(port, token), 200)

    // Commands of this machine ask the running service, which they may.
    const listed = await run("tokens", "list")
    assert.match(listed.out, /live +chat +tenant shop +ground read/)
    assert.notInclude(listed.out, token)
    const revoked = await run("tokens", "revoke", id)
    assert.strictEqual(revoked.code, 0, revoked.err)
    assert.strictEqual(await statusOf(port, token), 401)
    const again = await run("tokens", "revoke", id)
    assert.strictEqual(again.code, 1)
    assert.match(again.err, /was revoked before/)
    assert.strictEqual(statSync(join(home, "owner.json")).mode & 0o077, 0)
    assert.notInclude(readFileSync(join(home, "owner.json"), "utf8"), token)
    await service.stop()
  }, 120_000)

  it("may be asked for on loopback too, as behind a proxy", async () => {
    const open = serve("127.0.0.1")
    assert.strictEqual(await statusOf(await open.port), 200)
    await open.stop()
    const closed = serve("127.0.0.1", { WEB_GROUNDING_TOKENS_REQUIRED: "true" })
    assert.strictEqual(await statusOf(await closed.port), 401)
    await closed.stop()
  }, 120_000)
})

describe("what a tenant is granted", () => {
  it("is refused with 429, the limit and when, where the operator wants that", async () => {
    const limited = serve("127.0.0.1", {
      TENANT_SEARCHES_PER_DAY: "1",
      PACK_CACHE_HOURS: "0",
      TENANT_LIMITS_REFUSE: "true"
    })
    const port = await limited.port
    const first = await ground(port, "s1")
    assert.strictEqual(first.status, 200)
    assert.strictEqual(first.body.budget.spent_by_request, 1)
    const second = await ground(port, "s2")
    assert.strictEqual(second.status, 429)
    assert.strictEqual(second.body.type, "urn:web-grounding:problem:limit-reached")
    assert.strictEqual(second.body.limit, "searches_per_day")
    assert.isAbove(second.retryAfter, 0)
    assert.strictEqual(await statusOf(port), 200)
    await limited.stop()
  }, 120_000)
})
