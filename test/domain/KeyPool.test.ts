import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import * as KeyPool from "../../src/domain/search/KeyPool.ts"
import type { SearchAttempt, SearchStatus } from "../../src/domain/search/SearchStatus.ts"
import { attempt } from "../support/attempts.ts"

const noon = "2026-01-15T12:00:00.000Z"
const after = (ms: number, from = noon) =>
  DateTime.formatIso(DateTime.makeUnsafe(DateTime.makeUnsafe(from).epochMilliseconds + ms))

const learn = (
  key: KeyPool.KeyState | undefined,
  status: SearchStatus,
  fields: Partial<SearchAttempt> = {},
  at = noon
) => KeyPool.afterAttempt(key, attempt({ status, ...fields }), { at, jitter: 0 })

const cooled = (reason: string, restMs: number, fields: Partial<KeyPool.KeyState> = {}) => {
  const { since = noon } = fields
  const key: KeyPool.KeyState = {
    provider: "tavily",
    key_slot: 1,
    state: "cooling",
    since,
    until: after(restMs, since),
    reason,
    strikes: 1,
    ...fields
  }
  return key
}

const disabled = (reason: string, fields: Partial<KeyPool.KeyState> = {}): KeyPool.KeyState => ({
  provider: "tavily",
  key_slot: 1,
  state: "disabled",
  since: noon,
  reason,
  strikes: 0,
  ...fields
})

const usable = (since: string, strikes = 0): KeyPool.KeyState => ({
  provider: "tavily",
  key_slot: 1,
  state: "usable",
  since,
  strikes
})

describe("a key", () => {
  it("rests for a minute when it is limited, longer when the provider says so", () => {
    for (
      const [retry_after_ms, restMs] of [
        [0, 60_000],
        [1_000, 60_000],
        [120_000, 120_000],
        [1_000_000_000, 15 * 60_000]
      ] as const
    ) {
      assert.deepStrictEqual(
        learn(undefined, "rate_limited", { retry_after_ms }),
        cooled("rate_limited", restMs)
      )
    }
  })

  it("rests longer each time while its quota stays exhausted, at most to the month's end", () => {
    const first = learn(undefined, "quota_exhausted", { detail: "paygo_exhausted" })
    assert.deepStrictEqual(first, cooled("quota_exhausted", 60_000))
    const later = after(60_000)
    assert.deepStrictEqual(
      learn(first, "quota_exhausted", {}, later),
      cooled("quota_exhausted", 300_000, { since: later, strikes: 2 })
    )
    const eve = "2026-01-31T23:59:00.000Z"
    assert.deepStrictEqual(
      learn(cooled("quota_exhausted", 60_000, { strikes: 6 }), "quota_exhausted", {}, eve),
      cooled("quota_exhausted", 60_000, { since: eve, strikes: 7 })
    )
  })

  it("is disabled when the provider does not know it", () => {
    assert.deepStrictEqual(learn(undefined, "invalid_key"), disabled("invalid_key"))
  })

  it("rests at the first bare 403 and is disabled at the second in a row", () => {
    const forbidden = { detail: "forbidden" }
    const first = learn(undefined, "unknown_error", forbidden)
    assert.deepStrictEqual(first, cooled("forbidden", 60_000))
    const later = after(60_001)
    assert.deepStrictEqual(
      learn(first, "unknown_error", forbidden, later),
      disabled("forbidden", { since: later, strikes: 1 })
    )
  })

  it("rests at a first 403 after a rate limit, and is not disabled", () => {
    const limited = learn(undefined, "rate_limited")
    const later = after(120_000)
    const refused = learn(limited, "unknown_error", { detail: "forbidden" }, later)
    assert.deepStrictEqual(refused, cooled("forbidden", 60_000, { since: later, strikes: 2 }))
  })

  it("is not punished for what is not its fault", () => {
    for (const status of ["timeout", "network_error", "bad_request", "unknown_error"] as const) {
      assert.strictEqual(learn(undefined, status)?.state, "usable")
      assert.isUndefined(learn(usable(noon), status))
    }
  })

  it("neither rests nor takes a strike because our own ceiling is reached", () => {
    const own = { detail: KeyPool.ownCeiling }
    assert.isUndefined(learn(usable(noon), "quota_exhausted", own))
    assert.isFalse(KeyPool.isRefusal("quota_exhausted", KeyPool.ownCeiling))
    assert.isTrue(KeyPool.isAboutKey("quota_exhausted", KeyPool.ownCeiling))
    assert.isTrue(KeyPool.isRefusal("quota_exhausted", undefined))
  })

  it("is not punished twice for two calls that were under way together, nor forgiven", () => {
    const resting = cooled("rate_limited", 60_000)
    for (const status of ["rate_limited", "invalid_key", "success"] as const) {
      assert.isUndefined(learn(resting, status, {}, after(10)))
      assert.isUndefined(learn(disabled("invalid_key"), status, {}, after(10)))
    }
  })

  it("is forgiven when it works again", () => {
    const resting = cooled("rate_limited", 60_000)
    const later = after(60_000)
    assert.deepStrictEqual(learn(resting, "success", {}, later), usable(later))
    assert.isUndefined(learn(usable(noon), "success", {}, later))
  })

  it("is enabled again by a restart", () => {
    assert.deepStrictEqual(
      KeyPool.afterStart(disabled("forbidden", { strikes: 1 }), noon),
      usable(noon, 1)
    )
    assert.isUndefined(KeyPool.afterStart(cooled("rate_limited", 60_000), noon))
    assert.isUndefined(KeyPool.afterStart(undefined, noon))
  })

  it("keeps the time of the first attempt that missed it, until one does not", () => {
    const first = learn(undefined, "api_key_missing", { started_at: noon })
    assert.deepInclude(first, { state: "missing", since: noon })
    assert.isUndefined(learn(first, "api_key_missing", { started_at: after(1) }))
    assert.deepStrictEqual(learn(first, "timeout", { started_at: after(2) }), usable(after(2)))
  })

  it("counts as usable when its rest is over", () => {
    const resting = cooled("rate_limited", 60_000)
    const nowMs = Date.parse(noon) + 60_000
    assert.strictEqual(KeyPool.stateAt(resting, nowMs - 1).state, "cooling")
    assert.deepInclude(KeyPool.stateAt(resting, nowMs), { state: "usable", since: after(60_000) })
  })
})

const Signal = Schema.Struct({
  key_slot: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })),
  status: Schema.Literals([
    "success",
    "rate_limited",
    "quota_exhausted",
    "invalid_key",
    "unknown_error",
    "timeout",
    "network_error",
    "bad_request"
  ]),
  detail: Schema.Literals(["forbidden", "other"]),
  retry_after_ms: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000_000 })),
  stepMs: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400_000 })),
  jitter: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
})

describe("the pool", () => {
  const slots = [1, 2, 3, 4, 5]

  /** Walks through the signals and looks at the keys after each. */
  const walk = (
    signals: ReadonlyArray<typeof Signal.Type>,
    look: (keys: ReadonlyMap<number, KeyPool.KeyState>, nowMs: number) => void
  ) => {
    const keys = new Map<number, KeyPool.KeyState>()
    let nowMs = DateTime.makeUnsafe(noon).epochMilliseconds
    for (const { jitter, stepMs, ...fields } of signals) {
      nowMs += stepMs
      const at = DateTime.formatIso(DateTime.makeUnsafe(nowMs))
      const next = KeyPool.afterAttempt(keys.get(fields.key_slot), attempt(fields), { at, jitter })
      if (next !== undefined) keys.set(fields.key_slot, next)
      look(keys, nowMs)
      if (next?.state === "cooling") {
        assert.isAtLeast(Date.parse(next.until ?? "") - nowMs, KeyPool.coolDownMsMin)
      }
    }
  }

  it.prop(
    "never offers a key that rests or is disabled, in 10,000 draws, and none rests for less than a minute",
    [Schema.Array(Signal)],
    ([signals]) => {
      walk(signals, (keys, nowMs) => {
        for (const turn of [0, 1, 2, 3, 4]) {
          for (const slot of KeyPool.usable([...keys.values()], slots, nowMs, turn)) {
            const { state, until = noon } = keys.get(slot) ?? usable(noon)
            assert.isTrue(state === "usable" || (state === "cooling" && Date.parse(until) <= nowMs))
          }
        }
      })
    },
    { arbitrary: { runs: 2_000 } }
  )

  it("spreads the load evenly over the keys that are ready", () => {
    const first = Array.from(
      { length: 1_000 },
      (_, turn) => KeyPool.usable([], slots, 0, turn)[0]
    )
    for (const slot of slots) {
      assert.strictEqual(first.filter((chosen) => chosen === slot).length, 200)
    }
  })

  it("offers nothing when all keys rest", () => {
    const keys = slots.map((key_slot) => cooled("rate_limited", 60_000, { key_slot }))
    const nowMs = DateTime.makeUnsafe(noon).epochMilliseconds
    assert.deepStrictEqual(KeyPool.usable(keys, slots, nowMs, 0), [])
    assert.deepStrictEqual(KeyPool.usable(keys, slots, nowMs + 60_000, 1), [2, 3, 4, 5, 1])
  })
})
