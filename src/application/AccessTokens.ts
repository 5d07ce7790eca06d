/** Makes, lists, revokes and recognises tokens: facts of the log that all processes share. */
import { Context, DateTime, Effect, Layer, Option, Ref, Semaphore } from "effect"
import type * as AccessInput from "../contract/AccessInput.ts"
import { InternalFailure, InvalidInput } from "../contract/PublicFailure.ts"
import type { InputOf } from "../contract/ServiceOperations.ts"
import * as AccessToken from "../domain/access/AccessToken.ts"
import type { Caller } from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import * as CommandHandler from "./log/CommandHandler.ts"
import * as EventCodec from "./log/EventCodec.ts"
import * as KnownStreams from "./log/KnownStreams.ts"
import { Digest } from "./ports/Digest.ts"
import { EventStore, type StreamRef } from "./ports/EventStore.ts"
import { Ids } from "./ports/Ids.ts"

/** Prefix of every token, so that people and scanners for leaked secrets know it. */
export const prefix = "wg_"

/** A token that was revoked by another process is accepted for this long at most. */
export const staleMsMax = 1_000

const { catchUp, handle, load } = CommandHandler.make({
  name: "AccessTokenLog",
  decider: AccessToken,
  codec: EventCodec.make(AccessToken.AccessEvent),
  correlationOf: ({ token_id }) => token_id
})

/** Stream of the whole deployment: each token states its tenant. */
const stream: StreamRef = { tenant_id: "_service", session_id: "access-tokens" }

type Answer<A> = Effect.Effect<A, AccessInput.AccessFailure>

/** API tokens of all tenants. A token is told once, when it is made; the log holds its digest. */
export class AccessTokens extends Context.Service<AccessTokens, {
  readonly create: (input: InputOf<"CreateToken">, caller: Caller) => Answer<AccessInput.TokenMade>
  /** All that were ever made, oldest first. */
  readonly list: Answer<{ readonly tokens: ReadonlyArray<AccessInput.TokenView> }>
  /** False: it was revoked before. */
  readonly revoke: (
    input: InputOf<"RevokeToken">,
    caller: Caller
  ) => Answer<{ readonly revoked: boolean }>
  /** Finds the record of a token. None: it is unknown, expired or revoked. */
  readonly holder: (token: string) => Answer<Option.Option<AccessToken.AccessToken>>
}>()("web-grounding/application/AccessTokens") {}

const tooMany = () =>
  Effect.fail(
    new InvalidInput({
      field: "",
      problem: `Expected at most ${AccessToken.liveTokensMax} live tokens: revoke one first`
    })
  )

type Failed = Effect.Error<ReturnType<typeof handle>>

const inPublic = <A, R>(call: Effect.Effect<A, Failed, R>) =>
  call.pipe(
    Effect.catchTags({
      TooManyTokens: tooMany,
      // The stream of tokens is no session, and never erased.
      EventErased: () => Effect.fail(new InternalFailure())
    }),
    InPublic.inPublic("a call about tokens failed")
  )

export const layer = Layer.effect(
  AccessTokens,
  Effect.gen(function*() {
    const services = yield* Effect.context<EventStore | Ids>()
    const { now } = yield* EventStore
    const { secret, uuid } = yield* Ids
    const { sha256 } = yield* Digest
    const streams = yield* KnownStreams.make({ catchUp, load, streamOf: () => stream })
    const readAtMs = yield* Ref.make(Number.NEGATIVE_INFINITY)
    const alone = Semaphore.makeUnsafe(1)

    /** Tokens as the log has them, or had them at most `staleMs` ago. */
    const current = Effect.fnUntraced(
      function*(staleMs: number) {
        const nowMs = yield* now
        const known = yield* streams.known("tokens")
        if (Option.isSome(known) && nowMs - (yield* Ref.get(readAtMs)) < staleMs) {
          return known.value
        }
        const loaded = yield* streams.current("tokens")
        yield* Ref.set(readAtMs, nowMs)
        return loaded
      },
      alone.withPermits(1),
      Effect.provide(services)
    )

    const tell = Effect.fnUntraced(function*(command: AccessToken.AccessCommand, actor: string) {
      const handled = yield* handle(yield* current(0), command, actor)
      yield* streams.keep("tokens", handled)
      yield* Ref.set(readAtMs, yield* now)
      return handled
    }, Effect.provide(services))

    const instant = Effect.map(now, (ms) => DateTime.makeUnsafe(ms))

    return AccessTokens.of({
      create: Effect.fn("AccessTokens.create")(
        function*(input: InputOf<"CreateToken">, caller: Caller) {
          const { expires_in_days, tenant_id = caller.tenantId, ...asked } = input
          const at = yield* instant
          const token = `${prefix}${yield* secret}`
          const made = {
            ...asked,
            token_id: yield* uuid,
            secret_sha256: sha256(token),
            tenant_id,
            created_at: DateTime.formatIso(at),
            ...(expires_in_days === undefined
              ? {}
              : { expires_at: DateTime.formatIso(DateTime.add(at, { days: expires_in_days })) })
          }
          yield* tell(AccessToken.CreateToken.make(made), caller.actor)
          return { ...viewOf(made, made.created_at), token }
        },
        inPublic
      ),
      list: Effect.gen(function*() {
        const { state } = yield* current(0)
        const at = DateTime.formatIso(yield* instant)
        return { tokens: [...state.values()].map((token) => viewOf(token, at)) }
      }).pipe(inPublic, Effect.withSpan("AccessTokens.list")),
      revoke: Effect.fn("AccessTokens.revoke")(
        function*({ token_id }: InputOf<"RevokeToken">, caller: Caller) {
          const revoked_at = DateTime.formatIso(yield* instant)
          const { facts } = yield* tell(
            AccessToken.RevokeToken.make({ token_id, revoked_at }),
            caller.actor
          )
          return { revoked: facts.length > 0 }
        },
        inPublic
      ),
      holder: Effect.fn("AccessTokens.holder")(function*(token: string) {
        const { state } = yield* current(staleMsMax)
        return AccessToken.accepted(state, sha256(token), DateTime.formatIso(yield* instant))
      }, inPublic)
    })
  })
)

const viewOf = (token: AccessToken.AccessToken, now: string): AccessInput.TokenView => {
  const { secret_sha256: _, ...view } = token
  return { ...view, live: AccessToken.isLive(token, now) }
}
