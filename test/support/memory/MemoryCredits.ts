/** The credit ledger in a `Ref`: for tests. */
import { DateTime, Effect, Layer, Ref } from "effect"
import {
  ceilingOf,
  type CreditCeilings,
  Credits,
  type KeyMonth
} from "../../../src/application/ports/SearchProvider.ts"

export const layer = (ceilings: CreditCeilings) =>
  Layer.effect(
    Credits,
    Effect.gen(function*() {
      const ledger = yield* Ref.make<ReadonlyMap<string, number>>(new Map())
      return Credits.of({
        reserve: Effect.fnUntraced(function*(provider, keySlot, credits) {
          const month = DateTime.formatIso(yield* DateTime.now).slice(0, 7)
          const key: KeyMonth = { provider, keySlot, month }
          const ceiling = ceilingOf(ceilings, provider, keySlot) ?? Infinity
          const granted = yield* Ref.modify(ledger, (before) => {
            const used = (before.get(nameOf(key)) ?? 0) + credits
            return used > ceiling ? [false, before] : [true, new Map(before).set(nameOf(key), used)]
          })
          return granted ? key : undefined
        }),
        correct: (key, credits) =>
          Ref.update(ledger, (before) =>
            new Map(before).set(nameOf(key), Math.max(0, (before.get(nameOf(key)) ?? 0) + credits)))
      })
    })
  )

const nameOf = ({ keySlot, month, provider }: KeyMonth): string => `${provider} ${keySlot} ${month}`
