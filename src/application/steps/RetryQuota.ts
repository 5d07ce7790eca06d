/**
 * How often a provider may be asked again: retries are paid from a purse that successes fill.
 *
 * While all is well a retry costs little; while a provider is down the purse is soon empty, so that
 * retries add at most a few per cent to the load.
 */
import { Effect, Ref } from "effect"
import type { ProviderName } from "../../domain/search/SearchStatus.ts"

/**
 * Tokens of the retry quota, as in the AWS SDKs: five retries, then one for every fourteen
 * successes.
 */
const tokensMax = 70
const retryTokens = 14
const successTokens = 1

export const make = Effect.gen(function*() {
  const purses = yield* Ref.make<ReadonlyMap<ProviderName, number>>(new Map())

  const add = (provider: ProviderName, tokens: number) =>
    Ref.modify(purses, (before) => {
      const left = (before.get(provider) ?? tokensMax) + tokens
      if (left < 0) return [false, before]
      return [true, new Map(before).set(provider, Math.min(tokensMax, left))]
    })

  return {
    /** Whether the retry may be made; if so it is paid. */
    spend: (provider: ProviderName): Effect.Effect<boolean> => add(provider, -retryTokens),
    earn: (provider: ProviderName): Effect.Effect<void> =>
      Effect.asVoid(add(provider, successTokens))
  }
})
