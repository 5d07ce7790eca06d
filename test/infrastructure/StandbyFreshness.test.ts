import { assert, describe, it } from "@effect/vitest"
import * as HotStandby from "../../src/infrastructure/postgres/HotStandby.ts"

const stand = { place: "7", timeline: "00000001", system: "s" }

/** Marks and replays as they were taken, in turn. */
const after = (...steps: ReadonlyArray<HotStandby.Mark | HotStandby.WalPosition>) =>
  steps.reduce<HotStandby.Freshness>(
    (known, step) =>
      typeof step === "bigint" ? HotStandby.replayed(known, step) : HotStandby.marked(known, step),
    HotStandby.unknown
  )

const at = (place: bigint, atMs: number): HotStandby.Mark => ({ place, atMs })

describe("the freshness of a standby", () => {
  it("is that of the latest position that it has replayed", () => {
    assert.strictEqual(after(at(5n, 100)).asOfMs, undefined)
    assert.strictEqual(after(at(5n, 100), 4n).asOfMs, undefined)
    assert.strictEqual(after(at(5n, 100), 5n).asOfMs, 100)
    assert.strictEqual(after(at(5n, 100), at(5n, 200), at(9n, 300), 8n).asOfMs, 200)
    // What is replayed before a mark is taken says nothing of the mark's time.
    assert.strictEqual(after(99n, at(5n, 100)).asOfMs, undefined)
    // It does not grow while the standby is paused.
    assert.strictEqual(after(at(5n, 100), 5n, at(6n, 200), 5n, at(7n, 300), 5n).asOfMs, 100)
  })

  it("holds for as long as the bound says, and is unknown at first", () => {
    const known = after(at(5n, 100), 5n)
    assert.isTrue(HotStandby.isWithin(known, 150, 50))
    assert.isFalse(HotStandby.isWithin(known, 151, 50))
    assert.isFalse(HotStandby.isWithin(HotStandby.unknown, 0, 1_000_000))
  })

  it("keeps a bounded number of marks of a standby that is halted", () => {
    const marks = Array.from({ length: 1_000 }, (_, index) => at(BigInt(index), index))
    assert.isAtMost(after(...marks).ahead.length, 100)
    assert.strictEqual(after(...marks, 2_000n).asOfMs, 999)
  })

  it("is compared along one timeline of one server, with a standby alone", () => {
    const rows = [
      [stand, undefined],
      [{ ...stand, place: "6" }, undefined],
      [{ ...stand, system: "t" }, "another server"],
      [{ ...stand, system: "t", place: null }, "another server"],
      [{ ...stand, place: null }, "no standby"],
      [{ ...stand, timeline: "00000002" }, "on another timeline"]
    ] as const
    for (const [standby, mismatch] of rows) {
      assert.strictEqual(HotStandby.mismatchOf(stand, standby), mismatch)
    }
  })
})
