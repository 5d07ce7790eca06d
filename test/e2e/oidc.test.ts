/**
 * Tokens that an issuer signed, over every interface; and bad tokens, whose refusals are all alike.
 */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import { base64url, CompactSign, EncryptJWT, type JWTPayload, UnsecuredJWT } from "jose"
import { spawn } from "node:child_process"
import { createHmac, createPublicKey, generateKeyPairSync, KeyObject, sign } from "node:crypto"
import { rmSync } from "node:fs"
import * as HttpFace from "../../src/adapters/http/HttpFace.ts"
import * as McpFace from "../../src/adapters/mcp/McpFace.ts"
import * as OidcTokenIssuers from "../../src/adapters/oidc/OidcTokenIssuers.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as Access from "../../src/application/Access.ts"
import { Digest } from "../../src/application/ports/Platform.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import { run } from "../support/commandLine.ts"
import { scripted } from "../support/grounding.ts"
import { requestFor, send } from "../support/httpCalls.ts"
import { keyOf, localIssuer, signed } from "../support/localIssuer.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"
import { behind, failureIn, frame, host, post, url } from "../support/service.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const audience = "grounding"
const subject = "somebody@example.org"
const attacksMin = 60

/** An issuer with a key of each kind, one for encryption, a short one, and another issuer. */
class Issuers extends Context.Service<Issuers>()("test/Issuers", {
  make: Effect.gen(function*() {
    const issuer = yield* localIssuer
    const other = yield* localIssuer
    const rsa = yield* keyOf("RS256", "rsa")
    const ec = yield* keyOf("ES256", "ec")
    const ed = yield* keyOf("EdDSA", "ed")
    const enc = yield* keyOf("ES256", "enc")
    const wrapping = yield* keyOf("ES256", "wrapping")
    const others = yield* keyOf("ES256", "others")
    const short = generateKeyPairSync("rsa", { modulusLength: 1_024 })
    issuer.keys.push(
      rsa.jwk,
      { ...rsa.jwk, alg: undefined, kid: "any" },
      ec.jwk,
      ed.jwk,
      { ...enc.jwk, use: "enc" },
      { ...wrapping.jwk, use: undefined, key_ops: ["deriveKey"] },
      { ...short.publicKey.export({ format: "jwk" }), kid: "short", alg: "RS256" },
      { kty: "oct", k: base64url.encode("shared"), kid: "oct", alg: "HS256" }
    )
    other.keys.push(others.jwk)
    return { issuer, other, rsa, ec, ed, enc, wrapping, others, short }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

const issued = Layer.unwrap(
  Effect.map(Issuers, ({ issuer, other }) =>
    OidcTokenIssuers.layer({
      issuers: [{ issuer: issuer.issuer }, { issuer: other.issuer }],
      audience,
      algorithms: ["RS256", "ES256", "EdDSA"],
      clockSkewSeconds: 30,
      tenantClaim: "tenant",
      scopesClaim: "scope",
      scopePrefix: ""
    }))
)

const provider = scripted(
  answerWith([
    hit("https://ferry.example/", { title: "Ferry", content: "The ferry leaves at noon." })
  ])
)

/** Why tokens were refused, and all that the log says of it. */
const reasons = new Set<unknown>()
const lines: Array<string> = []
const keep = Logger.make((line) => {
  const { annotations, message } = Logger.formatStructured.log(line)
  if (message === "a token of an issuer was refused") reasons.add(annotations["reason"])
  lines.push(JSON.stringify([message, annotations]))
})

const served = GroundingRpcServer.layer({
  host,
  port: 0,
  beside: [HttpFace.httpFace, McpFace.http({ origins: [] })]
}).pipe(
  Layer.provide(
    // Loopback asks for no token: what is refused is refused for the token that was sent.
    Access.layer({ tenantId: "default", isRequired: false, operatorSecret: "secret" }).pipe(
      Layer.provide(Layer.merge(Layer.succeed(Digest, { sha256, canonical }), issued))
    )
  ),
  Layer.provideMerge(behind(provider)),
  Layer.provideMerge(Issuers.layer),
  Layer.provideMerge(Logger.layer([keep]))
)

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const nowSeconds = () => Math.floor(Date.now() / 1_000)

const holding = (iss: string, more: JWTPayload = {}): JWTPayload => ({
  iss,
  aud: audience,
  sub: subject,
  iat: nowSeconds(),
  exp: nowSeconds() + 600,
  tenant: "shop",
  scope: "openid ground read profile",
  ...more
})

const question = {
  session_id: "s",
  request_id: "r",
  topic: "When does the ferry leave?",
  phase: "mid_chat",
  user_asked_for_facts: true
}

/** Reads an unknown session: 404 for a token that is accepted. */
const answered = Effect.fnUntraced(function*(token: string) {
  const sent = requestFor("GetSession", { session_id: "nobodys" })
  const { headers, status, text } = yield* send(yield* url, { ...sent, headers: bearer(token) })
  return {
    status,
    text,
    challenge: headers.get("www-authenticate"),
    retry: headers.get("retry-after")
  }
})

const encoded = (text: string) => base64url.encode(text)
const without = (claims: JWTPayload, name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

type Attack = readonly [name: string, token: string | Promise<string>]

const attacksOf = (
  { ec, enc, issuer, other, others, rsa, short, wrapping }: Issuers["Service"]
) => {
  const claims = holding(issuer.issuer)
  const by = (more: JWTPayload) => signed({ ...claims, ...more }, ec)
  const under = (header: Readonly<Record<string, unknown>>) => signed(claims, ec, header)
  /** Signed by the right key, whatever the two texts are. */
  const raw = (payload: string | Uint8Array, header = "{\"alg\":\"ES256\",\"kid\":\"ec\"}") => {
    const input = `${encoded(header)}.${base64url.encode(payload)}`
    return crypto.subtle
      .sign({ name: "ECDSA", hash: "SHA-256" }, ec.privateKey, new TextEncoder().encode(input))
      .then((bytes) => `${input}.${base64url.encode(new Uint8Array(bytes))}`)
  }
  const text = JSON.stringify(claims)
  const pem = createPublicKey({ key: { ...rsa.jwk, kty: "RSA" }, format: "jwk" })
    .export({ type: "spki", format: "pem" }).toString()
  const hmac = (secret: string, kid: string) => {
    const input = `${encoded(JSON.stringify({ alg: "HS256", kid }))}.${encoded(text)}`
    return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`
  }
  /** By a right key of the issuer, which names no algorithm. */
  const byRsa = (kid: string) => {
    const input = `${encoded(JSON.stringify({ alg: "RS384", kid }))}.${encoded(text)}`
    const key = KeyObject.from(rsa.privateKey)
    return `${input}.${sign("sha384", Buffer.from(input), key).toString("base64url")}`
  }
  const byShort = () => {
    const input = `${encoded("{\"alg\":\"RS256\",\"kid\":\"short\"}")}.${encoded(text)}`
    return `${input}.${sign("sha256", Buffer.from(input), short.privateKey).toString("base64url")}`
  }
  const altered = (change: (parts: ReadonlyArray<string>) => ReadonlyArray<string>) =>
    by({}).then((token) => change(token.split(".")).join("."))
  const now = nowSeconds()
  const attacks: ReadonlyArray<Attack> = [
    ["an issuer that nobody trusts", by({ iss: "https://issuer.example" })],
    ["an issuer with a slash more", by({ iss: `${issuer.issuer}/` })],
    ["an issuer in capitals", by({ iss: issuer.issuer.toUpperCase() })],
    ["no issuer", signed(without(claims, "iss"), ec)],
    ["issuers in a list", raw(JSON.stringify({ ...claims, iss: [issuer.issuer] }))],
    ["the issuer's neighbour's key", signed(claims, others)],
    ["the neighbour's issuer by this one's key", signed(holding(other.issuer), ec)],
    ["another audience", by({ aud: "mail" })],
    ["an audience that begins alike", by({ aud: `${audience}-admin` })],
    ["no audience", signed(without(claims, "aud"), ec)],
    ["audiences without ours", by({ aud: ["mail", "files"] })],
    ["no audiences", by({ aud: [] })],
    ["an audience in an object", raw(JSON.stringify({ ...claims, aud: { [audience]: true } }))],
    ["an end in the past", by({ exp: now - 60 })],
    ["no end", signed(without(claims, "exp"), ec)],
    ["an end in words", raw(JSON.stringify({ ...claims, exp: String(now + 60) }))],
    ["a beginning in the future", by({ nbf: now + 120 })],
    ["a beginning in words", raw(JSON.stringify({ ...claims, nbf: "now" }))],
    ["an issue in the future", by({ iat: now + 120 })],
    ["an issue in words", raw(JSON.stringify({ ...claims, iat: "now" }))],
    ["no holder", signed(without(claims, "sub"), ec)],
    ["an empty holder", by({ sub: "" })],
    ["a numbered holder", raw(JSON.stringify({ ...claims, sub: 7 }))],
    ["no signature", new UnsecuredJWT(claims).encode()],
    [
      "alg none with a signature",
      altered(([, payload = "", mark = ""]) => [encoded("{\"alg\":\"none\"}"), payload, mark])
    ],
    ["alg None", `${encoded("{\"alg\":\"None\"}")}.${encoded(text)}.AA`],
    ["no alg", raw(text, "{\"kid\":\"ec\"}")],
    ["algs in a list", raw(text, "{\"alg\":[\"ES256\"],\"kid\":\"ec\"}")],
    ["HS256 by the public key as text", hmac(pem, "rsa")],
    ["HS256 by the public key as JSON", hmac(JSON.stringify(rsa.jwk), "rsa")],
    ["HS256 by a published secret", hmac("shared", "oct")],
    ["HS256 by nothing", hmac("", "oct")],
    ["an algorithm that is not allowed", byRsa("any")],
    ["an algorithm of another key", under({ alg: "ES256", kid: "rsa" })],
    [
      "a payload that was changed",
      altered(([header = "", , mark = ""]) => [
        header,
        encoded(JSON.stringify({ ...claims, tenant: "bank" })),
        mark
      ])
    ],
    [
      "a header that was changed",
      altered(([, payload = "", mark = ""]) => [
        encoded("{\"alg\":\"ES256\",\"kid\":\"ec\",\"typ\":\"at+jwt\"}"),
        payload,
        mark
      ])
    ],
    [
      "half a signature",
      altered(([header = "", payload = "", mark = ""]) => [header, payload, mark.slice(0, 43)])
    ],
    [
      "a signature of zeros",
      altered(([header = "", payload = ""]) => [
        header,
        payload,
        base64url.encode(new Uint8Array(64))
      ])
    ],
    ["an unknown key", under({ kid: "unknown" })],
    ["a key id out of a path", under({ kid: "../../../../dev/null" })],
    ["a key id in an object", raw(text, "{\"alg\":\"ES256\",\"kid\":{}}")],
    ["another's key under a known id", signed(claims, { ...others, kid: "ec" })],
    ["a key inside the token", signed(claims, { ...others, kid: "ec" }, { jwk: others.jwk })],
    [
      "a key at an address",
      signed(claims, { ...others, kid: "ec" }, { jku: `${other.issuer}/keys` })
    ],
    ["a chain inside the token", signed(claims, { ...others, kid: "ec" }, { x5c: ["MIIB"] })],
    ["a chain at an address", signed(claims, { ...others, kid: "ec" }, { x5u: other.issuer })],
    ["crit", raw(text, "{\"alg\":\"ES256\",\"kid\":\"ec\",\"crit\":[\"exp\"],\"exp\":1}")],
    ["an empty crit", raw(text, "{\"alg\":\"ES256\",\"kid\":\"ec\",\"crit\":[]}")],
    ["b64", raw(text, "{\"alg\":\"ES256\",\"kid\":\"ec\",\"b64\":true}")],
    ["a token for logging out", under({ typ: "logout+jwt" })],
    ["a proof of possession", under({ typ: "dpop+jwt" })],
    [
      "a token in a token",
      by({}).then((inner) =>
        new CompactSign(new TextEncoder().encode(inner))
          .setProtectedHeader({ alg: "ES256", kid: "ec", cty: "JWT" }).sign(ec.privateKey)
      )
    ],
    ["a marked token in a token", under({ cty: "JWT" })],
    [
      "an encrypted token",
      new EncryptJWT(claims)
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(new Uint8Array(32))
    ],
    ["a packed payload", under({ zip: "DEF" })],
    ["two tenants", raw(text.replace("{", "{\"tenant\":\"bank\","))],
    ["two tenants, one escaped", raw(text.replace("{", "{\"\\u0074enant\":\"bank\","))],
    ["two issuers", raw(text.replace("{", "{\"iss\":\"https://issuer.example\","))],
    ["two algorithms", raw(text, "{\"alg\":\"none\",\"alg\":\"ES256\",\"kid\":\"ec\"}")],
    ["a claim twice deep inside", raw(text.replace("{", "{\"a\":[{\"b\":1,\"b\":2}],"))],
    ["a huge token", by({ padding: "x".repeat(7_000) })],
    ["a deep token", raw(text.replace("{", `{"a":${"[".repeat(99)}${"]".repeat(99)},`))],
    [
      "a padded part",
      altered(([header = "", payload = "", mark = ""]) => [
        header,
        payload,
        `${mark}==`
      ])
    ],
    [
      "another alphabet",
      altered(([header = "", payload = "", mark = ""]) => [
        header,
        payload,
        `+/${mark.slice(2)}`
      ])
    ],
    ["two parts", altered((parts) => parts.slice(0, 2))],
    ["four parts", altered((parts) => [...parts, "AA"])],
    ["empty parts", ".."],
    ["a payload that is no text", raw(Uint8Array.of(0xff, 0xfe, 0x7b))],
    ["a payload that is no JSON", raw(text.slice(1))],
    ["a payload that is a list", raw(`[${text}]`)],
    ["a payload that is nothing", raw("null")],
    ["a header that is a text", raw(text, "\"ES256\"")],
    ["a key for encryption", signed(claims, enc)],
    ["a key that may not verify", signed(claims, wrapping)],
    ["a key that is too short", byShort()],
    ["no tenant", signed(without(claims, "tenant"), ec)],
    ["the service's own tenant", by({ tenant: "_service" })],
    ["a tenant out of a path", by({ tenant: "../bank" })],
    ["tenants in a list", by({ tenant: ["shop"] })],
    ["a numbered tenant", by({ tenant: 7 })]
  ]
  return attacks
}

describe("access by an issuer's tokens", () => {
  it.layer(served, { timeout: "240 seconds", excludeTestServices: true })((it) => {
    it.effect("is granted by each algorithm, audience and form of scopes that is meant", () =>
      Effect.gen(function*() {
        const { ec, ed, issuer, other, others, rsa } = yield* Issuers
        const claims = holding(issuer.issuer)
        const good = [
          signed(claims, rsa),
          signed(claims, ec),
          signed(claims, ed),
          signed(claims, ec, { typ: "at+jwt" }),
          signed(claims, ec, { typ: "application/at+JWT" }),
          signed(claims, ec, { typ: undefined }),
          signed({ ...claims, aud: ["mail", audience] }, ec),
          signed({ ...claims, scope: ["read", 7] }, ec),
          signed({ ...claims, exp: nowSeconds() - 15 }, ec),
          signed(holding(other.issuer), others)
        ]
        for (const [place, token] of good.entries()) {
          const { status } = yield* answered(yield* Effect.promise(() => token))
          assert.strictEqual(status, 404, `good ${place}`)
        }
      }))

    it.effect("is refused to everything else, and not distinguished by anything", () =>
      Effect.gen(function*() {
        const issuers = yield* Issuers
        const attacks = attacksOf(issuers)
        assert.isAtLeast(attacks.length, attacksMin)
        const asked = issuers.other.asked.length
        const answers = new Set<string>()
        for (const [name, token] of attacks) {
          const sent = yield* Effect.promise(() => Promise.resolve(token))
          const answer = yield* answered(sent)
          assert.strictEqual(answer.status, 401, name)
          answers.add(JSON.stringify(answer))
          const over = yield* post(
            yield* url,
            frame("1", "GetSession", { session_id: "s" }),
            bearer(sent)
          )
          assert.deepStrictEqual(over, { status: 401, text: "" }, name)
        }
        assert.strictEqual(answers.size, 1)
        const claims = ["aud", "exp", "nbf", "iat", "sub", "of the tenant"]
        assert.sameMembers([...reasons], [
          ...["malformed", "signature", "expired", "unknown issuer", "unknown key"],
          ...claims.map((claim) => `claim ${claim}`)
        ])
        assert.isEmpty(lines.filter((line) => line.includes(subject)))
        // No token made the service look anywhere but at its issuers, and at those once.
        assert.isAtMost(issuers.other.asked.length - asked, 2)
        assert.isAtMost(issuers.issuer.asked.length, 4)
      }))

    it.effect("allows what our scopes among the token's say, and 403 without any", () =>
      Effect.gen(function*() {
        const { ec, issuer } = yield* Issuers
        const token = (scope: unknown) =>
          Effect.promise(() => signed({ ...holding(issuer.issuer), scope }, ec))
        for (
          const scope of ["openid profile", "", "READ", "ground audit admin", [], {}, undefined]
        ) {
          const { status, text } = yield* answered(yield* token(scope))
          assert.strictEqual(status, 403, JSON.stringify(scope))
          assert.strictEqual(JSON.parse(text).scope, "read")
          const over = yield* post(
            yield* url,
            frame("1", "GetSession", { session_id: "s" }),
            bearer(yield* token(scope))
          )
          const failure: any = failureIn(over.text, "1")
          assert.strictEqual(failure?._tag, "Forbidden")
        }
        assert.strictEqual((yield* answered(yield* token("read"))).status, 404)
      }))

    it.effect("is for the token's tenant, under a name that does not reveal its holder", () =>
      Effect.gen(function*() {
        const { ec, issuer } = yield* Issuers
        const token = (more: JWTPayload) =>
          Effect.promise(() => signed(holding(issuer.issuer, more), ec))
        const over = Effect.fnUntraced(function*(name: "Ground" | "GetSession", token: string) {
          const input = name === "Ground" ? question : { session_id: "s" }
          return yield* send(yield* url, { ...requestFor(name, input), headers: bearer(token) })
        })
        assert.strictEqual((yield* over("Ground", yield* token({}))).status, 200)
        const own = yield* over("GetSession", yield* token({ sub: "a colleague" }))
        assert.strictEqual(own.status, 200)
        const actor = `http:jwt:${sha256(`${issuer.issuer}\n${subject}`).slice(0, 16)}`
        for (const event of JSON.parse(own.text).events) assert.strictEqual(event.actor, actor)
        assert.notInclude(own.text, subject)
        assert.strictEqual(
          (yield* over("GetSession", yield* token({ tenant: "bank" }))).status,
          404
        )
        const hello = yield* send(yield* url, {
          method: "POST",
          path: "/mcp",
          headers: { accept: "application/json, text/event-stream", ...bearer("a.b.c") },
          body: "{}"
        })
        assert.strictEqual(hello.status, 401)
      }))

    it.effect("is 503 while an issuer is away whose key is not known", () =>
      Effect.gen(function*() {
        const away = yield* localIssuer
        away.publish = (_, response) => response.destroy()
        const { ec } = yield* Issuers
        const service = yield* Layer.build(
          GroundingRpcServer.layer({ host, port: 0, beside: [HttpFace.httpFace] }).pipe(
            Layer.provide(Access.layer({
              tenantId: "default",
              isRequired: true,
              operatorSecret: "secret"
            })),
            Layer.provide(Layer.merge(
              Layer.succeed(Digest, { sha256, canonical }),
              OidcTokenIssuers.layer({
                issuers: [{ issuer: away.issuer }],
                audience,
                algorithms: ["ES256"],
                clockSkewSeconds: 30,
                tenantClaim: "tenant",
                scopesClaim: "scope",
                scopePrefix: ""
              })
            )),
            Layer.provideMerge(behind(provider))
          )
        )
        const token = yield* Effect.promise(() => signed(holding(away.issuer), ec))
        const answer = yield* answered(token).pipe(Effect.provideContext(service))
        assert.deepInclude(answer, { status: 503, retry: "5", challenge: null })
        const problem = JSON.parse(answer.text)
        assert.strictEqual(problem.type, "urn:web-grounding:problem:issuer-unavailable")
      }))
  })
})

const home = preparedDirectory("wg-oidc-")
const watching = "data:text/javascript," + encodeURIComponent(
  "import { registerHooks } from 'node:module';" +
    "registerHooks({ load: (url, context, next) => {" +
    " if (/\\/jose\\/|OidcTokenIssuers/.test(url)) process.stderr.write('jose is loaded\\n');" +
    " return next(url, context) } })"
)

/** What a process that serves says until it listens or ends. */
const start = (address: string, more: Readonly<Record<string, string>>) =>
  new Promise<{ readonly out: string; readonly err: string }>((resolve) => {
    const child = spawn(
      process.execPath,
      ["--import", watching, "bin/wg.js", "serve", "--sandbox", "--port", "0", "--host", address],
      {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...compiled, WEB_GROUNDING_DATA_DIR: home, NO_COLOR: "1", ...more }
      }
    )
    const said = { out: "", err: "" }
    const timer = setTimeout(() => child.kill("SIGKILL"), 60_000)
    child.stdout.on("data", (chunk) => {
      said.out += String(chunk)
      if (said.out.includes("Serving groundings on")) child.kill("SIGKILL")
    })
    child.stderr.on("data", (chunk) => {
      said.err += String(chunk)
    })
    child.on("close", () => {
      clearTimeout(timer)
      resolve({ out: said.out, err: said.err.replace(/\s+/g, " ") })
    })
  })

describe("a service with issuers", () => {
  const issuers = { OIDC_ISSUERS: "https://issuer.example", OIDC_AUDIENCE: audience }

  it("listens where others reach it without a token of its own", async () => {
    const closed = await start("0.0.0.0", {})
    assert.match(closed.err, /Refusing to listen on 0\.0\.0\.0 without a token/)
    assert.notInclude(closed.err, "jose is loaded")
    const open = await start("0.0.0.0", issuers)
    assert.include(open.out, "Serving groundings on", open.err)
    assert.include(open.err, "jose is loaded")
    const plain = await start("127.0.0.1", {})
    assert.include(plain.out, "Serving groundings on", plain.err)
    assert.notInclude(plain.err, "jose is loaded")
  }, 120_000)

  it("does not start with settings that would open it or close it by mistake", async () => {
    const cases: ReadonlyArray<readonly [Readonly<Record<string, string>>, RegExp]> = [
      [
        { OIDC_ISSUERS: "https://issuer.example" },
        /Setting OIDC_AUDIENCE: Expected with OIDC_ISSUERS/
      ],
      [{ ...issuers, OIDC_JWKS_URLS: "https://a.example,https://b.example" }, /OIDC_JWKS_URLS: /],
      [{ ...issuers, OIDC_ISSUERS: "http://issuer.example" }, /OIDC_ISSUERS: Expected up to 10/],
      [{ ...issuers, OIDC_ALGORITHMS: "RS256,none" }, /OIDC_ALGORITHMS: Expected one or more/],
      [{ ...issuers, OIDC_ALGORITHMS: "HS256" }, /OIDC_ALGORITHMS: Expected one or more/]
    ]
    for (const [settings, sentence] of cases) {
      const { code, err, out } = await run(["serve", "--sandbox", "--port", "0"], {
        WEB_GROUNDING_DATA_DIR: home,
        NO_COLOR: "1",
        ...settings
      })
      assert.match(err.replace(/\s+/g, " "), sentence)
      assert.notInclude(out, "Serving")
      assert.strictEqual(code, 1)
    }
    rmSync(home, { recursive: true, force: true })
  }, 240_000)
})
