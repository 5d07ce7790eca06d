import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"
import { fold } from "../../src/domain/Decider.ts"
import * as KeyPool from "../../src/domain/search/KeyPool.ts"
import {
  KeyCooledDown,
  KeyDisabled,
  KeyPoolEvent,
  KeyRecovered,
  KeysLoaded
} from "../../src/domain/search/KeyPoolEvent.ts"
import { scenario } from "../support/scenario.ts"

const { given } = scenario(KeyPool)
const noon = "2026-01-15T12:00:00.000Z"
const after = (ms: number, from = noon) =>
  DateTime.formatIso(DateTime.makeUnsafe(DateTime.makeUnsafe(from).epochMilliseconds + ms))

const of = { provider: "tavily", key_slot: 1, at: noon } as const
const refusal = (
  status: typeof KeyPool.ReportRefusal.Type["status"],
  fields: Partial<typeof KeyPool.ReportRefusal.Type> = {}
) => KeyPool.ReportRefusal.make({ ...of, status, jitter: 0, ...fields })
const cooled = (status: typeof KeyCooledDown.Type["status"], restMs: number, fields = {}) =>
  KeyCooledDown.make({ ...of, status, until: after(restMs), strikes: 1, ...fields })

describe("a key", () => {
  it("rests for a minute when it is limited, longer when the provider says so", () => {
    given().when(refusal("rate_limited")).then(cooled("rate_limited", 60_000))
    given().when(refusal("rate_limited", { retry_after_ms: 1_000 })).then(
      cooled("rate_limited", 60_000)
    )
    given().when(refusal("rate_limited", { retry_after_ms: 120_000 })).then(
      cooled("rate_limited", 120_000)
    )
  })

  it("does not rest for ever because a provider says so", () => {
    given().when(refusal("rate_limited", { retry_after_ms: 1_000_000_000 })).then(
      cooled("rate_limited", 15 * 60_000)
    )
  })

  it("rests longer each time while its quota stays exhausted, at most to the month's turn", () => {
    given().when(refusal("quota_exhausted")).then(cooled("quota_exhausted", 60_000))
    const later = after(60_000)
    given(cooled("quota_exhausted", 60_000)).when(refusal("quota_exhausted", { at: later })).then(
      KeyCooledDown.make({
        ...of,
        at: later,
        status: "quota_exhausted",
        until: after(300_000, later),
        strikes: 2
      })
    )
    const eve = "2026-01-31T23:59:00.000Z"
    given(cooled("quota_exhausted", 60_000, { strikes: 6 })).when(
      refusal("quota_exhausted", { at: eve })
    ).then(KeyCooledDown.make({
      ...of,
      at: eve,
      status: "quota_exhausted",
      until: "2026-02-01T00:00:00.000Z",
      strikes: 7
    }))
  })

  it("is disabled when the provider does not know it", () => {
    given().when(refusal("invalid_key")).then(KeyDisabled.make({ ...of, reason: "invalid_key" }))
  })

  it("rests at the first bare 403 and is disabled at the second in a row", () => {
    const forbidden = { detail: "forbidden" }
    given().when(refusal("unknown_error", forbidden)).then(
      cooled("unknown_error", 60_000, forbidden)
    )
    const later = after(60_001)
    given(cooled("unknown_error", 60_000)).when(
      refusal("unknown_error", { ...forbidden, at: later })
    ).then(KeyDisabled.make({ ...of, at: later, reason: "forbidden" }))
  })

  it("is not punished for what is not its fault", () => {
    for (const status of ["timeout", "network_error", "bad_request", "unknown_error"] as const) {
      given().when(refusal(status)).thenNothing()
    }
  })

  it("neither rests nor takes a strike because our own ceiling is reached", () => {
    const own = { detail: KeyPool.ownCeiling }
    given().when(refusal("quota_exhausted", own)).thenNothing()
    assert.isFalse(KeyPool.isRefusal("quota_exhausted", KeyPool.ownCeiling))
    assert.isTrue(KeyPool.isAboutKey("quota_exhausted", KeyPool.ownCeiling))
    assert.isTrue(KeyPool.isRefusal("quota_exhausted", undefined))
  })

  it("is not punished twice for two calls that were under way together", () => {
    given(cooled("rate_limited", 60_000)).when(refusal("rate_limited", { at: after(10) }))
      .thenNothing()
  })

  it("is forgiven when it works again", () => {
    const success = KeyPool.ReportSuccess.make({ ...of, at: after(60_000) })
    given(cooled("rate_limited", 60_000)).when(success).then(
      KeyRecovered.make({ ...of, at: after(60_000) })
    )
    given().when(success).thenNothing()
  })

  it("is enabled again by a restart", () => {
    const loaded = { provider: "tavily", key_slots: [1, 2], at: noon } as const
    given(KeyDisabled.make({ ...of, reason: "invalid_key" })).when(KeyPool.LoadKeys.make(loaded))
      .then(KeysLoaded.make(loaded))
    given(cooled("rate_limited", 60_000)).when(KeyPool.LoadKeys.make(loaded)).thenNothing()
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

const commandOf = (
  { detail, jitter, key_slot, retry_after_ms, status }: typeof Signal.Type,
  at: string
) =>
  status === "success"
    ? KeyPool.ReportSuccess.make({ provider: "tavily", key_slot, at })
    : KeyPool.ReportRefusal.make({
      provider: "tavily",
      key_slot,
      at,
      status,
      detail,
      retry_after_ms,
      jitter
    })

describe("the pool", () => {
  const slots = [1, 2, 3, 4, 5]

  /** Walks through the signals and looks at the pool after each. */
  const walk = (
    signals: ReadonlyArray<typeof Signal.Type>,
    look: (pool: KeyPool.KeyPool, nowMs: number, events: ReadonlyArray<KeyPoolEvent>) => void
  ) => {
    let pool = KeyPool.initial
    let nowMs = DateTime.makeUnsafe(noon).epochMilliseconds
    for (const signal of signals) {
      nowMs += signal.stepMs
      const at = DateTime.formatIso(DateTime.makeUnsafe(nowMs))
      const decided = KeyPool.decide(commandOf(signal, at), pool)
      const events = Result.isSuccess(decided) ? decided.success : []
      pool = fold(KeyPool, events, pool)
      look(pool, nowMs, events)
    }
  }

  it.prop(
    "never offers a key that rests or is disabled, in 10,000 draws",
    [Schema.Array(Signal)],
    ([signals]) => {
      walk(signals, (pool, nowMs) => {
        for (const turn of [0, 1, 2, 3, 4]) {
          for (const slot of KeyPool.usable(pool, slots, nowMs, turn)) {
            const key = pool.keys.get(slot)
            assert.isTrue(key === undefined || (!key.disabled && key.cooledUntilMs <= nowMs))
          }
        }
      })
    },
    { arbitrary: { runs: 2_000 } }
  )

  it.prop(
    "lets no key rest for less than a minute",
    [Schema.Array(Signal)],
    ([signals]) => {
      walk(signals, (pool, nowMs, events) => {
        for (const event of events) {
          if (event._tag !== "WEB_GROUNDING_KEY_COOLED_DOWN") continue
          const restMs = (pool.keys.get(event.key_slot)?.cooledUntilMs ?? 0) - nowMs
          assert.isAtLeast(restMs, KeyPool.coolDownMsMin)
        }
      })
    },
    { arbitrary: { runs: 500 } }
  )

  it("spreads the load evenly over the keys that are ready", () => {
    const first = Array.from(
      { length: 1_000 },
      (_, turn) => KeyPool.usable(KeyPool.initial, slots, 0, turn)[0]
    )
    for (const slot of slots) {
      assert.strictEqual(first.filter((chosen) => chosen === slot).length, 200)
    }
  })

  it("offers nothing when all keys rest", () => {
    const pool = fold(
      KeyPool,
      slots.map((key_slot) => cooled("rate_limited", 60_000, { key_slot }))
    )
    const nowMs = DateTime.makeUnsafe(noon).epochMilliseconds
    assert.deepStrictEqual(KeyPool.usable(pool, slots, nowMs, 0), [])
    assert.deepStrictEqual(KeyPool.usable(pool, slots, nowMs + 60_000, 1), [2, 3, 4, 5, 1])
  })

  it.prop("folds any events", [Schema.Array(KeyPoolEvent)], ([events]) => {
    // Instants are free text to the generator; only well-formed ones are ever recorded.
    const dated = events.map((event) =>
      event._tag === "WEB_GROUNDING_KEY_COOLED_DOWN" ? { ...event, until: noon } : event
    )
    assert.isDefined(fold(KeyPool, dated))
  })
})
