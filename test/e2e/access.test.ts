/**
 * Who may come in, over every face: tokens, what they allow, and tenants that do not see each
 * other. `WG_TEST_FULL=1`: 2,000 tries of one tenant on another's ids, else 200.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { operationNames as names } from "../../src/contract/ServiceOperations.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import {
  bearer,
  canary,
  document,
  ids,
  inputOf,
  operator,
  operatorSecret,
  overAgents,
  overHttp,
  overRpc,
  page,
  provider,
  question,
  served,
  tokenOf
} from "../support/accessService.ts"
import { draw, makeDice } from "../support/dice.ts"
import { requestFor, send } from "../support/httpCalls.ts"
import { overMcp } from "../support/mcpCalls.ts"
import { AccessTokens } from "../support/sent.ts"
import { linesOf, url } from "../support/service.ts"

describe("access by tokens", () => {
  it.layer(served, { timeout: "240 seconds", excludeTestServices: true })((it) => {
    it.effect("refuses every operation of every face without a token", () =>
      Effect.gen(function*() {
        const service = yield* url
        for (const name of names) {
          const { headers, status, text } = yield* overHttp(name, {})
          assert.strictEqual(status, 401, name)
          assert.strictEqual(headers.get("www-authenticate"), "Bearer", name)
          assert.strictEqual(JSON.parse(text).type, "urn:web-grounding:problem:unauthenticated")
          const { status: overLines, text: lines } = yield* overRpc(name, {})
          assert.deepStrictEqual([overLines, lines], [401, ""], name)
        }
        assert.strictEqual((yield* overMcp({}, "tools/list", {})).status, 401)
        assert.strictEqual((yield* send(service, document)).status, 401)
        assert.lengthOf(provider.queries, 0)
        for (const path of ["/health", "/livez", "/readyz", "/v1/openapi.json", "/v1/docs"]) {
          assert.strictEqual((yield* send(service, { method: "GET", path })).status, 200, path)
        }
        for (const path of ["/", "/v1/openapi.json/x", "//health", "/health/", "/HEALTH"]) {
          assert.strictEqual((yield* send(service, { method: "GET", path })).status, 401, path)
        }
      }))

    it.effect("asks a page of an allowed origin for a token, but not its preflight", () =>
      Effect.gen(function*() {
        for (const name of names) {
          const { headers, status } = yield* overHttp(name, { origin: page })
          assert.strictEqual(status, 401, name)
          assert.strictEqual(headers.get("access-control-allow-origin"), page, name)
          const preflight = yield* send(yield* url, {
            method: "OPTIONS",
            path: requestFor(name, inputOf(name)).path,
            headers: { origin: page, "access-control-request-method": "POST" }
          })
          assert.strictEqual(preflight.status, 204, name)
          assert.strictEqual(preflight.headers.get("access-control-allow-origin"), page, name)
        }
      }))

    it.effect("refuses 40 credentials that are no live token, and distinguishes none", () =>
      Effect.gen(function*() {
        const { create, revoke } = yield* AccessTokens
        const live = yield* tokenOf("shop")
        const dead = yield* create({ name: "dead" }, operator)
        yield* revoke({ token_id: dead.token_id }, operator)
        const secret = live.slice("wg_".length)
        const bodies = new Set<string>()
        const headers: ReadonlyArray<Readonly<Record<string, string>>> = [
          ...[
            "",
            "wg_",
            secret,
            dead.token,
            dead.token_id,
            sha256(live),
            `wg_${sha256(live)}`,
            sha256(operatorSecret),
            live.slice(0, -1),
            `${live}=`,
            `${live}A`,
            ` ${live} ${live}`,
            live.toUpperCase(),
            live.toLowerCase(),
            `wg_${[...secret].reverse().join("")}`,
            `wg_wg_${secret}`,
            `WG_${secret}`,
            `wg-${secret}`,
            `"${live}"`,
            `${live},`,
            `${live};`,
            encodeURIComponent(`${live}+`),
            Buffer.from(live).toString("base64"),
            `token=${live}`,
            "null",
            "undefined",
            "*",
            "%",
            "' or '1'='1",
            "../../etc/passwd",
            "{}",
            "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
            "x".repeat(8_000)
          ].map(bearer),
          { authorization: live },
          { authorization: `Basic ${Buffer.from(`x:${live}`).toString("base64")}` },
          { authorization: `Token ${live}` },
          { authorization: `Bearer\u00a0${live}` },
          { "x-api-key": live },
          { cookie: `token=${live}` },
          { "proxy-authorization": `Bearer ${live}` }
        ]
        assert.isAtLeast(headers.length, 40)
        for (const header of headers) {
          const { status, text } = yield* overHttp("GetSession", header)
          assert.strictEqual(status, 401, JSON.stringify(header).slice(0, 100))
          bodies.add(text)
        }
        assert.strictEqual(bodies.size, 1)
        assert.notInclude([...bodies].join(""), secret)
        for (const written of [`Bearer ${live}`, `bearer   ${live}`, `BEARER ${live} `]) {
          const { status } = yield* overHttp("GetSession", { authorization: written })
          assert.strictEqual(status, 404, written)
        }
      }))

    it.effect("keeps a tenant's records from every other tenant, over every face", () =>
      Effect.gen(function*() {
        const shop = bearer(yield* tokenOf("shop"))
        const bank = bearer(yield* tokenOf("bank"))
        const own = yield* overHttp("Ground", shop, { ...question, request_id: "r" })
        assert.include(own.text, canary)
        assert.strictEqual((yield* overHttp("CollectEvidence", shop)).status, 200)
        assert.include((yield* overHttp("SearchEvidence", shop)).text, canary)

        const dice = makeDice(20261123)
        const tries = process.env["WG_TEST_FULL"] === "1" ? 2_000 : 200
        const asked = names.filter((name) =>
          "session_id" in inputOf(name) && name !== "Ground" ||
          name === "SearchEvidence" || name === "RemoveEvidence"
        )
        const unknownTo = (text: string) =>
          text.replaceAll(/nobodys-note|note/g, "n").replaceAll("nobodys", "s")
            .replace(/[\da-f]{8}-[\da-f-]{27}/g, "id")
        for (let round = 0; round < tries; round++) {
          const name = draw(dice, asked)
          const input = inputOf(name)
          const nobodys = {
            ...input,
            ...("session_id" in input ? { session_id: "nobodys" } : {}),
            ...("source_id" in input ? { source_id: "nobodys-note" } : {})
          }
          const over = draw(dice, [overHttp, overRpc, overAgents])
          const told = yield* over(name, bank, input)
          const expected = yield* over(name, bank, nobodys)
          assert.notInclude(told.text, canary, name)
          assert.deepStrictEqual(
            [told.status, unknownTo(told.text)],
            [expected.status, unknownTo(expected.text)],
            name
          )
        }
        for (
          const [method, params] of [
            ["tools/call", { name: "read_evidence", arguments: ids }],
            ["tools/call", { name: "search_evidence", arguments: { query: "ferry" } }],
            ["resources/read", { uri: "web-grounding://sessions/s" }],
            ["resources/read", { uri: "web-grounding://packs/s/r" }]
          ] as const
        ) {
          assert.include((yield* overMcp(shop, method, params)).text, "Marrow", method)
          assert.notInclude((yield* overMcp(bank, method, params)).text, "Marrow", method)
        }
      }))

    it.effect("shows a tenant its own searches, and its operator of all, over every face", () =>
      Effect.gen(function*() {
        const admin = bearer(yield* tokenOf("health-1"))
        const other = bearer(yield* tokenOf("health-2"))
        const reader = bearer(yield* tokenOf("health-1", ["read"]))
        const ask = (headers: Readonly<Record<string, string>>, session_id: string) =>
          overHttp("Ground", headers, {
            ...question,
            session_id,
            topic: `When does the ${session_id} ferry leave?`
          })
        yield* ask(admin, "first")
        yield* ask(other, "second")
        yield* ask(other, "third")
        const tool = { name: "search_health", arguments: {} }
        const seen = Effect.fnUntraced(function*(headers: Readonly<Record<string, string>>) {
          const rpc = linesOf((yield* overRpc("GetHealth", headers)).text)
            .find(({ exit }) => exit !== undefined)
          const mcp = JSON.parse((yield* overMcp(headers, "tools/call", tool)).text)
          return [
            JSON.parse((yield* overHttp("GetHealth", headers)).text),
            rpc?.["exit"].value,
            mcp.result.structuredContent
          ]
        })
        const own = yield* seen(reader)
        const all = yield* seen(admin)
        assert.lengthOf(own.filter((view) => view !== undefined), 3)
        for (const [place, view] of own.entries()) {
          assert.strictEqual(view.packs.made, 1, String(place))
          assert.isAbove(view.figures.attempts, 0)
          assert.deepStrictEqual([view.keys, view.read_models], [[], []])
          assert.notInclude(JSON.stringify(view), "key_slot")
          const { figures, packs, read_models } = all[place]
          assert.isAtLeast(packs.made, 3)
          assert.isAtLeast(figures.attempts, 3 * view.figures.attempts)
          assert.isNotEmpty(read_models)
        }
      }))

    it.effect("gives two tenants that name the same session a session each", () =>
      Effect.gen(function*() {
        const shop = bearer(yield* tokenOf("shop-2"))
        const bank = bearer(yield* tokenOf("bank-2"))
        const asked = { ...question, session_id: "shared" }
        const first = JSON.parse((yield* overHttp("Ground", shop, asked)).text)
        const second = JSON.parse((yield* overHttp("Ground", bank, asked)).text)
        assert.isAbove(first.budget.spent_by_request, 0)
        assert.deepStrictEqual(second.budget, first.budget)
        assert.isUndefined(second.reused_from_request_id)
        assert.isUndefined(second.cached)
        const streams = new Set<string>()
        for (const headers of [shop, bank]) {
          const { events } = JSON.parse(
            (yield* overHttp("GetSession", headers, { session_id: "shared" })).text
          )
          assert.strictEqual(
            events.filter(({ type }: any) => type === "WEB_GROUNDING_REQUESTED").length,
            1
          )
          assert.match(events[0].actor, /^http:[\da-f-]{36}$/)
          streams.add(events[0].stream_id)
        }
        assert.strictEqual(streams.size, 2)
      }))

    it.effect("asks Tavily's clients for the same tokens, in the header or in the body", () =>
      Effect.gen(function*() {
        const token = yield* tokenOf("shop-3", ["ground"])
        const reader = yield* tokenOf("shop-3", ["read"])
        const service = yield* url
        const asked = (headers: Readonly<Record<string, string>>, body: object = {}) =>
          send(service, {
            method: "POST",
            path: "/search",
            headers,
            body: JSON.stringify({ query: "ferry", ...body })
          })
        const refused = [{}, bearer("tvly-somebody-elses"), bearer(`${token}x`), bearer(reader)]
        const statuses = yield* Effect.forEach(refused, (headers) => asked(headers))
        assert.deepStrictEqual(statuses.map(({ status }) => status), [401, 401, 401, 403])
        for (const { text } of statuses) assert.isString(JSON.parse(text).detail.error)
        assert.strictEqual((yield* asked({}, { api_key: `${token}x` })).status, 401)
        const answers = [yield* asked(bearer(token)), yield* asked({}, { api_key: token })]
        for (const { status, text } of answers) {
          assert.strictEqual(status, 200, text)
          assert.include(text, canary)
          assert.notInclude(text, token)
        }
        const { session_id } = JSON.parse(answers[0]?.text ?? "").web_grounding
        const shop = bearer(yield* tokenOf("shop-3"))
        const bank = bearer(yield* tokenOf("bank-3"))
        const own = yield* overHttp("GetSession", shop, { session_id })
        assert.match(JSON.parse(own.text).events[0].actor, /^tavily:[\da-f-]{36}$/)
        assert.notInclude(own.text, token)
        assert.strictEqual((yield* overHttp("GetSession", bank, { session_id })).status, 404)
      }))

    it.effect("takes the tenant from no input", () =>
      Effect.gen(function*() {
        const bank = bearer(yield* tokenOf("bank"))
        for (const field of ["tenant_id", "tenantId", "tenant"]) {
          const { text } = yield* overRpc("GetSession", bank, { session_id: "s", [field]: "shop" })
          assert.include(linesOf(text).map((line) => JSON.stringify(line)).join(""), field)
          const { text: over } = yield* overHttp("GetPack", bank, { ...ids, [field]: "shop" })
          assert.notInclude(over, canary)
        }
        for (const header of ["x-tenant-id", "tenant", "x-forwarded-user"]) {
          const { text } = yield* overHttp("GetPack", { ...bank, [header]: "shop" })
          assert.notInclude(text, canary)
        }
      }))

    it.effect("lets the operator of the machine in, for the tenant of the service", () =>
      Effect.gen(function*() {
        const { status, text } = yield* overHttp("ListTokens", bearer(operatorSecret))
        assert.strictEqual(status, 200)
        assert.notMatch(text, /wg_[\w-]{43}/)
      }))
  })
})
