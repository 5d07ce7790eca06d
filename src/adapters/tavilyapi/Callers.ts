/** Identifies the caller. The key is looked at here and nowhere else, and goes no further. */
import { Effect, Option, Predicate } from "effect"
import { Access, callerBy, credentialIn, type RemoteCaller } from "../../application/Access.ts"
import { Refused, unavailable } from "./Refused.ts"

export interface Presented {
  /** The header `Authorization`. */
  readonly authorization: string | undefined
  /** `api_key` of the body, where older clients put it. */
  readonly apiKey: unknown
  readonly arrivedAtMs: number
}

const key = /^[\w.~+/=-]{1,8192}$/

const unauthorized = new Refused({
  status: 401,
  error: "Unauthorized: missing or invalid API key."
})

const presentedBy = ({ apiKey, authorization }: Presented): Option.Option<string> =>
  Option.filter(
    authorization === undefined
      ? Option.liftPredicate(apiKey, Predicate.isString)
      : credentialIn(authorization),
    (credential) => key.test(credential)
  )

/**
 * The caller whose key it is; a header goes before the body. Fails with 401, also where the service
 * itself asks for none: Tavily's clients always send one.
 */
export const callerOf = (presented: Presented): Effect.Effect<RemoteCaller, Refused, Access> =>
  Effect.gen(function*() {
    const credential = presentedBy(presented)
    if (Option.isNone(credential)) return yield* unauthorized
    const { identify } = yield* Access
    const identity = yield* Effect.mapError(
      identify(credential),
      (failure) => failure._tag === "Unauthenticated" ? unauthorized : unavailable(failure)
    )
    return { ...callerBy(identity, "tavily"), arrivedAtMs: presented.arrivedAtMs }
  })
