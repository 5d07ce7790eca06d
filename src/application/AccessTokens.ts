/** Makes, lists, revokes and verifies tokens, which all processes share. */
import { Context, DateTime, Effect, Exit, Layer, Option, Ref } from "effect"
import type * as Input from "../contract/Input.ts"
import { InvalidInput } from "../contract/PublicFailure.ts"
import type { InputOf, UseCase } from "../contract/ServiceOperations.ts"
import { AccessToken, isLive, liveTokensMax, TokenNotFound } from "../domain/access/AccessToken.ts"
import type { Caller } from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import { EventStore } from "./ports/EventStore.ts"
import { Digest, Ids } from "./ports/Platform.ts"
import { stateOf } from "./ports/ServiceState.ts"

/** Prefix of every token, so that people and scanners for leaked secrets know it. */
export const prefix = "wg_"

/** Longest time that a token revoked by another process is accepted while the store answers. */
export const staleMsMax = 1_000

/** Longest time that metrics alone are shown by the tokens last read, without the store. */
export const scraperStaleMsMax = 15 * 60_000

/** Time that a scrape leaves the store to answer. */
const scraperWaitMsMax = 1_000

type TokenAnswer<A> = Effect.Effect<A, Input.AccessFailure>

/** API tokens of all tenants. A token is shown once, when it is made; its digest is kept. */
export class AccessTokens extends Context.Service<AccessTokens, {
  readonly CreateToken: UseCase<"CreateToken", Caller>
  readonly list: TokenAnswer<{ readonly tokens: ReadonlyArray<Input.TokenView> }>
  /** False: it was revoked before. */
  readonly RevokeToken: UseCase<"RevokeToken", Caller>
  /** None: the token is unknown, expired or revoked. */
  readonly holder: (token: string) => TokenAnswer<Option.Option<AccessToken>>
}>()("web-grounding/application/AccessTokens") {}

const inPublic = InPublic.inPublic("a call about tokens failed")

export const layer = Layer.effect(
  AccessTokens,
  Effect.gen(function*() {
    const { now } = yield* EventStore
    const { secret, uuid } = yield* Ids
    const { sha256 } = yield* Digest
    const state = yield* stateOf("token", AccessToken)
    const lastRead = yield* Ref.make({ atMs: 0, tokens: unread })
    const [known, forget] = yield* Effect.cachedInvalidateWithTTL(
      Effect.gen(function*() {
        const atMs = yield* now
        const tokens = (yield* state.rows()).map(({ value }) => value)
        yield* Ref.set(lastRead, { tokens, atMs })
        return tokens
      }),
      (exit) => Exit.isSuccess(exit) ? staleMsMax : 0
    )
    const current = Effect.andThen(forget, known)

    const instant = Effect.map(now, (ms) => DateTime.makeUnsafe(ms))

    return AccessTokens.of({
      CreateToken: Effect.fn("AccessTokens.create")(
        function*(input: InputOf<"CreateToken">, caller: Caller) {
          const { expires_in_days, tenant_id = caller.tenantId, ...asked } = input
          const at = yield* instant
          const token = `${prefix}${yield* secret}`
          const made: AccessToken = {
            ...asked,
            token_id: yield* uuid,
            secret_sha256: sha256(token),
            tenant_id,
            created_at: DateTime.formatIso(at),
            created_by: caller.actor,
            ...(expires_in_days === undefined
              ? {}
              : { expires_at: DateTime.formatIso(DateTime.add(at, { days: expires_in_days })) })
          }
          const live = (yield* current).filter((token) => isLive(token, made.created_at))
          if (live.length >= liveTokensMax) {
            return yield* new InvalidInput({
              field: "",
              problem: `Expected at most ${liveTokensMax} live tokens: revoke one first`
            })
          }
          yield* state.put({ key: made.token_id, value: made, version: 0 })
          yield* forget
          return { ...viewOf(made, made.created_at), token }
        },
        inPublic
      ),
      list: Effect.gen(function*() {
        const at = DateTime.formatIso(yield* instant)
        return { tokens: (yield* current).map((token) => viewOf(token, at)) }
      }).pipe(inPublic, Effect.withSpan("AccessTokens.list")),
      RevokeToken: Effect.fn("AccessTokens.revoke")(
        function*({ token_id }: InputOf<"RevokeToken">, caller: Caller) {
          const revoked_at = DateTime.formatIso(yield* instant)
          const revoked = yield* state.change(
            token_id,
            (token) =>
              token === undefined || token.revoked_at !== undefined
                ? undefined
                : { ...token, revoked_at, revoked_by: caller.actor }
          )
          const tokens = yield* current
          return tokens.some((token) => token.token_id === token_id)
            ? { revoked: revoked !== undefined }
            : yield* new TokenNotFound({ token_id })
        },
        inPublic
      ),
      holder: Effect.fn("AccessTokens.holder")(function*(token: string) {
        const nowMs = yield* now
        const at = DateTime.formatIso(DateTime.makeUnsafe(nowMs))
        const digest = sha256(token)
        const isHeld = (token: AccessToken) => token.secret_sha256 === digest && isLive(token, at)
        const last = yield* Ref.get(lastRead)
        const scraper = last.tokens.filter((token) => isHeld(token) && isForMetrics(token))
        const tokens = scraper.length === 0 || nowMs - last.atMs > scraperStaleMsMax
          ? yield* known
          : yield* known.pipe(
            Effect.timeout(scraperWaitMsMax),
            Effect.orElseSucceed(() => scraper)
          )
        return Option.fromUndefinedOr(tokens.find(isHeld))
      }, inPublic)
    })
  })
)

const unread: ReadonlyArray<AccessToken> = []

/** Whether the token shows metrics and allows nothing else. */
const isForMetrics = ({ scopes }: AccessToken) => scopes.every((scope) => scope === "metrics")

const viewOf = (token: AccessToken, now: string): Input.TokenView => {
  const { secret_sha256: _, ...view } = token
  return { ...view, live: isLive(token, now) }
}
