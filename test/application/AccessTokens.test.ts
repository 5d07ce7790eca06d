/** Tokens: what two processes know of them, and what is kept of the secret. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option } from "effect"
import * as Access from "../../src/application/Access.ts"
import * as AccessTokens from "../../src/application/AccessTokens.ts"
import { EventStoreUnavailable } from "../../src/application/ports/EventStore.ts"
import { Digest } from "../../src/application/ports/Platform.ts"
import { ServiceState } from "../../src/application/ports/ServiceState.ts"
import { liveTokensMax } from "../../src/domain/access/AccessToken.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import * as Storage from "../../src/wiring/Storage.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as Sent from "../support/sent.ts"
import { timePasses } from "../support/testTime.ts"

const operator = { tenantId: "default", actor: "test" }
const beneath = Layer.mergeAll(
  Storage.ids,
  Layer.succeed(Digest, { sha256, canonical }),
  MemoryEventStore.layer
)

/** What one process knows. */
const process = Effect.map(
  Layer.build(Layer.fresh(AccessTokens.layer)),
  (built) => built.pipe((context) => Layer.succeedContext(context))
).pipe(Effect.flatMap((layer) => Effect.provide(Sent.AccessTokens, layer)))

const holderOf = (tokens: ReturnType<typeof Sent.sentTokens>, token: string) =>
  Effect.map(tokens.holder(token), Option.map(({ tenant_id }) => tenant_id))

describe("tokens", () => {
  it.effect("are accepted by the process that made them at once, by others too", () =>
    Effect.gen(function*() {
      const one = yield* process
      const other = yield* process
      const { live, scopes, tenant_id, token } = yield* one.create({
        name: "chat",
        tenant_id: "shop"
      }, operator)
      assert.deepStrictEqual({ live, scopes, tenant_id }, {
        live: true,
        scopes: ["ground", "read"],
        tenant_id: "shop"
      })
      assert.match(token, /^wg_[\w-]{43}$/)
      assert.deepStrictEqual(yield* holderOf(one, token), Option.some("shop"))
      assert.deepStrictEqual(yield* holderOf(other, token), Option.some("shop"))
    }).pipe(Effect.scoped, Effect.provide(beneath)))

  it.effect("are refused everywhere within a second of being revoked", () =>
    Effect.gen(function*() {
      const one = yield* process
      const other = yield* process
      const { token, token_id } = yield* one.create({ name: "chat" }, operator)
      assert.isTrue(Option.isSome(yield* holderOf(other, token)))
      assert.deepStrictEqual(yield* one.revoke({ token_id }, operator), { revoked: true })
      assert.isTrue(Option.isNone(yield* holderOf(one, token)))
      yield* timePasses(AccessTokens.staleMsMax)
      assert.isTrue(Option.isNone(yield* holderOf(other, token)))
      assert.deepStrictEqual(yield* other.revoke({ token_id }, operator), { revoked: false })
      const [token_] = (yield* other.list).tokens
      assert.deepInclude(token_, { live: false, created_by: "test", revoked_by: "test" })
      assert.isString(token_?.revoked_at)
    }).pipe(Effect.scoped, Effect.provide(beneath)))

  it.effect("of metrics alone are good for a while after the store stopped answering", () =>
    Effect.gen(function*() {
      const state = yield* ServiceState
      let isAway = false
      const away = Effect.fail(new EventStoreUnavailable({ operation: "rows", cause: "" }))
      const rows: typeof state.rows = (kind, page) => isAway ? away : state.rows(kind, page)
      const one = yield* Effect.provideService(process, ServiceState, { ...state, rows })
      const scraper = yield* one.create({ name: "p", scopes: ["metrics"] }, operator)
      const reader = yield* one.create({ name: "r", scopes: ["metrics", "read"] }, operator)
      assert.deepStrictEqual(yield* holderOf(one, scraper.token), Option.some("default"))
      isAway = true
      yield* timePasses(AccessTokens.staleMsMax)
      assert.deepStrictEqual(yield* holderOf(one, scraper.token), Option.some("default"))
      const refused = Effect.map(Effect.flip(holderOf(one, reader.token)), ({ _tag }) => _tag)
      assert.strictEqual(yield* refused, "StoreUnavailable")
      yield* timePasses(AccessTokens.scraperStaleMsMax)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(holderOf(one, scraper.token))))
    }).pipe(Effect.scoped, Effect.provide(beneath)))

  it.effect("are refused from the moment they expire", () =>
    Effect.gen(function*() {
      const one = yield* process
      const { token } = yield* one.create({ name: "chat", expires_in_days: 1 }, operator)
      yield* timePasses("86399999 millis")
      assert.isTrue(Option.isSome(yield* holderOf(one, token)))
      yield* timePasses("1 millis")
      assert.isTrue(Option.isNone(yield* holderOf(one, token)))
      assert.deepStrictEqual((yield* one.list).tokens.map(({ live }) => live), [false])
    }).pipe(Effect.scoped, Effect.provide(beneath)))

  it.effect("are kept in no row, and shown in no list", () =>
    Effect.gen(function*() {
      const one = yield* process
      const { token } = yield* one.create({ name: "chat" }, operator)
      const { rows } = yield* ServiceState
      const tokens = yield* rows("token", { limit: 9 })
      const kept = JSON.stringify([tokens, yield* one.list])
      assert.lengthOf(tokens, 1)
      assert.notInclude(kept, token)
      assert.notInclude(kept, token.slice("wg_".length))
      assert.include(kept, sha256(token))
      assert.notInclude(JSON.stringify(yield* one.list), sha256(token))
    }).pipe(Effect.scoped, Effect.provide(beneath)))

  it.effect("get their faults by field, and made no more of than can be held", () =>
    Effect.gen(function*() {
      const one = yield* process
      const field = (input: unknown) =>
        Effect.map(
          Effect.flip(one.create(input, operator)),
          (failure) => failure._tag === "InvalidInput" ? failure.field : failure._tag
        )
      const wrong: ReadonlyArray<readonly [unknown, string]> = [
        [{}, "name"],
        [{ name: "\u001b[31mred" }, "name"],
        [{ name: "a", tenant_id: "_service" }, "tenant_id"],
        [{ name: "a", tenant_id: "a/b" }, "tenant_id"],
        [{ name: "a", scopes: [] }, "scopes.0"],
        [{ name: "a", scopes: ["root"] }, "scopes.0"],
        [{ name: "a", expires_in_days: 0 }, "expires_in_days"]
      ]
      for (const [input, expected] of wrong) assert.strictEqual(yield* field(input), expected)
      const unknown = yield* Effect.flip(one.revoke({ token_id: "nope" }, operator))
      assert.strictEqual(unknown._tag, "TokenNotFound")
      for (let count = 0; count < liveTokensMax; count++) {
        yield* one.create({ name: `n${count}` }, operator)
      }
      const { message } = yield* Effect.flip(one.create({ name: "more" }, operator))
      assert.match(message, /at most 1000 live tokens/)
    }).pipe(Effect.scoped, Effect.provide(beneath)))
})

describe("a caller", () => {
  const identifying = (isRequired: boolean) =>
    Effect.flatMap(Access.Access, ({ identify }) => Effect.succeed(identify)).pipe(
      Effect.provide(Access.layer({ tenantId: "default", isRequired, operatorSecret: "secret" }))
    )
  const given = (text?: string) => Option.fromUndefinedOr(text)

  it.effect("has the tenant and the scopes of the token, whatever the service's are", () =>
    Effect.gen(function*() {
      const { create } = yield* Sent.AccessTokens
      const { token, token_id } = yield* create(
        { name: "a", tenant_id: "shop", scopes: ["audit"] },
        operator
      )
      for (const isRequired of [true, false]) {
        const identify = yield* identifying(isRequired)
        assert.deepStrictEqual(yield* identify(given(token)), {
          tenantId: "shop",
          scopes: new Set(["audit"] as const),
          credential: token_id
        })
        const { credential, tenantId } = yield* identify(given("secret"))
        assert.deepStrictEqual({ credential, tenantId }, {
          credential: "operator",
          tenantId: "default"
        })
        const failure = yield* Effect.flip(identify(given(`${token}x`)))
        assert.strictEqual(failure._tag, "Unauthenticated")
      }
    }).pipe(Effect.provide(Layer.provideMerge(AccessTokens.layer, beneath))))

  it.effect("without a token is let in only where none is asked for", () =>
    Effect.gen(function*() {
      const open = yield* identifying(false)
      assert.strictEqual((yield* open(given())).tenantId, "default")
      assert.strictEqual((yield* open(given("tvly-somebody-elses"))).tenantId, "default")
      const closed = yield* identifying(true)
      for (const credential of [undefined, "", "tvly-somebody-elses", "Secret"]) {
        assert.strictEqual((yield* Effect.flip(closed(given(credential))))._tag, "Unauthenticated")
      }
    }).pipe(Effect.provide(Layer.provideMerge(AccessTokens.layer, beneath))))
})
