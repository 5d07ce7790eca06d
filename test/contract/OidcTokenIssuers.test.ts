/**
 * An issuer's keys: read when they are needed, cached, renewed for a key that is not known, and what
 * an issuer that is away, slow, redirecting or too talkative means. Signatures, sockets and documents
 * are real; the clock is the test's.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { JWTPayload } from "jose"
import * as OidcTokenIssuers from "../../src/adapters/oidc/OidcTokenIssuers.ts"
import { TokenIssuers } from "../../src/application/ports/access/TokenIssuers.ts"
import {
  keyOf,
  localIssuer,
  type Publish,
  signed,
  type SigningKey
} from "../support/localIssuer.ts"

const audience = "grounding"
const hourSeconds = 3_600
const skewSeconds = 30
const madeUpKids = 50
/** Of waiting for what happens in the background, 5 ms each. */
const triesMax = 400

const trusting = (...issuers: readonly [string, ...ReadonlyArray<string>]) =>
  Effect.provide(
    OidcTokenIssuers.layer({
      issuers: [{ issuer: issuers[0] }, ...issuers.slice(1).map((issuer) => ({ issuer }))],
      audience,
      algorithms: ["ES256"],
      clockSkewSeconds: skewSeconds,
      tenantClaim: "org",
      scopesClaim: "scp",
      scopePrefix: "wg:"
    }),
    { local: true }
  )

const holding = (issuer: string, more: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: audience,
  sub: "somebody",
  exp: hourSeconds,
  org: "shop",
  scp: ["wg:read", "ground", "wg:unheard"],
  ...more
})

const told = (claims: JWTPayload, key: SigningKey) =>
  Effect.gen(function*() {
    const { verify } = yield* TokenIssuers
    const token = yield* Effect.promise(() => signed(claims, key))
    return yield* Effect.match(verify(token), {
      onFailure: ({ _tag }) => _tag,
      onSuccess: ({ subject }) => subject
    })
  })

const published = Effect.gen(function*() {
  const issuer = yield* localIssuer
  const key = yield* keyOf("ES256", "k1")
  issuer.keys.push(key.jwk)
  return { issuer, key }
})

/** Whether a token of an issuer that publishes so is distinguished from a bad one. */
const whenPublished = (publish: Publish) =>
  Effect.gen(function*() {
    const { issuer, key } = yield* published
    issuer.publish = publish
    const answer = yield* told(holding(issuer.issuer), key).pipe(trusting(issuer.issuer))
    return { answer, asked: issuer.asked.length }
  }).pipe(Effect.scoped)

describe("tokens of an issuer", () => {
  it.effect("say who holds them, whose tenant it is and what they allow", () =>
    Effect.gen(function*() {
      const { issuer, key } = yield* published
      const verified = Effect.gen(function*() {
        const { verify } = yield* TokenIssuers
        return yield* verify(yield* Effect.promise(() => signed(holding(issuer.issuer), key)))
      })
      assert.deepStrictEqual(yield* verified.pipe(trusting(issuer.issuer)), {
        issuer: issuer.issuer,
        subject: "somebody",
        tenant: "shop",
        scopes: ["read", "unheard"]
      })
      assert.deepStrictEqual(issuer.asked, ["/.well-known/openid-configuration", "/keys"])
    }).pipe(Effect.scoped))

  it.effect("hold from their first to their last second, and the skew at either end", () =>
    Effect.gen(function*() {
      const { issuer, key } = yield* published
      yield* TestClock.setTime(10_000_000)
      const now = 10_000
      const at = (more: JWTPayload) => told(holding(issuer.issuer, more), key)
      yield* Effect.gen(function*() {
        const good = [
          { exp: now - skewSeconds + 1 },
          { exp: now + 60, nbf: now + skewSeconds },
          { exp: now + 60, iat: now + skewSeconds }
        ]
        for (const times of good) assert.strictEqual(yield* at(times), "somebody")
        const bad = [
          { exp: now - skewSeconds },
          { exp: now + 60, nbf: now + skewSeconds + 1 },
          { exp: now + 60, iat: now + skewSeconds + 1 }
        ]
        for (const times of bad) assert.strictEqual(yield* at(times), "TokenRefused")
      }).pipe(trusting(issuer.issuer))
    }).pipe(Effect.scoped))

  it.effect("are checked by the keys of that issuer alone", () =>
    Effect.gen(function*() {
      const one = yield* published
      const other = yield* published
      yield* Effect.gen(function*() {
        for (const { issuer, key } of [one, other]) {
          assert.strictEqual(yield* told(holding(issuer.issuer), key), "somebody")
        }
        assert.strictEqual(yield* told(holding(one.issuer.issuer), other.key), "TokenRefused")
      }).pipe(trusting(one.issuer.issuer, other.issuer.issuer))
    }).pipe(Effect.scoped))

  it.effect("are accepted by a new key at once, and no longer by one that was withdrawn", () =>
    Effect.gen(function*() {
      const { issuer, key } = yield* published
      const next = yield* keyOf("ES256", "k2")
      yield* Effect.gen(function*() {
        const claims = holding(issuer.issuer)
        assert.strictEqual(yield* told(claims, key), "somebody")
        yield* TestClock.adjust("30 seconds")
        issuer.keys.splice(0, 1, next.jwk)
        assert.strictEqual(yield* told(claims, key), "somebody")
        assert.strictEqual(yield* told(claims, next), "somebody")
        assert.strictEqual(yield* told(claims, key), "TokenRefused")
      }).pipe(trusting(issuer.issuer))
    }).pipe(Effect.scoped))

  it.effect("are refused within minutes of their key being withdrawn, without another key", () =>
    Effect.gen(function*() {
      const { issuer, key } = yield* published
      yield* Effect.gen(function*() {
        const claims = holding(issuer.issuer)
        assert.strictEqual(yield* told(claims, key), "somebody")
        issuer.keys.length = 0
        yield* TestClock.adjust("10 minutes")
        // Read anew in the background: the first is still answered by what is known.
        let answer = yield* told(claims, key)
        assert.strictEqual(answer, "somebody")
        for (let tries = 0; answer === "somebody" && tries < triesMax; tries++) {
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
          answer = yield* told(claims, key)
        }
        assert.strictEqual(answer, "TokenRefused")
      }).pipe(trusting(issuer.issuer))
    }).pipe(Effect.scoped))

  it.effect("of made-up keys ask the issuer once in 30 seconds, however many they are", () =>
    Effect.gen(function*() {
      const { issuer, key } = yield* published
      yield* Effect.gen(function*() {
        const claims = holding(issuer.issuer)
        assert.strictEqual(yield* told(claims, key), "somebody")
        const readings = () => issuer.asked.filter((path) => path === "/keys").length
        const madeUp = Effect.forEach(
          Array.from({ length: madeUpKids }, (_, place) => ({ ...key, kid: `made-up-${place}` })),
          (forged) => told(claims, forged),
          { concurrency: "unbounded" }
        )
        for (const answer of yield* madeUp) assert.strictEqual(answer, "TokenRefused")
        assert.strictEqual(readings(), 1)
        yield* TestClock.adjust("30 seconds")
        for (const answer of yield* madeUp) assert.strictEqual(answer, "TokenRefused")
        assert.strictEqual(readings(), 2)
        assert.strictEqual(yield* told(claims, key), "somebody")
      }).pipe(trusting(issuer.issuer))
    }).pipe(Effect.scoped))
})

describe("an issuer that is away", () => {
  it.effect("is not needed for keys that are known, and else the token cannot be checked", () =>
    Effect.gen(function*() {
      const { issuer, key } = yield* published
      yield* Effect.gen(function*() {
        const claims = holding(issuer.issuer)
        issuer.publish = (_, response) => response.writeHead(500).end()
        assert.strictEqual(yield* told(claims, key), "IssuerUnavailable")
        issuer.publish = undefined
        // Not asked again at once.
        assert.strictEqual(yield* told(claims, key), "IssuerUnavailable")
        assert.lengthOf(issuer.asked, 1)
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* told(claims, key), "somebody")
        issuer.publish = (_, response) => response.destroy()
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* told(claims, { ...key, kid: "new" }), "IssuerUnavailable")
        assert.strictEqual(yield* told(claims, key), "somebody")
        // A bad signature by a known key is bad whether the issuer is there or not.
        const forged = { ...yield* keyOf("ES256", "k1"), kid: "k1" }
        assert.strictEqual(yield* told(claims, forged), "TokenRefused")
      }).pipe(trusting(issuer.issuer))
    }).pipe(Effect.scoped))

  it.effect("is waited for three seconds, and by a caller that hangs up for all others", () =>
    Effect.gen(function*() {
      const { issuer, key } = yield* published
      yield* Effect.gen(function*() {
        const arrived = new Promise<void>((resolve) => {
          issuer.publish = () => resolve()
        })
        const claims = holding(issuer.issuer)
        const impatient = yield* Effect.forkChild(told(claims, key))
        yield* Effect.promise(() => arrived)
        yield* Fiber.interrupt(impatient)
        const patient = yield* Effect.forkChild(told(claims, key))
        yield* TestClock.adjust("2999 millis")
        assert.isUndefined(patient.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* Fiber.join(patient), "IssuerUnavailable")
        assert.lengthOf(issuer.asked, 1)
      }).pipe(trusting(issuer.issuer))
    }).pipe(Effect.scoped))

  it.effect("is one that redirects, says too much, nothing, nonsense or another's name", () =>
    Effect.gen(function*() {
      const elsewhere = yield* published
      const whole = (body: string, status = 200, headers = {}): Publish => (_, response) =>
        response.writeHead(status, headers).end(body)
      const discovery = (jwks_uri: string): Publish => (path, response) =>
        response.writeHead(200).end(
          path === "/keys"
            ? JSON.stringify({ keys: elsewhere.issuer.keys })
            : JSON.stringify({ issuer: `http://${response.req.headers.host}`, jwks_uri })
        )
      const there = elsewhere.issuer.issuer
      const cases: ReadonlyArray<readonly [string, Publish, number]> = [
        ["a redirect", whole("", 302, { location: `${there}/keys` }), 1],
        ["a permanent redirect", whole("", 308, { location: there }), 1],
        ["nothing", whole(""), 1],
        ["no JSON", whole("<html>"), 1],
        ["a list", whole("[]"), 1],
        ["too much", whole(`{"issuer":"${"x".repeat(300_000)}"}`), 1],
        ["too deep", whole("[".repeat(1_000)), 1],
        ["another issuer", whole(JSON.stringify({ issuer: there, jwks_uri: `${there}/keys` })), 1],
        ["no keys", whole("{}"), 1],
        ["an open address", discovery("http://keys.example/keys"), 1],
        ["a file", discovery("file:///etc/passwd"), 1],
        ["a user", discovery(`${there.replace("//", "//user:secret@")}/keys`), 1],
        ["no loopback", discovery(`${there.replace("127.0.0.1", "0.0.0.0")}/keys`), 1],
        ["no address", discovery("keys"), 1]
      ]
      for (const [name, publish, askedMax] of cases) {
        const { answer, asked } = yield* whenPublished(publish)
        assert.strictEqual(answer, "IssuerUnavailable", name)
        assert.isAtMost(asked, askedMax, name)
      }
      assert.isEmpty(elsewhere.issuer.asked)
      const keys = (body: string): Publish => (path, response) => {
        const issuer = `http://${response.req.headers.host}`
        const document = JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` })
        response.writeHead(200).end(path === "/keys" ? body : document)
      }
      const sets = [
        "{}",
        "[]",
        "{\"keys\":{}}",
        "{\"keys\":[1]}",
        "{\"keys\":[{}]}",
        JSON.stringify({ keys: Array.from({ length: 51 }, () => elsewhere.key.jwk) }),
        JSON.stringify({ keys: [], padding: "x".repeat(300_000) })
      ]
      for (const set of sets) {
        assert.strictEqual((yield* whenPublished(keys(set))).answer, "IssuerUnavailable", set)
      }
    }).pipe(Effect.scoped))
})
