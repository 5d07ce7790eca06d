/** Who may see the pages and act on them, asked as a browser asks. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { request } from "node:http"
import { afterAll, beforeAll } from "vitest"
import * as Access from "../../src/application/Access.ts"
import { StoreUnavailable } from "../../src/contract/PublicFailure.ts"
import { allScopes } from "../../src/domain/access/AccessToken.ts"
import { attempt } from "../support/attempts.ts"
import { grounded, subjects, write, writeAlerts } from "../support/dashboardHistory.ts"
import { runDashboard, type Running } from "../support/dashboardService.ts"

const tokens: Readonly<Record<string, Access.Identity>> = {
  operator: { tenantId: "default", scopes: allScopes },
  reader: { tenantId: "default", scopes: new Set(["read"]) },
  stranger: { tenantId: "clinic", scopes: allScopes }
}

const access = Layer.succeed(Access.Access, {
  identify: (credential) => {
    if (Option.contains(credential, "unchecked")) {
      return Effect.fail(new StoreUnavailable({ retry_after_ms: 1_000, may_have_searched: false }))
    }
    const identity = tokens[Option.getOrElse(credential, () => "")]
    return identity === undefined
      ? Effect.fail(new Access.Unauthenticated())
      : Effect.succeed(identity)
  }
})

const [japan] = subjects
if (japan === undefined) throw new Error("no subject")
const of = { session_id: "marked", request_id: "turn-1", atMs: Date.now() - 60_000 }

const seeded = Layer.effectDiscard(Effect.gen(function*() {
  yield* write([{ sessionId: "marked", atMs: of.atMs, events: grounded(japan, of, [attempt()]) }])
  yield* writeAlerts(Date.now())
}))

describe("the pages, to whom they are shown", () => {
  let service: Running
  beforeAll(async () => {
    service = await runDashboard(seeded, access)
  })
  afterAll(() => service?.end())

  const asked = (
    path: string,
    { body, headers = {}, token }: {
      readonly token?: string
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    } = {}
  ) =>
    fetch(service.address + path, {
      redirect: "manual",
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { cookie: `other=1; wg_token=${token}` }),
        ...headers
      }
    })

  it("redirect a viewer without a token to the sign-in, and back", async () => {
    for (const path of ["/", "/sessions/marked?request=turn-1", "/evidence", "/try"]) {
      const answer = await asked(path)
      assert.strictEqual(answer.status, 303)
      assert.strictEqual(answer.headers.get("location"), `/sign-in?to=${encodeURIComponent(path)}`)
    }
    assert.strictEqual((await asked("/", { token: "nobody" })).status, 303)
    assert.strictEqual((await asked("/try", { body: { topic: "x" } })).status, 401)
    const page = await (await asked("/sign-in?to=%2Fsessions%3Fwords%3Da")).text()
    assert.include(page, `data-to="/sessions?words=a"`)
    const outside = [
      "//outside.example",
      "/\\outside.example",
      "https://outside.example",
      "javascript:1"
    ]
    for (const to of outside) {
      const page = await (await asked(`/sign-in?to=${encodeURIComponent(to)}`)).text()
      assert.include(page, `data-to="/"`, to)
    }
  })

  it("keep a token in a cookie that no script reads, and give it up", async () => {
    for (const token of ["nobody", "", "a;b", "x".repeat(5_000)]) {
      const refused = await asked("/sign-in", { body: { token } })
      assert.strictEqual(refused.status, 401)
      assert.isNull(refused.headers.get("set-cookie"))
    }
    const answer = await asked("/sign-in", { body: { token: "reader" } })
    const cookie = answer.headers.get("set-cookie") ?? ""
    assert.match(cookie, /^wg_token=reader; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    const proxied = await asked("/sign-in", {
      body: { token: "reader" },
      headers: { "x-forwarded-proto": "https" }
    })
    assert.include(proxied.headers.get("set-cookie"), "; Secure")
    const page = await (await asked("/", { token: "reader" })).text()
    assert.include(page, "Sign out")
    const out = await asked("/sign-out", { body: {}, token: "reader" })
    assert.include(out.headers.get("set-cookie"), "wg_token=; ")
    assert.include(out.headers.get("set-cookie"), "Max-Age=0")
  })

  it("leave a token alone that cannot be checked now", async () => {
    const page = await asked("/sessions", { token: "unchecked" })
    assert.strictEqual(page.status, 503)
    assert.include(await page.text(), "Tokens cannot be checked now.")
    assert.isNull(page.headers.get("set-cookie"))
    const acted = await asked("/try", { body: { topic: "x" }, token: "unchecked" })
    assert.strictEqual(acted.status, 503)
    const signed = await asked("/sign-in", { body: { token: "unchecked" } })
    assert.strictEqual(signed.status, 503)
    assert.notInclude(await signed.text(), "not accepted")
  })

  it("show each what the token allows", async () => {
    const textOf = async (path: string, token: string) => {
      const answer = await asked(path, { token })
      assert.strictEqual(answer.status, 200, `${path} ${token}`)
      return answer.text()
    }
    assert.include(await textOf("/", "operator"), "Key 2 of tavily rests")
    const read = await textOf("/", "reader")
    assert.notInclude(read, "Key 2 of tavily rests")
    assert.notInclude(read, "key_health")
    assert.include(await textOf("/sessions/marked", "operator"), "/replay")
    const page = await textOf("/sessions/marked", "reader")
    for (const path of ["/replay", "/verify", "/export", "/erase"]) {
      assert.notInclude(page, `/sessions/marked${path}`)
    }
    const kept = await asked("/sessions/marked/export", { token: "reader" })
    assert.strictEqual(kept.status, 403)
    const given = await asked("/sessions/marked/export", { token: "operator" })
    assert.strictEqual(given.headers.get("content-type"), "application/jsonl")
    const erased = await asked("/sessions/marked/erase", {
      body: { confirmed: "marked" },
      token: "reader"
    })
    assert.include(await erased.text(), "scope erase")
    assert.include(await textOf("/try", "reader"), "lacks the scope ground")
    const replayed = await asked("/sessions/marked/replay", { body: {}, token: "reader" })
    assert.include(await replayed.text(), "audit")
    const line = await (await asked("/try", { body: { topic: "x" }, token: "reader" })).text()
    assert.include(JSON.parse(line).failed, "ground")
  })

  it("show no other tenant's", async () => {
    assert.notInclude(await (await asked("/sessions", { token: "stranger" })).text(), "marked")
    const answer = await asked("/sessions/marked", { token: "stranger" })
    assert.strictEqual(answer.status, 404)
    assert.notInclude(await answer.text(), japan.quote)
  })

  it("list the tenants for operators alone", async () => {
    await (await asked("/try", { body: { topic: "Rent" }, token: "stranger" })).text()
    const [told, own] = await Promise.all(
      ["operator", "reader"].map(async (token) => (await asked("/", { token })).text())
    )
    assert.match(told ?? "", /data-part="tenants".*>clinic</s)
    assert.notInclude(own, "clinic")
  })

  it("approve a collected page into the knowledge graph, for callers who may", async () => {
    const source_url = "https://www.housing.gov.example/japan/ending-a-lease"
    const collected = await fetch(`${service.address}/v1/evidence/pages`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer operator" },
      body: JSON.stringify({ source_url })
    })
    assert.strictEqual(collected.status, 200, await collected.text())
    const found = async (token: string) =>
      (await asked("/evidence?query=lease+notice&type=web_search", { token })).text()
    assert.include(await found("operator"), "data-post=\"/evidence/approve\"")
    assert.notInclude(await found("reader"), "data-post=\"/evidence/approve\"")
    const node = { source_url, node_id: "lease-end", node_label: "Rule", name: "Ending a lease" }
    const refused = await asked("/evidence/approve", { body: node, token: "reader" })
    assert.include(await refused.text(), "admin")
    const empty = await asked("/evidence/approve", {
      body: { ...node, name: "" },
      token: "operator"
    })
    assert.include(await empty.text(), "Failed")
    const approved = await asked("/evidence/approve", { body: node, token: "operator" })
    assert.include(await approved.text(), "replaces the page: 1 entry")
    assert.include(await found("operator"), "Nothing fits.")
    const nodes = await asked("/evidence?query=Ending+a+lease&type=kg_node", { token: "operator" })
    assert.include(await nodes.text(), "lease-end")
  })

  it("act for our own pages alone, and open for a viewer who follows a link", async () => {
    const act = (headers: Readonly<Record<string, string>>) =>
      asked("/sessions/marked/replay", { body: {}, token: "operator", headers })
    assert.strictEqual((await act({ origin: service.address })).status, 200)
    for (const origin of ["https://outside.example", "null", "http://127.0.0.1:1"]) {
      assert.strictEqual((await act({ origin })).status, 403, origin)
    }
    const plain = await asked("/sessions/marked/replay", {
      body: {},
      token: "operator",
      headers: { "content-type": "text/plain" }
    })
    assert.strictEqual(plain.status, 415)
    const followed = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document"
    }
    /** By hand: `fetch` says of itself that it is no navigation. */
    const followedTo = (path: string, headers: Readonly<Record<string, string>>) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${service.address}${path}`, {
          headers: { authorization: "Bearer operator", ...headers }
        }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        }).once("error", reject).end()
      })
    assert.strictEqual(await followedTo("/sessions", followed), 200)
    assert.strictEqual(await followedTo("/v1/sessions", followed), 403)
    const framed = { ...followed, "sec-fetch-dest": "iframe" }
    assert.strictEqual(await followedTo("/sessions", framed), 403)
    assert.strictEqual(
      await followedTo("/sessions", { ...followed, "sec-fetch-mode": "cors" }),
      403
    )
  })

  it("forbid a browser everything that they do not need", async () => {
    for (const path of ["/", "/sign-in", "/sessions/none", "/nothing-is-here"]) {
      const { headers } = await asked(path, { token: "operator" })
      if (path === "/nothing-is-here") continue
      const policy = headers.get("content-security-policy") ?? ""
      for (const needed of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
        assert.include(policy, needed, path)
      }
      assert.notMatch(policy, /unsafe|\*|https?:/)
      assert.include(policy, "require-trusted-types-for 'script'")
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(headers.get("cache-control"), "no-store")
    }
  })

  it("send under 60 kB of script, which a browser may keep", async () => {
    const page = await (await asked("/", { token: "operator" })).text()
    const scripts = [...page.matchAll(/<script src="([^"]+)"/g)].map(([, path]) => path ?? "")
    assert.lengthOf(scripts, 5)
    let bytes = 0
    for (const path of scripts) {
      const { headers } = await asked(path, { headers: { "accept-encoding": "gzip" } })
      assert.strictEqual(headers.get("content-encoding"), "gzip", path)
      assert.include(headers.get("cache-control"), "immutable")
      bytes += Number(headers.get("content-length"))
    }
    assert.isAbove(bytes, 10_000)
    assert.isBelow(bytes, 60_000)
    assert.strictEqual((await asked("/assets/0/style.css")).status, 404)
  })
})
